// Intakes, which turn rows into one release, and assemblies, which sum releases.
#include <emscripten/bind.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bindings/intake_handle.hpp"
#include "core/federation/correlated.hpp"
#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/assembly.hpp"

namespace pm::js {
namespace {

class ReleaseHandle : public IntakeHandle {
 public:
  // `surveyed` of the options: the number of rows used by the survey, for private centring.
  ReleaseHandle(Plan plan, Intake intake, const val& options)
      : IntakeHandle(std::move(plan), std::move(intake)), surveyed_(countIn(options["surveyed"])) {}

  val release() {
    if (plan_.survey_width > 0) {
      if (const Status changed = checkSameRows(surveyed_.value_or(0), rows_)) {
        return failure(*changed);
      }
    }
    return resultOf(pm::release(plan_, rows_, entropy()));
  }

  // The owner of the mask must wipe it.
  val releaseMasked(const val& mask) {
    std::vector<std::uint8_t> bytes = bytesIn(mask);
    const Result<Masked> masked = pm::releaseMasked(plan_, rows_, bytes, entropy());
    wipe(bytes.data(), bytes.size());
    return resultOf(masked);
  }

  // `array` has 32 bytes for each key, and `signs` whether its mask is added (1) or subtracted
  // (-1). The owner of the keys must wipe them.
  val releaseCorrelated(const val& array, const val& signs) {
    std::vector<std::uint8_t> bytes = bytesIn(array);
    const std::vector<double> sign = numbers(signs);
    std::vector<PairKey> keys(sign.size());
    const bool whole = bytes.size() == 32 * keys.size();
    for (std::size_t i = 0; whole && i < keys.size(); ++i) {
      std::copy_n(bytes.begin() + std::ptrdiff_t(32 * i), 32, keys[i].bytes.begin());
      keys[i].subtract = sign[i] < 0;
    }
    wipe(bytes.data(), bytes.size());
    if (!whole) return failure({Code::kWrongLength, "a key has 32 bytes", "keys"});
    const Result<Masked> masked = pm::releaseCorrelated(plan_, rows_, keys, entropy());
    wipe(keys.data(), keys.size() * sizeof(PairKey));
    return resultOf(masked);
  }

 private:
  std::optional<std::uint64_t> surveyed_;
};

// The first reading of rows that are then centred.
class SurveyHandle : public SumsHandle<Survey> {
 public:
  SurveyHandle(Plan plan, Survey survey, std::vector<Column> columns)
      : SumsHandle(std::move(plan), std::move(survey)), columns_(std::move(columns)) {}

  val release() { return resultOf(releaseSurvey(plan_, columns_, rows_, entropy())); }

 private:
  std::vector<Column> columns_;
};

// createSurvey({ spec, columns, missing }): { ok, survey }
val createSurvey(const val& options) {
  Result<Plan> plan = planOf(options["spec"]);
  if (!plan.ok()) return failure(plan.error());
  const Result<MissingRule> missing = missingRuleOf(options);
  if (!missing.ok()) return failure(missing.error());
  std::vector<Column> columns = columnsOf(options["columns"]);
  Result<Survey> survey = Survey::create(surveyTerms(plan.value(), columns, missing.value()));
  if (!survey.ok()) return failure(survey.error());
  val result = success();
  put(result, "survey",
      val(std::make_shared<SurveyHandle>(std::move(plan).value(), std::move(survey).value(),
                                         std::move(columns))));
  return result;
}

class AssemblyHandle {
 public:
  explicit AssemblyHandle(Assembly assembly) : assembly_(std::move(assembly)) {}

  // `rows` is null if their number is private.
  val add(const val& values, int level, const val& rows) {
    if (const Status status = assembly_.add(numbers(values), level, countIn(rows))) {
      return failure(*status);
    }
    val result = success();
    put(result, "releases", double(assembly_.releases()));
    return result;
  }

