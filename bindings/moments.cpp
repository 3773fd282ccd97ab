// Rows in, one release out; releases in, their sum out.
#include <emscripten/bind.h>

#include <memory>

#include "bindings/convert.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/assembly.hpp"
#include "core/random/wipe.hpp"

namespace pm::js {
namespace {

class IntakeHandle {
 public:
  IntakeHandle(GaussianPlan plan, Intake intake)
      : plan_(std::move(plan)), intake_(std::move(intake)) {}

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

  val release() {
    const Result<ReleasedMoments> released = pm::release(plan_, intake_);
    if (!released.ok()) return failure(released.error());
    val result = success();
    result.set("values", float64Array(released.value().values));
    result.set("rows", released.value().rows ? val(double(*released.value().rows)) : val::null());
    return result;
  }

 private:
  GaussianPlan plan_;
  Intake intake_;
};

val createIntake(const val& options) {
  Result<GaussianPlan> plan = planOf(options["spec"]);
  if (!plan.ok()) return failure(plan.error());
  Result<Intake> intake = intakeOf(options, plan.value());
  if (!intake.ok()) return failure(intake.error());
  val result = success();
  result.set("intake",
             std::make_shared<IntakeHandle>(std::move(plan).value(), std::move(intake).value()));
  return result;
}

class AssemblyHandle {
 public:
  explicit AssemblyHandle(Assembly assembly) : assembly_(std::move(assembly)) {}

  val add(const val& values) {
    if (const Status status = assembly_.add(numbers(values))) return failure(*status);
    val result = success();
    result.set("releases", double(assembly_.releases()));
    return result;
  }

  val sum(double unit) const {
    const Result<std::vector<double>> sums = assembly_.sum(unit);
    if (!sums.ok()) return failure(sums.error());
    val result = success();
    result.set("values", float64Array(sums.value()));
    return result;
  }

 private:
  Assembly assembly_;
};

val createAssembly(double dimension) {
  Result<Assembly> assembly =
      Assembly::create(dimension >= 1 && dimension <= 1e6 ? int(dimension) : 0);
  if (!assembly.ok()) return failure(assembly.error());
  val result = success();
  result.set("assembly", std::make_shared<AssemblyHandle>(std::move(assembly).value()));
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(moments) {
  using emscripten::class_;
  using pm::js::AssemblyHandle;
  using pm::js::IntakeHandle;
  class_<IntakeHandle>("Intake")
      .smart_ptr<std::shared_ptr<IntakeHandle>>("IntakePointer")
      .function("add", &IntakeHandle::add)
      .function("counts", &IntakeHandle::counts)
      .function("release", &IntakeHandle::release);
  class_<AssemblyHandle>("Assembly")
      .smart_ptr<std::shared_ptr<AssemblyHandle>>("AssemblyPointer")
      .function("add", &AssemblyHandle::add)
      .function("sum", &AssemblyHandle::sum);
  emscripten::function("createIntake", &pm::js::createIntake);
  emscripten::function("createAssembly", &pm::js::createAssembly);
}
