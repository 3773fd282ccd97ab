#include "core/mechanisms/centring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/mechanisms/clip_loss.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/seeding.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/privacy/accountant.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/privacy/upward.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/square.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

/// Multiples of the rungs, from sixteen times the near radius to a fortieth of it: steps of about
/// sqrt 2, near that radius of about 2^(1/4), then of sqrt 2 again.
constexpr std::array<int, kMostClipLevels> kRungs = {2,   3,   4,   6,   8,   11,  16,  23,
                                                     32,  38,  45,  54,  64,  76,  91,  108,
                                                     128, 152, 215, 304, 430, 608, 860, 1216};
constexpr int kNearRung = 8;
/// The near radius, in typical lengths of a row.
constexpr double kNear = 2.5;

/// The number of rows that have a column is at least this many standard deviations of its noise.
constexpr double kLeastCounted = 4;

/// Scales have this many significant bits: within 1/16 of the spread, and exact in decimals.
constexpr int kScaleBits = 4;

/// The least variance of a feature, in scaled units squared.
constexpr double kLeastVariance = 0x1p-40;

/// With more doubt, tables whose spreads are known well are clipped too much; with less, noise in
/// the counts passes for long rows.
constexpr TailDoubt kTailDoubt = {1.25, false};

/// Limits of the widths that keep every sum with its noise within +-2^53.
constexpr std::uint64_t kMaxWidth = std::uint64_t{1} << 42;

Uint128 countSensitivitySquared(Neighbours neighbours) {
  return Uint128(neighbours == Neighbours::kReplaceOne ? 2 : 1) << (2 * kClipCountBits);
}

std::uint64_t countSensitivity(Neighbours neighbours) {
  return std::uint64_t(neighbours == Neighbours::kReplaceOne ? 2 : 1) << kClipCountBits;
}

Error needsCentring(const char* message) { return {Code::kInvalidClipping, message, "clipping"}; }

double deviation(const Plan& plan, std::uint64_t w) {
  return (plan.laplace_steps ? std::numbers::sqrt2 : 1) * 16 * double(w);
}

/// The nearest number of kScaleBits significant bits.
double rounded(double positive) {
  int exponent = 0;
  const double mantissa = std::frexp(positive, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, kScaleBits)), exponent - kScaleBits);
}

/// What a survey says of a feature: its centre, the variance about it, and the standard deviation
/// of the noise in that variance.
struct Feature {
  double centre, variance, noise;
};

/// @param noise of the mean, and of the mean square of a number
Feature featureFrom(double mean, double squares, bool is_number, double noise) {
  const double signal = std::max(0.0, square(mean) - square(noise));
  const double shrunk = signal > 0 ? mean * signal / (signal + square(noise)) : 0;
  const double least = is_number ? -1 : 0;
  const double centre =
      std::nearbyint(std::clamp(shrunk, least, 1.0) * kSurveySteps) / kSurveySteps;
  return {centre, squares - 2 * centre * mean + square(centre),
          is_number ? noise * std::sqrt(1 + 4 * square(centre)) : noise * std::abs(1 - 2 * centre)};
}

/// Moves every variance towards the mean of all, as far as their differences may be noise, and to
/// no less than half its noise or half that mean, whichever is smaller.
void shrinkVariances(std::vector<Feature>& features) {
  const double d = double(features.size());
  double mean = 0, noise = 0, spread = 0;
  for (const Feature& f : features) {
    mean += f.variance / d;
    noise += square(f.noise) / d;
  }
  for (const Feature& f : features) spread += square(f.variance - mean) / std::max(1.0, d - 1);
  const double between = std::max(0.0, spread - noise);
  // Like a feature's, the mean is not taken to be below its noise.
  mean = std::max(mean, std::sqrt(noise / d));
  for (Feature& f : features) {
    const double least = std::min(mean, f.noise) / 2, own = square(f.noise);
    if (own > 0) f.variance = (f.variance * between + mean * own) / (between + own);
    f.variance = std::max(f.variance, least);
  }
}

/// Numbers with noise of width w, each exact in a double.
std::vector<double> withNoise(const Plan& plan, std::uint64_t w,
                              std::span<const std::int64_t> exact, std::size_t first_noisy,
                              Drbg& random) {
  std::vector<double> out(exact.begin(), exact.end());
  const auto add = [&](auto noise) {
    for (std::size_t i = first_noisy; i < out.size(); ++i) {
      out[i] = double(std::int64_t(exact[i] + std::int64_t(noise[i])));
    }
    wipe(noise.data(), noise.size() * sizeof noise[0]);
  };
  if (plan.laplace_steps) {
    add(laplaceNoise(w, out.size(), random));
  } else {
    add(gaussianNoise(w, out.size(), random));
  }
  return out;
}

