#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/int128.hpp"

namespace pm {

// Arithmetic for figures of guarantees: no result is below the true value. Sums, products,
// quotients and roots are the smallest double at or above the true result, found from the exact
// remainder of the operation. Arguments are >= 0 unless stated otherwise.

/// The smallest positive figure of a guarantee; below it doubles lose digits.
constexpr double kSmallestStated = std::numeric_limits<double>::min();

/// exp, expm1, log, log1p, erf, erfc and tanh of the C libraries in use (glibc, musl) have a
/// relative error below this; their own measurements say 2^-51.
constexpr double kLibraryError = 0x1p-50;

/// The next double above x. That of the C library takes a quarter of the time of an account.
inline double nextUp(double x) {
  if (x == 0) return std::numeric_limits<double>::denorm_min();
  if (!(x < std::numeric_limits<double>::infinity())) return x;
  const auto bits = __builtin_bit_cast(std::uint64_t, x);
  return __builtin_bit_cast(double, x > 0 ? bits + 1 : bits - 1);
}
inline double nextDown(double x) { return -nextUp(-x); }

/// a + b, of any sign; Knuth's two-sum gives the remainder.
inline double sumUp(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return (a - (sum - of_b)) + (b - of_b) > 0 ? nextUp(sum) : sum;
}

/// a - b, rounded down; of any sign.
inline double differenceDown(double a, double b) { return -sumUp(b, -a); }

inline double productUp(double a, double b) {
  if (a == 0 || b == 0) return 0;
  const double product = a * b;
  // Remainders of smaller products are not representable.
  if (product < 0x1p-900) return std::fmax(nextUp(product), kSmallestStated);
  return std::fma(a, b, -product) > 0 ? nextUp(product) : product;
}

/// Precondition: b > 0.
inline double quotientUp(double a, double b) {
  if (a == 0) return 0;
  const double quotient = a / b;
  if (quotient < 0x1p-900 || a < 0x1p-900) return std::fmax(nextUp(quotient), kSmallestStated);
  return std::fma(-quotient, b, a) > 0 ? nextUp(quotient) : quotient;
}

inline double rootUp(double x) {
  const double root = std::sqrt(x);
  if (x < 0x1p-900) return nextUp(root);
  return std::fma(-root, root, x) > 0 ? nextUp(root) : root;
}

/// Precondition: x < 2^127.
inline double realUp(Uint128 x) {
  const double real = double(x);
  return Uint128(real) < x ? nextUp(real) : real;
}
inline double realDown(Uint128 x) {
  const double real = double(x);
  return Uint128(real) > x ? nextDown(real) : real;
}

}  // namespace pm