  // Totals are high 2^53 + low, |low| <= 2^53, so that no digit is lost.
  val addSum(const val& high, const val& low, int level, double releases, const val& rows) {
    const std::vector<double> highs = numbers(high), lows = numbers(low);
    std::vector<Int128> totals(std::min(highs.size(), lows.size()));
    for (std::size_t i = 0; i < totals.size(); ++i) {
      if (!(std::fabs(highs[i]) <= 0x1p53) || !(std::fabs(lows[i]) <= 0x1p53)) {
        return failure({Code::kNotFinite, "a total is not a finite number within range", "values"});
      }
      totals[i] = Int128(highs[i]) * (Int128(1) << 53) + Int128(lows[i]);
    }
    const std::uint64_t count = releases >= 1 && releases <= 0x1p53 ? std::uint64_t(releases) : 0;
    if (const Status status = assembly_.addSum(totals, level, count, countIn(rows))) {
      return failure(*status);
    }
    return success();
  }

  // `scales` has an entry for every clip level, null for levels that do not occur.
  val sum(const val& scales, double constant) const {
    std::vector<ReleaseScale> by_level;
    for (int level = 0; level < integer(scales, "length"); ++level) {
      const val scale = scales[level];
      ReleaseScale& last = by_level.emplace_back();
      if (scale.isNull()) continue;
      last = {number(scale, "radius"), number(scale, "unit"),       number(scale, "constant"),
              number(scale, "mean"),   number(scale, "sdDiagonal"), number(scale, "sdOffDiagonal")};
    }
    return resultOf(assembly_.sum(by_level, constant));
  }

 private:
  Assembly assembly_;
};

val createAssembly(double dimension) {
  Result<Assembly> assembly =
      Assembly::create(dimension >= 1 && dimension <= 1e6 ? int(dimension) : 0);
  if (!assembly.ok()) return failure(assembly.error());
  val result = success();
  put(result, "assembly", val(std::make_shared<AssemblyHandle>(std::move(assembly).value())));
  return result;
}

template <class Rows>
void registerSums(const char* name) {
  using Handle = SumsHandle<Rows>;
  emscripten::class_<Handle, emscripten::base<RowsHandle>>(name)
      .function("counts", &Handle::counts)
      .function("part", &Handle::part)
      .function("seedWith", &Handle::seedWith)
      .function("sums", &Handle::sums)
      .function("merge", &Handle::merge);
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(moments) {
  using emscripten::class_;
  using pm::js::AssemblyHandle;
  using pm::js::IntakeHandle;
  using pm::js::registerSums;
  using pm::js::ReleaseHandle;
  using pm::js::SurveyHandle;
  registerSums<pm::Intake>("IntakeBase");
  registerSums<pm::Survey>("SurveyBase");
  class_<ReleaseHandle, emscripten::base<IntakeHandle>>("Intake")
      .smart_ptr<std::shared_ptr<ReleaseHandle>>("IntakePointer")
      .function("release", &ReleaseHandle::release)
      .function("releaseMasked", &ReleaseHandle::releaseMasked)
      .function("releaseCorrelated", &ReleaseHandle::releaseCorrelated);
  class_<SurveyHandle, emscripten::base<pm::js::SumsHandle<pm::Survey>>>("Survey")
      .smart_ptr<std::shared_ptr<SurveyHandle>>("SurveyPointer")
      .function("release", &SurveyHandle::release);
  class_<AssemblyHandle>("Assembly")
      .smart_ptr<std::shared_ptr<AssemblyHandle>>("AssemblyPointer")
      .function("add", &AssemblyHandle::add)
      .function("addSum", &AssemblyHandle::addSum)
      .function("sum", &AssemblyHandle::sum);
  emscripten::function("createIntake", &pm::js::createIntake<ReleaseHandle>);
  emscripten::function("createSurvey", &pm::js::createSurvey);
  emscripten::function("createAssembly", &pm::js::createAssembly);
}
