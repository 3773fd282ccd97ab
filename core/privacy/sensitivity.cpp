#include "core/privacy/sensitivity.hpp"

#include <cmath>
#include <numbers>

namespace pm {

Sensitivity unitBallSensitivity(int d, Neighbours neighbours) {
  if (neighbours == Neighbours::kAddRemove) return {1, 1, 1, (d + 1) / 2.0, double(d)};
  if (d == 1) return {1, 1, 1, 1, 1};
  const double root2 = std::numbers::sqrt2;
  return {root2, root2, 2, std::sqrt(d * (d + 3) / 2.0), root2 * d};
}

AugmentedSensitivity augmentedSensitivity(double a, Neighbours neighbours) {
  const double length = 1 + a * a;
  if (neighbours == Neighbours::kAddRemove) return {length, length};
  // For a > 1 two augmented rows can no longer be orthogonal: the worst pair is x = -y.
  if (a > 1) return {2 * std::numbers::sqrt2 * a, 4 * a};
  return {std::numbers::sqrt2 * length, 2 * length};
}

namespace {

// The smallest r with r^2 >= x.
std::uint64_t ceilSqrt(Uint128 x) {
  std::uint64_t r = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(x)));
  while (Uint128(r) * r < x) ++r;
  while (r > 0 && Uint128(r - 1) * (r - 1) >= x) --r;
  return r;
}

}  // namespace

Uint128 frobeniusSensitivitySquared(std::uint64_t row_norm_squared, int dimension,
                                    Neighbours neighbours, Unit unit) {
  const Uint128 square = Uint128(row_norm_squared) * row_norm_squared;
  if (neighbours == Neighbours::kAddRemove) return square;
  if (unit == Unit::kRow) return 2 * square;
  const Uint128 bound = Uint128(ceilSqrt(2 * square)) + 2 * Uint128(unsigned(dimension));
  return bound * bound;
}

}  // namespace pm
