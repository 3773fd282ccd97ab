// The theorem of docs/mechanisms/gaussian.md: discrete noise of variance sigma^2 is at least as
// private as continuous noise of variance sigma^2 - 9. Checked by summing probabilities.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/privacy/gaussian.hpp"
#include "tests/support/discrete_gaussian_law.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace discrete_delta_test {

using namespace testing_support;

// delta(epsilon) of x + N_Z(0, sigma^2) against x + shift + N_Z: the mass where the first is more
// than e^epsilon times the second.
double discreteDelta(double variance, int shift, double epsilon) {
  const DiscreteGaussianLaw law(variance);
  const std::int64_t reach = std::int64_t(40 * law.sigma()) + shift;
  double delta = 0;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    const double gain = law.mass(double(x)) - std::exp(epsilon) * law.mass(double(x + shift));
    if (gain > 0) delta += gain;
  }
  return delta;
}

double continuousDelta(double variance, double shift, double epsilon) {
  return std::exp(logDeltaOfGdp(epsilon, shift / std::sqrt(variance)));
}

TEST(DiscreteGaussianDelta,
     HasTheReferenceValuesAndNeverExceedsContinuousNoiseOfVarianceMinusNine) {
  const auto vectors = readVectors("noise.json")["discrete_gaussian_delta"];
  ASSERT_EQ(vectors.size(), 10u);
  int worse_at_equal_variance = 0;
  for (const auto& v : vectors) {
    const double variance = realOf(v["sigma2"]), epsilon = realOf(v["eps"]);
    const int shift = v["Delta"].get<int>();
    const double delta = discreteDelta(variance, shift, epsilon);
    EXPECT_NEAR(delta / realOf(v["delta"]), 1, 1e-9) << v;
    const double same = continuousDelta(variance, shift, epsilon);
    const double less = continuousDelta(variance - 9, shift, epsilon);
    EXPECT_NEAR(same / realOf(v["delta_continuous_same_sigma"]), 1, 1e-9) << v;
    EXPECT_NEAR(less / realOf(v["delta_continuous_sigma2_minus_9"]), 1, 1e-9) << v;
    EXPECT_LE(delta, less) << v;
    worse_at_equal_variance += delta > same;
  }
  EXPECT_GT(worse_at_equal_variance, 0) << "the 9 is needed: without it the claim is false";
}

TEST(DiscreteGaussianDelta, StaysBelowTheContinuousOneForManyScalesShiftsAndEpsilons) {
  for (const double sigma : {3.1, 4.0, 5.5, 8.0, 20.0, 77.0}) {
    for (const int shift : {1, 2, 3, 7, 20}) {
      for (const double epsilon : {0.0, 0.05, 0.5, 1.0, 3.0, 8.0}) {
        const double discrete = discreteDelta(sigma * sigma, shift, epsilon);
        const double continuous = continuousDelta(sigma * sigma - 9, shift, epsilon);
        EXPECT_LE(discrete, continuous * (1 + 1e-10) + 1e-15)
            << sigma << " " << shift << " " << epsilon;
      }
    }
  }
}

TEST(DiscreteGaussianDelta, StaysBelowTheContinuousOneInTwoDimensionsOfDifferentVariance) {
  // As in the mechanism: a diagonal entry of variance sigma^2 and an off-diagonal one of half,
  // which count 9 each, so 18 seen from the diagonal.
  for (const double sigma : {6.0, 10.0, 16.0}) {
    const double half = std::ceil(sigma / std::numbers::sqrt2);
    const DiscreteGaussianLaw diagonal(sigma * sigma), off_diagonal(half * half);
    for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, 2}, {3, 4}, {5, 12}}) {
      const std::int64_t rx = std::int64_t(12 * sigma) + dx, ry = std::int64_t(12 * half) + dy;
      for (const double epsilon : {0.1, 0.5, 1.0, 2.0}) {
        double delta = 0;
        for (std::int64_t x = -rx; x <= rx; ++x) {
          const double px = diagonal.mass(double(x)), qx = diagonal.mass(double(x + dx));
          for (std::int64_t y = -ry; y <= ry; ++y) {
            const double gain = px * off_diagonal.mass(double(y)) -
                                std::exp(epsilon) * qx * off_diagonal.mass(double(y + dy));
            if (gain > 0) delta += gain;
          }
        }
        const double continuous =
            continuousDelta(sigma * sigma - 18, std::sqrt(dx * dx + 2.0 * dy * dy), epsilon);
        EXPECT_LE(delta, continuous * (1 + 1e-10) + 1e-15)
            << sigma << " (" << dx << ", " << dy << ") " << epsilon;
      }
    }
  }
}

}  // namespace discrete_delta_test
}  // namespace pm
