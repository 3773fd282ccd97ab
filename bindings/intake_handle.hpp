#pragma once

#include <span>
#include <string>
#include <utility>

#include "bindings/fields/release.hpp"
#include "bindings/object.hpp"
#include "core/moments/part_bytes.hpp"
#include "core/random/entropy.hpp"
#include "core/wipe.hpp"

namespace pm::js {

/// A destination for rows, either read from a file or passed as arrays.
class RowsHandle {
 public:
  virtual ~RowsHandle() = default;

  /// Takes rows in memory; the caller keeps ownership.
  virtual Status take(std::span<const double> rows) = 0;

  val add(const val& values) {
    std::vector<double> cells = numbers(values);
    const Status status = take(cells);
    wipe(cells.data(), cells.size() * sizeof(double));
    return status ? failure(*status) : success();
  }
};

inline Result<IntakePart> partFrom(const Intake&, std::span<const std::uint8_t> bytes) {
  return partOf(bytes);
}
inline Result<SurveyPart> partFrom(const Survey&, std::span<const std::uint8_t> bytes) {
  return surveyPartOf(bytes);
}

/// The system's entropy, for seeds that depend on a text as well, which must outlive their use.
inline EntropySource entropyWith(const std::string& context) {
  return systemEntropy({reinterpret_cast<const std::uint8_t*>(context.data()), context.size()});
}

/// What intakes and surveys share: taking rows, counts for their owner, and sums for other workers.
template <class Rows>
class SumsHandle : public RowsHandle {
 public:
  SumsHandle(Plan plan, Rows rows) : plan_(std::move(plan)), rows_(std::move(rows)) {}

  Status take(std::span<const double> rows) override { return rows_.add(rows); }

  val counts() const { return objectOf(rows_.counts()); }

  // What the release is for, on which its seed depends as well: any text.
  void seedWith(const std::string& context) { context_ = context; }

  // The exact sums, for the intake or survey of another worker. They must never reach the page.
  val part() { return bytesOut(rows_.part()); }

  // The exact sums for a keyed digest; the intake stays open.
  val sums() { return bytesOut(rows_.sums()); }

  // The owner of the Uint8Array must wipe it.
  val merge(const val& array) {
    std::vector<std::uint8_t> bytes = bytesIn(array);
    const auto part = partFrom(rows_, bytes);
    wipe(bytes);
    if (!part.ok()) return failure(part.error());
    if (const Status status = rows_.merge(part.value())) return failure(*status);
    val result = success();
    put(result, "rows", double(rows_.counts().rows));
    return result;
  }

 protected:
  EntropySource entropy() const { return entropyWith(context_); }

  Plan plan_;
  Rows rows_;

 private:
  std::string context_;

  template <class Part>
  static val bytesOut(const Result<Part>& part) {
    if (!part.ok()) return failure(part.error());
    std::vector<std::uint8_t> bytes = bytesOf(part.value());
    val result = success();
    put(result, "bytes", uint8Array(bytes));
    wipe(bytes);
    return result;
  }
};

using IntakeHandle = SumsHandle<Intake>;

/// createIntake({ spec, columns, missing }): { ok, intake }, the intake being a `Handle`
/// constructed from the plan, the core's intake and the options.
template <class Handle>
val createIntake(const val& options) {
  Result<Plan> plan = planOf(options["spec"]);
  if (!plan.ok()) return failure(plan.error());
  Result<Intake> intake = intakeOf(options, plan.value());
  if (!intake.ok()) return failure(intake.error());
  val result = success();
  put(result, "intake",
      val(std::make_shared<Handle>(std::move(plan).value(), std::move(intake).value(), options)));
  return result;
}

}  // namespace pm::js
