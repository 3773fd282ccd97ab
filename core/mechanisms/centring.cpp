#include "core/mechanisms/centring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/moments/survey.hpp"
#include "core/privacy/accountant.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/privacy/upward.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/random/drbg.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

/// Multiples of the rungs, from sixteen times the near radius to a fifth of it: steps of about sqrt
/// 2, then of about 2^(1/4).
constexpr std::array<int, 18> kRungs = {2,  3,  4,  6,  8,  11, 16,  23,  32,
                                        38, 45, 54, 64, 76, 91, 108, 128, 152};
constexpr int kNearRung = 8;
/// The near radius, in typical lengths of a row.
constexpr double kNear = 2.5;

/// The margin for the noise of a tail, in standard deviations.
constexpr double kTailDoubt = 2;

/// Limits of the widths that keep every sum with its noise within +-2^53.
constexpr double kMaxSurveyWidth = 0x1p42;
constexpr double kMaxCountWidth = 0x1p42;

Uint128 countSensitivitySquared(Neighbours neighbours) {
  return Uint128(neighbours == Neighbours::kReplaceOne ? 2 : 1) << (2 * kClipCountBits);
}

std::uint64_t countSensitivity(Neighbours neighbours) {
  return std::uint64_t(neighbours == Neighbours::kReplaceOne ? 2 : 1) << kClipCountBits;
}

double deviation(bool pure, std::uint64_t w) {
  return (pure ? std::numbers::sqrt2 : 1) * 16 * double(w);
}

/// Numbers with noise of width w, each exact in a double.
std::vector<double> withNoise(bool pure, std::uint64_t w, std::span<const std::int64_t> exact,
                              std::size_t first_noisy, Drbg& random) {
  std::vector<double> out(exact.begin(), exact.end());
  const auto add = [&](auto noise) {
    for (std::size_t i = first_noisy; i < out.size(); ++i) {
      out[i] = double(std::int64_t(exact[i] + std::int64_t(noise[i])));
    }
    wipe(noise.data(), noise.size() * sizeof noise[0]);
  };
  if (pure) {
    add(laplaceNoise(w, out.size(), random));
  } else {
    add(gaussianNoise(w, out.size(), random));
  }
  return out;
}

Result<CentringPlan> planPure(const MechanismParams& params, CentringPlan plan) {
  const double survey = params.epsilon * kPureShares.survey;
  const double counts = params.epsilon * kPureShares.counts;
  MechanismParams rest = params;
  rest.epsilon = params.epsilon - survey - counts;
  Result<Plan> moments = planTwoSidedWishart(rest);
  if (!moments.ok()) return moments.error();
  plan.pure = true;
  plan.moments = std::move(moments).value();
  plan.moments.params.epsilon = params.epsilon;
  plan.survey_width = laplaceWidth(
      survey, surveySensitivityL1(plan.numbers, plan.categories, kSurveyBits, params.neighbours));
  plan.count_width = laplaceWidth(counts, countSensitivity(params.neighbours));
  setPure(plan.moments.guarantee, params.epsilon);
  return plan;
}

Result<CentringPlan> planApproximate(const MechanismParams& params, CentringPlan plan) {
  const double mu = gdpOfEpsilonDelta(params.epsilon, params.delta);
  Result<Plan> moments = planGaussianMoments(
      params, mu * std::sqrt(1 - kGaussianShares.survey - kGaussianShares.counts));
  if (!moments.ok()) return moments.error();
  plan.moments = std::move(moments).value();
  const Uint128 survey =
      surveySensitivitySquared(plan.numbers, plan.categories, kSurveyBits, params.neighbours);
  const Uint128 counts = countSensitivitySquared(params.neighbours);
  plan.survey_width = gaussianWidth(mu * std::sqrt(kGaussianShares.survey), survey);
  plan.count_width = gaussianWidth(mu * std::sqrt(kGaussianShares.counts), counts);

  const std::uint64_t w = plan.moments.own<GaussianNoise>().w_diagonal;
  const double mus[] = {gaussianMu(survey, plan.survey_width), gaussianMu(counts, plan.count_width),
                        gaussianMu(plan.moments.sensitivity_squared, w)};
  const double rhos[] = {gaussianRho(survey, plan.survey_width),
                         gaussianRho(counts, plan.count_width),
                         gaussianRho(plan.moments.sensitivity_squared, w)};
  const double samples[] = {double(1 + 2 * plan.numbers + params.dimension),
                            double(kRungs.size() - 1), double(noisyEntries(params))};
  certifyGaussian(plan.moments, composeGdp(mus, 3), sumUp(sumUp(rhos[0], rhos[1]), rhos[2]),
                  samples[0] + samples[1] + samples[2],
                  "at this epsilon the sampler's tail is too short for the requested delta: treat "
                  "the release as not private");
  Guarantee& g = plan.moments.guarantee;
  const char* names[] = {"centre and scale", "clip radius", "second moments"};
  for (int i = 0; i < 3; ++i) {
    g.parts.push_back(gaussianPart(names[i], mus[i], rhos[i], samples[i], g));
  }
  return plan;
}

}  // namespace

