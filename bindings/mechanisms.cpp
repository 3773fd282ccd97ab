// describe: what a mechanism promises and how large its noise is, from public numbers alone.
#include <emscripten/bind.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "bindings/convert.hpp"
#include "core/federation/sharing.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/privacy/accountant.hpp"

namespace pm::js {
namespace {

val noiseOf(const Plan& plan, double radius) {
  const double grid = std::ldexp(radius * radius, -2 * plan.bits);
  val noise = val::object();
  put(noise, "distribution", plan.distribution);
  put(noise, "sampler", plan.sampler);
  put(noise, "rng", "chacha20-fke/1");
  put(noise, "bits", double(plan.bits));
  put(noise, "gridLog2", double(plan.release_shift - 2 * plan.bits));
  put(noise, "unit", std::ldexp(grid, plan.release_shift));
  put(noise, "mean", plan.noise_mean * grid);
  put(noise, "sdDiagonal", plan.sd_diagonal * grid);
  put(noise, "sdOffDiagonal", plan.sd_off_diagonal * grid);
  val parameters = val::object();
  for (const Fact& fact : plan.facts) {
    if (fact.exact) {
      put(parameters, fact.name, decimal(fact.integer));
    } else {
      put(parameters, fact.name, fact.number);
    }
  }
  put(noise, "parameters", parameters);
  return noise;
}

val describe(const val& spec) {
  const Result<Plan> planned = planOf(spec);
  if (!planned.ok()) return failure(planned.error());
  const Plan& plan = planned.value();
  // The plan does not depend on the radius, only the size of its units does.
  const double radius = clipRadius(plan.params.row_norm, integer(spec, "level"));
  val result = success();
  putGuarantee(result, plan.guarantee);
  put(result, "noise", noiseOf(plan, radius));
  put(result, "radius", radius);
  put(result, "clipCounts", double(clipCounts(plan)));
  put(result, "clipCountSd", clipCountSd(plan));
  put(result, "content", plan.content == Content::kMoments ? "moments" : "components");
  put(result, "length", double(plan.length));
  put(result, "freedom", double(plan.freedom));
  put(result, "constant", std::ldexp(double(plan.constant), -plan.bits) * radius);
  put(result, "maxRows", double(plan.max_rows));
  if (isMasked(plan)) put(result, "maxRowsOfSum", double(plan.max_rows_of_sum));
  if (plan.guarantee.alone) put(result, "alone", costOf(*plan.guarantee.alone));
  return result;
}

// How a study's noisy counts choose the level of the clip ladder. The plan behind it takes 0.3 ms,
// so it is made once, not for each of ten thousand releases.
class ClipRuleHandle {
 public:
  explicit ClipRuleHandle(Plan plan) : plan_(std::move(plan)) {}

  // The level that each of several sets of counts chooses, one set after the other; describe says
  // how many counts a set has. `rows` is null where their number is private.
  val levels(const val& counts, const val& rows) const {
    const std::size_t each = std::max<std::size_t>(1, clipCounts(plan_));
    const std::vector<double> all = numbers(counts);
    const std::optional<std::uint64_t> known = countIn(rows);
    std::vector<double> levels;
    for (std::size_t first = 0; first + each <= all.size(); first += each) {
      levels.push_back(chooseClipLevel(plan_, std::span(all).subspan(first, each), known));
    }
    return float64Array(levels);
  }

 private:
  Plan plan_;
};

val createClipRule(const val& spec) {
  Result<Plan> planned = planOf(spec);
  if (!planned.ok()) return failure(planned.error());
  val result = success();
  put(result, "rule", val(std::make_shared<ClipRuleHandle>(std::move(planned).value())));
  return result;
}

// The registry, for the package's list and the comparison table.
val registry() {
  val list = val::array();
  for (const Mechanism& mechanism : mechanisms()) {
    val entry = val::object();
    put(entry, "name", std::string(mechanism.name));
    put(entry, "content", mechanism.content == Content::kMoments ? "moments" : "components");
    put(entry, "pure", mechanism.budget == Budget::kPure);
    put(entry, "numerics", name(mechanism.numerics));
    put(entry, "additive", mechanism.additive);
    put(entry, "psd", mechanism.psd);
    list.call<void>("push", entry);
  }
  return list;
}

// What several guarantees cost together, each { kind, size, delta, totalVariation }, at a common
// delta.
val compose(const val& costs, double delta) {
  Accountant accountant;
  const int count = integer(costs, "length");
  for (int i = 0; i < count; ++i) {
    const val cost = costs[i];
    const std::string kind = text(cost, "kind");
    const double size = number(cost, "size");
    if (kind == "gdp") {
      accountant.add(Cost::gdp(size));
      accountant.addDistance(number(cost, "totalVariation"));
    } else if (kind == "bounded-range") {
      accountant.add(Cost::boundedRange(size));
    } else {
      accountant.add(Cost::approximate(size, number(cost, "delta")));
    }
  }
  val result = success();
  putFinite(result, "epsilon", accountant.epsilonAt(delta));
  putFinite(result, "pure", accountant.pure());
  putFinite(result, "gdp", accountant.gdp());
  putFinite(result, "zcdp", accountant.zcdp());
  put(result, "totalVariation", accountant.distance());
  return result;
}

std::string version() { return PM_VERSION; }

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(mechanisms) {
  using pm::js::ClipRuleHandle;
  emscripten::class_<ClipRuleHandle>("ClipRule")
      .smart_ptr<std::shared_ptr<ClipRuleHandle>>("ClipRulePointer")
      .function("levels", &ClipRuleHandle::levels);
  emscripten::function("version", &pm::js::version);
  emscripten::function("describe", &pm::js::describe);
  emscripten::function("createClipRule", &pm::js::createClipRule);
  emscripten::function("mechanisms", &pm::js::registry);
  emscripten::function("compose", &pm::js::compose);
}
