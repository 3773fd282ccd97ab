// Regression of one feature on others.
#include <emscripten/bind.h>

#include "bindings/analysis_input.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/regression.hpp"

namespace pm::js {
namespace {

val figureOut(const RegressionFigure& figure) {
  val result = val::object();
  put(result, "value", figure.value);
  put(result, "low", figure.low);
  put(result, "high", figure.high);
  put(result, "noiseFloor", figure.noiseFloor);
  put(result, "belowNoiseFloor", figure.belowNoiseFloor);
  return result;
}

val ridge(const val& options) {
  RegressionInput input;
  readNoisyCovariance(options, input);
  input.mean = vectorIn(options["mean"]);
  input.target = integer(options, "target");
  input.features = indicesIn(options["features"]);
  input.alpha = number(options, "alpha");
  input.rows = number(options, "rows");
  input.level = number(options, "level");
  const Result<Regression> fitted = regress(input);
  if (!fitted.ok()) return failure(fitted.error());
  const Regression& regression = fitted.value();
  val coefficients = val::array();
  for (const RegressionFigure& coefficient : regression.coefficients) {
    coefficients.call<void>("push", figureOut(coefficient));
  }
  val result = success();
  put(result, "coefficients", coefficients);
  put(result, "intercept", regression.intercept);
  put(result, "r2", figureOut(regression.r2));
  put(result, "residualSd", regression.residualSd);
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(regression) { emscripten::function("ridge", &pm::js::ridge); }
