#include "core/research/audit/tails.hpp"

#include <gtest/gtest.h>

namespace pm {
namespace tails_test {

TEST(BetaBelow, TerminatesIfRoundingPutsBothSidesAboveTheirMeans) {
  constexpr double kA = 3.1974913299006227, kB = 3.991640028864684, kX = 0.4567886959083167;
  ASSERT_GT(kX, (kA + 1) / (kA + kB + 2));
  ASSERT_GT(1 - kX, (kB + 1) / (kA + kB + 2));
  EXPECT_NEAR(betaBelow(kA, kB, kX), betaBelow(kA, kB, kX - 1e-9), 1e-8);
  EXPECT_NEAR(betaBelow(kA, kB, kX) + betaBelow(kB, kA, 1 - kX), 1, 1e-12);
}

TEST(BetaBelow, IsAPolynomialForIntegerParameters) {
  for (const double x : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    EXPECT_NEAR(betaBelow(2, 1, x), x * x, 1e-14);
    EXPECT_NEAR(betaBelow(2, 2, x), x * x * (3 - 2 * x), 1e-14);
  }
}

}  // namespace tails_test
}  // namespace pm
