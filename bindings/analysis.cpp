// The analyses of assembled moments. Matrices are passed as row-major Float64Arrays.
#include "bindings/fields/analysis.hpp"

#include <emscripten/bind.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/analysis_input.hpp"
#include "bindings/matrices.hpp"
#include "bindings/object.hpp"
#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/components.hpp"
#include "core/analysis/methods/pca.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/gaps.hpp"
#include "core/analysis/noise/mean_gaps.hpp"
#include "core/analysis/noise/moments.hpp"

namespace pm::js {
namespace {

val assemble(const val& options) { return resultOf(assembleMoments(momentSumsIn(options))); }

// Options: those of assembleMoments for sums that mark gaps, and { columns, bound }.
val completeSums(const val& options) {
  return resultOf(withoutGaps(
      {momentSumsIn(options), indicesIn(options["columns"]), number(options, "bound")}));
}

// Options: { cells, rows, sds }, cells those of all columns of one release after another.
std::vector<CountedGaps> countedGapsIn(const val& options) {
  const std::vector<double> cells = numbers(options["cells"]), rows = numbers(options["rows"]),
                            sds = numbers(options["sds"]);
  const std::size_t columns = rows.empty() ? 0 : cells.size() / rows.size();
  std::vector<CountedGaps> releases;
  for (std::size_t s = 0; s < std::min(rows.size(), sds.size()); ++s) {
    const auto first = cells.begin() + std::ptrdiff_t(s * columns);
    releases.push_back({rows[s], {first, first + std::ptrdiff_t(columns)}, sds[s]});
  }
  return releases;
}

// { shares }, like `cells`.
val sharesOf(const val& options) {
  const auto shares = presentShares(countedGapsIn(options));
  if (!shares.ok()) return failure(shares.error());
  std::vector<double> all;
  for (const auto& own : shares.value()) all.insert(all.end(), own.begin(), own.end());
  val result = success();
  put(result, "shares", float64Array(all));
  return result;
}

// Options: those of assembleMoments, { columns, bound }, and { cells, rows, sds } as `counted`.
val meanSums(const val& options) {
  MeanGapSums data{momentSumsIn(options),
                   indicesIn(options["columns"]),
                   countedGapsIn(options["counted"]),
                   {},
                   number(options, "bound")};
  auto shares = presentShares(data.releases);
  if (!shares.ok()) return failure(shares.error());
  data.shares = std::move(shares).value();
  return resultOf(withMeans(data));
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
  emscripten::function("presentShares", &pm::js::sharesOf);
  emscripten::function("withMeans", &pm::js::meanSums);
  emscripten::function("denoiseMoments", &pm::js::denoiseSums);
  emscripten::function("pca", &pm::js::principalComponents);
  emscripten::function("cca", &pm::js::canonicalCorrelations);
}
