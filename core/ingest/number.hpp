#pragma once

#include <fast_float/fast_float.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/ingest/scan.hpp"
#include "core/ingest/text.hpp"

namespace pm {

/// A cell that is missing, unreadable or not finite.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A number and where it ends.
struct LeadingNumber {
  double value;
  const std::uint8_t* end;
};

/// The digits at the start of eight bytes: their value and their number, both 0 without digits.
struct LeadingDigits {
  std::uint64_t value;
  int count;
};

/// All eight at once: after subtracting '0', a byte is a digit if adding 0x76 leaves its top bit
/// clear. A carry reaches only bytes after the first non-digit.
inline LeadingDigits leadingDigits(const std::uint8_t* bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  word ^= 0x3030303030303030;
  const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
  const int count = std::countr_zero(others) / 8;
  // Move the digits to the end of the word, zeros first; in two halves, as shifting by 64 is
  // undefined.
  word = word << (32 - 4 * count) << (32 - 4 * count);
  // Combine digits into pairs, pairs into fours, fours into eight.
  word = word * 10 + (word >> 8);
  const std::uint64_t pairs = 0x000000FF000000FF;
  const std::uint64_t high = (word & pairs) * (100 + (std::uint64_t(1000000) << 32));
  const std::uint64_t low = (word >> 16 & pairs) * (1 + (std::uint64_t(10000) << 32));
  return {(high + low) >> 32, count};
}

/// Powers of ten with the number's sign, so that -0 is preserved.
inline constexpr double kScales[2][20] = {
    {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
     1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19},
    {-1e0,  -1e1,  -1e2,  -1e3,  -1e4,  -1e5,  -1e6,  -1e7,  -1e8,  -1e9,
     -1e10, -1e11, -1e12, -1e13, -1e14, -1e15, -1e16, -1e17, -1e18, -1e19}};

/// Bytes that shortNumber() may read, before the start of the number and from there on.
inline constexpr std::ptrdiff_t kShortNumberBytes = 17;

/// A number without an exponent that has at most 15 bytes, as nearly all in files. For any other
/// text the end is null. All bytes at once, so that the next number waits for little but the length
/// of this one: WebAssembly reads files of numbers with six decimals 1.4 times as fast as with
/// plainNumber().
inline LeadingNumber shortNumber(const std::uint8_t* text, DecimalMark mark) {
  typedef std::uint8_t Bytes16 __attribute__((vector_size(16)));
  typedef std::uint16_t Pairs __attribute__((vector_size(16)));
  typedef std::uint32_t Fours __attribute__((vector_size(16)));
  typedef std::uint64_t Eights __attribute__((vector_size(16)));
  // Sixteen bytes from the n-th on keep the last n.
  static constexpr std::uint8_t kLast[32] = {0,    0,    0,    0,    0,    0,    0,    0,
                                             0,    0,    0,    0,    0,    0,    0,    0,
                                             0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                             0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  const auto load = [](const std::uint8_t* at) {
    Bytes16 bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
  };
  const Chunk chunk(text);
  const std::uint32_t sign = *text == '-';
  const std::uint32_t marks = (chunk == std::uint8_t(mark)).bits();
  const std::uint32_t length =
      std::uint32_t(std::countr_one(chunk.isDigit().bits() | marks | sign));
  const std::uint32_t point = marks & ((1U << length) - 1);
  const std::uint32_t has_point = point != 0;
  const std::uint32_t count = length - sign - has_point;
  const bool is_other =
      (length == 16) | (count == 0) | ((point & (point - 1)) != 0) | ((text[length] | 0x20) == 'e');
  if (is_other) return {kMissing, nullptr};
  const std::uint32_t places =
      length - has_point - std::uint32_t(std::countr_zero(point | 1U << length));
  // The digits at the end of sixteen bytes: those after the point, and those before it, moved over
  // the point.
  const std::uint8_t* const end = text + length;
  const Bytes16 after = load(kLast + places);
  const Bytes16 bytes = (load(end - 16) & after) | (load(end - 16 - has_point) & ~after);
  const Bytes16 digits = (bytes - std::uint8_t('0')) & load(kLast + count);
  // Combine digits into pairs, pairs into fours, fours into eights. The first of two is in the
  // lower half; the product has it, times the power of ten, added to the second in the upper half.
  const Pairs pairs = reinterpret_cast<Pairs>(digits) * ((10 << 8) + 1) >> 8;
  const Fours fours = reinterpret_cast<Fours>(pairs) * ((100 << 16) + 1) >> 16;
  const auto combined = [&](int half) {
    return reinterpret_cast<Eights>(fours)[half] * ((std::uint64_t(10000) << 32) + 1) >> 32;
  };
  const std::uint64_t value = combined(0) * 100000000 + combined(1);
  // Both integers are exact as doubles, so one division rounds the quotient correctly
  // (Clinger 1990).
  return {double(std::int64_t(value)) / kScales[sign][places], end};
}

/// Bytes that plainNumber() may read.
inline constexpr std::ptrdiff_t kPlainNumberBytes = 35;

/// A number without an exponent, with at most eight digits before the mark and 19 in all. For any
/// other text the end is null. In WebAssembly, reading numbers with six decimals is 1.7 times as
/// fast as with fast_float alone; with 17 digits, equally fast.
inline LeadingNumber plainNumber(const std::uint8_t* text, DecimalMark mark) {
  static constexpr std::uint64_t kTens[9] = {1,      10,      100,      1000,     10000,
                                             100000, 1000000, 10000000, 100000000};
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
  if (digits >> 53 == 0) return {double(std::int64_t(digits)) / kScales[negative][places], end};
  // The algorithm of from_chars (Lemire 2021).
  const fast_float::adjusted_mantissa rounded =
      fast_float::compute_float<fast_float::binary_format<double>>(-places, digits);
  if (rounded.power2 < 0) return {kMissing, nullptr};
  double value;
  fast_float::to_float(negative, rounded, value);
  return {value, end};
}

/// The number at the start of a longer text, as numberIn() parses it, but without a leading space
/// or plus sign: if the text starts with one, or with no number, the end is `first` and the value
/// kMissing. Inline, because most of the time of reading a file is spent here.
/// @param begin at or before `first`: what may be read begins there
inline LeadingNumber leadingNumber(const std::uint8_t* begin, const std::uint8_t* first,
                                   const std::uint8_t* last, DecimalMark mark) {
  if (first - begin >= kShortNumberBytes && last - first >= kShortNumberBytes) {
    const LeadingNumber number = shortNumber(first, mark);
    if (number.end != nullptr) return number;
  }
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
  // fast_float also accepts the words for infinity and NaN, and overflows to infinity.
  if (!std::isfinite(number.value)) number.value = kMissing;
  return number;
}

}  // namespace pm
