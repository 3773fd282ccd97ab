// Several views, and the captured energy of directions.
#include <emscripten/bind.h>

#include "bindings/analysis_input.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/gcca.hpp"
#include "core/analysis/pca.hpp"

namespace pm::js {
namespace {

val sharedByViews(const val& options) {
  const Result<Gcca> analysed = gcca(gccaInputIn(options));
  if (!analysed.ok()) return failure(analysed.error());
  const Gcca& analysis = analysed.value();
  val components = val::array();
  for (const SharedComponent& component : analysis.components) {
    val entry = val::object();
    put(entry, "value", component.value);
    put(entry, "eigenvalue", component.eigenvalue);
    put(entry, "noiseFloor", component.noiseFloor);
    put(entry, "belowNoiseFloor", component.belowNoiseFloor);
    put(entry, "correlations", matrixOut(component.correlations));
    components.call<void>("push", entry);
  }
  val viewsOut = val::array();
  for (const CanonicalView& view : analysis.views) {
    val entry = val::object();
    put(entry, "weights", matrixOut(view.weights));
    put(entry, "loadings", matrixOut(view.loadings));
    viewsOut.call<void>("push", entry);
  }
  val result = success();
  put(result, "components", components);
  put(result, "views", viewsOut);
  put(result, "noiseFloor", analysis.noiseFloor);
  put(result, "hidden", indicesOut(analysis.hidden));
  return result;
}

val energy(const val& options) {
  const int dimension = integer(options, "dimension");
  const int components = integer(options, "components");
  const std::vector<double> entries = numbers(options["directions"]);
  Eigen::MatrixXd directions(dimension, components);
  for (Eigen::Index i = 0; i < directions.size(); ++i) {
    directions(i / components, i % components) = entries[static_cast<std::size_t>(i)];
  }
  const Result<double> captured =
      capturedEnergy(directions, squareIn(options["reference"], dimension));
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
