// Partial least squares. Options: those of readNoisyCovariance, `components` and `rows`.
#include <emscripten/bind.h>

#include "bindings/analysis_input.hpp"
#include "bindings/fields/analysis.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/methods/pls.hpp"

namespace pm::js {
namespace {

// Besides: `x` and `y`.
val correlation(const val& options) {
  PlsCorrelationInput input;
  readNoisyCovariance(options, input);
  input.x = indicesIn(options["x"]);
  input.y = indicesIn(options["y"]);
  input.components = integer(options, "components");
  input.rows = number(options, "rows");
  return resultOf(plsCorrelation(input));
}

// Besides: `mean`, `features` and `targets`.
val regression(const val& options) {
  PlsRegressionInput input;
  readNoisyCovariance(options, input);
  input.mean = vectorIn(options["mean"]);
  input.features = indicesIn(options["features"]);
  input.targets = indicesIn(options["targets"]);
  input.components = integer(options, "components");
  input.rows = number(options, "rows");
  return resultOf(plsRegression(input));
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(pls) {
  emscripten::function("plsCorrelation", &pm::js::correlation);
  emscripten::function("plsRegression", &pm::js::regression);
}
