#include "core/mechanisms/released_integers.hpp"

#include <cmath>

#include "core/wipe.hpp"

namespace pm {

double releasedInteger(const Plan& plan, Int128 total, Int128 noise) {
  const Int128 half_step = plan.release_shift > 0 ? Int128(1) << (plan.release_shift - 1) : 0;
  return double((total + noise + half_step) >> plan.release_shift);
}

void releaseWithNoise(const Plan& plan, std::span<const Int128> totals, std::span<Int128> noise,
                      std::span<double> out, bool keep_count_noise) {
  if (plan.params.neighbours == Neighbours::kReplaceOne && !keep_count_noise) noise[0] = 0;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    out[i] = releasedInteger(plan, totals[i], noise[i]);
  }
  wipe(noise.data(), noise.size_bytes());
}

void orthonormalise(std::span<double> columns, std::size_t dimension, std::size_t first) {
  const std::size_t d = dimension;
  for (std::size_t j = first; j * d < columns.size(); ++j) {
    double* column = &columns[j * d];
    // One pass is not enough if little of a column remains; two are.
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t other = 0; other < j; ++other) {
        const double* earlier = &columns[other * d];
        double product = 0;
        for (std::size_t i = 0; i < d; ++i) product += column[i] * earlier[i];
        for (std::size_t i = 0; i < d; ++i) column[i] -= product * earlier[i];
      }
      double squares = 0;
      for (std::size_t i = 0; i < d; ++i) squares += column[i] * column[i];
      const double length = std::sqrt(squares);
      for (std::size_t i = 0; i < d; ++i) column[i] /= length;
    }
  }
}

void releaseDirection(std::span<const double> direction, std::span<double> out) {
  for (std::size_t i = 0; i < direction.size(); ++i) {
    out[i] = std::nearbyint(std::ldexp(direction[i], kDirectionBits));
  }
}

}  // namespace pm
