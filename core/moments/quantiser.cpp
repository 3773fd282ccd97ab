#include "core/moments/quantiser.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pm {
namespace {

// Adding and taking away 1.5 * 2^52 rounds to the nearest integer, ties to even, in plain IEEE
// arithmetic, for |x| < 2^51. WebAssembly and SSE2 have no cheaper portable way.
double roundTiesToEven(double x) {
  constexpr double kMagic = 0x1.8p52;
  return (x + kMagic) - kMagic;
}

std::uint64_t squaredLength(std::span<const double> q) {
  std::uint64_t sum = 0;
  for (const double v : q) {
    const std::int64_t integer = std::int64_t(v);
    sum += std::uint64_t(integer * integer);
  }
  return sum;
}

}  // namespace

std::uint64_t quantiseRow(std::span<const double> x, double row_norm, int bits,
                          std::span<double> q) {
  double largest = 0;
  for (const double v : x) {
    if (!std::isfinite(v)) {
      std::fill(q.begin(), q.end(), 0.0);
      return 0;
    }
    largest = std::max(largest, std::fabs(v));
  }
  const double scale = double(std::uint64_t{1} << bits);
  const double divisor = std::max(largest, row_norm);
  for (std::size_t i = 0; i < x.size(); ++i) q[i] = roundTiesToEven(x[i] / divisor * scale);

  const std::uint64_t limit = std::uint64_t{1} << (2 * bits);
  std::uint64_t length = squaredLength(q);
  if (length > limit) {
    const double shrink = scale / std::sqrt(double(length));
    for (double& v : q) v = std::trunc(v * shrink);
    length = squaredLength(q);
  }
  // Not reached for bits <= 24, where truncation always suffices; it makes the bound
  // unconditional.
  while (length > limit) {
    double& top = *std::max_element(q.begin(), q.end(),
                                    [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    top -= std::copysign(1.0, top);
    length = squaredLength(q);
  }
  return length;
}

}  // namespace pm
