#pragma once

#include <cmath>
#include <string>

#include "bindings/fields/guarantee.hpp"
#include "core/federation/masked.hpp"
#include "core/federation/sharing.hpp"
#include "core/ingest/csv_reader.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/assembly.hpp"
#include "core/moments/intake.hpp"

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
  field("used", counts.used, "Rows that count with their own values.");
  field("centred", counts.centred,
        "Rows that count as the public centre, because of a missing cell.");
  field("dropped", counts.dropped, "Rows left out because of a missing cell.");
  field("shortened", counts.shortened(), "Rows longer than the clip radius, shortened to it.");
  field("columns", counts.columns);
}

template <class Field>
void fields(Field& field, const CsvLayout& layout) {
  constexpr char kDelimiters[] = {',', ';', '\t', '|'};
  constexpr DecimalMark kMarks[] = {DecimalMark::kPoint, DecimalMark::kComma};
  field.oneOf("delimiter", layout.delimiter, kDelimiters);
  field.oneOf("decimal", layout.mark, kMarks);
  field("width", layout.width, "Fields of a row.");
  field("positions", layout.positions, "Where each column of the study is, from 0.");
  field("ignored", layout.ignored, "Columns the study does not use.");
  field("headerBytes", layout.header_bytes, "Bytes from the start of the file to its first row.");
}

template <class Field>
void fields(Field& field, const CsvProgress& read) {
  field("start", read.start, "Where the first record began.");
  field("end", read.end, "Where the last one ended.");
  field("rows", read.rows, "The rows between.");
}

template <class Field>
void fields(Field& field, const Released& released) {
  field("values", released.values);
  field("rows", released.rows);
  field("clipCounts", released.clip_counts, "Empty without adaptive clipping.");
  field("clipLevel", released.clip_level, "0 without adaptive clipping.");
}

template <class Field>
void fields(Field& field, const Masked& masked) {
  field("payload", masked.payload, "8 little-endian bytes for each of `length` entries.");
  field("rows", masked.rows, "Null where the number of rows is private.");
}

template <class Field>
void fields(Field& field, const AssembledSums& sums) {
  field("values", sums.packed);
  field("diagonal", sums.diagonal, "Standard deviations of the noise; see RawNoise.");
  field("offDiagonal", sums.off_diagonal);
  field("linear", sums.linear);
  field("count", sums.count);
  field("rows", sums.rows);
  field("meanSquaredRadius", sums.mean_squared_radius, "What no trace can exceed.");
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
        "The value of one released integer (of directions: of their values), in scaled units "
        "squared.");
  field("mean", plan.noise_mean * grid,
        "What the noise adds to every diagonal entry on average; `assemble` takes it off.");
  field("sdDiagonal", plan.sd_diagonal * grid,
        "Standard deviations of the noise in second moments; 0 for directions.");
  field("sdOffDiagonal", plan.sd_off_diagonal * grid);
  field("parameters", plan.facts,
        "Further public numbers of the mechanism; texts are whole numbers in decimal digits.");
}

/// What a release of a plan is like, before there is one. The plan does not depend on the clip
/// radius, only the size of its units does.
struct Description {
  const Plan& plan;
  double radius;
};

template <class Field>
void fields(Field& field, const Description& description) {
  constexpr Content kContents[] = {Content::kMoments, Content::kComponents};
  const auto& [plan, radius] = description;
  field.base(plan.guarantee);
  field("noise", NoiseEnvelope{plan, radius});
  field("radius", radius, "The clip radius, scaled units.");
  field("clipCounts", clipCounts(plan),
        "With adaptive clipping, how many counts a release holds; else 0.");
  field("clipCountSd", clipCountSd(plan), "Standard deviation of each, in rows.");
  field.oneOf("content", plan.content, kContents);
  field("length", plan.length, "How many integers a release has.");
  field("freedom", plan.freedom, "Degrees of freedom of Wishart noise.");
  field("constant", std::ldexp(double(plan.constant), -plan.bits) * radius,
        "The constant coordinate of every row, scaled units.");
  field("maxRows", plan.max_rows, "Behind masks, of one site.");
  field.when(isMasked(plan), "maxRowsOfSum", plan.max_rows_of_sum,
             "Behind masks only. For unit participant: participants.");
}

/// What several guarantees cost together; infinite where no bound is known.
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
