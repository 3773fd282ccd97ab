#pragma once

#include <cmath>
#include <string>

#include "bindings/fields/guarantee.hpp"
#include "core/federation/masked.hpp"
#include "core/federation/sharing.hpp"
#include "core/ingest/csv_reader.hpp"
#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/choices.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/assembly.hpp"
#include "core/moments/centred_assembly.hpp"
#include "core/moments/intake.hpp"
#include "core/moments/within_sites.hpp"

namespace pm {

/// "moments" or "components".
inline const char* name(Content content) {
  return content == Content::kMoments ? "moments" : "components";
}

inline std::string name(DecimalMark mark) { return name(char(mark)); }

template <class Field>
void fields(Field& field, const ColumnCounts& counts) {
  field("missing", counts.missing, "Cells that are missing, unreadable or not finite.");
  field("outside", counts.outside, "Cells outside the public bounds, moved to the nearest bound.");
}

template <class Field>
void fields(Field& field, const IntakeCounts& counts) {
  field("rows", counts.rows, "Rows read.");
  field("used", counts.used, "Rows used with their own values.");
  field("centred", counts.centred, "Rows replaced by the public centre because of a missing cell.");
  field("dropped", counts.dropped, "Rows left out because of a missing cell.");
  field("shortened", counts.shortened(), "Rows longer than the clip radius, scaled down to it.");
  field("columns", counts.columns);
}

template <class Field>
void fields(Field& field, const CsvLayout& layout) {
  constexpr char kDelimiters[] = {',', ';', '\t', '|'};
  constexpr DecimalMark kMarks[] = {DecimalMark::kPoint, DecimalMark::kComma};
  field.oneOf("delimiter", layout.delimiter, kDelimiters);
  field.oneOf("decimal", layout.mark, kMarks);
  field("width", layout.width, "Number of fields in a row.");
  field("positions", layout.positions, "Position of each of the study's columns, from 0.");
  field("ignored", layout.ignored, "Columns that the study does not use.");
  field("headerBytes", layout.header_bytes, "Bytes from the start of the file to its first row.");
}

template <class Field>
void fields(Field& field, const CellsToCheck& found) {
  field("unreadable", found.unreadable, "Cells that are not empty and could not be read.");
  field("rows", found.rows, "The first rows that have one, from 0.");
  field("codes", found.codes, "Common codes for a missing value among the cells out of bounds.");
}

template <class Field>
void fields(Field& field, const CsvProgress& read) {
  field("start", read.start, "Position in the file where the first record begins.");
  field("end", read.end, "Position where the last record ends.");
  field("rows", read.rows, "Number of rows between them.");
}

template <class Field>
void fields(Field& field, const Released& released) {
  field("values", released.values);
  field("rows", released.rows);
  field("clipCounts", released.clip_counts, "Empty without adaptive clipping.");
  field("clipLevel", released.clip_level, "0 without adaptive clipping.");
}

template <class Field>
void fields(Field& field, const Coordinates& coordinates) {
  field("centre", coordinates.centre, "One number for each feature, scaled units.");
  field("scale", coordinates.scale, "One number for each feature, scaled units.");
  field("radius", coordinates.radius, "The longest clip radius, in units of these scales.");
  field("levels", coordinates.ladder.levels, "Number of clip radii.");
}

template <class Field>
void fields(Field& field, const SurveyedGaps& gaps) {
  field("cells", gaps.cells, "Rows without the cell of each column; noisy.");
  field("sd", gaps.sd, "Standard deviation of the noise in each.");
}

template <class Field>
void fields(Field& field, const ReleasedSurvey& survey) {
  field("sums", survey.sums,
        "The count, the sum of each feature, where gaps are counted the gaps of each column, and "
        "of the squares of each number column.");
  field("rows", survey.rows);
  field("coordinates", survey.coordinates);
}

template <class Field>
void fields(Field& field, const ClippedRows& clipped) {
  field("shortened", clipped.shortened, "Rows shortened; negative by noise.");
  field("counts", double(clipped.counts), "The noisy counts in that number.");
  field("lost", clipped.lost, "Rows times the variance taken from them, scaled units.");
}

template <class Field>
void fields(Field& field, const CentredSums& sums) {
  fields(field, static_cast<const AssembledSums&>(sums));
  field("centre", sums.centre,
        "The middle of the common coordinates, for each feature, scaled units.");
  field("units", sums.units, "One unit of the common coordinates, for each feature, scaled units.");
  field("clipped", sums.clipped);
  field("noiseCentres", sums.noise_centres,
        "Packed mean of (1, d)(1, d)^T over the releases, d the centre in z, by the variance of "
        "linear noise.");
  field("centreSpread", sums.centre_spread,
        "What clipping may have added to the covariance, packed; empty for one release.");
}

template <class Field>
void fields(Field& field, const WithinSums& sums) {
  fields(field, static_cast<const AssembledSums&>(sums));
  field("centre", sums.centre, "The mean of all rows, scaled units.");
  field("units", sums.units, "One unit of the coordinates, for each feature, scaled units.");
  field("noiseCentres", sums.noise_centres, "That of `RawCentredSums`.");
}

template <class Field>
void fields(Field& field, const CentringChoice& choice) {
  field("radius", choice.radius(), "In units of `scale`.");
  field("centre", choice.coordinates.centre, "One number for each feature, scaled units.");
  field("scale", choice.coordinates.scale, "One number for each feature, scaled units.");
}

/// What a study with private centring would choose, and the noise of its sum.
struct ExpectedCentring {
  CentredSums noise;
  std::vector<CentringChoice> choices;
  std::vector<double> lengths;
};

template <class Field>
void fields(Field& field, const ExpectedCentring& expected) {
  field("noise", expected.noise, "The sums are those of no rows.");
  field("choices", expected.choices, "Those of the study with the middle noise.");
  field("lengths", expected.lengths,
        "The radius that each drawn release chooses, divided by the typical length of its rows.");
}

template <class Field>
void fields(Field& field, const Masked& masked) {
  field("payload", masked.payload, "8 little-endian bytes for each of `length` entries.");
  field("rows", masked.rows, "Null if the number of rows is private.");
}

template <class Field>
void fields(Field& field, const AssembledSums& sums) {
  field("values", sums.packed);
  field("diagonal", sums.diagonal,
        "Standard deviations of the noise: of diagonal and other entries, linear sums and the "
        "count.");
  field("offDiagonal", sums.off_diagonal);
  field("linear", sums.linear);
  field("count", sums.count);
  field("rows", sums.rows);
  field("meanSquaredRadius", sums.mean_squared_radius, "Upper bound on the trace.");
}

}  // namespace pm

