// Balls of doubles, compared with exact fractions and with digits of Python's decimal.
#include "core/random/ball.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "tests/support/effort.hpp"
#include "tests/support/exact_fractions.hpp"
#include "tests/support/real_vectors.hpp"

namespace pm {
namespace ball_test {

using namespace testing_support;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Ball, ContainsTheExactResultsOfRandomExpressions) {
  int finite = 0;
  const auto runs = repetitions(20'000, 500);
  EXPECT_EQ(countWrong(Maker<Ball>{}, 5101, runs, finite), 0);
  EXPECT_GT(finite, int(3 * runs));
}

TEST(Ball, ContainsLogarithmsAndRootsAndIsNotMuchLarger) {
  for (const RealCase& x : realCases()) {
    const Ball root = sqrt(Ball(x.x)), logarithm = log(Ball(x.x));
    EXPECT_TRUE(contains(root, x.root)) << x.x;
    EXPECT_LE(root.radius(), 0x1p-52 * root.mid()) << x.x;
    EXPECT_TRUE(contains(logarithm, x.logarithm)) << x.x;
    EXPECT_LE(logarithm.radius(), 0x1p-49 * std::fabs(logarithm.mid()) + 0x1p-51) << x.x;
    // x at either end of a ball.
    const Ball around = Ball::within(x.x * 1.5, x.x * 0.5);
    EXPECT_TRUE(contains(sqrt(around), x.root)) << x.x;
    EXPECT_TRUE(contains(log(around), x.logarithm)) << x.x;
    const Ball below = Ball::within(x.x * 0.75, x.x * 0.25);
    EXPECT_TRUE(contains(sqrt(below), x.root)) << x.x;
    EXPECT_TRUE(contains(log(below), x.logarithm)) << x.x;
  }
}

TEST(Ball, GrowsByAboutOneRoundingForEachOperation) {
  const Ball a(1.1), b(0.3);
  for (const Ball& result : {a + b, a - b, a * b, a / b}) {
    EXPECT_LE(result.radius(), 0x1.01p-53 * result.mid());
  }
  const Ball wide = a.widened(0x1p-20);
  EXPECT_LE((wide * wide).radius(), 0x1.0001p-20 * 2 * 1.1);
  EXPECT_LE((b / wide).radius(), 0x1.0001p-20 * 0.3 / (1.1 * 1.1));
  EXPECT_LE(sqrt(wide).radius(), 0x1.0001p-21 / std::sqrt(1.1));
  EXPECT_LE(log(wide).radius(), 0x1.0001p-20 / 1.1);
}

TEST(Ball, HasASignOnlyWhereItIsCertain) {
  EXPECT_EQ(Ball(3).sign(), 1);
  EXPECT_EQ(Ball(-3).sign(), -1);
  EXPECT_EQ(Ball(0).sign(), 0);
  EXPECT_EQ(Ball::within(1, 0.5).sign(), 1);
  EXPECT_EQ(Ball::within(1, 1).sign(), std::nullopt);
  EXPECT_EQ(Ball::within(-1, 2).sign(), std::nullopt);
  EXPECT_EQ((Ball(1) / Ball(3) * Ball(3) - Ball(1)).sign(), std::nullopt);
}

TEST(Ball, RoundsToAWholeNumberOnlyWhereItIsCertain) {
  EXPECT_TRUE(Ball(2.5).nearest(0) == Int128(3));
  EXPECT_TRUE(Ball(-2.5).nearest(0) == Int128(-2));
  EXPECT_TRUE(Ball(0x1.fffffffffffffp-2).nearest(0) == Int128(0));
  EXPECT_TRUE(Ball(0.3).nearest(3) == Int128(2));
  EXPECT_TRUE(Ball(-0x1.8p70).nearest(-69) == Int128(-3));
  EXPECT_TRUE(Ball(0x1.8p50).nearest(60) == Int128(3) << 109);
  EXPECT_TRUE(Ball(-0x1p-1074).nearest(0) == Int128(0));
  EXPECT_TRUE(Ball::within(2.75, 0.2).nearest(0) == Int128(3));
  EXPECT_EQ(Ball::within(2.75, 0.26).nearest(0), std::nullopt);
  EXPECT_EQ(Ball::within(2.5, 0x1p-1000).nearest(0), std::nullopt);
  EXPECT_EQ(Ball::within(3.25, 0.25).nearest(0), std::nullopt);
  EXPECT_EQ(Ball(0x1p100).nearest(20), std::nullopt);
}

TEST(Ball, IsUnknownAfterOverflowAndWhatIsUndefined) {
  const Ball huge(0x1p1000), zero(0), unknown = Ball::within(0, kInfinity);
  for (const Ball& x :
       {huge * huge, huge * huge - huge * huge, Ball(1) / zero, zero / zero,
        Ball(1) / Ball::within(1, 1), log(zero), log(Ball(-1)), log(Ball::within(1, 1)),
        sqrt(Ball(-1)), sqrt(Ball::within(0, 1)), zero * unknown, unknown - unknown,
        Ball(1) / unknown, unknown / Ball(1), sqrt(unknown), log(unknown), Ball(kInfinity),
        Ball(kInfinity - kInfinity), Ball(1).widened(-1)}) {
    EXPECT_EQ(x.radius(), kInfinity);
    EXPECT_EQ(x.sign(), std::nullopt);
    EXPECT_EQ(x.nearest(0), std::nullopt);
  }
}

TEST(Ball, TakesTheRootOfWhatIsNotNegative) {
  const Ball root = sqrt(Ball::within(1, 3));
  for (const double x : {0.0, 0.5, 2.0}) EXPECT_TRUE(contains(root, {exactOf(x)}));
  EXPECT_TRUE(contains(sqrt(Ball::within(1, 1)), {exactOf(0.0)}));
  EXPECT_EQ(sqrt(Ball(0)).sign(), 0);
}

TEST(Ball, ReadsTheFirstDigitsOfANumber) {
  const std::uint64_t digits[] = {std::uint64_t{3} << 62, 5};
  const Ball x = Ball::ofDigits(true, 37, digits);
  EXPECT_EQ(x.mid(), -37.75 / 32);
  EXPECT_LE(x.radius(), 0x1p-50);
  EXPECT_TRUE(contains(x, {exactOf(-37.75 / 32)}));
  EXPECT_TRUE(contains(x, {exactOf(-37.75 / 32) + exactOf(-0x1p-69)}));
  EXPECT_TRUE(Ball::ofInteger(-7).nearest(0) == Int128(-7));
  const Int128 large = (Int128(1) << 100) + 1;
  EXPECT_GE(Ball::ofInteger(large).radius(), 1);
}

}  // namespace ball_test
}  // namespace pm
