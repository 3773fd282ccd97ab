// What an analyst computes from assembled moments. Matrices cross as row-major Float64Arrays.
#include <emscripten/bind.h>

#include <memory>
#include <optional>

#include "bindings/analysis_input.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/cca.hpp"
#include "core/analysis/components.hpp"
#include "core/analysis/denoise.hpp"
#include "core/analysis/moments.hpp"
#include "core/analysis/pca.hpp"

namespace pm::js {
namespace {

val momentsOut(const AssembledMoments& moments) {
  val result = success();
  put(result, "rows", moments.rows);
  put(result, "mean", matrixOut(moments.mean));
  put(result, "covariance", matrixOut(moments.covariance));
  put(result, "covarianceSd", matrixOut(moments.covarianceSd));
  put(result, "scaledCovariance", matrixOut(moments.scaledCovariance));
  put(result, "secondMoments", matrixOut(moments.secondMoments));
  put(result, "meanNoise", matrixOut(moments.meanNoise));
  put(result, "covarianceSdDiagonal", moments.covarianceNoise.diagonal);
  put(result, "covarianceSdOffDiagonal", moments.covarianceNoise.offDiagonal);
  return result;
}

val assemble(const val& options) {
  const Result<AssembledMoments> assembled = assembleMoments(momentSumsIn(options));
  if (!assembled.ok()) return failure(assembled.error());
  return momentsOut(assembled.value());
}

val denoiseSums(const val& options) {
  const Result<DenoisedMoments> denoised =
      denoiseMoments(momentSumsIn(options), number(options, "bound"));
  if (!denoised.ok()) return failure(denoised.error());
  val result = momentsOut(denoised.value().moments);
  put(result, "signalEnergy", denoised.value().signalEnergy);
  put(result, "traceKept", denoised.value().traceKept);
  put(result, "shapeKept", denoised.value().shapeKept);
  return result;
}

val principalComponents(const val& options) {
  const Result<Pca> analysed = pca(pcaInputIn(options));
  if (!analysed.ok()) return failure(analysed.error());
  const Pca& analysis = analysed.value();
  val explained = val::array();
  for (const Explained& component : analysis.explained) {
    val entry = val::object();
    put(entry, "value", component.value);
    put(entry, "share", component.share);
    put(entry, "belowNoiseFloor", component.belowNoiseFloor);
    explained.call<void>("push", entry);
  }
  val result = success();
  put(result, "explained", explained);
  put(result, "weights", matrixOut(analysis.weights));
  put(result, "loadings", matrixOut(analysis.loadings));
  put(result, "correlations", matrixOut(analysis.correlations));
  put(result, "noiseFloor", analysis.noiseFloor);
  return result;
}

val viewOut(const CcaView& view) {
  val result = val::object();
  put(result, "weights", matrixOut(view.weights));
  put(result, "loadings", matrixOut(view.loadings));
  put(result, "crossLoadings", matrixOut(view.crossLoadings));
  put(result, "varianceExtracted", matrixOut(view.varianceExtracted));
  put(result, "redundancy", matrixOut(view.redundancy));
  return result;
}

val canonicalCorrelations(const val& options) {
  const Result<Cca> analysed = cca(ccaInputIn(options));
  if (!analysed.ok()) return failure(analysed.error());
  const Cca& analysis = analysed.value();
  val correlations = val::array();
  for (const CanonicalCorrelation& correlation : analysis.correlations) {
    val entry = val::object();
    put(entry, "value", correlation.value);
    put(entry, "noiseFloor", correlation.noiseFloor);
    put(entry, "belowNoiseFloor", correlation.belowNoiseFloor);
    correlations.call<void>("push", entry);
  }
  val result = success();
  put(result, "correlations", correlations);
  put(result, "x", viewOut(analysis.x));
  put(result, "y", viewOut(analysis.y));
  put(result, "noiseFloor", analysis.noiseFloor);
  put(result, "hidden", indicesOut(analysis.hidden));
  return result;
}

class ComponentsHandle {
 public:
  explicit ComponentsHandle(ComponentSum sum) : sum_(std::move(sum)) {}

  val add(const val& values, double unit, double weight) {
    if (const Status status = sum_.add(numbers(values), unit, weight)) return failure(*status);
    return success();
  }

  // `loadings` is features x k, row by row; `values` is empty where the releases have none.
  val result() const {
    const Result<Components> components = sum_.result();
    if (!components.ok()) return failure(components.error());
    val result = success();
    put(result, "loadings", matrixOut(components.value().loadings));
    put(result, "values", matrixOut(components.value().values));
    return result;
  }

 private:
  ComponentSum sum_;
};

val createComponents(const val& options) {
  const val has_values = options["hasValues"];
  Result<ComponentSum> sum = ComponentSum::create(
      integer(options, "dimension"), integer(options, "components"), has_values.isTrue());
  if (!sum.ok()) return failure(sum.error());
  val result = success();
  put(result, "components", val(std::make_shared<ComponentsHandle>(std::move(sum).value())));
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(analysis) {
  using pm::js::ComponentsHandle;
  emscripten::class_<ComponentsHandle>("ComponentSum")
      .smart_ptr<std::shared_ptr<ComponentsHandle>>("ComponentSumPointer")
      .function("add", &ComponentsHandle::add)
      .function("result", &ComponentsHandle::result);
  emscripten::function("createComponents", &pm::js::createComponents);
  emscripten::function("assembleMoments", &pm::js::assemble);
  emscripten::function("denoiseMoments", &pm::js::denoiseSums);
  emscripten::function("pca", &pm::js::principalComponents);
  emscripten::function("cca", &pm::js::canonicalCorrelations);
}
