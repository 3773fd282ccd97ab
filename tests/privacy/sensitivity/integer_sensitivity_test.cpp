// The change between neighbours in the integers to which the noise is added, measured on the real
// path from cells to totals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/privacy/sensitivity.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace integer_sensitivity_test {

using namespace testing_support;

constexpr int kColumns = 3;

Plan planOf(Neighbours neighbours, Unit unit) {
  return planGaussian(gaussianParams(kColumns, neighbours, unit)).value();
}

// Squared Frobenius norm of the difference of two packed upper triangles, exactly.
Uint128 frobeniusSquared(const std::vector<Int128>& x, const std::vector<Int128>& y) {
  Uint128 sum = 0;
  std::size_t entry = 0;
  for (int i = 0; i <= kColumns; ++i) {
    for (int j = i; j <= kColumns; ++j, ++entry) {
      const Int128 difference = x[entry] - y[entry];
      const Uint128 size = Uint128(difference < 0 ? -difference : difference);
      sum += (i == j ? 1 : 2) * size * size;
    }
  }
  return sum;
}

// Adversarial rows: on and off the sphere, far outside the bounds, with missing cells.
std::vector<double> hostileCells(std::size_t rows, UnsafeTestRandom& random) {
  std::vector<double> cells;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t kind = random.below(6);
    double x[kColumns], length = 0;
    for (double& v : x) v = random.symmetric(), length += v * v;
    length = std::sqrt(length);
    for (double& v : x) {
      if (kind <= 2) v *= (kind == 0 ? 1 : kind == 1 ? 1 + 1e-9 : 5) / length;
      if (kind == 3) v = v > 0 ? 1e300 : -1e300;
    }
    if (kind == 4) x[random.below(kColumns)] = std::numeric_limits<double>::quiet_NaN();
    cells.insert(cells.end(), x, x + kColumns);
  }
  return cells;
}

Uint128 bound(const Plan& plan) { return plan.sensitivity_squared; }

double reached(Uint128 most, const Plan& plan) {
  return std::sqrt(double(most)) / std::sqrt(double(bound(plan)));
}

TEST(IntegerSensitivity, OfOneRowReplacedIsNeverExceededAndAttained) {
  const Plan plan = planOf(Neighbours::kReplaceOne, Unit::kRow);
  UnsafeTestRandom random(110);
  Uint128 most = 0;
  for (std::uint64_t trial = 0; trial < repetitions(20'000, 4'000); ++trial) {
    std::vector<double> x = hostileCells(4, random), y = x;
    const std::vector<double> other = hostileCells(1, random);
    std::copy(other.begin(), other.end(), y.begin() + kColumns * 2);
    const Uint128 change = frobeniusSquared(exactTotals(plan, x), exactTotals(plan, y));
    ASSERT_TRUE(change <= bound(plan)) << trial;
    most = std::max(most, change);
  }
  EXPECT_GT(reached(most, plan), 0.9);
  // Unit rows with product -1/2 make augmented rows orthogonal.
  const double h = std::sqrt(0.75);
  const Uint128 worst = frobeniusSquared(exactTotals(plan, std::vector<double>{1, 0, 0}),
                                         exactTotals(plan, std::vector<double>{-0.5, h, 0}));
  EXPECT_TRUE(worst <= bound(plan));
  EXPECT_GT(reached(worst, plan), 1 - 1e-6);
}

TEST(IntegerSensitivity, OfOneRowAddedOrRemovedIsNeverExceededAndAttained) {
  const Plan plan = planOf(Neighbours::kAddRemove, Unit::kRow);
  UnsafeTestRandom random(111);
  Uint128 most = 0;
  for (std::uint64_t trial = 0; trial < repetitions(20'000, 4'000); ++trial) {
    std::vector<double> x = hostileCells(4, random), y = x;
    y.erase(y.begin() + kColumns, y.begin() + 2 * kColumns);
    const Uint128 change = frobeniusSquared(exactTotals(plan, x), exactTotals(plan, y));
    ASSERT_TRUE(change <= bound(plan)) << trial;
    most = std::max(most, change);
  }
  // A row along an axis is exactly as long as the unit: the bound is met to the last integer.
  const std::vector<double> with = {0.1, 0.2, 0.3, 0, 1, 0}, without = {0.1, 0.2, 0.3};
  EXPECT_TRUE(frobeniusSquared(exactTotals(plan, with), exactTotals(plan, without)) == bound(plan));
  EXPECT_GT(reached(most, plan), 1 - 1e-6);
}

