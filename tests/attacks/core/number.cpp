// A text that may be a number: read as the C library reads it, or as no number at all.

#include "core/ingest/number.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/ingest/text.hpp"
#include "tests/attacks/core/input.hpp"

namespace pm::fuzz {
namespace {

// [+-]?(d+[.]?d*|[.]d+)([eE][+-]?d+)?.
bool isPlain(const std::string& text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - first;
  };
  const auto sign = [&] {
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  };
  sign();
  std::size_t count = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    count += digits();
  }
  if (count == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    sign();
    if (digits() == 0) return false;
  }
  return at == text.size();
}

// The text in ASCII with a point, if it is so simple that the C library can be asked.
std::string plainOf(Bytes text, DecimalMark mark) {
  std::string plain;
  const Bytes inner = trimmed(text);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const bool is_minus =
        i + 2 < inner.size() && inner[i] == 0xE2 && inner[i + 1] == 0x88 && inner[i + 2] == 0x92;
    if (is_minus) {
      plain += '-';
      i += 2;
    } else if (mark == DecimalMark::kComma && (inner[i] == ',' || inner[i] == '.')) {
      plain += inner[i] == ',' ? '.' : ',';
    } else {
      plain += char(inner[i]);
    }
  }
  return plain;
}

void read(Input input) {
  const bool is_comma = (input.take<std::uint8_t>() & 1) != 0;
  const DecimalMark mark = is_comma ? DecimalMark::kComma : DecimalMark::kPoint;
  // A copy of its own size, so that reading beyond it is found.
  const std::vector<std::uint8_t> text(input.rest().begin(), input.rest().end());
  const double number = numberIn(text, mark);
  const std::string plain = plainOf(text, mark);
  double expected = kMissing;
  if (isPlain(plain)) {
    expected = std::strtod(plain.c_str(), nullptr);
    if (!std::isfinite(expected)) expected = kMissing;
  }
  require(std::isnan(number) == std::isnan(expected), "a number to one reader, not to the other");
  require(std::isnan(number) ||
              std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(expected),
          "two readers round differently");
  isGroupedNumber(text);
  isFormattedNumber(text);
  isUtf8(text);
}

}  // namespace
}  // namespace pm::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pm::fuzz::read({data, size});
  return 0;
}
