#include "core/analysis/uncertainty/test_power.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/noise/normal.hpp"

namespace pm {
namespace test_power_test {

constexpr int kDraws = 200;

/// Numbers at evenly spaced quantiles of the standard normal law.
Eigen::VectorXd normals() {
  Eigen::VectorXd values(kDraws);
  for (int i = 0; i < kDraws; ++i) {
    const double below = (i + 0.5) / kDraws;
    values[i] = std::copysign(normalReach(std::abs(2 * below - 1)), below - 0.5);
  }
  return values;
}

Eigen::VectorXd around(double mean) { return normals().array() + mean; }

TEST(TestPower, OfOneNormalStatisticIsThatOfTheTwoSidedTest) {
  // The absolute value of a standard normal variable exceeds 1.96 with probability 5 %.
  const Eigen::MatrixXd null = normals().cwiseAbs();
  for (const double mean : {0.5, 2.0, 3.0, 4.0}) {
    EXPECT_NEAR(testPower(around(mean), null, 1)[0], normalBelow(mean - 1.96), 0.02);
  }
}

TEST(TestPower, IsTheLevelWhereNothingIsShared) {
  // The largest value of noise in many features is nearly normal.
  const Eigen::MatrixXd null = around(20);
  EXPECT_NEAR(testPower(null, null, 1)[0], kTestLevel, 0.01);
}

TEST(TestPower, CountsAPairOnlyWithAllLargerOnes) {
  Eigen::MatrixXd found(kDraws, 2), null(kDraws, 2);
  found << around(2.5), around(9);
  null << normals().cwiseAbs(), normals().cwiseAbs();
  const std::vector<double> power = testPower(found, null, 1);
  EXPECT_NEAR(power[0], normalBelow(2.5 - 1.96), 0.02);
  EXPECT_NEAR(power[1], power[0], 1e-3);
}

TEST(TestPower, OfAThinnedProblemHasALowerCriticalValue) {
  // Half the standard deviation: at 20.8 instead of 21.6.
  const Eigen::MatrixXd null = around(20);
  EXPECT_NEAR(testPower(around(21), null, 4)[0], normalBelow(21 - 20.82), 0.02);
  EXPECT_NEAR(testPower(around(21), null, 1)[0], normalBelow(21 - 21.66), 0.02);
}

TEST(TestPower, WithoutSpreadIsAllOrNothing) {
  const Eigen::MatrixXd null = Eigen::MatrixXd::Constant(10, 1, 0.2);
  EXPECT_EQ(testPower(Eigen::MatrixXd::Constant(10, 1, 0.3), null, 1)[0], 1);
  EXPECT_EQ(testPower(Eigen::MatrixXd::Constant(10, 1, 0.1), null, 1)[0], 0);
}

}  // namespace test_power_test
}  // namespace pm
