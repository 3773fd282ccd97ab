// Rows of any numbers, in one intake and shared among two that are merged: the same counts and the
// same sums, or the same error.

#include <algorithm>
#include <utility>
#include <vector>

#include "core/moments/intake.hpp"
#include "core/moments/part_bytes.hpp"
#include "tests/attacks/core/input.hpp"
#include "tests/attacks/core/terms.hpp"

namespace pm::fuzz {
namespace {

constexpr std::size_t kColumns = 3;

Intake intakeOf(const IntakeTerms& terms) {
  auto created = Intake::create(terms);
  require(created.ok(), "terms that suit were refused");
  return std::move(created).value();
}

void requireSameCounts(const IntakeCounts& a, const IntakeCounts& b) {
  require(a.rows == b.rows && a.used == b.used && a.centred == b.centred && a.dropped == b.dropped,
          "two ways to read have different counts");
  require(a.longer == b.longer, "two ways to read shortened different rows");
}

void read(Input input) {
  const IntakeTerms terms = termsOf(input.take<std::uint8_t>());
  const auto split = input.take<std::uint8_t>();
  std::vector<double> cells(input.rest().size() / sizeof(double));
  cells.resize(cells.size() - cells.size() % kColumns);
  for (double& cell : cells) cell = input.take<double>();
  // Categories are refused unless they are the index of a level, so most should be.
  for (std::size_t i = 1; i < cells.size(); i += kColumns) {
    if (!(cells[i] >= 0 && cells[i] < 3)) cells[i] = double((i / kColumns) % 3);
    cells[i] = double(int(cells[i]));
  }
  const std::span<const double> all(cells);
  const std::size_t cut = std::min(std::size_t(split) * kColumns, cells.size());

  Intake whole = intakeOf(terms);
  Intake first = intakeOf(terms);
  Intake second = intakeOf(terms);
  const Status failed = whole.add(all);
  const Status first_failed = first.add(all.first(cut));
  const Status second_failed = second.add(all.subspan(cut));
  require(failed.has_value() == (first_failed.has_value() || second_failed.has_value()),
          "rows failed in one way to read and not in the other");
  if (failed) return;

  const auto part = second.part();
  require(part.ok(), "an intake gave no part");
  const std::vector<std::uint8_t> bytes = bytesOf(part.value());
  const auto back = partOf(bytes);
  require(back.ok() && bytesOf(back.value()) == bytes, "a part changed on its way");
  require(!first.merge(back.value()).has_value(), "a part was refused");
  requireSameCounts(whole.counts(), first.counts());
  const int level = terms.adaptive ? split % terms.ladder.levels : 0;
  const auto sums = whole.take(Unit::kRow, level);
  const auto merged = first.take(Unit::kRow, level);
  require(sums.ok() == merged.ok(), "sums failed in one way to read and not in the other");
  require(!sums.ok() || sums.value() == merged.value(), "two ways to read have different sums");
}

}  // namespace
}  // namespace pm::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pm::fuzz::read({data, size});
  return 0;
}
