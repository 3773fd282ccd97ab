// describe: what a mechanism promises and how large its noise is, from public numbers alone.
#include <emscripten/bind.h>

#include <cmath>

#include "bindings/convert.hpp"

namespace pm::js {
namespace {

// rho as a fraction of integers: sensitivity^2 / (2 (16 w)^2).
std::string rhoOf(const GaussianPlan& plan) {
  return decimal(plan.sensitivity_squared) + "/" +
         decimal(Uint128(512) * plan.w_diagonal * plan.w_diagonal);
}

val describe(const val& spec) {
  const Result<GaussianPlan> planned = planOf(spec);
  if (!planned.ok()) return failure(planned.error());
  const GaussianPlan& plan = planned.value();
  const double row_norm = number(spec, "rowNorm");
  if (!(row_norm > 0) || !std::isfinite(row_norm)) {
    return failure({Code::kInvalidRowNorm, "rowNorm must be a finite number above 0", "rowNorm"});
  }
  const Guarantee& g = plan.guarantee;
  const double grid = std::ldexp(row_norm * row_norm, -2 * plan.bits);

  val noise = val::object();
  noise.set("distribution", std::string("discrete-gaussian"));
  noise.set("sampler", std::string("block16/1"));
  noise.set("rng", std::string("chacha20-fke/1"));
  noise.set("bits", plan.bits);
  noise.set("gridLog2", plan.release_shift - 2 * plan.bits);
  noise.set("unit", std::ldexp(grid, plan.release_shift));
  noise.set("sdDiagonal", 16.0 * double(plan.w_diagonal) * grid);
  noise.set("sdOffDiagonal", 16.0 * double(plan.w_off_diagonal) * grid);
  noise.set("wDiagonal", decimal(plan.w_diagonal));
  noise.set("wOffDiagonal", decimal(plan.w_off_diagonal));
  noise.set("sensitivitySquared", decimal(plan.sensitivity_squared));
  noise.set("rho", rhoOf(plan));
  noise.set("samplerDeltaLog2", std::ceil(plan.sampler_delta_log2));

  val assumes = val::array();
  for (const std::string& assumption : g.assumes) assumes.call<void>("push", assumption);

  val result = success();
  result.set("epsilon", g.epsilon);
  result.set("delta", g.delta);
  result.set("gdp", g.gdp);
  result.set("zcdp", g.zcdp);
  result.set("neighbours", std::string(name(g.neighbours)));
  result.set("unit", std::string(name(g.unit)));
  result.set("numerics", std::string(name(g.numerics)));
  result.set("assumes", assumes);
  result.set("noise", noise);
  result.set("constant", std::ldexp(double(plan.constant), -plan.bits) * row_norm);
  result.set("maxRows", double(plan.max_rows));
  return result;
}

std::string version() { return PM_VERSION; }

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(mechanisms) {
  emscripten::function("version", &pm::js::version);
  emscripten::function("describe", &pm::js::describe);
}
