// Audits of mechanisms by attacks.
#include "core/research/audit/audit.hpp"

#include <emscripten/bind.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/object.hpp"
#include "bindings/research/fields.hpp"
#include "core/random/drbg.hpp"

namespace pm::js {
namespace {

class AuditHandle {
 public:
  AuditHandle(AuditSubject subject, double alpha)
      : subject_(std::move(subject)), audit_(subject_, alpha) {}

  const AuditSubject& subject() const { return subject_; }

  // Makes further runs with a newly seeded generator, and returns their looks.
  val run(double count) {
    return seeded([&](Drbg& random) {
      const std::size_t known = audit_.looks().size();
      audit_.run(std::uint64_t(count), random);
      const std::vector<AuditLook>& looks = audit_.looks();
      return success(AuditRun{{looks.begin() + std::ptrdiff_t(known), looks.end()}, audit_.runs()});
    });
  }

  val law(double noise) {
    return seeded([&](Drbg& random) { return resultOf(testLaw(subject_, noise, random)); });
  }

  val sensitivity(int pairs) {
    return seeded([&](Drbg& random) {
      val result = success();
      put(result, "measured", measuredSensitivity(subject_, pairs, random));
      return result;
    });
  }

 private:
  template <class Work>
  val seeded(Work work) {
    std::optional<Drbg> random;
    if (const Status failed = seedDrbg(systemEntropy(), random)) return failure(*failed);
    return work(*random);
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
  val result = success(handle->subject());
  put(result, "audit", val(handle));
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
