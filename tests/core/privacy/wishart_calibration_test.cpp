#include <gtest/gtest.h>

#include <cmath>

#include "core/privacy/wishart.hpp"
#include "core/research/published/wishart.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace wishart_calibration_test {

using namespace testing_support;

constexpr Neighbours kAdd = Neighbours::kAddRemove, kReplace = Neighbours::kReplaceOne;

// At most 1e-8 above, as promised, and not below.
void expectJustAbove(double value, double truth, const nlohmann::json& v) {
  EXPECT_GE(value, truth) << v;
  EXPECT_LE(value, truth * (1 + 1e-8)) << v;
}

TEST(WishartProfile, IsAboveEightyDigitArithmeticByAHundredMillionthAtMost) {
  const auto vectors = readVectors("wishart.json")["profile"];
  ASSERT_GT(vectors.size(), 20u);
  for (const auto& v : vectors) {
    const double epsilon = v["eps"], m = v["m"], s = v["s"];
    expectJustAbove(wishartDeltaWithout(epsilon, m, s), realOf(v["without"]), v);
    expectJustAbove(wishartDeltaWith(epsilon, m, s), realOf(v["with"]), v);
  }
}

TEST(WishartProfile, EqualsTheReferenceForOneRowMoreOrLess) {
  const auto vectors = readVectors("wishart.json")["delta_exact_add_remove"];
  ASSERT_EQ(vectors.size(), 6u);
  for (const auto& v : vectors) {
    const double delta = v["delta"];
    EXPECT_NEAR(wishartDelta(v["eps"], v["m"], v["s"], kAdd) / delta, 1, 1e-8) << v;
  }
}

TEST(WishartProfile, HasTheBestSplitUnderReplaceOne) {
  const auto vectors = readVectors("wishart.json")["replace_one_bound"];
  ASSERT_EQ(vectors.size(), 7u);
  for (const auto& v : vectors) {
    const double epsilon = v["eps"], m = v["m"], bound = realOf(v["bound"]);
    const double delta = wishartDelta(epsilon, m, 1, kReplace);
    EXPECT_GE(delta, bound * (1 - 1e-10)) << v;
    EXPECT_LE(delta, bound * (1 + 1e-6)) << v;
    // Never worse than two equal steps, the usual choice.
    EXPECT_LE(delta, (1 + std::exp(epsilon / 2)) * wishartDelta(epsilon / 2, m, 1, kAdd)) << v;
    EXPECT_GT(delta, wishartDelta(epsilon, m, 1, kAdd)) << v;
  }
}

TEST(WishartProfile, FallsWithEpsilonAndWithFreedomAndGrowsWithTheRow) {
  for (const Neighbours neighbours : {kAdd, kReplace}) {
    for (const double epsilon : {0.01, 0.1, 0.4, 0.7, 1.0, 3.0, 50.0, 1e4}) {
      for (const double m : {2.0, 3.0, 10.0, 77.0, 1000.0}) {
        const double delta = wishartDelta(epsilon, m, 1, neighbours);
        EXPECT_GT(delta, 0);
        EXPECT_LE(delta, 1);
        EXPECT_LE(wishartDelta(1.2 * epsilon, m, 1, neighbours), delta) << epsilon << ' ' << m;
        EXPECT_LE(wishartDelta(epsilon, m + 1, 1, neighbours), delta) << epsilon << ' ' << m;
        EXPECT_GE(wishartDelta(epsilon, m, 1.1, neighbours), delta) << epsilon << ' ' << m;
      }
    }
  }
}

TEST(WishartShape, EqualsTheReferenceAndIsMinimal) {
  const auto vectors = readVectors("wishart.json")["min_shape_add_remove"];
  ASSERT_EQ(vectors.size(), 6u);
  for (const auto& v : vectors) {
    const double epsilon = v["eps"], delta = v["delta"];
    EXPECT_EQ(wishartShape(epsilon, delta, kAdd), v["m"].get<int>()) << v;
    EXPECT_EQ(sheffetShape(epsilon, delta) + 12, v["Sheffet_k_for_d=13"].get<double>()) << v;
    for (const Neighbours neighbours : {kAdd, kReplace}) {
      const int m = wishartShape(epsilon, delta, neighbours);
      EXPECT_LE(wishartDelta(epsilon, m, 1, neighbours), delta) << v;
      EXPECT_GT(wishartDelta(epsilon, m - 1, 1, neighbours), delta) << v;
    }
  }
}

TEST(WishartShape, UnderReplaceOneEqualsThatOfThePageAndIsBelowTwoEqualSteps) {
  struct Row {
    double epsilon, delta;
    int shape, equal_steps;
  };
  for (const Row& row : {Row{0.1, 1e-5, 1905, 2151}, Row{0.5, 1e-6, 153, 227}, Row{1, 1e-5, 45, 74},
                         Row{1, 1e-6, 58, 95}, Row{2, 1e-5, 24, 39}}) {
    EXPECT_EQ(wishartShape(row.epsilon, row.delta, kReplace), row.shape);
    const auto two_steps = [&](int m) {
      return (1 + std::exp(row.epsilon / 2)) * wishartDelta(row.epsilon / 2, m, 1, kAdd);
    };
    EXPECT_LE(two_steps(row.equal_steps), row.delta);
    EXPECT_GT(two_steps(row.equal_steps - 1), row.delta);
  }
}

TEST(WishartShape, HasAMinimumForEveryEpsilon) {
  EXPECT_EQ(wishartShape(1e3, 1e-5, kAdd), 13);
  EXPECT_EQ(wishartShape(1e6, 1e-5, kAdd), 13);
}

TEST(WishartShape, IsUndefinedIfNoMatrixCouldHoldTheNoise) {
  EXPECT_EQ(wishartShape(1e-6, 1e-6, kAdd), 0);
  EXPECT_EQ(wishartShape(1e-9, 1e-300, kReplace), 0);
  EXPECT_EQ(wishartShape(1, 0.9, kAdd), 2);
  EXPECT_GT(wishartShape(1e4, 1e-6, kReplace), 2);  // the support alone distinguishes rows
}

TEST(SheffetWishart, HoldsItsClaimUpToEpsilonFourWithMoreThanTwiceTheNecessaryFreedom) {
  PublishedParams params{};
  params.rows = 100;
  for (const Neighbours neighbours : {kAdd, kReplace}) {
    params.neighbours = neighbours;
    for (const double delta : {1e-3, 1e-6, 1e-12}) {
      params.delta = delta;
      for (const double epsilon : {0.05, 0.3, 1.0, 2.0, 4.0}) {
        params.epsilon = epsilon;
        const Guarantee g = sheffetWishartGuarantee(params).value();
        EXPECT_EQ(g.epsilon, epsilon);
        EXPECT_LE(g.delta, delta) << epsilon;
        if (epsilon > 1) continue;
        EXPECT_GT(sheffetShape(epsilon, delta), 2 * wishartShape(epsilon, delta, neighbours));
      }
    }
  }
}

TEST(SheffetWishart, GuaranteesLessThanItClaimsForLargeEpsilonAndNothingWithoutDelta) {
  PublishedParams params{};
  params.epsilon = 10, params.delta = 1e-6, params.rows = 100;
  EXPECT_GT(sheffetWishartGuarantee(params).value().delta, 1e-3);
  params.epsilon = 100;
  EXPECT_EQ(sheffetWishartGuarantee(params).value().delta, 1);
  params.delta = 0;
  EXPECT_FALSE(sheffetWishartGuarantee(params).has_value());
}

}  // namespace wishart_calibration_test
}  // namespace pm