Result<CentringPlan> planCentring(const MechanismParams& params, std::span<const Column> columns) {
  if (params.unit != Unit::kRow) {
    return Error{Code::kInvalidUnit, "private centring needs unit row", "clipping"};
  }
  CentringPlan plan;
  int features = 0;
  for (const Column& column : columns) {
    (column.kind == Column::Kind::kNumber ? plan.numbers : plan.categories) += 1;
    features += column.features();
  }
  if (features != params.dimension) {
    return Error{Code::kInvalidDimension, "the columns do not have that many features",
                 "dimension"};
  }
  MechanismParams unclipped = params;
  unclipped.row_norm = 1;
  unclipped.adaptive = false;
  if (const Status wrong = checkParams(unclipped, Budget::kPure)) return *wrong;
  Result<CentringPlan> result =
      params.delta > 0 ? planApproximate(unclipped, plan) : planPure(unclipped, plan);
  if (!result.ok()) return result;
  CentringPlan& planned = result.value();
  if (double(planned.survey_width) > kMaxSurveyWidth ||
      double(planned.count_width) > kMaxCountWidth) {
    return noiseTooLarge();
  }
  planned.max_rows = std::min(planned.moments.max_rows, kMaxSurveyRows);
  return result;
}

Coordinates chooseCoordinates(const CentringPlan& plan, std::span<const Column> columns,
                              std::span<const double> survey, std::optional<std::uint64_t> rows) {
  const double n = std::max(1.0, rows ? double(*rows) : survey[0] / kSurveySteps);
  const double noise = deviation(plan.pure, plan.survey_width) / (kSurveySteps * n);
  const std::size_t features = std::size_t(plan.moments.params.dimension);
  Coordinates found;
  found.centre.resize(features);
  found.scale.resize(features);
  double typical = 0, longest = 0;
  std::size_t j = 0, number = 0;
  for (const Column& column : columns) {
    const bool is_number = column.kind == Column::Kind::kNumber;
    double absent = 0, most = 0;  // of a category: squared length without any level; and beyond it
    for (int level = 0; level < column.features(); ++level, ++j) {
      const double mean = survey[1 + j] / (kSurveySteps * n);
      const double squares =
          is_number ? survey[1 + features + number] / (kSurveySteps * n) + 0.5 : mean;
      const double signal = std::max(0.0, mean * mean - noise * noise);
      const double shrunk = signal > 0 ? mean * signal / (signal + noise * noise) : 0;
      const double centre =
          std::nearbyint(std::clamp(shrunk, is_number ? -1.0 : 0.0, 1.0) * kSurveySteps) /
          kSurveySteps;
      const double about = squares - 2 * centre * mean + centre * centre;
      const double doubt =
          is_number ? noise * std::sqrt(1 + 4 * centre * centre) : noise * std::abs(1 - 2 * centre);
      const double spread = std::sqrt(std::clamp(std::max(about, doubt), 1e-12, 1.0));
      const double scale = std::exp2(std::nearbyint(std::log2(spread)));
      found.centre[j] = centre;
      found.scale[j] = scale;
      typical += std::max(0.0, about) / (scale * scale);
      if (is_number) {
        longest += std::pow((1 + std::abs(centre)) / scale, 2);
      } else {
        absent += centre * centre / (scale * scale);
        most = std::max(most, (1 - 2 * centre) / (scale * scale));
      }
    }
    longest += absent + most;
    number += is_number;
  }
  longest = std::sqrt(longest);
  typical = typical > 0 ? std::min(std::sqrt(typical), longest) : longest;
  const double near = std::min(longest, kNear * typical);
  int far = 0;
  const auto radius = [&] {
    return near * kRungs[kNearRung] / kRungs[std::size_t(kNearRung - far)];
  };
  while (far < kNearRung && radius() < longest) ++far;
  found.radius = radius();
  found.ladder.levels = int(kRungs.size()) - kNearRung + far;
  std::copy(kRungs.begin() + kNearRung - far, kRungs.end(), found.ladder.multiples.begin());
  return found;
}

