#pragma once

#include <fast_float/fast_float.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
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

/// The digits at the start of eight bytes: how many, and what they say; 0 where there are none.
struct LeadingDigits {
  std::uint64_t value;
  int count;
};

/// All eight at once: a byte less '0' is a digit where adding 0x76 does not reach the top bit, and
/// the additions carry into bytes after the first that is none only.
inline LeadingDigits leadingDigits(const std::uint8_t* bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  word ^= 0x3030303030303030;
  const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
  const int count = std::countr_zero(others) / 8;
  // To the end of the word, zeros before them; by halves, as a shift by all 64 bits is not defined.
  word = word << (32 - 4 * count) << (32 - 4 * count);
  // Digits to pairs, pairs to fours and those to all.
  word = word * 10 + (word >> 8);
  const std::uint64_t pairs = 0x000000FF000000FF;
  const std::uint64_t high = (word & pairs) * (100 + (std::uint64_t(1000000) << 32));
  const std::uint64_t low = (word >> 16 & pairs) * (1 + (std::uint64_t(10000) << 32));
  return {(high + low) >> 32, count};
}

/// Bytes that plainNumber() may look at.
inline constexpr std::ptrdiff_t kPlainNumberBytes = 35;

/// A number as most files have them: without an exponent, at most eight digits before the mark and
/// 19 in all. Reading a file of numbers with six decimals is 1.7 times as fast with it as with
/// fast_float alone, in WebAssembly; of numbers with 17 digits, as fast. Where the text is another,
/// the end is null.
inline LeadingNumber plainNumber(const std::uint8_t* text, DecimalMark mark) {
  static constexpr std::uint64_t kTens[9] = {1,      10,      100,      1000,     10000,
                                             100000, 1000000, 10000000, 100000000};
  // With the sign of the number, so that there is a -0 too.
  static constexpr double kScales[2][20] = {
      {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
       1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19},
      {-1e0,  -1e1,  -1e2,  -1e3,  -1e4,  -1e5,  -1e6,  -1e7,  -1e8,  -1e9,
       -1e10, -1e11, -1e12, -1e13, -1e14, -1e15, -1e16, -1e17, -1e18, -1e19}};
  const bool negative = *text == '-';
  const LeadingDigits whole = leadingDigits(text + negative);
  const std::uint8_t* end = text + negative + whole.count;
  std::uint64_t digits = whole.value;
  int places = 0;
  if (*end == std::uint8_t(mark)) {
    ++end;
    LeadingDigits part;
    do {
      part = leadingDigits(end);
      digits = digits * kTens[part.count] + part.value;
      places += part.count;
      end += part.count;
    } while (part.count == 8 && places < 24);
  }
  const int count = whole.count + places;
  const bool goes_on = std::uint8_t(*end - '0') < 10 || (*end | 0x20) == 'e';
  if (goes_on || count == 0 || count > 19) return {kMissing, nullptr};
  // The quotient of two integers that doubles hold: one division rounds it correctly (Clinger, "How
  // to read floating point numbers accurately", PLDI 1990).
  if (digits >> 53 == 0) return {double(std::int64_t(digits)) / kScales[negative][places], end};
  // As from_chars does it (Lemire, "Number parsing at a gigabyte per second", Software: Practice
  // and Experience 51, 2021).
  const fast_float::adjusted_mantissa rounded =
      fast_float::compute_float<fast_float::binary_format<double>>(-places, digits);
  if (rounded.power2 < 0) return {kMissing, nullptr};
  double value;
  fast_float::to_float(negative, rounded, value);
  return {value, end};
}

/// The number at the start of longer text, as numberIn() reads it but for spaces and a plus sign
/// before it: where one of those, or no number, is there, the end is `first` and the value missing.
/// Inline, because it is most of the work of reading a file.
inline LeadingNumber leadingNumber(const std::uint8_t* first, const std::uint8_t* last,
                                   DecimalMark mark) {
  if (last - first >= kPlainNumberBytes) {
    const LeadingNumber number = plainNumber(first, mark);
    if (number.end != nullptr) return number;
  }
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
