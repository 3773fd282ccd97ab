#include "core/privacy/sensitivity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/moments/limits.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace sensitivity_test {

using namespace testing_support;

constexpr double kTolerance = 1e-12;

TEST(UnitBallSensitivity, HasTheReferenceValues) {
  const auto vectors = readVectors("privacy.json")["sensitivity_unit_l2_rows"];
  ASSERT_EQ(vectors.size(), 4u);
  for (const auto& vector : vectors) {
    const int d = vector["d"].get<int>();
    const Sensitivity add = unitBallSensitivity(d, Neighbours::kAddRemove);
    EXPECT_NEAR(add.upper_l2, vector["add_remove"]["L2_upper"].get<double>(), kTolerance);
    EXPECT_NEAR(add.frobenius, vector["add_remove"]["L2_svec(=Frobenius)"].get<double>(),
                kTolerance);
    EXPECT_NEAR(add.nuclear, vector["add_remove"]["nuclear"].get<double>(), kTolerance);
    EXPECT_NEAR(add.upper_l1, vector["add_remove"]["L1_upper"].get<double>(), kTolerance);
    EXPECT_NEAR(add.full_l1, vector["add_remove"]["L1_full"].get<double>(), kTolerance);
    const Sensitivity replace = unitBallSensitivity(d, Neighbours::kReplaceOne);
    EXPECT_NEAR(replace.upper_l2, vector["replace_one"]["L2_upper"].get<double>(), kTolerance);
    EXPECT_NEAR(replace.frobenius, vector["replace_one"]["L2_svec(=Frobenius)"].get<double>(),
                kTolerance);
    EXPECT_NEAR(replace.nuclear, vector["replace_one"]["nuclear"].get<double>(), kTolerance);
    EXPECT_NEAR(replace.upper_l1, vector["replace_one"]["L1_upper_bound"].get<double>(),
                kTolerance);
    EXPECT_NEAR(replace.full_l1, vector["replace_one"]["L1_full_bound"].get<double>(), kTolerance);
  }
}

/// The bounds of the integer mechanisms for rows (a, x) with |x| <= 1, in units of x. Orthogonal
/// rows attain them, which exist for a <= 1.
struct AugmentedSensitivity {
  double frobenius;
  double nuclear;
};

AugmentedSensitivity augmentedSensitivity(double a, Neighbours neighbours) {
  const double unit = 0x1p50;
  const auto length = std::uint64_t(std::ceil((1 + a * a) * unit));
  return {std::sqrt(double(frobeniusSensitivitySquared(length, 4, neighbours, Unit::kRow))) / unit,
          double(nuclearSensitivity(length, 4, neighbours, Unit::kRow)) / unit};
}

TEST(AugmentedSensitivity, HasTheReferenceValues) {
  const auto vectors = readVectors("privacy.json")["augmented_sensitivity"];
  ASSERT_EQ(vectors.size(), 4u);
  for (const auto& vector : vectors) {
    const double a = vector["a"].get<double>();
    if (a > 1) continue;
    const AugmentedSensitivity add = augmentedSensitivity(a, Neighbours::kAddRemove);
    const AugmentedSensitivity replace = augmentedSensitivity(a, Neighbours::kReplaceOne);
    EXPECT_NEAR(add.frobenius, vector["add_remove_F"].get<double>(), kTolerance);
    EXPECT_NEAR(add.nuclear, vector["add_remove_nuclear"].get<double>(), kTolerance);
    EXPECT_NEAR(replace.frobenius, vector["replace_one_F"].get<double>(), kTolerance);
    EXPECT_NEAR(replace.nuclear, vector["replace_one_nuclear"].get<double>(), kTolerance);
  }
}

using Row = std::vector<double>;

Row randomInBall(int d, UnsafeTestRandom& random) {
  Row x(static_cast<std::size_t>(d));
  double length = 0;
  for (double& v : x) v = random.symmetric(), length += v * v;
  const double target = random.below(4) ? 1 : random.uniform();  // mostly on the sphere
  for (double& v : x) v *= target / std::sqrt(length);
  return x;
}

// Norms of x x^T - y y^T, by the definition of each.
Sensitivity changeBetween(const Row& x, const Row& y) {
  Sensitivity change{};
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += x[i] * x[i], yy += y[i] * y[i], xy += x[i] * y[i];
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double entry = x[i] * x[j] - y[i] * y[j];
      change.frobenius += entry * entry, change.full_l1 += std::fabs(entry);
      if (j >= i) change.upper_l2 += entry * entry, change.upper_l1 += std::fabs(entry);
    }
  }
  change.frobenius = std::sqrt(change.frobenius), change.upper_l2 = std::sqrt(change.upper_l2);
  // The two eigenvalues have sum xx - yy and product xy^2 - xx yy <= 0.
  change.nuclear = std::sqrt(std::max(0.0, (xx - yy) * (xx - yy) + 4 * (xx * yy - xy * xy)));
  return change;
}

