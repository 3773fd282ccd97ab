// Bytes that may be partial sums, from nothing and from a real part with damage: refused, or merged
// as they are.

#include <utility>
#include <vector>

#include "core/moments/intake.hpp"
#include "core/moments/part_bytes.hpp"
#include "tests/attacks/core/input.hpp"
#include "tests/attacks/core/terms.hpp"

namespace pm::fuzz {
namespace {

Intake intakeWithRows(std::uint8_t choice) {
  auto created = Intake::create(termsOf(choice));
  require(created.ok(), "terms that suit were refused");
  Intake intake = std::move(created).value();
  const std::vector<double> cells = {0.5, 1, 40, -1, 0, 18, 1, 2, 90};
  require(!intake.add(cells).has_value(), "rows that suit were refused");
  return intake;
}

// The bytes of a part, with each three bytes of the input as a place and what is done there.
std::vector<std::uint8_t> damagedPart(std::uint8_t choice, Input input) {
  Intake intake = intakeWithRows(choice);
  std::vector<std::uint8_t> bytes = bytesOf(intake.part().value());
  while (!input.rest().empty() && !bytes.empty()) {
    const std::size_t at = input.take<std::uint16_t>() % bytes.size();
    const auto by = input.take<std::uint8_t>();
    if (by == 0) {
      bytes.resize(at);
    } else {
      bytes[at] ^= by;
    }
  }
  return bytes;
}

void read(Input input) {
  const auto choice = input.take<std::uint8_t>();
  const std::vector<std::uint8_t> bytes =
      (choice & 128) != 0 ? std::vector<std::uint8_t>(input.rest().begin(), input.rest().end())
                          : damagedPart(choice, input);
  const auto survey = surveyPartOf(bytes);
  require(!survey.ok() || bytesOf(survey.value()) == bytes, "a part of a survey changed");
  const auto part = partOf(bytes);
  if (!part.ok()) return;
  require(bytesOf(part.value()) == bytes, "a part changed on its way");
  Intake intake = intakeWithRows(choice);
  const std::uint64_t before = intake.counts().rows;
  if (intake.merge(part.value())) {
    require(!intake.take(Unit::kRow).ok(), "an intake gave sums after a part that was refused");
    return;
  }
  require(intake.counts().rows == before + part.value().counts.rows, "rows were not counted");
  const auto sums = intake.take(Unit::kRow);
  require(sums.ok() || sums.error().code == Code::kIntegrity, "sums failed for another reason");
}

}  // namespace
}  // namespace pm::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pm::fuzz::read({data, size});
  return 0;
}
