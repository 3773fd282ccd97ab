#include "core/mechanisms/dyadic_scale.hpp"

#include <algorithm>
#include <bit>

#include "core/int128.hpp"

namespace pm {

DyadicScale scaleAbove(std::uint64_t numerator, double denominator) {
  constexpr int kBits = 40, kMantissa = 53, kMost = 48;
  int exponent;
  const auto mantissa =
      std::uint64_t(std::ldexp(std::frexp(denominator, &exponent), kMantissa));  // exact
  const int most = kMost + kMantissa - exponent;
  if (most < 0) return {1, kMost};
  for (int shift = std::min(most, kBits + kMantissa - int(std::bit_width(numerator)));; --shift) {
    const Uint128 quotient = ((Uint128(numerator) << shift) + mantissa - 1) / mantissa;
    if (quotient >> kBits == 0) return {std::uint64_t(quotient), shift + exponent - kMantissa};
  }
}

}  // namespace pm
