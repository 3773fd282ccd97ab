// Balls of any precision, compared with exact fractions and with digits of Python's decimal.
#include "core/random/wide.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "tests/support/effort.hpp"
#include "tests/support/exact_fractions.hpp"
#include "tests/support/real_vectors.hpp"

namespace pm {
namespace wide_test {

using namespace testing_support;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Wide, ContainsTheExactResultsOfRandomExpressions) {
  const auto runs = repetitions(3000, 100);
  for (const int words : {1, 2, 3, 6}) {
    int finite = 0;
    EXPECT_EQ(countWrong(Maker<Wide>{words}, 5201, runs, finite), 0) << words;
    EXPECT_GT(finite, int(3 * runs)) << words;
  }
}

TEST(Wide, ContainsLogarithmsAndRootsAndIsNotMuchLarger) {
  for (const RealCase& x : realCases()) {
    for (const int words : {1, 2, 4, 8}) {
      const Maker<Wide> make{words};
      const double unit = std::ldexp(1, -64 * words);
      const Wide root = sqrt(make(x.x)), logarithm = log(make(x.x));
      EXPECT_TRUE(contains(root, x.root)) << x.x;
      EXPECT_LE(root.radius(), 16 * unit * root.mid()) << x.x;
      EXPECT_TRUE(contains(logarithm, x.logarithm)) << x.x;
      EXPECT_LE(logarithm.radius(), 16 * unit * std::fabs(logarithm.mid())) << x.x;
      const Wide around = make(x.x) * make(1.5).widened(0.5);
      EXPECT_TRUE(contains(sqrt(around), x.root)) << x.x;
      EXPECT_TRUE(contains(log(around), x.logarithm)) << x.x;
      const Wide below = make(x.x) * make(0.75).widened(0.25);
      EXPECT_TRUE(contains(sqrt(below), x.root)) << x.x;
      EXPECT_TRUE(contains(log(below), x.logarithm)) << x.x;
    }
  }
}

TEST(Wide, IsAsPreciseAsItsWords) {
  for (const int words : {1, 2, 5}) {
    const Maker<Wide> make{words};
    const Wide a = make(1.1), b = make(0.3);
    for (const Wide& result : {a + b, a - b, a * b, a / b, sqrt(a), log(a)}) {
      EXPECT_LE(result.radius(), std::ldexp(16 * result.mid(), -64 * words));
    }
    const Wide wide = a.widened(0x1p-20);
    EXPECT_LE((wide * wide).radius(), 0x1.0001p-20 * 2 * 1.1);
    EXPECT_LE((b / wide).radius(), 0x1.0001p-20 * 0.3 / (1.1 * 1.1));
    EXPECT_LE(sqrt(wide).radius(), 0x1.0001p-21 / std::sqrt(1.1));
    EXPECT_LE(log(wide).radius(), 0x1.0001p-20 / 1.1);
  }
  // The larger precision of two; near 1 the logarithm is as precise as its argument.
  EXPECT_LE((Wide(1, 1) / Wide(3, 4)).radius(), 0x1p-250);
  const Wide little = Wide(0x1p-300, 3);
  EXPECT_LE((log(Wide(1, 6) + little) - little).mid(), 0x1p-600);
}

TEST(Wide, ReachesFarBeyondDoubles) {
  Wide huge(3, 2), small(1.0 / 3, 2);
  for (int i = 0; i < 20; ++i) {
    huge = huge * huge;
    small = small * small;
  }
  EXPECT_EQ(huge.mid(), kInfinity);
  EXPECT_EQ(small.mid(), 0);
  EXPECT_EQ(small.sign(), 1);
  EXPECT_GT(small.radius(), 0);
  // 3^(2^20), its logarithm, its root twenty times.
  const Wide logarithm = log(huge) - Wide(0x1p20, 2) * log(Wide(3, 2));
  EXPECT_EQ(logarithm.sign(), std::nullopt);
  EXPECT_LE(logarithm.radius(), 0x1p-80);
  EXPECT_EQ((log(small) + Wide(0x1p20, 2)).sign(), -1);
  for (int i = 0; i < 20; ++i) huge = sqrt(huge);
  EXPECT_TRUE(contains(huge, {exactOf(3.0)}));
  EXPECT_LE(huge.radius(), 0x1p-100);
  // Until exponents end.
  for (int i = 0; i < 100; ++i) {
    huge = huge * huge;
    small = small * small;
  }
  EXPECT_EQ(huge.radius(), kInfinity);
  EXPECT_EQ(small.sign(), std::nullopt);
}

TEST(Wide, ContainsSumsOfNumbersFarApart) {
  const Wide one(1, 1), small(0x1p-1000, 1);
  const Signed sum = exactOf(1.0) + exactOf(0x1p-1000);
  for (const Wide& x : {one + small, small + one}) EXPECT_TRUE(contains(x, {sum}));
  EXPECT_LE((one + small).radius(), 0x1p-128);
}

TEST(Wide, KeepsARadiusFarBelowDoubles) {
  const Wide small = Wide(0x1p-1000, 2).widened(0x1p-1060);
  const Wide power = small * small * small;
  EXPECT_EQ(power.sign(), 1);
  EXPECT_EQ((power - power).sign(), std::nullopt);
  EXPECT_GT((power - power).radius(), 0);
}

TEST(Wide, HasASignOnlyWhereItIsCertain) {
  EXPECT_EQ(Wide(3, 1).sign(), 1);
  EXPECT_EQ(Wide(-3, 1).sign(), -1);
  EXPECT_EQ(Wide(0, 1).sign(), 0);
  EXPECT_EQ((Wide(0.1, 2) + Wide(0.2, 2) - Wide(0.1, 2) - Wide(0.2, 2)).sign(), 0);
  EXPECT_EQ(Wide(1, 3).widened(0.5).sign(), 1);
  EXPECT_EQ(Wide(1, 3).widened(1).sign(), std::nullopt);
  EXPECT_EQ(Wide(-1, 3).widened(2).sign(), std::nullopt);
  const Wide third = Wide(1, 3) / Wide(3, 3);
  EXPECT_EQ((third + third + third - Wide(1, 3)).sign(), std::nullopt);
}

TEST(Wide, RoundsToAWholeNumberOnlyWhereItIsCertain) {
  const Maker<Wide> make{2};
  EXPECT_TRUE(make(2.5).nearest(0) == Int128(3));
  EXPECT_TRUE(make(-2.5).nearest(0) == Int128(-2));
  EXPECT_TRUE(make(0x1.fffffffffffffp-2).nearest(0) == Int128(0));
  EXPECT_TRUE(make(0.3).nearest(3) == Int128(2));
  EXPECT_TRUE(make(-0x1.8p70).nearest(-69) == Int128(-3));
  EXPECT_TRUE(make(0x1.8p50).nearest(60) == Int128(3) << 109);
  EXPECT_TRUE(make(2.75).widened(0.2).nearest(0) == Int128(3));
  EXPECT_EQ(make(2.75).widened(0.26).nearest(0), std::nullopt);
  EXPECT_EQ(make(2.5).widened(0x1p-1000).nearest(0), std::nullopt);
  EXPECT_EQ(make(3.25).widened(0.25).nearest(0), std::nullopt);
  EXPECT_EQ(make(0x1p100).nearest(28), std::nullopt);
  EXPECT_TRUE((make(1) / make(3)).nearest(100) == (Int128(1) << 100) / 3);
  const Int128 large = (Int128(1) << 110) + 12345;
  EXPECT_TRUE(make.integer(large).nearest(0) == large);
  EXPECT_TRUE(make.integer(-large).nearest(0) == -large);
}

TEST(Wide, IsUnknownAfterOverflowAndWhatIsUndefined) {
  const Maker<Wide> make{2};
  const Wide zero = make(0), one = make(1), unknown = zero.widened(kInfinity);
  for (const Wide& x :
       {one / zero, zero / zero, one / one.widened(1), log(zero), log(-one), log(one.widened(1)),
        sqrt(-one), sqrt(zero.widened(1)), unknown - unknown, one / unknown, unknown / one,
        unknown * one, unknown * zero, sqrt(unknown), log(unknown), make(kInfinity),
        make(kInfinity - kInfinity), one.widened(-1)}) {
    EXPECT_EQ(x.radius(), kInfinity);
    EXPECT_EQ(x.sign(), std::nullopt);
    EXPECT_EQ(x.nearest(0), std::nullopt);
  }
}

TEST(Wide, TakesTheRootOfWhatIsNotNegative) {
  const Wide root = sqrt(Wide(1, 2).widened(3));
  for (const double x : {0.0, 0.5, 2.0}) EXPECT_TRUE(contains(root, {exactOf(x)}));
  EXPECT_TRUE(contains(sqrt(Wide(1, 2).widened(1)), {exactOf(0.0)}));
  EXPECT_EQ(sqrt(Wide(0, 2)).sign(), 0);
}

TEST(Wide, ReadsTheFirstDigitsOfANumber) {
  const std::uint64_t digits[] = {std::uint64_t{3} << 62, 5};
  for (const bool negative : {false, true}) {
    const Wide x = Wide::ofDigits(negative, 37, digits, 3);
    const Signed least = exactOf(37.75 / 32) + exactOf(0x5p-133);
    const Signed most = least + exactOf(0x1p-133);
    EXPECT_TRUE(contains(x, {negative ? -least : least}));
    EXPECT_TRUE(contains(x, {negative ? -most : most}));
    EXPECT_FALSE(contains(x, {negative ? least : -least}));
    EXPECT_LE(x.radius(), 0x1.001p-134);
  }
}

}  // namespace wide_test
}  // namespace pm
