// The research module: exact moments without any noise, and mechanisms as published. A separate
// file, so that the production module has no way to hand them out.
#include <emscripten/bind.h>

#include <memory>

#include "bindings/intake_handle.hpp"
#include "bindings/matrices.hpp"
#include "core/random/entropy.hpp"
#include "core/research/non_private.hpp"
#include "core/research/registry.hpp"

namespace pm::js {
namespace {

class ResearchHandle : public IntakeHandle {
 public:
  ResearchHandle(Plan plan, Intake intake, const val& options)
      : IntakeHandle(std::move(plan), std::move(intake)),
        row_norm_(number(options["spec"], "rowNorm")) {}

  val exact() {
    const bool per_row = plan_.params.unit == Unit::kRow;
    const double rows = per_row ? double(intake_.counts().used) : 1;
    const Result<std::vector<Int128>> totals = intake_.take(plan_.params.unit);
    if (!totals.ok()) return failure(totals.error());
    val result = success();
    put(result, "values", float64Array(nonPrivateMoments(totals.value(), row_norm_, plan_.bits)));
    put(result, "rows", rows);
    return result;
  }

 private:
  double row_norm_;
};

// A string_view of a literal.
val textOf(std::string_view text) { return val(std::string(text)); }

val publishedList() {
  val list = val::array();
  for (const Published& mechanism : published()) {
    val entry = val::object();
    put(entry, "name", textOf(mechanism.name));
    put(entry, "source", textOf(mechanism.source));
    put(entry, "claim", textOf(mechanism.claim));
    put(entry, "truth", textOf(mechanism.truth));
    list.call<void>("push", entry);
  }
  return list;
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
  Seed seed;
  const EntropyStatus status = drawSeed(pmSystemEntropy, seed);
  if (status != EntropyStatus::kOk) return failure(entropyError(status));
  Drbg random(seed);
  const Eigen::MatrixXd output = mechanism->run(scatter, params, random);
  val result = success();
  put(result, "values", matrixOut(output));
  put(result, "rows", double(output.rows()));
  put(result, "columns", double(output.cols()));
  const std::optional<Guarantee> guarantee = mechanism->guarantee(params);
  val promise = val::null();
  if (guarantee) {
    promise = val::object();
    putGuarantee(promise, *guarantee);
  }
  put(result, "guarantee", promise);
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(research) {
  using emscripten::class_;
  using pm::js::IntakeHandle;
  using pm::js::ResearchHandle;
  class_<IntakeHandle>("IntakeBase")
      .function("add", &IntakeHandle::add)
      .function("counts", &IntakeHandle::counts)
      .function("part", &IntakeHandle::part)
      .function("merge", &IntakeHandle::merge);
  class_<ResearchHandle, emscripten::base<IntakeHandle>>("ResearchIntake")
      .smart_ptr<std::shared_ptr<ResearchHandle>>("ResearchIntakePointer")
      .function("exact", &ResearchHandle::exact);
  emscripten::function("createIntake", &pm::js::createIntake<ResearchHandle>);
  emscripten::function("published", &pm::js::publishedList);
  emscripten::function("reproduce", &pm::js::reproduce);
}
