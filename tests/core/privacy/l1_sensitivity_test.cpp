// Rows with bounded features, and the sum of absolute values that Laplace noise is calibrated to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/moments/limits.hpp"
#include "core/privacy/sensitivity.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace l1_sensitivity_test {

using namespace testing_support;

using Row = std::vector<std::int64_t>;

// Calls `look` with every vector of d entries of `values`.
void forEachRow(int d, const Row& values, const std::function<void(const Row&)>& look) {
  std::vector<std::size_t> digit(std::size_t(d), 0);
  Row row(digit.size());
  for (;;) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = values[digit[i]];
    look(row);
    std::size_t i = 0;
    while (i < digit.size() && ++digit[i] == values.size()) digit[i++] = 0;
    if (i == digit.size()) return;
  }
}

// Norms of x x^T - y y^T in units of `unit`^2, by the definition of each.
Sensitivity changeBetween(const Row& x, const Row& y, double unit) {
  Sensitivity change{};
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += double(x[i] * x[i]), yy += double(y[i] * y[i]), xy += double(x[i] * y[i]);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double entry = double(x[i] * x[j] - y[i] * y[j]) / (unit * unit);
      change.frobenius += entry * entry, change.full_l1 += std::fabs(entry);
      if (j >= i) change.upper_l2 += entry * entry, change.upper_l1 += std::fabs(entry);
    }
  }
  change.frobenius = std::sqrt(change.frobenius), change.upper_l2 = std::sqrt(change.upper_l2);
  // The two eigenvalues have sum xx - yy and product xy^2 - xx yy <= 0.
  change.nuclear =
      std::sqrt(std::max(0.0, (xx - yy) * (xx - yy) + 4 * (xx * yy - xy * xy))) / (unit * unit);
  return change;
}

TEST(UnitBoxSensitivity, HasTheReferenceValues) {
  const auto vectors = readVectors("laplace.json")["sensitivity_bounded_features"];
  ASSERT_EQ(vectors.size(), 4u);
  for (const auto& vector : vectors) {
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const auto& expected =
          vector[neighbours == Neighbours::kAddRemove ? "add_remove" : "replace_one"];
      const Sensitivity bound = unitBoxSensitivity(vector["d"].get<int>(), neighbours);
      EXPECT_NEAR(bound.upper_l1, expected["L1_upper"].get<double>(), 1e-12);
      EXPECT_NEAR(bound.full_l1, expected["L1_full"].get<double>(), 1e-12);
      EXPECT_NEAR(bound.upper_l2, expected["L2_upper"].get<double>(), 1e-12);
      EXPECT_NEAR(bound.frobenius, expected["L2_svec"].get<double>(), 1e-12);
    }
  }
}

TEST(UnitBoxSensitivity, IsTheLargestChangeOverEveryPairOfRowsOnAGrid) {
  // All pairs of rows with entries in -1, -1/2, 0, 1/2, 1 (for five features -1, 0, 1).
  for (const int d : {1, 2, 3, 4, 5}) {
    const Row values = d <= 3 ? Row{-2, -1, 0, 1, 2} : Row{-2, 0, 2};
    std::vector<Row> rows;
    forEachRow(d, values, [&](const Row& row) { rows.push_back(row); });
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const Sensitivity bound = unitBoxSensitivity(d, neighbours);
      Sensitivity most{};
      const std::vector<Row> none = {Row(std::size_t(d), 0)};
      for (const Row& x : rows) {
        for (const Row& y : neighbours == Neighbours::kAddRemove ? none : rows) {
          const Sensitivity change = changeBetween(x, y, 2);
          most.upper_l2 = std::max(most.upper_l2, change.upper_l2);
          most.frobenius = std::max(most.frobenius, change.frobenius);
          most.nuclear = std::max(most.nuclear, change.nuclear);
          most.upper_l1 = std::max(most.upper_l1, change.upper_l1);
          most.full_l1 = std::max(most.full_l1, change.full_l1);
        }
      }
      EXPECT_NEAR(most.upper_l2, bound.upper_l2, 1e-12) << d;
      EXPECT_NEAR(most.frobenius, bound.frobenius, 1e-12) << d;
      EXPECT_NEAR(most.nuclear, bound.nuclear, 1e-12) << d;
      EXPECT_NEAR(most.upper_l1, bound.upper_l1, 1e-12) << d;
      EXPECT_NEAR(most.full_l1, bound.full_l1, 1e-12) << d;
    }
  }
}

