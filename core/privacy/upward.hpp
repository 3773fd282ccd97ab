#pragma once

#include <cmath>
#include <limits>

#include "core/int128.hpp"

namespace pm {

// Arithmetic for figures that are promised: no result is below the true one. Sums, products,
// quotients and roots are the nearest double from the true result upwards, by the exact remainder
// of the operation; an exact result stays as it is. Arguments are >= 0 where nothing else is said.

/// No promised figure above 0 is stated as less: below it doubles lose digits.
constexpr double kLeastStated = std::numeric_limits<double>::min();

/// exp, expm1, log, log1p, erf, erfc and tanh of the C libraries in use (glibc, musl) are off by
/// less than this, relatively; their own measurements say 2^-51.
constexpr double kLibraryError = 0x1p-50;

inline double nextUp(double x) {
  return std::nextafter(x, std::numeric_limits<double>::infinity());
}
inline double nextDown(double x) {
  return std::nextafter(x, -std::numeric_limits<double>::infinity());
}

/// a + b; of either sign (Knuth's two-sum has the remainder).
inline double sumUp(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return (a - (sum - of_b)) + (b - of_b) > 0 ? nextUp(sum) : sum;
}

/// a - b from below; of either sign.
inline double differenceDown(double a, double b) { return -sumUp(b, -a); }

inline double productUp(double a, double b) {
  if (a == 0 || b == 0) return 0;
  const double product = a * b;
  // Remainders of smaller numbers are no doubles.
  if (product < 0x1p-900) return std::fmax(nextUp(product), kLeastStated);
  return std::fma(a, b, -product) > 0 ? nextUp(product) : product;
}

/// Precondition: b > 0.
inline double quotientUp(double a, double b) {
  if (a == 0) return 0;
  const double quotient = a / b;
  if (quotient < 0x1p-900 || a < 0x1p-900) return std::fmax(nextUp(quotient), kLeastStated);
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
