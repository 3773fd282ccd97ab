// Simulated results of the ways to combine sites.
#include "core/research/comparison/consortium.hpp"

#include <emscripten/bind.h>

#include <cmath>
#include <vector>

#include "bindings/matrices.hpp"

namespace pm::js {
namespace {

ConsortiumData dataIn(const val& data) {
  return {squareIn(data["covariance"], integer(data, "dimension")), integer(data, "first")};
}

// { covariance, dimension, first }: { correlations }
val consortiumTruth(const val& options) {
  const ConsortiumData data = dataIn(options);
  if (const Status wrong = checkConsortium(data)) return failure(*wrong);
  val result = success();
  put(result, "correlations", matrixOut(ConsortiumTruth(data).correlations()));
  return result;
}

// The same data, already checked, with { from, count, sums }: adds runs to a copy of the sums.
val consortiumRun(const val& options) {
  std::vector<double> sums = numbers(options["sums"]);
  sums.resize(ConsortiumSurface::kSize);
  ConsortiumSurface::run(dataIn(options), integer(options, "from"), integer(options, "count"),
                         sums);
  return float64Array(sums);
}

// { sums, runs, settings }: { values }. `settings` has (epsilon, delta, sites, honest, rows) of
// each setting, `values` (deviation, epsilon, first, all, error) of every way in each.
val consortiumAt(const val& options) {
  const std::vector<double> sums = numbers(options["sums"]);
  const std::vector<double> settings = numbers(options["settings"]);
  const int runs = integer(options, "runs");
  std::vector<double> values;
  constexpr std::size_t kLength = 5;
  for (std::size_t at = 0; at + kLength <= settings.size(); at += kLength) {
    const double* entry = settings.data() + at;
    const ConsortiumSetting setting = {entry[0], entry[1], int(entry[2]), int(entry[3])};
    if (const Status wrong = checkConsortium(setting)) return failure(*wrong);
    for (const ConsortiumOutcome& outcome : consortiumOutcomes(sums, runs, setting, entry[4])) {
      const Recovered& recovered = outcome.recovered;
      values.insert(values.end(), {outcome.deviation, outcome.epsilon, recovered.first,
                                   recovered.all, recovered.error});
    }
  }
  val result = success();
  put(result, "values", float64Array(values));
  return result;
}

val consortiumWayNames() {
  val list = val::array();
  for (const ConsortiumWay& way : consortiumWays()) {
    list.call<void>("push", val(way.name));
  }
  return list;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(research_consortium) {
  emscripten::function("consortiumTruth", &pm::js::consortiumTruth);
  emscripten::function("consortiumRun", &pm::js::consortiumRun);
  emscripten::function("consortiumAt", &pm::js::consortiumAt);
  emscripten::function("consortiumWays", &pm::js::consortiumWayNames);
}