TEST(UnitBoxSensitivity, IsNotExceededBetweenTheGridPoints) {
  // Continuous entries, often at the bounds, as integers of 2^20.
  UnsafeTestRandom random(940);
  for (const int d : {2, 3, 4, 7}) {
    const Sensitivity bound = unitBoxSensitivity(d, Neighbours::kReplaceOne);
    for (std::uint64_t i = 0; i < repetitions(20'000, 2'000); ++i) {
      Row x(static_cast<std::size_t>(d)), y(x.size());
      for (Row* row : {&x, &y}) {
        for (std::int64_t& v : *row) {
          v = std::clamp(std::int64_t(0x1p21 * random.symmetric()), std::int64_t{-1} << 20,
                         std::int64_t{1} << 20);
        }
      }
      const Sensitivity change = changeBetween(x, y, 0x1p20);
      ASSERT_LE(change.upper_l2, bound.upper_l2 * (1 + 1e-12));
      ASSERT_LE(change.frobenius, bound.frobenius * (1 + 1e-12));
      ASSERT_LE(change.nuclear, bound.nuclear * (1 + 1e-12));
      ASSERT_LE(change.upper_l1, bound.upper_l1 * (1 + 1e-12));
      ASSERT_LE(change.full_l1, bound.full_l1 * (1 + 1e-12));
    }
  }
}

// Sum of absolute values of the packed upper triangle of (A, x)(A, x)^T - (B, y)(B, y)^T.
std::uint64_t upperL1(std::int64_t a, const Row& x, std::int64_t b, const Row& y) {
  std::int64_t sum = std::abs(a * a - b * b);
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += std::abs(a * x[i] - b * y[i]);
    for (std::size_t j = i; j < x.size(); ++j) sum += std::abs(x[i] * x[j] - y[i] * y[j]);
  }
  return std::uint64_t(sum);
}

TEST(UpperL1Sensitivity, IsNotExceededByAnyPairOfSmallIntegerRows) {
  // Every row of the ball and the box, every pair of them.
  for (const int d : {1, 2, 3}) {
    for (const std::int64_t length : {4, 6}) {
      for (const std::int64_t feature : {1, 2, 3, 4, 6}) {
        if (feature > length) continue;
        Row values;
        for (std::int64_t v = -feature; v <= feature; ++v) values.push_back(v);
        std::vector<Row> rows;
        forEachRow(d, values, [&](const Row& row) {
          std::int64_t square = 0;
          for (const std::int64_t v : row) square += v * v;
          if (square <= length * length) rows.push_back(row);
        });
        for (const std::int64_t constant : {1, 4, 9, 40}) {
          const RowBounds bounds = {std::uint64_t(constant), std::uint64_t(length),
                                    std::uint64_t(feature), d};
          const Row none(static_cast<std::size_t>(d));
          std::uint64_t removed = 0, replaced = 0;
          for (const Row& x : rows) {
            removed = std::max(removed, upperL1(constant, x, 0, none));
            for (const Row& y : rows)
              replaced = std::max(replaced, upperL1(constant, x, constant, y));
          }
          const std::uint64_t add = upperL1Sensitivity(bounds, Neighbours::kAddRemove, Unit::kRow);
          const std::uint64_t replace =
              upperL1Sensitivity(bounds, Neighbours::kReplaceOne, Unit::kRow);
          ASSERT_LE(removed, add) << d << " " << length << " " << feature << " " << constant;
          ASSERT_LE(replaced, replace) << d << " " << length << " " << feature << " " << constant;
          // Integers do not quite reach the maximum over real rows.
          EXPECT_GT(double(removed), 0.75 * double(add));
          EXPECT_GT(double(replaced), 0.6 * double(replace));
        }
      }
    }
  }
}

