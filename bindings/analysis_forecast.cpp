// Expected errors, from public numbers alone.
#include <emscripten/bind.h>

#include <string>

#include "bindings/analysis_input.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/forecast.hpp"

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
  input.rowsArePublic = options["rowsArePublic"].isTrue();
  input.constant = number(options, "constant");
  input.noise = sumNoiseIn(options["noise"]);
  const std::vector<double> radii = numbers(options["radii"]);
  const std::vector<double> shares = numbers(options["shares"]);
  for (std::size_t i = 0; i < radii.size() && i < shares.size(); ++i) {
    input.radii.push_back({radii[i], shares[i]});
  }
  input.traceBound = number(options, "bound");
  input.x = indicesIn(options["x"]);
  input.y = indicesIn(options["y"]);
  input.correlations = numbers(options["correlations"]);
  input.target = number(options, "target");
  input.noiseGrows = options["noiseGrows"].isTrue();
  input.planting = plantingIn(options);
  input.simulateDenoised = options["simulateDenoised"].isTrue();
  input.simulateCorrelations = options["simulateCorrelations"].isTrue();
  const Result<Forecast> forecasted = forecast(input);
  if (!forecasted.ok()) return failure(forecasted.error());
  const Forecast& expected = forecasted.value();
  val correlations = val::array();
  for (const CorrelationForecast& correlation : expected.correlations) {
    val entry = val::object();
    put(entry, "truth", correlation.truth);
    put(entry, "expected", correlation.expected);
    put(entry, "sd", correlation.sd);
    put(entry, "error", correlation.error);
    put(entry, "sampling", correlation.sampling);
    put(entry, "noiseFloor", correlation.noiseFloor);
    put(entry, "chanceBelowFloor", correlation.chanceBelowFloor);
    putFinite(entry, "margin", correlation.margin);
    correlations.call<void>("push", entry);
  }
  val result = success();
  put(result, "noise", expected.noise);
  put(result, "clipping", expected.clipping);
  put(result, "sampling", expected.sampling);
  put(result, "total", expected.total);
  put(result, "denoised", expected.denoised);
  put(result, "zero", expected.zero);
  put(result, "shortened", expected.shortened);
  putFinite(result, "rowsFor", expected.rowsFor);
  put(result, "sdDiagonal", expected.entries.diagonal);
  put(result, "sdOffDiagonal", expected.entries.offDiagonal);
  put(result, "meanSd", expected.meanSd);
  put(result, "countSd", expected.countSd);
  put(result, "correlations", correlations);
  put(result, "noiseFloor", expected.noiseFloor);
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(forecast) {
  emscripten::function("forecast", &pm::js::forecastOf);
  emscripten::function("forecastLengths", &pm::js::forecastLengthsOf);
}
