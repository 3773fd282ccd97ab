#pragma once

#include <fast_float/fast_float.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/ingest/text.hpp"

namespace pm {

/// A cell that is missing, unreadable or not finite.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A number and where it ends.
struct LeadingNumber {
  double value;
  const std::uint8_t* end;
};

/// The number at the start of longer text, as numberIn() reads it but for spaces and a plus sign
/// before it: where one of those, or no number, is there, the end is `first` and the value missing.
/// Inline, because it is most of the work of reading a file.
inline LeadingNumber leadingNumber(const std::uint8_t* first, const std::uint8_t* last,
                                   DecimalMark mark) {
  LeadingNumber number{kMissing, first};
  const fast_float::parse_options options(fast_float::chars_format::general, char(mark));
  const fast_float::from_chars_result read =
      fast_float::from_chars_advanced(reinterpret_cast<const char*>(first),
                                      reinterpret_cast<const char*>(last), number.value, options);
  number.end = reinterpret_cast<const std::uint8_t*>(read.ptr);
  // It also reads the words for infinity and NaN, and overflows to infinity.
  if (!std::isfinite(number.value)) number.value = kMissing;
  return number;
}

}  // namespace pm
