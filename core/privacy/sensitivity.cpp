#include "core/privacy/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pm {

Sensitivity unitBallSensitivity(int d, Neighbours neighbours) {
  if (neighbours == Neighbours::kAddRemove) return {1, 1, 1, (d + 1) / 2.0, double(d)};
  if (d == 1) return {1, 1, 1, 1, 1};
  const double root2 = std::numbers::sqrt2;
  return {root2, root2, 2, std::sqrt(d * (d + 3) / 2.0), root2 * d};
}

Sensitivity unitBoxSensitivity(int d, Neighbours neighbours) {
  const double n = d, half = n * (n + 1) / 2;
  if (d == 1) return {1, 1, 1, 1, 1};
  if (neighbours == Neighbours::kAddRemove) return {std::sqrt(half), n, n, half, n * n};
  const double upper_l2 = d % 2 == 0 ? n : std::sqrt(n * n - 1);  // orthogonal corners, or nearly
  return {upper_l2, std::numbers::sqrt2 * upper_l2, 2 * upper_l2, half, n * n};
}

std::uint64_t ceilSqrt(Uint128 x) {
  std::uint64_t r = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(x)));
  while (Uint128(r) * r < x) ++r;
  while (r > 0 && Uint128(r - 1) * (r - 1) >= x) --r;
  return r;
}

Uint128 frobeniusSensitivitySquared(std::uint64_t row_norm_squared, int dimension,
                                    Neighbours neighbours, Unit unit) {
  const Uint128 square = Uint128(row_norm_squared) * row_norm_squared;
  if (neighbours == Neighbours::kAddRemove) return square;
  if (unit == Unit::kRow) return 2 * square;
  const Uint128 bound = Uint128(ceilSqrt(2 * square)) + 2 * Uint128(unsigned(dimension));
  return bound * bound;
}

std::uint64_t nuclearSensitivity(std::uint64_t row_norm_squared, int dimension,
                                 Neighbours neighbours, Unit unit) {
  const Uint128 d = Uint128(unsigned(dimension));
  const std::uint64_t truncated = unit == Unit::kRow ? 0 : ceilSqrt(d * d * d);
  return (row_norm_squared + truncated) * (neighbours == Neighbours::kAddRemove ? 1 : 2);
}

namespace {

std::uint64_t addRemoveL1(const RowBounds& r) {
  const Uint128 d = unsigned(r.features), a = r.constant;
  const Uint128 square = Uint128(r.length) * r.length;
  const Uint128 sum = std::min<Uint128>(ceilSqrt(d * square), d * r.feature);
  const Uint128 length = std::min(square, d * r.feature * r.feature);
  return std::uint64_t(a * a + a * sum + (sum * sum + length + 1) / 2);
}

std::uint64_t replaceOneBoxL1(const RowBounds& r) {
  const Uint128 d = unsigned(r.features), a = r.constant, most = (d + 1) * r.feature;
  if (a > most) return std::uint64_t(2 * a * r.feature * d);
  const Uint128 root = most + a, divisor = 2 * (d + 1);
  return std::uint64_t((d * root * root + divisor - 1) / divisor);
}

// With y = cos(t/2), the maximum is at 4 c y^2 + a y = 2 c.
std::uint64_t replaceOneBallL1(const RowBounds& r) {
  const double d = r.features, length = double(r.length);
  const double a = 2 * double(r.constant) * std::sqrt(d) * length;
  const double c = std::sqrt(d * (d + 3) / 2) * length * length;
  const double y = (std::sqrt(a * a + 32 * c * c) - a) / (8 * c);
  const double bound = std::sqrt(1 - y * y) * (a + 2 * c * y);
  return std::uint64_t(std::ceil(bound * (1 + 0x1p-40)));
}

}  // namespace

std::uint64_t upperL1Sensitivity(const RowBounds& rows, Neighbours neighbours, Unit unit) {
  if (neighbours == Neighbours::kAddRemove) return addRemoveL1(rows);
  const std::uint64_t bound = std::min(replaceOneBoxL1(rows), replaceOneBallL1(rows));
  const std::uint64_t n = std::uint64_t(rows.features) + 1;
  return unit == Unit::kRow ? bound : bound + n * (n + 1) / 2;
}

Uint128 surveySensitivitySquared(int numbers, int categories, int bits, Neighbours neighbours) {
  const Uint128 square = Uint128(1) << (2 * bits);
  const Uint128 n = unsigned(numbers), c = unsigned(categories);
  if (neighbours == Neighbours::kReplaceOne) return square * (4 * n + 2 * c);
  return square + square / 4 * 5 * n + square * c;
}

std::uint64_t surveySensitivityL1(int numbers, int categories, int bits, Neighbours neighbours,
                                  bool counts_gaps) {
  const std::uint64_t steps = std::uint64_t{1} << bits;
  const std::uint64_t n = unsigned(numbers), c = unsigned(categories);
  if (neighbours == Neighbours::kReplaceOne) {
    return steps / 4 * (counts_gaps ? 10 : 9) * n + 2 * steps * c;
  }
  return steps + steps / 2 * 3 * n + steps * c;
}

}  // namespace pm
