// The research module: exact moments without any noise. A separate file, so that the production
// module has no way to hand them out.
#include <emscripten/bind.h>

#include <memory>

#include "bindings/convert.hpp"
#include "core/random/wipe.hpp"
#include "core/research/non_private.hpp"

namespace pm::js {
namespace {

class ResearchIntakeHandle {
 public:
  ResearchIntakeHandle(GaussianPlan plan, Intake intake, double row_norm)
      : plan_(std::move(plan)), intake_(std::move(intake)), row_norm_(row_norm) {}

  val add(const val& values) {
    std::vector<double> cells = numbers(values);
    const Status status = intake_.add(cells);
    wipe(cells.data(), cells.size() * sizeof(double));
    if (status) return failure(*status);
    val result = success();
    result.set("rows", double(intake_.counts().rows));
    return result;
  }

  val counts() const { return countsOf(intake_); }

  val exact() {
    const bool per_row = plan_.params.unit == Unit::kRow;
    const double rows = per_row ? double(intake_.counts().used) : 1;
    const Result<std::vector<Int128>> totals = intake_.take(plan_.params.unit);
    if (!totals.ok()) return failure(totals.error());
    val result = success();
    result.set("values", float64Array(nonPrivateMoments(totals.value(), row_norm_, plan_.bits)));
    result.set("rows", rows);
    return result;
  }

 private:
  GaussianPlan plan_;
  Intake intake_;
  double row_norm_;
};

val createIntake(const val& options) {
  Result<GaussianPlan> plan = planOf(options["spec"]);
  if (!plan.ok()) return failure(plan.error());
  Result<Intake> intake = intakeOf(options, plan.value());
  if (!intake.ok()) return failure(intake.error());
  val result = success();
  result.set("intake", std::make_shared<ResearchIntakeHandle>(std::move(plan).value(),
                                                              std::move(intake).value(),
                                                              number(options["spec"], "rowNorm")));
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(research) {
  using pm::js::ResearchIntakeHandle;
  emscripten::class_<ResearchIntakeHandle>("ResearchIntake")
      .smart_ptr<std::shared_ptr<ResearchIntakeHandle>>("ResearchIntakePointer")
      .function("add", &ResearchIntakeHandle::add)
      .function("counts", &ResearchIntakeHandle::counts)
      .function("exact", &ResearchIntakeHandle::exact);
  emscripten::function("createIntake", &pm::js::createIntake);
}