TEST(IntegerSensitivity, OfOneParticipantReplacedIsNeverExceededAndAttained) {
  const Plan plan = planOf(Neighbours::kReplaceOne, Unit::kParticipant);
  UnsafeTestRandom random(112);
  Uint128 most = 0;
  for (std::uint64_t trial = 0; trial < repetitions(20'000, 4'000); ++trial) {
    // Different numbers of rows per participant, from one to nine.
    const auto x = exactTotals(plan, hostileCells(1 + random.below(9), random));
    const auto y = exactTotals(plan, hostileCells(1 + random.below(9), random));
    const Uint128 change = frobeniusSquared(x, y);
    ASSERT_TRUE(change <= bound(plan)) << trial;
    most = std::max(most, change);
  }
  EXPECT_GT(reached(most, plan), 0.9);
  const double h = std::sqrt(0.75);
  std::vector<double> same, opposite;
  for (int i = 0; i < 7; ++i) {
    same.insert(same.end(), {1, 0, 0});
    opposite.insert(opposite.end(), {-0.5, h, 0});
  }
  const Uint128 worst = frobeniusSquared(exactTotals(plan, same), exactTotals(plan, opposite));
  EXPECT_TRUE(worst <= bound(plan));
  EXPECT_GT(reached(worst, plan), 1 - 1e-6);
}

TEST(IntegerSensitivity, OfOneParticipantAddedOrRemovedIsNeverExceededAndAttained) {
  const Plan plan = planOf(Neighbours::kAddRemove, Unit::kParticipant);
  UnsafeTestRandom random(113);
  const std::vector<Int128> nothing(packedSize(kColumns + 1));
  for (std::uint64_t trial = 0; trial < repetitions(20'000, 4'000); ++trial) {
    const auto x = exactTotals(plan, hostileCells(1 + random.below(9), random));
    ASSERT_TRUE(frobeniusSquared(x, nothing) <= bound(plan)) << trial;
  }
  const auto axis = exactTotals(plan, std::vector<double>{0, 1, 0, 0, 1, 0, 0, 1, 0});
  EXPECT_TRUE(frobeniusSquared(axis, nothing) == bound(plan));
}

TEST(IntegerSensitivity, OfTheUpperTriangleIsNeverLargerThanTheFrobeniusNormItIsCalibratedTo) {
  UnsafeTestRandom random(114);
  const Plan plan = planOf(Neighbours::kReplaceOne, Unit::kRow);
  for (int trial = 0; trial < 2'000; ++trial) {
    const auto x = exactTotals(plan, hostileCells(1, random));
    const auto y = exactTotals(plan, hostileCells(1, random));
    Uint128 upper = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Int128 difference = x[i] - y[i];
      const Uint128 size = Uint128(difference < 0 ? -difference : difference);
      upper += size * size;
    }
    ASSERT_TRUE(upper <= frobeniusSquared(x, y));
    ASSERT_TRUE(upper <= bound(plan));
  }
}

TEST(IntegerSensitivity, DoesNotChangeThePublicCountIfARowIsReplacedByAnIncompleteOne) {
  const Plan plan = planOf(Neighbours::kReplaceOne, Unit::kRow);
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const auto x = exactTotals(plan, std::vector<double>{1, 0, 0, 0.5, 0.5, 0.5});
  const auto y = exactTotals(plan, std::vector<double>{1, 0, 0, missing, 0.5, 0.5});
  EXPECT_TRUE(x[0] == y[0]);
  EXPECT_TRUE(frobeniusSquared(x, y) <= bound(plan));
}

}  // namespace integer_sensitivity_test
}  // namespace pm
