// Repeated runs of the mechanisms of both registries on known second moments, for comparisons.
#include "core/research/comparison/comparison.hpp"

#include <emscripten/bind.h>

#include <memory>
#include <utility>
#include <vector>

#include "bindings/matrices.hpp"
#include "bindings/research/fields.hpp"
#include "core/analysis/noise/noise_draw.hpp"

namespace pm::js {
namespace {

using SharedRows = std::shared_ptr<const ComparedRows>;

// `draw` keeps the estimates for `figures`, so that the time of `draw` is that of the mechanism.
class ComparisonHandle {
 public:
  ComparisonHandle(SharedRows rows, EstimateRun run, std::uint64_t seed)
      : rows_(std::move(rows)), run_(std::move(run)), random_(simulationDrbg(seed)) {}

  void draw(int runs) {
    for (int i = 0; i < runs; ++i) estimates_.push_back(run_(random_));
  }

  val figures() {
    ComparedRuns runs;
    for (const Estimate& estimate : estimates_) {
      const ComparisonFigures figures = figuresOf(estimate, *rows_);
      runs.distances.push_back(figures.distance);
      runs.truncated.push_back(figures.truncated);
      runs.shares.push_back(figures.share);
    }
    estimates_.clear();
    return objectOf(runs);
  }

 private:
  SharedRows rows_;
  EstimateRun run_;
  Drbg random_;
  std::vector<Estimate> estimates_;
};

struct Compared {
  EstimateRun run;
  std::optional<Guarantee> guarantee;
};

Result<Compared> comparedOf(const val& spec, const ComparedRows& rows) {
  if (const Published* mechanism = findPublished(text(spec, "mechanism"))) {
    const Result<Neighbours> neighbours = neighboursOf(spec);
    if (!neighbours.ok()) return neighbours.error();
    const PublishedParams params = {number(spec, "epsilon"),     number(spec, "delta"),
                                    neighbours.value(),          rows.rows,
                                    integer(spec, "components"), integer(spec, "rounds")};
    Result<EstimateRun> run = publishedRuns(*mechanism, params, rows);
    if (!run.ok()) return run.error();
    return Compared{std::move(run).value(), mechanism->guarantee(params)};
  }
  const Result<Plan> plan = planOf(spec);
  if (!plan.ok()) return plan.error();
  Result<EstimateRun> run = studyRuns(plan.value(), rows);
  if (!run.ok()) return run.error();
  return Compared{std::move(run).value(), plan.value().guarantee};
}

// The rows that all mechanisms of a comparison run on.
class ComparedRowsHandle {
 public:
  explicit ComparedRowsHandle(ComparedRows rows)
      : rows_(std::make_shared<const ComparedRows>(std::move(rows))) {}

  // `spec` as in a study, but its mechanism may be of either registry.
  val compare(const val& spec, double seed) {
    Result<Compared> compared = comparedOf(spec, *rows_);
    if (!compared.ok()) return failure(compared.error());
    val result = success();
    put(result, "comparison",
        val(std::make_shared<ComparisonHandle>(rows_, std::move(compared.value().run),
                                               std::uint64_t(seed))));
    put(result, "guarantee", Value<std::optional<Guarantee>>::of(compared.value().guarantee));
    return result;
  }

 private:
  SharedRows rows_;
};

// { mean, dimension, rows, components, epsilon, delta, neighbours }. Rejects what no mechanism
// accepts.
val openComparison(const val& options) {
  const Result<Neighbours> neighbours = neighboursOf(options);
  if (!neighbours.ok()) return failure(neighbours.error());
  const int components = integer(options, "components");
  Result<ComparedRows> rows = comparedRows(squareIn(options["mean"], integer(options, "dimension")),
                                           number(options, "rows"), components);
  if (!rows.ok()) return failure(rows.error());
  const PublishedParams params = {number(options, "epsilon"), number(options, "delta"),
                                  neighbours.value(), rows.value().rows, components};
  if (const Status wrong = checkPublished(params, rows.value().scatter)) return failure(*wrong);
  val result = success();
  put(result, "rows", val(std::make_shared<ComparedRowsHandle>(std::move(rows).value())));
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(research_comparison) {
  using emscripten::class_;
  using pm::js::ComparedRowsHandle;
  using pm::js::ComparisonHandle;
  class_<ComparisonHandle>("Comparison")
      .smart_ptr<std::shared_ptr<ComparisonHandle>>("ComparisonPointer")
      .function("draw", &ComparisonHandle::draw)
      .function("figures", &ComparisonHandle::figures);
  class_<ComparedRowsHandle>("ComparedRows")
      .smart_ptr<std::shared_ptr<ComparedRowsHandle>>("ComparedRowsPointer")
      .function("compare", &ComparedRowsHandle::compare);
  emscripten::function("openComparison", &pm::js::openComparison);
}
