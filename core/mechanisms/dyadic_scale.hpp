#pragma once

#include <cmath>
#include <cstdint>

namespace pm {

/// numerator 2^-log2_denominator: a scale of noise that integer arithmetic can use exactly.
/// 1 <= numerator < 2^40, -60 <= log2_denominator <= 48.
struct DyadicScale {
  std::uint64_t numerator = 0;
  int log2_denominator = 0;

  double value() const { return std::ldexp(double(numerator), -log2_denominator); }
};

/// The least scale of 40 bits that is not below numerator / denominator: at most 1 + 2^-39 times
/// as much, or 2^-48 more where that is larger. Preconditions: 1 <= numerator; 0 < denominator,
/// finite; the quotient is below 2^100.
DyadicScale scaleAbove(std::uint64_t numerator, double denominator);

}  // namespace pm
