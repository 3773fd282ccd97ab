#include "core/random/block_table.hpp"

namespace pm {
namespace {

// A number 0 <= x < 2^32: x = sum of digit[i] 2^(32 (i - kFraction)).
constexpr int kFraction = 9, kDigits = kFraction + 1;
struct Fixed {
  std::uint32_t digit[kDigits];
};

constexpr Fixed kOne = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};

Fixed sum(const Fixed& x, const Fixed& y) {
  Fixed result;
  std::uint64_t carry = 0;
  for (int i = 0; i < kDigits; ++i) {
    carry += std::uint64_t(x.digit[i]) + y.digit[i];
    result.digit[i] = std::uint32_t(carry);
    carry >>= 32;
  }
  return result;
}

// x - y, 0 <= y <= x.
Fixed difference(const Fixed& x, const Fixed& y) {
  Fixed complement;
  for (int i = 0; i < kDigits; ++i) complement.digit[i] = ~y.digit[i];
  constexpr Fixed kUlp = {{1}};
  return sum(sum(x, complement), kUlp);
}

// x y, truncated. Precondition: x y < 2^32.
Fixed product(const Fixed& x, const Fixed& y) {
  std::uint32_t wide[2 * kDigits] = {};
  for (int i = 0; i < kDigits; ++i) {
    std::uint64_t carry = 0;
    for (int j = 0; j < kDigits; ++j) {
      carry += std::uint64_t(x.digit[i]) * y.digit[j] + wide[i + j];
      wide[i + j] = std::uint32_t(carry);
      carry >>= 32;
    }
    wide[i + kDigits] = std::uint32_t(carry);
  }
  Fixed result;
  for (int i = 0; i < kDigits; ++i) result.digit[i] = wide[i + kFraction];
  return result;
}

// x / n, truncated.
Fixed quotient(const Fixed& x, std::uint32_t n) {
  Fixed result;
  std::uint64_t rest = 0;
  for (int i = kDigits - 1; i >= 0; --i) {
    rest = rest << 32 | x.digit[i];
    result.digit[i] = std::uint32_t(rest / n);
    rest %= n;
  }
  return result;
}

// e^{-1/n}, n >= 16, by 40 terms of its series: the next one is below 2^-320.
Fixed expMinusOneOver(std::uint32_t n) {
  Fixed result = kOne;
  for (std::uint32_t i = 40; i > 0; --i) result = difference(kOne, quotient(result, i * n));
  return result;
}

// 1/x for 1 < x < 32, by Newton's iteration from 1/32: the error squares, and (31/32)^(2^14) is
// below 2^-750. kLittle is added so that the result is never too small.
Fixed inverse(const Fixed& x) {
  const Fixed two = sum(kOne, kOne);
  Fixed result = quotient(kOne, 32);
  for (int i = 0; i < 14; ++i) result = product(result, difference(two, product(x, result)));
  constexpr Fixed kLittle = {{1 << 16}};
  return sum(result, kLittle);
}

// Sets entry k, a value in [0, 1], from half of it.
void setEntry(BlockTable& table, int k, const Fixed& half) {
  for (int i = 0; i < 3; ++i) {
    const std::uint32_t* digit = half.digit + kFraction - 2 * i;
    table.entry[k][i] = std::uint64_t(digit[-1]) << 32 | digit[-2];
  }
}

void setGuide(BlockTable& table) {
  int k = 0;
  for (std::uint64_t slot = 0; slot < 256; ++slot) {
    while (table.entry[k][0] < slot << 55) ++k;
    table.guide[slot] = std::uint8_t(k);
  }
}

BlockTable makeHalfNormal() {
  constexpr int kSize = 224;
  BlockTable table = {};
  table.size = kSize;
  Fixed cumulative[kSize];
  // e^{-(k+1)^2/512} = e^{-k^2/512} e^{-(2k+1)/512}
  const Fixed base = expMinusOneOver(512), step = product(base, base);
  Fixed mass = kOne, ratio = base, total = {};
  for (Fixed& entry : cumulative) {
    entry = total = sum(total, mass);
    mass = product(mass, ratio);
    ratio = product(ratio, step);
  }
  const Fixed scale = quotient(inverse(total), 2);
  for (int k = 0; k < kSize; ++k) setEntry(table, k, product(cumulative[k], scale));
  setGuide(table);
  return table;
}

BlockTable makeGeometric() {
  BlockTable table = {};
  table.size = 256;
  const Fixed base = expMinusOneOver(16), half = quotient(kOne, 2);
  Fixed above = half;
  for (int k = 0; k < table.size; ++k) {
    above = product(above, base);
    setEntry(table, k, difference(half, above));
  }
  setGuide(table);
  return table;
}

}  // namespace

const BlockTable& halfNormalTable() {
  static const BlockTable table = makeHalfNormal();
  return table;
}

const BlockTable& geometricTable() {
  static const BlockTable table = makeGeometric();
  return table;
}

}  // namespace pm
