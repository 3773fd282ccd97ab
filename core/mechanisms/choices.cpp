#include "core/mechanisms/choices.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/release.hpp"
#include "core/square.hpp"

namespace pm {
namespace {

std::uint64_t wholeRows(double rows) {
  return std::uint64_t(std::nearbyint(std::clamp(rows, 1.0, double(kMaxSurveyRows))));
}

bool rowsArePublic(const Plan& plan) { return plan.params.neighbours == Neighbours::kReplaceOne; }

/// Noise as releases draw it. Samplers draw thousands at a time, so callers ask once.
std::vector<double> noiseOf(const Plan& plan, std::uint64_t width, std::size_t count,
                            Drbg& random) {
  std::vector<double> noise;
  const auto take = [&](const auto& drawn) {
    for (std::size_t i = 0; i < count; ++i) noise.push_back(double(std::int64_t(drawn[i])));
  };
  if (plan.laplace_steps) {
    take(laplaceNoise(width, count, random));
  } else {
    take(gaussianNoise(width, count, random));
  }
  return noise;
}

/// The sums of a survey of rows with exactly the stated moments.
std::vector<double> expectedSurvey(std::span<const Column> columns, const StatedRows& stated) {
  const double steps = double(kSurveySteps) * double(wholeRows(stated.rows));
  std::vector<double> sums{steps}, squares;
  std::size_t j = 0;
  for (const Column& column : columns) {
    for (int level = 0; level < column.features(); ++level, ++j) {
      const double mean = std::clamp(stated.mean[j], -1.0, 1.0);
      sums.push_back(std::nearbyint(steps * mean));
      if (column.kind != Column::Kind::kNumber) continue;
      const double about = std::min(1.0, square(mean) + stated.variance[j]);
      squares.push_back(std::nearbyint(steps * (about - 0.5)));
    }
  }
  sums.insert(sums.end(), squares.begin(), squares.end());
  return sums;
}

double typicalLength(const Coordinates& coordinates, const StatedRows& stated) {
  double length = 0;
  for (std::size_t j = 0; j < coordinates.centre.size(); ++j) {
    length += (stated.variance[j] + square(stated.mean[j] - coordinates.centre[j])) /
              square(coordinates.scale[j]);
  }
  return std::sqrt(length);
}

/// The rows between one radius and the next, in multiples of 2^-kClipCountBits. None is longer than
/// the first by much.
Result<std::vector<double>> expectedCounts(const Coordinates& coordinates, double rows,
                                           const LongerRows& longer) {
  std::vector<double> radii;
  for (int rung = 1; rung < coordinates.ladder.levels; ++rung) {
    radii.push_back(coordinates.radius * coordinates.ladder.ratio(rung));
  }
  const Result<std::vector<double>> shares = longer(coordinates, radii);
  if (!shares.ok()) return shares.error();
  std::vector<double> counts;
  double before = 0;
  for (const double share : shares.value()) {
    const double above = std::max(before, std::clamp(share, 0.0, 1.0));
    counts.push_back(std::nearbyint(std::ldexp((above - before) * rows, kClipCountBits)));
    before = above;
  }
  return counts;
}

/// Proportional to the squared Frobenius norm of the noise in scaled units, nearly.
double noiseEnergy(const CentringChoice& choice) {
  double units = 0;
  for (const double scale : choice.coordinates.scale) units += square(scale);
  return square(square(choice.radius()) * units);
}

}  // namespace

std::vector<int> expectedLevels(const Plan& plan, double rows, std::span<const double> longer,
                                int draws, Drbg& random) {
  const std::size_t size = clipCounts(plan);
  std::optional<std::uint64_t> public_rows;
  if (rowsArePublic(plan)) public_rows = wholeRows(rows);
  const std::vector<double> noise =
      noiseOf(plan, plan.clip_width, size * std::size_t(draws), random);
  std::vector<int> levels;
  std::vector<double> counts(size);
  for (std::size_t draw = 0; draw < std::size_t(draws); ++draw) {
    for (std::size_t i = 0; i < size; ++i) {
      const double share = i < longer.size() ? longer[i] : 1;
      counts[i] = std::nearbyint(std::ldexp(share * rows, kClipCountBits)) + noise[draw * size + i];
    }
    levels.push_back(chooseClipLevel(plan, counts, public_rows));
  }
  return levels;
}

Result<std::vector<CentringChoice>> expectedChoices(const Plan& plan,
                                                    std::span<const Column> columns,
                                                    const StatedRows& stated,
                                                    const LongerRows& longer, int draws,
                                                    Drbg& random) {
  const std::vector<double> sums = expectedSurvey(columns, stated);
  std::optional<std::uint64_t> rows;
  if (rowsArePublic(plan)) rows = wholeRows(stated.rows);
  const std::vector<double> survey_noise =
      noiseOf(plan, plan.survey_width, sums.size() * std::size_t(draws), random);
  const std::vector<double> count_noise =
      noiseOf(plan, plan.clip_width, std::size_t(draws) * kMostClipLevels, random);
  std::vector<CentringChoice> choices;
  for (std::size_t draw = 0; draw < std::size_t(draws); ++draw) {
    std::vector<double> survey = sums;
    for (std::size_t i = rows ? 1 : 0; i < survey.size(); ++i) {
      survey[i] += survey_noise[draw * survey.size() + i];
    }
    CentringChoice choice;
    choice.coordinates = chooseCoordinates(plan, columns, survey, rows);
    Result<std::vector<double>> counts = expectedCounts(choice.coordinates, stated.rows, longer);
    if (!counts.ok()) return counts.error();
    for (std::size_t i = 0; i < counts.value().size(); ++i) {
      counts.value()[i] += count_noise[draw * kMostClipLevels + i];
    }
    choice.rung = chooseRung(plan, choice.coordinates.ladder, counts.value());
    choice.clipped = clippedRows(plan, choice.coordinates, counts.value(), choice.rung);
    choice.typical = typicalLength(choice.coordinates, stated);
    choices.push_back(std::move(choice));
  }
  return choices;
}

std::vector<CentringChoice> middleStudy(std::span<const CentringChoice> choices, double sites,
                                        Drbg& random) {
  const std::size_t size = std::size_t(std::clamp(sites, 1.0, double(choices.size())));
  struct Study {
    double energy = 0;
    std::vector<std::size_t> members;
  };
  // With one site, every choice once.
  constexpr std::size_t kStudies = 63;
  std::vector<Study> studies(size == 1 ? choices.size() : kStudies);
  for (std::size_t s = 0; s < studies.size(); ++s) {
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t member = size == 1 ? s : std::size_t(random.next64() % choices.size());
      studies[s].members.push_back(member);
      studies[s].energy += noiseEnergy(choices[member]);
    }
  }
  const auto middle = studies.begin() + std::ptrdiff_t((studies.size() - 1) / 2);
  std::nth_element(studies.begin(), middle, studies.end(),
                   [](const Study& a, const Study& b) { return a.energy < b.energy; });
  std::vector<CentringChoice> chosen;
  for (const std::size_t member : middle->members) chosen.push_back(choices[member]);
  return chosen;
}

