// Expected errors, from public numbers alone.
#include <emscripten/bind.h>

#include <string>

#include "bindings/analysis_input.hpp"
#include "bindings/fields/analysis.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/uncertainty/forecast.hpp"

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

val forecastLengthsOf(const val& options) {
  Assumption assumed;
  readAssumption(options, assumed);
  const Result<std::vector<double>> shares = forecastLengths(assumed, numbers(options["radii"]));
  if (!shares.ok()) return failure(shares.error());
  val result = success();
  put(result, "shares", float64Array(shares.value()));
  return result;
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
  for (std::size_t i = 0; i < radii.size() && i < shares.size(); ++i) {
    input.radii.push_back({radii[i], shares[i]});
  }
  input.trace_bound = number(options, "bound");
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
  emscripten::function("forecastLengths", &pm::js::forecastLengthsOf);
}