Result<Plan> planPure(const MechanismParams& params) {
  const double survey = params.epsilon * kPureShares.survey;
  const double counts = params.epsilon * kPureShares.counts;
  MechanismParams rest = params;
  rest.epsilon = params.epsilon - survey - counts;
  Result<Plan> planned = planTwoSidedWishart(rest);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  plan.params.epsilon = params.epsilon;
  plan.laplace_steps = true;
  plan.survey_width =
      laplaceWidth(survey, surveySensitivityL1(params.numbers, params.categories, kSurveyBits,
                                               params.neighbours, params.counts_gaps));
  plan.clip_width = laplaceWidth(counts, countSensitivity(params.neighbours));
  setPure(plan.guarantee, params.epsilon);
  return planned;
}

Result<Plan> planApproximate(const MechanismParams& params) {
  const double mu = gdpOfEpsilonDelta(params.epsilon, params.delta);
  Result<Plan> planned = planGaussianMoments(
      params, mu * std::sqrt(1 - kGaussianShares.survey - kGaussianShares.counts));
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  const Uint128 survey =
      surveySensitivitySquared(params.numbers, params.categories, kSurveyBits, params.neighbours);
  const Uint128 counts = countSensitivitySquared(params.neighbours);
  plan.survey_width = gaussianWidth(mu * std::sqrt(kGaussianShares.survey), survey);
  plan.clip_width = gaussianWidth(mu * std::sqrt(kGaussianShares.counts), counts);

  const GaussianNoise& noise = plan.own<GaussianNoise>();
  const std::uint64_t w = noise.w_diagonal;
  const double mus[] = {gaussianMu(survey, plan.survey_width), gaussianMu(counts, plan.clip_width),
                        gaussianMu(plan.sensitivity_squared, w)};
  const double rhos[] = {gaussianRho(survey, plan.survey_width),
                         gaussianRho(counts, plan.clip_width),
                         gaussianRho(plan.sensitivity_squared, w)};
  const double samples[] = {double(surveySize(params)), double(kRungs.size() - 1),
                            double(noisyEntries(params))};
  certifyGaussian(plan, composeGdp(mus, 3), sumUp(sumUp(rhos[0], rhos[1]), rhos[2]),
                  samples[0] + samples[1] + samples[2],
                  "at this epsilon the sampler's tail is too short for the requested delta: treat "
                  "the release as not private");
  Guarantee& g = plan.guarantee;
  const char* names[] = {"centre and scale", "clip radius", "second moments"};
  for (int i = 0; i < 3; ++i) {
    g.parts.push_back(gaussianPart(names[i], mus[i], rhos[i], samples[i], g));
  }
  plan.facts.push_back(Fact::exactly("wDiagonal", noise.w_diagonal));
  plan.facts.push_back(Fact::exactly("wOffDiagonal", noise.w_off_diagonal));
  return planned;
}

}  // namespace

std::size_t surveySize(const MechanismParams& params) {
  const std::size_t numbers = std::size_t(params.numbers);
  const std::size_t counts = params.counts_gaps ? numbers + std::size_t(params.categories) : 0;
  return 1 + std::size_t(params.dimension) + counts + numbers;
}

Result<Plan> planCentring(const Mechanism& mechanism, const MechanismParams& params) {
  if (!mechanism.centring) return needsCentring("this mechanism has no private centring");
  if (params.unit != Unit::kRow) {
    return Error{Code::kInvalidUnit, "private centring needs unit row", "clipping"};
  }
  if (params.numbers < 0 || params.categories < 0 ||
      params.numbers + 2 * params.categories > params.dimension ||
      (params.categories == 0 && params.numbers != params.dimension)) {
    return Error{Code::kInvalidDimension, "the columns do not have that many features",
                 "dimension"};
  }
  MechanismParams centred = params;
  centred.row_norm = 1;
  centred.constant = Constant::kCentred;
  if (const Status wrong = checkParams(centred, mechanism.budget)) return *wrong;
  Result<Plan> planned =
      mechanism.budget == Budget::kApproximate ? planApproximate(centred) : planPure(centred);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  if (plan.survey_width > kMaxWidth || plan.clip_width > kMaxWidth) return noiseTooLarge();
  plan.facts.push_back(Fact::exactly("wSurvey", plan.survey_width));
  plan.facts.push_back(Fact::exactly("wClip", plan.clip_width));
  plan.max_rows = std::min(plan.max_rows, kMaxSurveyRows);
  return planned;
}

