// Several views, and the captured energy of directions.
#include <emscripten/bind.h>

#include "bindings/analysis_input.hpp"
#include "bindings/fields/analysis.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/methods/pca.hpp"

namespace pm::js {
namespace {

val sharedByViews(const val& options) { return resultOf(gcca(gccaInputIn(options))); }

val energy(const val& options) {
  const int dimension = integer(options, "dimension");
  const int components = integer(options, "components");
  const std::vector<double> entries = numbers(options["directions"]);
  Eigen::MatrixXd directions(dimension, components);
  for (Eigen::Index i = 0; i < directions.size(); ++i) {
    directions(i / components, i % components) = entries[static_cast<std::size_t>(i)];
  }
  const Frame frame = frameIn(options);
  if (const Status wrong = checkFrame(frame, dimension)) return failure(*wrong);
  Eigen::MatrixXd reference = squareIn(options["reference"], dimension);
  if (reference.size() != 0) reference = frame.covariance(reference);
  const Result<double> captured = capturedEnergy(directions, reference);
  if (!captured.ok()) return failure(captured.error());
  val result = success();
  put(result, "value", captured.value());
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(gcca) {
  emscripten::function("gcca", &pm::js::sharedByViews);
  emscripten::function("capturedEnergy", &pm::js::energy);
}
