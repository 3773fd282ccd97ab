// The research module: exact moments without noise, and mechanisms as published. It is a separate
// module, so that the production module cannot return them.
#include <emscripten/bind.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "bindings/intake_handle.hpp"
#include "bindings/matrices.hpp"
#include "bindings/research/fields.hpp"
#include "core/federation/cape.hpp"
#include "core/moments/row_rules.hpp"
#include "core/random/drbg.hpp"
#include "core/research/published/additive.hpp"
#include "core/research/published/non_private.hpp"
#include "core/research/published/registry.hpp"

namespace pm::js {
namespace {

class ResearchHandle : public IntakeHandle {
 public:
  ResearchHandle(Plan plan, Intake intake, const val& options)
      : IntakeHandle(std::move(plan), std::move(intake)),
        row_norm_(number(options["spec"], "rowNorm")) {}

  val exact() {
    const bool per_row = plan_.params.unit == Unit::kRow;
    if (rows_.counts().used == 0) return failure(noRows());
    const double rows = per_row ? double(rows_.counts().used) : 1;
    const Result<std::vector<Int128>> totals = rows_.take(plan_.params.unit);
    if (!totals.ok()) return failure(totals.error());
    val result = success();
    put(result, "values", float64Array(nonPrivateMoments(totals.value(), row_norm_, plan_.bits)));
    put(result, "rows", rows);
    return result;
  }

  // `count` releases of the rows, by the code that makes the only one of an intake. Single use.
  val releases(int count) {
    if (plan_.release == nullptr)
      return failure({Code::kInvalidFederation, "no release of one site alone", "federation.mode"});
    std::optional<Drbg> random;
    if (const Status failed = seedDrbg(systemEntropy(), random)) return failure(*failed);
    const Result<std::vector<Int128>> totals = rows_.take(plan_.params.unit);
    if (!totals.ok()) return failure(totals.error());
    std::vector<double> values(std::size_t(count) * plan_.length);
    for (int i = 0; i < count; ++i) {
      const std::span<double> one(values.data() + std::size_t(i) * plan_.length, plan_.length);
      plan_.release(plan_, totals.value(), *random, one);
    }
    val result = success();
    put(result, "values", float64Array(values));
    return result;
  }

 private:
  double row_norm_;
};

val publishedList() {
  const std::span<const Published> all = published();
  return Value<std::vector<Published>>::of({all.begin(), all.end()});
}

// Runs one on a given matrix, for simulations.
val reproduce(const val& options) {
  const Published* mechanism = findPublished(text(options, "name"));
  if (mechanism == nullptr) {
    return failure({Code::kInvalidMechanism, "there is no such mechanism", "name"});
  }
  const Result<Neighbours> neighbours = neighboursOf(options);
  if (!neighbours.ok()) return failure(neighbours.error());
  const PublishedParams params = {
      number(options, "epsilon"), number(options, "delta"),       neighbours.value(),
      number(options, "rows"),    integer(options, "components"), integer(options, "rounds"),
      number(options, "penalty")};
  const Eigen::MatrixXd scatter = squareIn(options["scatter"], integer(options, "dimension"));
  if (const Status wrong = checkPublished(params, scatter)) return failure(*wrong);
  std::optional<Drbg> random;
  if (const Status failed = seedDrbg(systemEntropy(), random)) return failure(*failed);
  return success(
      Reproduction{mechanism->run(scatter, params, *random), mechanism->guarantee(params)});
}

// { rows, matrices, dimension, epsilons, delta, weights, dropped }: capeCCA on the means of several
// sites, concatenated in `matrices`, with the noise of the published formula.
val simulateCape(const val& options) {
  const std::vector<double> epsilons = numbers(options["epsilons"]);
  const double delta = number(options, "delta");
  for (const double epsilon : epsilons) {
    if (epsilon > 0 && std::isfinite(epsilon)) continue;
    return failure({Code::kInvalidEpsilon, "epsilon must be a finite number above 0", "epsilon"});
  }
  if (!(delta > 0 && delta < 1)) {
    return failure({Code::kInvalidDelta, "delta must lie strictly between 0 and 1", "delta"});
  }
  CapeParams params = {
      {},
      numbers(options["rows"]),
      text(options, "weights") == "rows" ? CapeWeights::kRows : CapeWeights::kSites};
  for (const double epsilon : epsilons) params.sigma.push_back(classicalDeviation(epsilon, delta));
  for (const double site : numbers(options["dropped"])) params.dropped.push_back(int(site));
  const std::size_t d = std::size_t(std::max(0, integer(options, "dimension")));
  const std::vector<double> means = numbers(options["matrices"]);
  std::vector<std::vector<double>> matrices;
  for (std::size_t at = 0; d > 0 && at + d * d <= means.size(); at += d * d) {
    std::vector<double>& packed = matrices.emplace_back();
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = i; j < d; ++j) packed.push_back(means[at + i * d + j]);
    }
  }
  std::optional<Drbg> random;
  if (const Status failed = seedDrbg(systemEntropy(), random)) return failure(*failed);
  const Result<CapeRun> ran = runCape(params, matrices, *random);
  if (!ran.ok()) return failure(ran.error());
  const CapeRun& run = ran.value();
  std::vector<double> values(d * d);
  for (std::size_t i = 0, entry = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) {
      values[i * d + j] = values[j * d + i] = run.aggregate[entry++];
    }
  }
  return success(
      CapeResult{std::move(values), run.sd, run.pooled_sd, run.conventional_sd, run.exposure});
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(research) {
  using emscripten::class_;
  using pm::js::IntakeHandle;
  using pm::js::ResearchHandle;
  class_<IntakeHandle, emscripten::base<pm::js::RowsHandle>>("IntakeBase")
      .function("counts", &IntakeHandle::counts)
      .function("part", &IntakeHandle::part)
      .function("sums", &IntakeHandle::sums)
      .function("merge", &IntakeHandle::merge);
  class_<ResearchHandle, emscripten::base<IntakeHandle>>("ResearchIntake")
      .smart_ptr<std::shared_ptr<ResearchHandle>>("ResearchIntakePointer")
      .function("exact", &ResearchHandle::exact)
      .function("releases", &ResearchHandle::releases);
  emscripten::function("createIntake", &pm::js::createIntake<ResearchHandle>);
  emscripten::function("published", &pm::js::publishedList);
  emscripten::function("reproduce", &pm::js::reproduce);
  emscripten::function("simulateCape", &pm::js::simulateCape);
}
