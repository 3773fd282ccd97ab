// Guarantees and noise of mechanisms, from public numbers alone.
#include <emscripten/bind.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "bindings/fields/release.hpp"
#include "bindings/object.hpp"
#include "core/mechanisms/clip_loss.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/privacy/accountant.hpp"

namespace pm::js {
namespace {

val describe(const val& spec) {
  const Result<Plan> planned = planOf(spec);
  if (!planned.ok()) return failure(planned.error());
  const Plan& plan = planned.value();
  const int level = integer(spec, "level");
  if (plan.survey_width == 0)
    return success(Description{plan, clipRadius(plan.params.row_norm, level)});
  // Without coordinates, the units are those of a radius of 1.
  if (spec["coordinates"].isUndefined()) return success(Description{plan, 1, kMostClipLevels - 1});
  const Coordinates at = coordinatesOf(spec["coordinates"]);
  const int rungs = at.ladder.levels - 1;
  return success(Description{plan, at.radius * at.ladder.ratio(std::clamp(level, 0, rungs)),
                             std::size_t(rungs)});
}

// The rule by which noisy counts choose the clip level. Its plan takes 0.3 ms, so it is made once
// and not for each of ten thousand releases.
class ClipRuleHandle {
 public:
  explicit ClipRuleHandle(Plan plan) : plan_(std::move(plan)) {}

  // With private centring: the coordinates that a survey determines, and the level that the counts
  // of a release in coordinates with `levels` levels choose.
  val coordinates(const val& columns, const val& survey, const val& rows) const {
    const std::vector<double> sums = numbers(survey);
    if (sums.size() != surveySize(plan_.params)) {
      return failure({Code::kWrongLength, "the survey does not have the sums of the columns",
                      "centring.survey"});
    }
    return success(chooseCoordinates(plan_, columnsOf(columns), sums, countIn(rows)));
  }
  // What a survey says of missing cells.
  val gaps(const val& survey) const { return resultOf(surveyedGaps(plan_, numbers(survey))); }
  int rung(int levels, const val& counts) const {
    const ClipLadder ladder = centringLadder(std::clamp(levels, 1, kMostClipLevels));
    const std::vector<double> all = numbers(counts);
    return int(all.size()) + 1 == ladder.levels ? chooseRung(plan_, ladder, all) : -1;
  }

  // The level that each of several concatenated sets of counts chooses; `clipCounts` of describe is
  // the size of a set. `rows` is null if their number is private.
  val levels(const val& counts, const val& rows) const {
    const std::size_t size = std::max<std::size_t>(1, clipCounts(plan_));
    const std::vector<double> all = numbers(counts);
    const std::optional<std::uint64_t> public_rows = countIn(rows);
    std::vector<double> levels;
    for (std::size_t first = 0; first + size <= all.size(); first += size) {
      levels.push_back(chooseClipLevel(plan_, std::span(all).subspan(first, size), public_rows));
    }
    return float64Array(levels);
  }

  // What clipping took from the sum of squared lengths of the rows of `releases` releases with
  // these added counts, in units of the squared longest radius. `levels`: those of the ladder, with
  // private centring; otherwise 0.
  double lost(int levels, const val& counts, int level, double releases) const {
    const bool centred = levels > 0;
    const std::vector<double> all = numbers(counts);
    const ClipLadder ladder =
        centred ? centringLadder(std::clamp(levels, 1, kMostClipLevels)) : ClipLadder();
    return clipLoss(plan_, ladder, {all, level, releases, centred});
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

// The total cost of several guarantees, each { kind, size, delta, totalVariation }, at a common
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
  return success(Composition{accountant.epsilonAt(delta), accountant.pure(), accountant.gdp(),
                             accountant.zcdp(), accountant.distance()});
}

std::string version() { return PM_VERSION; }

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(mechanisms) {
  using pm::js::ClipRuleHandle;
  emscripten::class_<ClipRuleHandle>("ClipRule")
      .smart_ptr<std::shared_ptr<ClipRuleHandle>>("ClipRulePointer")
      .function("coordinates", &ClipRuleHandle::coordinates)
      .function("gaps", &ClipRuleHandle::gaps)
      .function("rung", &ClipRuleHandle::rung)
      .function("levels", &ClipRuleHandle::levels)
      .function("lost", &ClipRuleHandle::lost);
  emscripten::function("version", &pm::js::version);
  emscripten::function("describe", &pm::js::describe);
  emscripten::function("createClipRule", &pm::js::createClipRule);
  emscripten::function("compose", &pm::js::compose);
}
