// Regression of one feature on others.
#include <emscripten/bind.h>

#include "bindings/analysis_input.hpp"
#include "bindings/fields/analysis.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/methods/regression.hpp"

namespace pm::js {
namespace {

val ridge(const val& options) {
  RegressionInput input;
  readNoisyCovariance(options, input);
  input.mean = vectorIn(options["mean"]);
  input.target = integer(options, "target");
  input.features = indicesIn(options["features"]);
  input.alpha = number(options, "alpha");
  input.rows = number(options, "rows");
  input.level = number(options, "level");
  input.gaps = gapsIn(options);
  return resultOf(regress(input));
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(regression) { emscripten::function("ridge", &pm::js::ridge); }
