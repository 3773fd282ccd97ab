// Linear discriminants.
#include <emscripten/bind.h>

#include "bindings/analysis_input.hpp"
#include "bindings/fields/analysis.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/methods/lda.hpp"

namespace pm::js {
namespace {

val discriminants(const val& options) {
  LdaInput input;
  readNoisyCovariance(options, input);
  input.mean = vectorIn(options["mean"]);
  input.features = indicesIn(options["features"]);
  input.classes = indicesIn(options["classes"]);
  input.components = integer(options, "components");
  input.rows = number(options, "rows");
  return resultOf(lda(input));
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(lda) { emscripten::function("lda", &pm::js::discriminants); }
