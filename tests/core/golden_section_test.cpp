#include "core/golden_section.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pm {
namespace golden_section_test {

TEST(GoldenSection, FindsASingleMinimum) {
  const Minimum found = goldenSection(-1, 2, 60, [](double x) { return 5 + std::abs(x - 0.3); });
  EXPECT_NEAR(found.argument, 0.3, 1e-11);
  EXPECT_EQ(found.value, 5 + std::abs(found.argument - 0.3));
}

TEST(GoldenSection, FindsAMinimumAtAnEndOfTheInterval) {
  EXPECT_NEAR(goldenSection(-1, 2, 60, [](double x) { return x; }).argument, -1, 1e-11);
  EXPECT_NEAR(goldenSection(-1, 2, 60, [](double x) { return -x; }).argument, 2, 1e-11);
}

TEST(GoldenSection, ReturnsTheSmallestEvaluatedValueIfThereAreSeveralMinima) {
  double least = std::numeric_limits<double>::infinity();
  const Minimum found = goldenSection(0, 10, 24, [&](double x) {
    const double value = std::sin(7 * x) + std::cos(3 * x * x);
    least = std::min(least, value);
    return value;
  });
  EXPECT_EQ(found.value, least);
}

}  // namespace golden_section_test
}  // namespace pm
