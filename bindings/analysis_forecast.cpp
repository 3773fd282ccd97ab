// Expected errors, from public numbers alone.
#include <emscripten/bind.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/analysis_input.hpp"
#include "bindings/fields/analysis.hpp"
#include "bindings/fields/release.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/analysis/uncertainty/forecast.hpp"
#include "core/mechanisms/choices.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"

namespace pm::js {
namespace {

Planting plantingIn(const val& options) {
  const auto name = options["planting"].as<std::string>();
  if (name == "leading") return Planting::kLeading;
  return name == "trailing" ? Planting::kTrailing : Planting::kAlike;
}

void readAssumption(const val& options, Assumption& assumed) {
  assumed.mean = vectorIn(options["mean"]);
  assumed.covariance = squareIn(options["covariance"], int(assumed.mean.size()));
  assumed.columns = indicesIn(options["columns"]);
}

// Equal questions have equal answers.
constexpr std::uint64_t kSeed = 1;

// The mechanisms whose releases choose a radius: the registry would bring all others into this
// module.
constexpr Mechanism kChoosing[] = {kGaussianRecord.mechanism, kTwoSidedWishartRecord.mechanism};

Result<Plan> choosingPlanOf(const val& spec) {
  const std::string name = text(spec, "mechanism");
  for (const Mechanism& mechanism : kChoosing) {
    if (mechanism.name != name) continue;
    MechanismParams params{};
    if (const Status wrong = readParams(spec, mechanism, params)) return *wrong;
    return params.clipping == Clipping::kCentred ? planCentring(mechanism, params)
                                                 : mechanism.plan(params);
  }
  return unknownMechanism();
}

// The share of the releases with adaptive clipping that choose each level. Reads { spec, rows,
// draws }, `rows` those of one release.
val expectedLevelsOf(const val& options) {
  const Result<Plan> planned = choosingPlanOf(options["spec"]);
  if (!planned.ok()) return failure(planned.error());
  Assumption assumed;
  readAssumption(options, assumed);
  std::vector<double> radii;
  for (int level = 1; level < kClipLevels; ++level) {
    radii.push_back(clipRadius(planned.value().params.row_norm, level));
  }
  const Result<std::vector<double>> longer = forecastLengths(assumed, radii);
  if (!longer.ok()) return failure(longer.error());
  Drbg random = simulationDrbg(kSeed);
  const int draws = std::max(1, integer(options, "draws"));
  std::vector<double> shares(kClipLevels);
  for (const int level :
       expectedLevels(planned.value(), number(options, "rows"), longer.value(), draws, random)) {
    shares[std::size_t(level)] += 1.0 / draws;
  }
  val result = success();
  put(result, "shares", float64Array(shares));
  return result;
}

// What releases with private centring choose. Reads { spec, of, rows, sites, draws }: `of` are the
// study's columns, `rows` those of one release.
val expectedCentringOf(const val& options) {
  const Result<Plan> planned = choosingPlanOf(options["spec"]);
  if (!planned.ok()) return failure(planned.error());
  const Plan& plan = planned.value();
  const std::vector<Column> columns = columnsOf(options["of"]);
  Assumption assumed;
  readAssumption(options, assumed);
  if (assumed.mean.size() != plan.params.dimension ||
      assumed.covariance.rows() != plan.params.dimension) {
    return failure(
        {Code::kWrongLength, "there must be one mean and variance for each feature", "mean"});
  }
  const std::vector<double> mean(assumed.mean.begin(), assumed.mean.end());
  const Eigen::VectorXd diagonal = assumed.covariance.diagonal();
  const std::vector<double> variance(diagonal.begin(), diagonal.end());
  const double rows = number(options, "rows");
  const LongerRows longer = [&](const Coordinates& at, std::span<const double> radii) {
    const Frame frame = {Eigen::Map<const Eigen::VectorXd>(at.centre.data(), diagonal.size()),
                         Eigen::Map<const Eigen::VectorXd>(at.scale.data(), diagonal.size())};
    return forecastLengths(assumed, {radii.begin(), radii.end()}, frame);
  };
  Drbg random = simulationDrbg(kSeed);
  Result<std::vector<CentringChoice>> choices =
      expectedChoices(plan, columns, {rows, mean, variance}, longer,
                      std::max(1, integer(options, "draws")), random);
  if (!choices.ok()) return failure(choices.error());
  const double sites = number(options, "sites");
  std::vector<CentringChoice> study = middleStudy(choices.value(), sites, random);
  Result<CentredSums> noise = expectedNoise(plan, study, rows, sites);
  if (!noise.ok()) return failure(noise.error());
  std::vector<double> lengths;
  for (const CentringChoice& choice : choices.value()) {
    lengths.push_back(choice.radius() / choice.typical);
  }
  return success(ExpectedCentring{std::move(noise).value(), std::move(study), std::move(lengths)});
}

val forecastOf(const val& options) {
  ForecastInput input;
  readAssumption(options, input);
  input.rows = number(options, "rows");
  input.rows_are_public = options["rowsArePublic"].isTrue();
  input.constant = number(options, "constant");
  input.noise = sumNoiseIn(options["noise"]);
  const std::vector<double> radii = numbers(options["radii"]);
  const std::vector<double> shares = numbers(options["shares"]);
  const val frames = options["frames"];
  for (std::size_t i = 0; i < radii.size() && i < shares.size(); ++i) {
    input.radii.push_back({radii[i], shares[i]});
    if (frames.isArray()) input.radii.back().frame = frameIn(frames[i]);
  }
  input.frame = frameIn(options);
  input.trace_bound = number(options, "bound");
  input.centre_spread = packedIn(options["centreSpread"], int(input.mean.size()));
  input.x = indicesIn(options["x"]);
  input.y = indicesIn(options["y"]);
  input.correlations = numbers(options["correlations"]);
  input.target = number(options, "target");
  input.noise_grows = options["noiseGrows"].isTrue();
  input.planting = plantingIn(options);
  input.simulate_denoised = options["simulateDenoised"].isTrue();
  input.simulate_correlations = options["simulateCorrelations"].isTrue();
  return resultOf(forecast(input));
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(forecast) {
  emscripten::function("forecast", &pm::js::forecastOf);
  emscripten::function("expectedLevels", &pm::js::expectedLevelsOf);
  emscripten::function("expectedCentring", &pm::js::expectedCentringOf);
}
