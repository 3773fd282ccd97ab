// Mechanisms of both registries run again and again on known second moments, for comparisons.
#include <emscripten/bind.h>

#include <memory>
#include <utility>
#include <vector>

#include "bindings/matrices.hpp"
#include "core/analysis/noise_draw.hpp"
#include "core/research/comparison.hpp"

namespace pm::js {
namespace {

// The estimates wait between the two calls, so that only the mechanism is in the time of the first.
class ComparisonHandle {
 public:
  ComparisonHandle(ComparedRows rows, EstimateRun run, std::uint64_t seed)
      : rows_(std::move(rows)), run_(std::move(run)), random_(simulationDrbg(seed)) {}

  void draw(int runs) {
    for (int i = 0; i < runs; ++i) estimates_.push_back(run_(random_));
  }

  val figures() {
    std::vector<double> distances, truncated, shares;
    for (const Estimate& estimate : estimates_) {
      const ComparisonFigures figures = figuresOf(estimate, rows_);
      distances.push_back(figures.distance);
      truncated.push_back(figures.truncated);
      shares.push_back(figures.share);
    }
    estimates_.clear();
    val result = val::object();
    put(result, "distances", float64Array(distances));
    put(result, "truncated", float64Array(truncated));
    put(result, "shares", float64Array(shares));
    return result;
  }

 private:
  ComparedRows rows_;
  EstimateRun run_;
  Drbg random_;
  std::vector<Estimate> estimates_;
};

struct Compared {
  EstimateRun run;
  std::optional<Guarantee> guarantee;
};

Result<Compared> comparedOf(const val& options, const ComparedRows& rows) {
  const val spec = options["spec"];
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

// { spec: as of a study, its mechanism of either registry; mean, dimension, rows, seed }
val createComparison(const val& options) {
  const Result<ComparedRows> rows =
      comparedRows(squareIn(options["mean"], integer(options["spec"], "dimension")),
                   number(options, "rows"), integer(options["spec"], "components"));
  if (!rows.ok()) return failure(rows.error());
  Result<Compared> compared = comparedOf(options, rows.value());
  if (!compared.ok()) return failure(compared.error());
  val result = success();
  put(result, "comparison",
      val(std::make_shared<ComparisonHandle>(rows.value(), std::move(compared.value().run),
                                             std::uint64_t(number(options, "seed")))));
  put(result, "guarantee", guaranteeOf(compared.value().guarantee));
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(research_comparison) {
  using emscripten::class_;
  using pm::js::ComparisonHandle;
  class_<ComparisonHandle>("Comparison")
      .smart_ptr<std::shared_ptr<ComparisonHandle>>("ComparisonPointer")
      .function("draw", &ComparisonHandle::draw)
      .function("figures", &ComparisonHandle::figures);
  emscripten::function("createComparison", &pm::js::createComparison);
}
