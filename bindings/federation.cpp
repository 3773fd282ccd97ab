// Sums of payloads and keystreams, for the helper, the analyst or the coordinator.
#include <emscripten/bind.h>

#include <memory>

#include "bindings/convert.hpp"
#include "core/federation/masked.hpp"

namespace pm::js {
namespace {

class MaskSumHandle {
 public:
  explicit MaskSumHandle(std::size_t length) : sum_(length) {}

  val add(const val& bytes, int sign) {
    const Status status = sum_.add(bytesIn(bytes), sign < 0);
    return status ? failure(*status) : success();
  }

  val bytes() const { return uint8Array(sum_.bytes()); }

  // The sum in released units; `rows` is null if their number is private.
  val unmask(const val& spec, const val& rows) const {
    const Result<Plan> plan = planOf(spec);
    if (!plan.ok()) return failure(plan.error());
    const Result<std::vector<double>> values =
        pm::unmask(plan.value(), sum_.words(), countIn(rows));
    if (!values.ok()) return failure(values.error());
    val result = success();
    put(result, "values", float64Array(values.value()));
    return result;
  }

 private:
  MaskSum sum_;
};

val createMaskSum(double length) {
  if (!(length >= 1 && length <= 1e6)) {
    return failure({Code::kWrongLength, "length must be from 1 to 10^6", "length"});
  }
  val result = success();
  put(result, "sum", val(std::make_shared<MaskSumHandle>(std::size_t(length))));
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(federation) {
  using pm::js::MaskSumHandle;
  emscripten::class_<MaskSumHandle>("MaskSum")
      .smart_ptr<std::shared_ptr<MaskSumHandle>>("MaskSumPointer")
      .function("add", &MaskSumHandle::add)
      .function("bytes", &MaskSumHandle::bytes)
      .function("unmask", &MaskSumHandle::unmask);
  emscripten::function("createMaskSum", &pm::js::createMaskSum);
}
