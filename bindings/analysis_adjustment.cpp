// Moments of residuals, adjusted for covariates.
#include <emscripten/bind.h>

#include "bindings/analysis_input.hpp"
#include "bindings/fields/analysis.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/methods/adjustment.hpp"

namespace pm::js {
namespace {

// Options: those of assembleMoments, `views`, lists of features to adjust, `covariates`, `columns`
// and optionally `centreSpread`.
val adjusted(const val& options) {
  AdjustmentInput input;
  input.sums = momentSumsIn(options);
  const val views = options["views"];
  for (int v = 0; v < integer(views, "length"); ++v) input.views.push_back(indicesIn(views[v]));
  input.covariates = indicesIn(options["covariates"]);
  input.columns = indicesIn(options["columns"]);
  input.centre_spread = packedIn(options["centreSpread"], input.sums.dimension);
  return resultOf(adjust(input));
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(adjustment) { emscripten::function("adjust", &pm::js::adjusted); }