TEST(UnitBallSensitivity, IsNeverExceededByAnyNeighbourAndAttainedWhereItIsTight) {
  UnsafeTestRandom random(60);
  const std::uint64_t trials = repetitions(20'000, 4'000);
  for (const int d : {1, 2, 3, 6}) {
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const Sensitivity bound = unitBallSensitivity(d, neighbours);
      Sensitivity most{};
      const auto look = [&](const Row& x, const Row& y) {
        const Sensitivity change = changeBetween(x, y);
        most.upper_l2 = std::max(most.upper_l2, change.upper_l2);
        most.frobenius = std::max(most.frobenius, change.frobenius);
        most.nuclear = std::max(most.nuclear, change.nuclear);
        most.upper_l1 = std::max(most.upper_l1, change.upper_l1);
        most.full_l1 = std::max(most.full_l1, change.full_l1);
      };
      const Row none(static_cast<std::size_t>(d));
      for (std::uint64_t i = 0; i < trials; ++i) {
        const Row x = randomInBall(d, random);
        look(x, neighbours == Neighbours::kAddRemove ? none : randomInBall(d, random));
      }
      // The worst pairs by construction: axes, the even row, and for even d the pair whose matrices
      // differ by the same amount everywhere.
      Row axis = none, other = none, even = none, first = none, second = none;
      axis.front() = 1, other.back() = d == 1 ? 0 : 1;
      const double large = std::cos(std::numbers::pi / 8), small = std::sin(std::numbers::pi / 8);
      for (std::size_t i = 0; i < even.size(); ++i) {
        even[i] = 1 / std::sqrt(double(d));
        const bool front = 2 * i < even.size();
        first[i] = (front ? large : small) * std::sqrt(2.0 / d);
        second[i] = (front ? -small : large) * std::sqrt(2.0 / d);
      }
      const bool replace = neighbours == Neighbours::kReplaceOne;
      look(axis, replace ? other : none);
      look(even, none);
      if (replace && d % 2 == 0) look(first, second);
      EXPECT_LE(most.upper_l2, bound.upper_l2 + kTolerance);
      EXPECT_LE(most.frobenius, bound.frobenius + kTolerance);
      EXPECT_LE(most.nuclear, bound.nuclear + kTolerance);
      EXPECT_LE(most.upper_l1, bound.upper_l1 + kTolerance);
      EXPECT_LE(most.full_l1, bound.full_l1 + kTolerance);
      EXPECT_NEAR(most.upper_l2, bound.upper_l2, kTolerance);
      EXPECT_NEAR(most.frobenius, bound.frobenius, kTolerance);
      EXPECT_NEAR(most.nuclear, bound.nuclear, kTolerance);
      if (!replace) {
        EXPECT_NEAR(most.upper_l1, bound.upper_l1, kTolerance);
        EXPECT_NEAR(most.full_l1, bound.full_l1, kTolerance);
      } else if (d % 2 == 0) {
        EXPECT_GT(most.upper_l1, 0.94 * bound.upper_l1);
        EXPECT_NEAR(most.full_l1, bound.full_l1, kTolerance);
      }
    }
  }
}

TEST(AugmentedSensitivity, IsNeverExceededByAnyNeighbourAndAttained) {
  UnsafeTestRandom random(61);
  const std::uint64_t trials = repetitions(20'000, 4'000);
  for (const double a : {0.1, 0.5, std::sqrt(0.5), 1.0}) {
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const AugmentedSensitivity bound = augmentedSensitivity(a, neighbours);
      double frobenius = 0, nuclear = 0;
      const auto look = [&](Row x, Row y) {
        x.insert(x.begin(), a);
        y.insert(y.begin(), neighbours == Neighbours::kAddRemove ? 0 : a);
        if (neighbours == Neighbours::kAddRemove) std::fill(y.begin(), y.end(), 0.0);
        const Sensitivity change = changeBetween(x, y);
        frobenius = std::max(frobenius, change.frobenius);
        nuclear = std::max(nuclear, change.nuclear);
      };
      for (std::uint64_t i = 0; i < trials; ++i) {
        look(randomInBall(3, random), randomInBall(3, random));
      }
      // Orthogonal augmented rows.
      const double cosine = -a * a;
      look({1, 0, 0}, {cosine, std::sqrt(1 - cosine * cosine), 0});
      EXPECT_LE(frobenius, bound.frobenius + kTolerance) << a;
      EXPECT_LE(nuclear, bound.nuclear + kTolerance) << a;
      EXPECT_NEAR(frobenius, bound.frobenius, 1e-9) << a;
      EXPECT_NEAR(nuclear, bound.nuclear, 1e-9) << a;
    }
  }
}

TEST(FrobeniusSensitivitySquared, IsTheExactIntegerOfItsTable) {
  const std::uint64_t t = augmentedNormSquared(22);
  const Uint128 square = Uint128(t) * t;
  for (const int dimension : {2, 1001}) {
    EXPECT_TRUE(frobeniusSensitivitySquared(t, dimension, Neighbours::kAddRemove, Unit::kRow) ==
                square);
    EXPECT_TRUE(frobeniusSensitivitySquared(t, dimension, Neighbours::kAddRemove,
                                            Unit::kParticipant) == square);
    EXPECT_TRUE(frobeniusSensitivitySquared(t, dimension, Neighbours::kReplaceOne, Unit::kRow) ==
                2 * square);
  }
  // ceil(sqrt 2 T) is the smallest r with r^2 >= 2 T^2.
  for (const std::uint64_t small :
       {std::uint64_t{1}, std::uint64_t{5}, t, std::uint64_t{1} << 59}) {
    const Uint128 twice = 2 * Uint128(small) * small;
    const Uint128 squared =
        frobeniusSensitivitySquared(small, 3, Neighbours::kReplaceOne, Unit::kParticipant);
    std::uint64_t root = std::uint64_t(std::sqrt(double(squared)));
    while (Uint128(root) * root > squared) --root;
    while (Uint128(root + 1) * (root + 1) <= squared) ++root;
    ASSERT_TRUE(Uint128(root) * root == squared);
    const Uint128 r = root - 6;
    EXPECT_TRUE(r * r >= twice);
    EXPECT_TRUE((r - 1) * (r - 1) < twice);
  }
}

}  // namespace sensitivity_test
}  // namespace pm
