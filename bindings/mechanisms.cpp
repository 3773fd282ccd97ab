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
  put(noise, "distribution", "discrete-gaussian");
  put(noise, "sampler", "block16/1");
  put(noise, "rng", "chacha20-fke/1");
  put(noise, "bits", double(plan.bits));
  put(noise, "gridLog2", double(plan.release_shift - 2 * plan.bits));
  put(noise, "unit", std::ldexp(grid, plan.release_shift));
  put(noise, "sdDiagonal", 16.0 * double(plan.w_diagonal) * grid);
  put(noise, "sdOffDiagonal", 16.0 * double(plan.w_off_diagonal) * grid);
  put(noise, "wDiagonal", decimal(plan.w_diagonal));
  put(noise, "wOffDiagonal", decimal(plan.w_off_diagonal));
  put(noise, "sensitivitySquared", decimal(plan.sensitivity_squared));
  put(noise, "rho", rhoOf(plan));
  put(noise, "samplerDeltaLog2", std::ceil(plan.sampler_delta_log2));

  val assumes = val::array();
  for (const std::string& assumption : g.assumes) assumes.call<void>("push", assumption);

  val result = success();
  put(result, "epsilon", g.epsilon);
  put(result, "delta", g.delta);
  put(result, "gdp", g.gdp);
  put(result, "zcdp", g.zcdp);
  put(result, "neighbours", name(g.neighbours));
  put(result, "unit", name(g.unit));
  put(result, "numerics", name(g.numerics));
  put(result, "assumes", assumes);
  put(result, "noise", noise);
  put(result, "constant", std::ldexp(double(plan.constant), -plan.bits) * row_norm);
  put(result, "maxRows", double(plan.max_rows));
  return result;
}

std::string version() { return PM_VERSION; }

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(mechanisms) {
  emscripten::function("version", &pm::js::version);
  emscripten::function("describe", &pm::js::describe);
}