namespace pm::js {

/// The public law of the noise in one release with this clip radius, scaled units.
struct NoiseEnvelope {
  const Plan& plan;
  double radius;
};

template <class Field>
void fields(Field& field, const NoiseEnvelope& noise) {
  const Plan& plan = noise.plan;
  const double grid = std::ldexp(noise.radius * noise.radius, -2 * plan.bits);
  field("distribution", plan.distribution);
  field("sampler", plan.sampler);
  field("rng", "chacha20-fke/1");
  field("bits", plan.bits, "Rows are rounded to multiples of 2^-bits of rowNorm.");
  field("gridLog2", plan.release_shift - 2 * plan.bits,
        "log2 of one released unit, in units of rowNorm squared.");
  field("unit", std::ldexp(grid, plan.release_shift),
        "One unit of the released integers, in scaled units squared. For directions: of their "
        "values.");
  field("mean", plan.noise_mean * grid,
        "Mean of the noise on every diagonal entry; `assemble` subtracts it.");
  field("sdDiagonal", plan.sd_diagonal * grid,
        "Standard deviations of the noise in second moments; 0 for directions.");
  field("sdOffDiagonal", plan.sd_off_diagonal * grid);
  field("parameters", plan.facts,
        "Further public numbers of the mechanism; strings are whole numbers in decimal digits.");
}

/// Public properties of a plan's releases, known in advance. The clip radius affects only the size
/// of the plan's units.
struct Description {
  const Plan& plan;
  double radius;
  std::size_t counts = clipCounts(plan);
};

template <class Field>
void fields(Field& field, const Description& description) {
  constexpr Content kContents[] = {Content::kMoments, Content::kComponents};
  const auto& [plan, radius, counts] = description;
  field.base(plan.guarantee);
  field("noise", NoiseEnvelope{plan, radius});
  field("radius", radius, "The clip radius, scaled units.");
  field("clipCounts", counts,
        "Number of counts in a release with adaptive clipping or private centring; otherwise 0.");
  field("clipCountSd", clipCountSd(plan),
        "Standard deviation of the noise in each count, in rows.");
  field.oneOf("content", plan.content, kContents);
  field("length", plan.length, "Number of integers in a release.");
  field("freedom", plan.freedom, "Degrees of freedom of Wishart noise.");
  field("constant", std::ldexp(double(plan.constant), -plan.bits) * radius,
        "The constant coordinate of every row, scaled units.");
  field("maxRows", plan.max_rows, "Maximum number of rows; with masks, of one site.");
  field.when(isMasked(plan), "maxRowsOfSum", plan.max_rows_of_sum,
             "With masks only: maximum number of rows of the sum, or of participants if a "
             "participant is the unit.");
}

/// The total cost of several guarantees; infinite if no bound is known.
struct Composition {
  double epsilon = 0, pure = 0, gdp = 0, zcdp = 0, total_variation = 0;
};

template <class Field>
void fields(Field& field, const Composition& cost) {
  field.when(std::isfinite(cost.epsilon), "epsilon", cost.epsilon);
  field.when(std::isfinite(cost.pure), "pure", cost.pure);
  field.when(std::isfinite(cost.gdp), "gdp", cost.gdp);
  field.when(std::isfinite(cost.zcdp), "zcdp", cost.zcdp);
  field("totalVariation", cost.total_variation);
}

}  // namespace pm::js
