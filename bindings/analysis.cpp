// The analyses of assembled moments. Matrices are passed as row-major Float64Arrays.
#include "bindings/fields/analysis.hpp"

#include <emscripten/bind.h>

#include <memory>
#include <optional>

#include "bindings/analysis_input.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/components.hpp"
#include "core/analysis/methods/pca.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/gaps.hpp"
#include "core/analysis/noise/moments.hpp"

namespace pm::js {
namespace {

val assemble(const val& options) { return resultOf(assembleMoments(momentSumsIn(options))); }

// Options: those of assembleMoments for sums that mark gaps, and { columns, bound }.
val completeSums(const val& options) {
  return resultOf(withoutGaps(
      {momentSumsIn(options), indicesIn(options["columns"]), number(options, "bound")}));
}

val denoiseSums(const val& options) {
  return resultOf(denoiseMoments(momentSumsIn(options), number(options, "bound")));
}

val principalComponents(const val& options) { return resultOf(pca(pcaInputIn(options))); }

val canonicalCorrelations(const val& options) { return resultOf(cca(ccaInputIn(options))); }

class ComponentsHandle {
 public:
  explicit ComponentsHandle(ComponentSum sum) : sum_(std::move(sum)) {}

  val add(const val& values, double unit, double weight) {
    if (const Status status = sum_.add(numbers(values), unit, weight)) return failure(*status);
    return success();
  }

  val result() const { return resultOf(sum_.result()); }

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
  emscripten::function("withoutGaps", &pm::js::completeSums);
  emscripten::function("denoiseMoments", &pm::js::denoiseSums);
  emscripten::function("pca", &pm::js::principalComponents);
  emscripten::function("cca", &pm::js::canonicalCorrelations);
}
