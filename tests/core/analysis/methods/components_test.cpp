#include "core/analysis/methods/components.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace pm {
namespace components_test {

constexpr double kStep = 65536;

std::vector<double> rounded(const std::vector<double>& entries) {
  std::vector<double> integers;
  for (const double v : entries) integers.push_back(std::round(v * kStep));
  return integers;
}

TEST(ComponentSum, KeepsOneReleasesDirectionsAndSortsThemByValue) {
  ComponentSum sum = ComponentSum::create(3, 2, true).value();
  std::vector<double> released = {4};
  for (const double v : rounded({0, 0.6, 0.8})) released.push_back(v);
  released.push_back(10);
  for (const double v : rounded({-1, 0, 0})) released.push_back(v);
  ASSERT_FALSE(sum.add(released, 0.5, 1));
  const Components result = sum.result().value();
  EXPECT_EQ(result.values[0], 5);
  EXPECT_EQ(result.values[1], 2);
  EXPECT_NEAR(result.loadings(0, 0), 1, 1e-9);
  EXPECT_NEAR(result.loadings(1, 1), 0.6, 1e-4);
  EXPECT_NEAR(result.loadings(2, 1), 0.8, 1e-4);
}

TEST(ComponentSum, MakesRoundedDirectionsOrthonormal) {
  ComponentSum sum = ComponentSum::create(3, 3, false).value();
  const double c = std::cos(0.3), s = std::sin(0.3);
  const std::vector<double> released =
      rounded({c, s, 0, -s * 0.6, c * 0.6, 0.8, s * 0.8, -c * 0.8, 0.6});
  ASSERT_FALSE(sum.add(released, 0, 1));
  const Eigen::MatrixXd v = sum.result().value().loadings;
  EXPECT_LT((v.transpose() * v - Eigen::MatrixXd::Identity(3, 3)).norm(), 1e-12);
}

TEST(ComponentSum, SumsTheSecondMomentsThatSeveralReleasesDescribe) {
  ComponentSum sum = ComponentSum::create(2, 1, true).value();
  ASSERT_FALSE(sum.add(std::vector<double>{30, kStep, 0}, 0.1, 1));
  ASSERT_FALSE(sum.add(std::vector<double>{10, 0, kStep}, 0.1, 1));
  const Components result = sum.result().value();
  EXPECT_EQ(sum.releases(), 2u);
  EXPECT_NEAR(result.values[0], 3, 1e-12);
  EXPECT_NEAR(result.loadings(0, 0), 1, 1e-12);
}

TEST(ComponentSum, WeightsProjectionsIfThereAreNoValues) {
  ComponentSum sum = ComponentSum::create(2, 1, false).value();
  ASSERT_FALSE(sum.add(std::vector<double>{kStep, 0}, 0, 100));
  ASSERT_FALSE(sum.add(std::vector<double>{0, kStep}, 0, 300));
  const Components result = sum.result().value();
  EXPECT_EQ(result.values.size(), 0);
  EXPECT_NEAR(result.loadings(1, 0), 1, 1e-12);
}

TEST(ComponentSum, RejectsInvalidDirections) {
  ComponentSum sum = ComponentSum::create(2, 2, false).value();
  EXPECT_EQ(sum.add(std::vector<double>{1, 0, 0}, 0, 1)->code, Code::kWrongLength);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(sum.add(std::vector<double>{1, 0, nan, 1}, 0, 1)->code, Code::kNotFinite);
  EXPECT_EQ(sum.add(std::vector<double>{1, 0, 3, 0}, 0, 1)->code, Code::kNotFinite);
  EXPECT_EQ(sum.add(std::vector<double>{0, 0, 1, 0}, 0, 1)->code, Code::kNotFinite);
  EXPECT_EQ(sum.releases(), 0u);
  EXPECT_EQ(sum.result().error().code, Code::kNoRows);
  EXPECT_EQ(ComponentSum::create(0, 1, false).error().code, Code::kInvalidDimension);
  EXPECT_EQ(ComponentSum::create(2, 3, false).error().code, Code::kInvalidComponents);
}

}  // namespace components_test
}  // namespace pm
