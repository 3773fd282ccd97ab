#include "core/random/wishart.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random/continuous.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// Four sums side by side, so that no addition has to wait for the previous one.
double dot(const double* a, const double* b, std::size_t size) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < size; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

void addWishart(int n, double freedom, double scale, Drbg& random, std::span<double> packed) {
  const std::size_t side = std::size_t(n);
  const std::size_t width = freedom < n ? std::size_t(freedom) : side;  // columns of L
  std::vector<double> factor(packed.size());                            // L, row by row
  double* row = factor.data();
  for (std::size_t i = 0; i < side; row += ++i) {
    for (std::size_t j = 0; j < std::min(i, width); ++j) row[j] = standardNormal(random);
    if (i < width) row[i] = std::sqrt(chiSquare(freedom - double(i), random));
  }
  const double* upper = factor.data();
  std::size_t entry = 0;
  for (std::size_t i = 0; i < side; upper += ++i) {
    const double* lower = upper;
    for (std::size_t j = i; j < side; lower += ++j) {
      packed[entry++] += scale * dot(upper, lower, std::min(i + 1, width));
    }
  }
  wipe(factor.data(), factor.size() * sizeof(double));
}

}  // namespace pm