ClipLadder centringLadder(int levels) {
  ClipLadder ladder{levels, {}};
  std::copy(kRungs.end() - levels, kRungs.end(), ladder.multiples.begin());
  return ladder;
}

Result<SurveyedGaps> surveyedGaps(const Plan& plan, std::span<const double> survey) {
  if (!plan.params.counts_gaps || survey.size() != surveySize(plan.params)) {
    return Error{Code::kWrongLength, "the survey does not count the gaps of the columns", "survey"};
  }
  SurveyedGaps gaps;
  const std::size_t first = 1 + std::size_t(plan.params.dimension);
  const std::size_t last = survey.size() - std::size_t(plan.params.numbers);
  for (std::size_t k = first; k < last; ++k) gaps.cells.push_back(survey[k] / kSurveySteps);
  gaps.sd = deviation(plan, plan.survey_width) / kSurveySteps;
  return gaps;
}

Coordinates chooseCoordinates(const Plan& plan, std::span<const Column> columns,
                              std::span<const double> survey, std::optional<std::uint64_t> rows) {
  const double n = std::max(1.0, rows ? double(*rows) : survey[0] / kSurveySteps);
  const double noise = deviation(plan, plan.survey_width) / kSurveySteps;
  const bool counts_gaps = plan.params.counts_gaps;
  std::size_t next_gap = 1 + std::size_t(plan.params.dimension);
  std::size_t next_square = next_gap + (counts_gaps ? columns.size() : 0);
  std::vector<Feature> features;
  std::vector<double> present;  // of each feature, the share of rows that have it
  for (const Column& column : columns) {
    const double gaps = counts_gaps ? survey[next_gap++] / kSurveySteps : 0;
    const double rows_with = std::clamp(n - gaps, std::min(n, kLeastCounted * noise), n);
    const bool is_number = column.kind == Column::Kind::kNumber;
    for (int level = 0; level < column.features(); ++level) {
      const double steps = kSurveySteps * rows_with;
      const double mean = survey[1 + features.size()] / steps;
      const double squares = is_number ? survey[next_square++] / steps + 0.5 : mean;
      features.push_back(featureFrom(mean, squares, is_number, noise / rows_with));
      present.push_back(rows_with / n);
    }
  }
  shrinkVariances(features);

  Coordinates found;
  double typical = 0, longest = 0;
  std::size_t j = 0;
  for (const Column& column : columns) {
    double absent = 0, most = 0;  // of a category: squared length without any level; and beyond it
    for (int level = 0; level < column.features(); ++level, ++j) {
      const auto [centre, variance, _] = features[j];
      const double scale = rounded(std::sqrt(std::clamp(variance, kLeastVariance, 1.0)));
      found.centre.push_back(centre);
      found.scale.push_back(scale);
      typical += present[j] * variance / square(scale);
      if (column.kind == Column::Kind::kNumber) {
        longest += square((1 + std::abs(centre)) / scale);
      } else {
        absent += square(centre / scale);
        most = std::max(most, (1 - 2 * centre) / square(scale));
      }
    }
    longest += absent + most;
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
  found.ladder = centringLadder(int(kRungs.size()) - kNearRung + far);
  return found;
}

SurveyTerms surveyTerms(const Plan& plan, std::vector<Column> columns, MissingRule missing) {
  return {std::move(columns), missing, plan.params.neighbours, plan.max_rows};
}

IntakeTerms centredTerms(const Plan& plan, std::vector<Column> columns, MissingRule missing,
                         const Coordinates& coordinates) {
  IntakeTerms terms = intakeTerms(plan, std::move(columns), missing);
  terms.row_norm = coordinates.radius;
  terms.adaptive = true;
  terms.ladder = coordinates.ladder;
  terms.centre = coordinates.centre;
  terms.scale = coordinates.scale;
  return terms;
}

std::vector<double> noisySurvey(const Plan& plan, std::span<const std::int64_t> sums,
                                Drbg& random) {
  const bool count_is_public = plan.params.neighbours == Neighbours::kReplaceOne;
  return withNoise(plan, plan.survey_width, sums, count_is_public ? 1 : 0, random);
}

Result<ReleasedSurvey> releaseSurvey(const Plan& plan, std::span<const Column> columns,
                                     Survey& survey, EntropySource source) {
  std::optional<Drbg> random;
  if (const Status failed = seedRelease(plan, source, random)) return *failed;
  ReleasedSurvey released;
  if (plan.params.neighbours == Neighbours::kReplaceOne) released.rows = survey.counts().used;
  Result<std::vector<std::int64_t>> sums = survey.take();
  if (!sums.ok()) return sums.error();
  if (sums.value().size() != surveySize(plan.params)) {
    wipe(sums.value().data(), sums.value().size() * sizeof(std::int64_t));
    return Error{Code::kWrongLength, "the survey has other sums than the plan has noise for",
                 "missing"};
  }
  random->stir<std::int64_t>(sums.value());
  released.sums = noisySurvey(plan, sums.value(), *random);
  wipe(sums.value().data(), sums.value().size() * sizeof(std::int64_t));
  released.coordinates = chooseCoordinates(plan, columns, released.sums, released.rows);
  return released;
}

std::vector<double> noisyRungCounts(const Plan& plan, const ClipLadder& ladder,
                                    const IntakeCounts& counts, Drbg& random) {
  std::vector<std::int64_t> exact(std::size_t(ladder.levels) - 1);
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const std::uint64_t longer = k == 0 ? 0 : counts.longer[k];
    exact[k] = std::int64_t((counts.longer[k + 1] - longer) << kClipCountBits);
  }
  std::vector<double> released = withNoise(plan, plan.clip_width, exact, 0, random);
  wipe(exact.data(), exact.size() * sizeof(std::int64_t));
  return released;
}