IntakeTerms centredTerms(const CentringPlan& plan, std::vector<Column> columns,
                         const Coordinates& coordinates, MissingRule missing) {
  IntakeTerms terms{};
  terms.columns = std::move(columns);
  terms.row_norm = coordinates.radius;
  terms.missing = missing;
  terms.neighbours = plan.moments.params.neighbours;
  terms.bits = plan.moments.bits;
  terms.max_rows = plan.max_rows;
  terms.adaptive = true;
  terms.ladder = coordinates.ladder;
  terms.centre = coordinates.centre;
  terms.scale = coordinates.scale;
  return terms;
}

std::vector<double> releaseSurvey(const CentringPlan& plan, std::span<const std::int64_t> sums,
                                  Drbg& random) {
  const bool count_is_public = plan.moments.params.neighbours == Neighbours::kReplaceOne;
  return withNoise(plan.pure, plan.survey_width, sums, count_is_public ? 1 : 0, random);
}

std::vector<double> releaseRungCounts(const CentringPlan& plan, const ClipLadder& ladder,
                                      const IntakeCounts& counts, Drbg& random) {
  std::vector<std::int64_t> exact(std::size_t(ladder.levels) - 1);
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const std::uint64_t longer = k == 0 ? 0 : counts.longer[k];
    exact[k] = std::int64_t((counts.longer[k + 1] - longer) << kClipCountBits);
  }
  std::vector<double> released = withNoise(plan.pure, plan.count_width, exact, 0, random);
  wipe(exact.data(), exact.size() * sizeof(std::int64_t));
  return released;
}

int chooseRung(const CentringPlan& plan, const ClipLadder& ladder, std::span<const double> counts) {
  const double d = plan.moments.params.dimension;
  const double sd = std::ldexp(plan.moments.sd_off_diagonal, -2 * plan.moments.bits);
  const double noise = sd * sd * d * (d + 1) / plan.moments.params.sites;
  const double count_sd = std::ldexp(deviation(plan.pure, plan.count_width), -kClipCountBits);
  // All quantities in units of the longest radius.
  int best = 0;
  double least = noise, lost = 0, sum = 0, above = 0;
  for (int rung = 1; rung < ladder.levels; ++rung) {
    sum += std::ldexp(counts[std::size_t(rung) - 1], -kClipCountBits);
    const double tail = std::max(0.0, sum - kTailDoubt * count_sd * std::sqrt(double(rung)));
    const double radius = ladder.ratio(rung), longer = ladder.ratio(rung - 1);
    const double squared = radius * radius;
    lost += (longer * longer - squared) * (tail + above) / 2;
    above = tail;
    const double error = lost * lost + noise * squared * squared;
    if (error >= least) continue;
    best = rung;
    least = error;
  }
  return best;
}

Result<CentredRelease> releaseCentred(const CentringPlan& plan, const std::vector<Column>& columns,
                                      MissingRule missing, const RowSource& rows,
                                      EntropySource source) {
  std::optional<Drbg> random;
  if (const Status failed = seedDrbg(source, random)) return *failed;

  const Neighbours neighbours = plan.moments.params.neighbours;
  Result<Survey> survey = Survey::create({columns, missing, neighbours, plan.max_rows});
  if (!survey.ok()) return survey.error();
  if (const Status wrong = rows([&](auto cells) { return survey.value().add(cells); })) {
    return *wrong;
  }
  const std::uint64_t used = survey.value().counts().used;
  Result<std::vector<std::int64_t>> sums = survey.value().take();
  if (!sums.ok()) return sums.error();
  CentredRelease released;
  if (neighbours == Neighbours::kReplaceOne) released.rows = used;
  released.survey = releaseSurvey(plan, sums.value(), *random);
  wipe(sums.value().data(), sums.value().size() * sizeof(std::int64_t));
  released.coordinates = chooseCoordinates(plan, columns, released.survey, released.rows);

  Result<Intake> intake =
      Intake::create(centredTerms(plan, columns, released.coordinates, missing));
  if (!intake.ok()) return intake.error();
  if (const Status wrong = rows([&](auto cells) { return intake.value().add(cells); })) {
    return *wrong;
  }
  if (intake.value().counts().used != used) {
    return Error{Code::kIntegrity, "the rows changed between the two readings; start again",
                 "rows"};
  }
  const ClipLadder& ladder = released.coordinates.ladder;
  released.counts = releaseRungCounts(plan, ladder, intake.value().counts(), *random);
  released.rung = chooseRung(plan, ladder, released.counts);
  Result<std::vector<Int128>> totals = intake.value().take(Unit::kRow, released.rung);
  if (!totals.ok()) return totals.error();
  released.values.resize(plan.moments.length);
  plan.moments.release(plan.moments, totals.value(), *random, released.values);
  wipe(totals.value().data(), totals.value().size() * sizeof(Int128));
  return released;
}

}  // namespace pm