CentredScale centredScale(const Plan& plan, const Coordinates& coordinates, int rung) {
  const double radius = coordinates.radius * coordinates.ladder.ratio(rung);
  return {releaseScale(plan, radius), coordinates.centre, coordinates.scale};
}

Result<CentredSums> expectedNoise(const Plan& plan, std::span<const CentringChoice> choices,
                                  double rows, double sites) {
  // At the radius that no row within its bounds exceeds.
  const double sd = releaseScale(plan, std::sqrt(double(plan.params.dimension))).off_diagonal;
  Result<CentredAssembly> assembly = CentredAssembly::create(plan.params.dimension, sd);
  if (!assembly.ok()) return assembly.error();
  const std::vector<double> nothing(plan.length);
  std::optional<std::uint64_t> public_rows;
  if (rowsArePublic(plan)) public_rows = wholeRows(rows);
  for (const CentringChoice& choice : choices) {
    std::vector<double> values = nothing;
    // The number of rows weights the centres.
    const CentredScale scale = centredScale(plan, choice.coordinates, choice.rung);
    values[0] =
        std::nearbyint((wholeRows(rows) * square(scale.constant) + scale.mean) / scale.unit);
    if (const Status wrong = assembly.value().add(values, scale, public_rows, choice.clipped)) {
      return *wrong;
    }
  }
  Result<CentredSums> sums = assembly.value().sum();
  if (!sums.ok()) return sums;
  const double growth = std::sqrt(sites / double(choices.size()));
  CentredSums& all = sums.value();
  for (double* sd : {&all.diagonal, &all.off_diagonal, &all.linear, &all.count}) *sd *= growth;
  return sums;
}

}  // namespace pm
