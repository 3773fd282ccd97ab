// The research module, third part: audits from outside.
#include <emscripten/bind.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "bindings/convert.hpp"
#include "core/random/entropy.hpp"
#include "core/research/audit.hpp"

namespace pm::js {
namespace {

const char* nameOf(AuditNorm norm) {
  switch (norm) {
    case AuditNorm::kFrobenius: return "frobenius";
    case AuditNorm::kUpperL1: return "upper-l1";
    case AuditNorm::kUpperL2: return "upper-l2";
    case AuditNorm::kNuclear: return "nuclear";
    case AuditNorm::kRange: return "range";
    case AuditNorm::kTrace: return "trace";
  }
  return "";
}

val tableOf(const AuditRows& rows) {
  val table = val::object();
  put(table, "columns", double(rows.columns));
  put(table, "values", float64Array(rows.values));
  return table;
}

class AuditHandle {
 public:
  AuditHandle(AuditSubject subject, double alpha)
      : subject_(std::move(subject)), audit_(subject_, alpha) {}

  const AuditSubject& subject() const { return subject_; }

  // Further runs, with a generator seeded for them alone; the looks they led to.
  val run(double count) {
    return seeded([&](val& result, Drbg& random) {
      const std::size_t known = audit_.looks().size();
      audit_.run(std::uint64_t(count), random);
      val looks = val::array();
      for (std::size_t i = known; i < audit_.looks().size(); ++i) {
        const AuditLook& look = audit_.looks()[i];
        val entry = val::object();
        put(entry, "runs", double(look.runs));
        put(entry, "epsilon", look.epsilon);
        put(entry, "gdp", look.gdp);
        put(entry, "tried", double(look.tried));
        put(entry, "hits", double(look.hits));
        put(entry, "alarms", double(look.alarms));
        looks.call<void>("push", entry);
      }
      put(result, "runs", double(audit_.runs()));
      put(result, "looks", looks);
    });
  }

  val law(double noise) {
    return seeded([&](val& result, Drbg& random) {
      const Result<LawTest> tested = testLaw(subject_, noise, random);
      if (!tested.ok()) {
        result = failure(tested.error());
        return;
      }
      const LawTest& test = tested.value();
      put(result, "draws", double(test.draws));
      put(result, "p", test.p);
      put(result, "agrees", test.p >= kLawLevel);
    });
  }

  val sensitivity(int pairs) {
    return seeded([&](val& result, Drbg& random) {
      put(result, "measured", measuredSensitivity(subject_, pairs, random));
    });
  }

 private:
  template <class Work>
  val seeded(Work work) {
    Seed seed;
    const EntropyStatus status = drawSeed(pmSystemEntropy, seed);
    if (status != EntropyStatus::kOk) return failure(entropyError(status));
    Drbg random(seed);
    val result = success();
    work(result, random);
    return result;
  }

  AuditSubject subject_;
  Audit audit_;
};

val auditList() {
  val list = val::array();
  for (const std::string_view name : auditSubjects()) {
    list.call<void>("push", val(std::string(name)));
  }
  return list;
}

// { mechanism, epsilon, delta, neighbours, noise, alpha }
val openAudit(const val& options) {
  const Result<Neighbours> neighbours = neighboursOf(options);
  if (!neighbours.ok()) return failure(neighbours.error());
  const double alpha = number(options, "alpha");
  if (!(alpha > 0 && alpha < 1)) {
    return failure({Code::kInvalidInterval, "confidence must lie between 0 and 1", "confidence"});
  }
  Result<AuditSubject> made = auditSubject(text(options, "mechanism"),
                                           {number(options, "epsilon"), number(options, "delta"),
                                            neighbours.value(), number(options, "noise")});
  if (!made.ok()) return failure(made.error());
  const auto handle = std::make_shared<AuditHandle>(std::move(made).value(), alpha);
  const AuditSubject& subject = handle->subject();
  val result = success();
  put(result, "audit", val(handle));
  put(result, "epsilon", subject.epsilon ? val(*subject.epsilon) : val::null());
  put(result, "delta", subject.delta);
  put(result, "gdp", subject.gdp);
  put(result, "isNormal", subject.curve == AuditCurve::kNormal);
  put(result, "guarantee", guaranteeOf(subject.guarantee));
  put(result, "first", tableOf(subject.first));
  put(result, "second", tableOf(subject.second));
  put(result, "hasLaw", bool(subject.uniforms));
  put(result, "norm", nameOf(subject.norm));
  put(result, "sensitivity", subject.sensitivity);
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(research_audit) {
  using emscripten::class_;
  using pm::js::AuditHandle;
  class_<AuditHandle>("Audit")
      .smart_ptr<std::shared_ptr<AuditHandle>>("AuditPointer")
      .function("run", &AuditHandle::run)
      .function("law", &AuditHandle::law)
      .function("sensitivity", &AuditHandle::sensitivity);
  emscripten::function("audits", &pm::js::auditList);
  emscripten::function("openAudit", &pm::js::openAudit);
}