int chooseRung(const Plan& plan, const ClipLadder& ladder, std::span<const double> counts) {
  const double d = plan.params.dimension;
  const double sd = std::ldexp(plan.sd_off_diagonal, -2 * plan.bits);
  const double noise = square(sd) * d * (d + 1) / plan.params.sites;
  // All quantities in units of the longest radius.
  const int last = ladder.levels - 1;
  const ClipLosses losses = clipLosses(plan, ladder, {counts, last, 1, true}, kTailDoubt);
  const double total = losses.lost[std::size_t(last)] + square(ladder.ratio(last)) * losses.beyond;

  int best = 0;
  double least = noise;
  for (int rung = 1; rung <= last; ++rung) {
    const double trace = losses.lost[std::size_t(rung)];
    const double share = trace > 0 ? trace / total : 0;
    const double error = square(trace) * ((1 - share) / std::sqrt(d) + share / d) +
                         noise * square(square(ladder.ratio(rung)));
    if (error >= least) continue;
    best = rung;
    least = error;
  }
  return best;
}

ClippedRows clippedRows(const Plan& plan, const Coordinates& coordinates,
                        std::span<const double> counts, int rung) {
  ClippedRows clipped;
  for (const double count : counts.first(std::size_t(rung))) {
    clipped.shortened += std::ldexp(count, -kClipCountBits);
  }
  clipped.counts = rung;
  clipped.lost =
      square(coordinates.radius) * clipLoss(plan, coordinates.ladder, {counts, rung, 1, true});
  clipped.count_sd = clipCountSd(plan);
  return clipped;
}

Result<CentredRelease> releaseCentred(const Plan& plan, const std::vector<Column>& columns,
                                      MissingRule missing, const RowSource& rows,
                                      EntropySource source) {
  Result<Survey> survey = Survey::create(surveyTerms(plan, columns, missing));
  if (!survey.ok()) return survey.error();
  if (const Status wrong = rows([&](auto cells) { return survey.value().add(cells); })) {
    return *wrong;
  }
  const std::uint64_t used = survey.value().counts().used;
  Result<ReleasedSurvey> surveyed = releaseSurvey(plan, columns, survey.value(), source);
  if (!surveyed.ok()) return surveyed.error();

  Result<Intake> intake =
      Intake::create(centredTerms(plan, columns, missing, surveyed.value().coordinates));
  if (!intake.ok()) return intake.error();
  if (const Status wrong = rows([&](auto cells) { return intake.value().add(cells); })) {
    return *wrong;
  }
  if (const Status changed = checkSameRows(used, intake.value())) return *changed;
  Result<Released> moments = release(plan, intake.value(), source);
  if (!moments.ok()) return moments.error();
  return CentredRelease{std::move(surveyed).value(), std::move(moments).value()};
}

Status checkSameRows(std::uint64_t surveyed, const Intake& intake) {
  if (intake.counts().used == surveyed) return std::nullopt;
  return Error{Code::kIntegrity, "the rows changed between the two readings; start again", "rows"};
}

}  // namespace pm