TEST(UpperL1Sensitivity, IsAttainedByRowsOfFullLength) {
  const std::uint64_t a = constantCoordinate(20);
  const std::int64_t length = std::int64_t{1} << 20;
  for (const int d : {1, 4, 16, 100}) {
    // The ball: all features equal.
    const std::int64_t even = length / std::int64_t(std::lround(std::sqrt(d)));
    const Row row(static_cast<std::size_t>(d), even), none(row.size());
    const RowBounds ball = {a, std::uint64_t(length), std::uint64_t(length), d};
    const auto add = upperL1Sensitivity(ball, Neighbours::kAddRemove, Unit::kRow);
    const std::uint64_t reached = upperL1(std::int64_t(a), row, 0, none);
    EXPECT_LE(reached, add);
    EXPECT_GT(double(reached), (1 - 1e-4) * double(add)) << d;
    // The box: a corner, and the corner opposite shrunk by A / ((D + 1) h).
    const std::int64_t feature = length / (d == 1 ? 1 : 16);
    const RowBounds box = {a, std::uint64_t(length), std::uint64_t(feature), d};
    const double shrink = std::min(1.0, double(a) / (double(d + 1) * double(feature)));
    const Row corner(row.size(), feature),
        opposite(row.size(), -std::int64_t(std::lround(shrink * double(feature))));
    const auto replace = upperL1Sensitivity(box, Neighbours::kReplaceOne, Unit::kRow);
    const std::uint64_t moved = upperL1(std::int64_t(a), corner, std::int64_t(a), opposite);
    EXPECT_LE(moved, replace);
    EXPECT_GT(double(moved), (1 - 1e-5) * double(replace)) << d;
  }
}

TEST(UpperL1Sensitivity, IsCloseToTheWorstPairThatASearchFindsInTheBall) {
  // Hill climbing over pairs of rows of full length. The bound for the ball
  // under replace-one is not tight; it is within a tenth.
  UnsafeTestRandom random(941);
  for (const int d : {2, 3, 6}) {
    const std::int64_t a = std::int64_t(constantCoordinate(20));
    const RowBounds ball = {std::uint64_t(a), 1 << 20, 1 << 20, d};
    const double bound = double(upperL1Sensitivity(ball, Neighbours::kReplaceOne, Unit::kRow));
    const auto on_sphere = [&](std::vector<double> x) {
      double length = 0;
      for (const double v : x) length += v * v;
      Row q;
      for (const double v : x) q.push_back(std::int64_t(0x1p20 * v / std::sqrt(length)));
      return q;
    };
    double most = 0;
    for (int start = 0; start < 20; ++start) {
      std::vector<double> x(static_cast<std::size_t>(d)), y(x.size());
      for (double& v : x) v = random.symmetric();
      for (double& v : y) v = random.symmetric();
      double best = 0, step = 0.5;
      for (int i = 0; i < 2'000; ++i) {
        std::vector<double> x2 = x, y2 = y;
        for (double& v : x2) v += step * random.symmetric();
        for (double& v : y2) v += step * random.symmetric();
        const double here = double(upperL1(a, on_sphere(x2), a, on_sphere(y2)));
        ASSERT_LE(here, bound);
        if (here > best) best = here, x = x2, y = y2;
        step = std::max(1e-3, step * 0.998);
      }
      most = std::max(most, best);
    }
    EXPECT_GT(most, 0.9 * bound) << d;
  }
}

TEST(UpperL1Sensitivity, AllowsForTheTruncationOfAveragesUnderReplaceOne) {
  const RowBounds bounds = {constantCoordinate(22), 1 << 22, 1 << 20, 5};
  for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
    const std::uint64_t row = upperL1Sensitivity(bounds, neighbours, Unit::kRow);
    EXPECT_EQ(upperL1Sensitivity(bounds, neighbours, Unit::kParticipant) - row,
              neighbours == Neighbours::kReplaceOne ? packedSize(6) : 0);
  }
}

TEST(UpperL1Sensitivity, IsNeverAboveTheBoundByTheLongestAugmentedRow) {
  // (n + 1)/2 T and sqrt(n (n + 3)/2) T, which treat the constant as any other coordinate.
  for (const int d : {1, 2, 10, 1000}) {
    const double n = d + 1, t = double(augmentedNormSquared(22));
    const RowBounds ball = {constantCoordinate(22), 1 << 22, 1 << 22, d};
    EXPECT_LE(double(upperL1Sensitivity(ball, Neighbours::kAddRemove, Unit::kRow)),
              (n + 1) / 2 * t * (1 + 1e-6));
    EXPECT_LE(double(upperL1Sensitivity(ball, Neighbours::kReplaceOne, Unit::kRow)),
              std::sqrt(n * (n + 3) / 2) * t);
  }
}

}  // namespace l1_sensitivity_test
}  // namespace pm
