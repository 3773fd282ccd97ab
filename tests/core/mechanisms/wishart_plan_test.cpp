#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <vector>

#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/mechanisms/wishart.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/privacy/wishart.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace wishart_plan_test {

using namespace testing_support;

constexpr Neighbours kBoth[] = {Neighbours::kAddRemove, Neighbours::kReplaceOne};

MechanismParams paramsOf(int dimension, Neighbours neighbours, Unit unit = Unit::kRow,
                         double epsilon = 1, double delta = 1e-6) {
  return gaussianParams(dimension, neighbours, unit, epsilon, delta);
}

TEST(NuclearSensitivity, IsTheLargestRowOrTwiceThatPlusTheTruncationError) {
  constexpr std::uint64_t kT = 1000;
  EXPECT_EQ(nuclearSensitivity(kT, 10, Neighbours::kAddRemove, Unit::kRow), kT);
  EXPECT_EQ(nuclearSensitivity(kT, 10, Neighbours::kReplaceOne, Unit::kRow), 2 * kT);
  // 10^1.5 = 31.6...
  EXPECT_EQ(nuclearSensitivity(kT, 10, Neighbours::kAddRemove, Unit::kParticipant), kT + 32);
  EXPECT_EQ(nuclearSensitivity(kT, 10, Neighbours::kReplaceOne, Unit::kParticipant), 2 * kT + 64);
}

TEST(NuclearSensitivity, BoundsTheDifferenceOfTruncatedAverages) {
  // Averages of random rows, each entry truncated towards zero; small numbers, so that truncation
  // matters.
  UnsafeTestRandom random(7);
  constexpr int kSide = 5;
  const auto average = [&](double bound) {
    const int rows = 1 + int(random.below(4));
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(kSide, kSide);
    for (int r = 0; r < rows; ++r) {
      Eigen::VectorXd q(kSide);
      do {
        for (double& entry : q) entry = std::round(random.symmetric() * std::sqrt(bound));
      } while (q.squaredNorm() > bound);
      sum += q * q.transpose();
    }
    return Eigen::MatrixXd((sum / rows).unaryExpr([](double x) { return std::trunc(x); }));
  };
  const auto nuclear = [](const Eigen::MatrixXd& matrix) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix).eigenvalues().cwiseAbs().sum();
  };
  double worst = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::uint64_t t = 4 + random.below(40);
    const Eigen::MatrixXd first = average(double(t)), second = average(double(t));
    const auto bound = [&](Neighbours neighbours) {
      return double(nuclearSensitivity(t, kSide, neighbours, Unit::kParticipant));
    };
    EXPECT_LE(nuclear(first), bound(Neighbours::kAddRemove));
    EXPECT_LE(nuclear(first - second), bound(Neighbours::kReplaceOne));
    worst = std::max(worst, nuclear(first) - double(t));
  }
  EXPECT_GT(worst, 0);  // so the term cannot be left out
}

TEST(TwoSidedWishartPlan, SpendsEpsilonOnTheNuclearNorm) {
  for (const Neighbours neighbours : kBoth) {
    for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
      for (const double delta : {0.0, 1e-6}) {
        const Plan plan = planTwoSidedWishart(paramsOf(12, neighbours, unit, 0.7, delta)).value();
        const double sensitivity =
            double(nuclearSensitivity(augmentedNormSquared(plan.bits), 13, neighbours, unit));
        // 1/2c is rounded up to 40 bits.
        EXPECT_LE(plan.own<TwoSidedWishartNoise>().c() * sensitivity, 0.7);
        EXPECT_NEAR(plan.own<TwoSidedWishartNoise>().c() * sensitivity / 0.7, 1, 0x1p-39);
        EXPECT_EQ(plan.freedom, 14);
        EXPECT_DOUBLE_EQ(plan.sd_diagonal * plan.own<TwoSidedWishartNoise>().c(), std::sqrt(14.0));
        EXPECT_DOUBLE_EQ(plan.sd_off_diagonal * plan.own<TwoSidedWishartNoise>().c(),
                         std::sqrt(7.0));
        EXPECT_EQ(plan.noise_mean, 0);
        EXPECT_EQ(plan.bits, 22);
        const Guarantee& g = plan.guarantee;
        EXPECT_EQ(g.epsilon, 0.7);
        EXPECT_EQ(g.delta, 0);
        EXPECT_EQ(g.gdp, gdpOfPure(0.7));
        EXPECT_DOUBLE_EQ(g.zcdp, 0.245);
        EXPECT_EQ(g.neighbours, neighbours);
        EXPECT_EQ(g.unit, unit);
        EXPECT_EQ(g.numerics, Numerics::kExact);
        EXPECT_EQ(g.assumes.size(), 3u);
      }
    }
  }
}

TEST(TwoSidedWishartPlan, HasTheNoiseStatedOnItsPage) {
  // Root mean squares of |noise|_F in units of R^2 at epsilon 1.
  const auto root_mean_square = [](int dimension, Neighbours neighbours) {
    const Plan plan = planTwoSidedWishart(paramsOf(dimension, neighbours)).value();
    const double n = dimension + 1, off = std::pow(std::ldexp(plan.sd_off_diagonal, -44), 2);
    const double public_entries = neighbours == Neighbours::kReplaceOne ? 1 : 0;
    const double on = std::pow(std::ldexp(plan.sd_diagonal, -44), 2);
    return std::sqrt((n - public_entries) * on + n * (n - 1) * off);
  };
  const auto page = [&](int dimension, double add_remove, double replace_one) {
    EXPECT_NEAR(root_mean_square(dimension, Neighbours::kAddRemove) / add_remove, 1, 0.005);
    EXPECT_NEAR(root_mean_square(dimension, Neighbours::kReplaceOne) / replace_one, 1, 0.005);
  };
  page(2, 7.35, 13.4);
  page(5, 18.2, 35.5);
  page(12, 53.5, 106);
  page(100, 1090, 2170);
}

TEST(TwoSidedWishartPlan, HasLessNoiseThanTheGaussianWithFewFeatures) {
  for (const auto& [neighbours, features] :
       {std::pair{Neighbours::kAddRemove, 15}, {Neighbours::kReplaceOne, 6}}) {
    for (int dimension = 1; dimension < 30; ++dimension) {
      const MechanismParams params = paramsOf(dimension, neighbours);
      EXPECT_EQ(planTwoSidedWishart(params).value().sd_diagonal <
                    planGaussian(params).value().sd_diagonal,
                dimension <= features)
          << dimension;
    }
  }
}

TEST(TwoSidedWishartPlan, LeavesThePublicCountExact) {
  for (const Neighbours neighbours : kBoth) {
    const Plan plan = planTwoSidedWishart(paramsOf(2, neighbours)).value();
    const std::vector<Int128> totals = exactTotals(plan, std::vector<double>{0.3, 0.1, 0.5, 0.2});
    std::vector<double> out(totals.size());
    Drbg random(unsafeTestSeed(1));
    plan.release(plan, totals, random, out);
    EXPECT_EQ(out[0] == releasedInteger(plan, totals[0], 0), neighbours == Neighbours::kReplaceOne);
    EXPECT_NE(out[1], releasedInteger(plan, totals[1], 0));
  }
}

TEST(TwoSidedWishartPlan, UsesACoarserGridForASmallEpsilonAndFailsBelow) {
  const Plan plan =
      planTwoSidedWishart(paramsOf(1000, Neighbours::kReplaceOne, Unit::kRow, 1e-5, 0)).value();
  EXPECT_LT(plan.bits, 22);
  EXPECT_LE(plan.sd_diagonal, 0x1p58);
  EXPECT_GT(4 * plan.sd_diagonal, 0x1p58);
  const auto refused =
      planTwoSidedWishart(paramsOf(3, Neighbours::kReplaceOne, Unit::kRow, 1e-12, 0));
  EXPECT_EQ(refused.error().code, Code::kNoiseTooLarge);
  EXPECT_EQ(
      planTwoSidedWishart(paramsOf(3, Neighbours::kReplaceOne, Unit::kRow, 0, 0)).error().code,
      Code::kInvalidEpsilon);
}

TEST(WishartPlan, HasTheFewestDegreesOfFreedomAndStatesTheirDelta) {
  for (const Neighbours neighbours : kBoth) {
    const Plan plan = planWishart(paramsOf(12, neighbours)).value();
    const int m = wishartShape(1, 1e-6, neighbours);
    EXPECT_EQ(plan.freedom, m + 12);
    const double t = double(augmentedNormSquared(plan.bits));
    EXPECT_EQ(plan.own<WishartNoise>().scale.value(), t);
    EXPECT_DOUBLE_EQ(plan.sd_diagonal, std::sqrt(2.0 * plan.freedom) * t);
    EXPECT_DOUBLE_EQ(plan.sd_off_diagonal, std::sqrt(double(plan.freedom)) * t);
    EXPECT_NEAR(plan.noise_mean / (plan.freedom * t), 1, 1e-3);
    const Guarantee& g = plan.guarantee;
    EXPECT_EQ(g.epsilon, 1);
    EXPECT_EQ(g.delta, wishartDelta(1, m, 1, neighbours));
    EXPECT_LE(g.delta, 1e-6);
    EXPECT_GT(g.delta, 4e-7);
    EXPECT_TRUE(std::isinf(g.gdp) && std::isinf(g.zcdp));
    EXPECT_EQ(g.numerics, Numerics::kExact);
  }
  EXPECT_EQ(planWishart(paramsOf(12, Neighbours::kAddRemove)).value().freedom, 55);
}

TEST(WishartPlan, RejectsParametersThatItsProofDoesNotCover) {
  const auto participant = planWishart(paramsOf(3, Neighbours::kAddRemove, Unit::kParticipant));
  EXPECT_EQ(participant.error().code, Code::kInvalidUnit);
  EXPECT_EQ(participant.error().field, "unit");
  EXPECT_EQ(planWishart(paramsOf(3, Neighbours::kAddRemove, Unit::kRow, 1, 0)).error().code,
            Code::kInvalidDelta);
  EXPECT_EQ(planWishart(paramsOf(3, Neighbours::kAddRemove, Unit::kRow, 1e-7)).error().code,
            Code::kNoiseTooLarge);
  // More random numbers than can be drawn.
  EXPECT_EQ(planWishart(paramsOf(1000, Neighbours::kAddRemove, Unit::kRow, 3e-4)).error().code,
            Code::kNoiseTooLarge);
}

TEST(WishartPlan, KeepsEveryReleasedIntegerExactInADouble) {
  for (const double epsilon : {1e-2, 1.0, 30.0}) {
    const Plan plan =
        planWishart(paramsOf(1000, Neighbours::kAddRemove, Unit::kRow, epsilon)).value();
    const double step = std::ldexp(1.0, plan.release_shift);
    // The chi-square law stays below 2 nu + 300 with probability 1 - e^-100.
    const double largest = double(plan.max_rows) * double(augmentedNormSquared(plan.bits)) +
                           (2.0 * plan.freedom + 300) * plan.own<WishartNoise>().scale.value();
    EXPECT_LE(largest / step + 600, 0x1p53) << epsilon;
    EXPECT_GT(plan.max_rows, std::uint64_t{1} << 30) << epsilon;
  }
}

TEST(WishartRelease, IsPositiveSemidefiniteDespiteRounding) {
  // The fewest degrees of freedom, for which the noise's smallest eigenvalue is nearest to zero,
  // and no data to raise it. With 150 columns one of the 20 would fail without the steps added to
  // the diagonal.
  for (const Neighbours neighbours : kBoth) {
    for (const int dimension : {1, 2, 12, 150}) {
      const Plan plan = planWishart(paramsOf(dimension, neighbours, Unit::kRow, 1, 0.6)).value();
      const std::size_t n = std::size_t(dimension) + 1;
      const double step = std::ldexp(1.0, plan.release_shift);
      EXPECT_GE(plan.noise_mean - plan.freedom * plan.own<WishartNoise>().scale.value(),
                (double(n) / 2 + 1) * step);
      const std::vector<Int128> totals(packedSize(n));
      std::vector<double> out(totals.size());
      for (std::uint64_t seed = 0; seed < repetitions(20, 2); ++seed) {
        Drbg random(unsafeTestSeed(seed));
        plan.release(plan, totals, random, out);
        Eigen::MatrixXd released(n, n);
        for (std::size_t i = 0, entry = 0; i < n; ++i) {
          for (std::size_t j = i; j < n; ++j, ++entry) {
            released(Eigen::Index(i), Eigen::Index(j)) = out[entry];
            released(Eigen::Index(j), Eigen::Index(i)) = out[entry];
          }
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(released,
                                                                    Eigen::EigenvaluesOnly);
        EXPECT_GT(solver.eigenvalues()(0), 0) << dimension << ' ' << seed;
      }
    }
  }
}

TEST(WishartMechanisms, AreInTheRegistryWithTheirTraits) {
  const Mechanism* two_sided = findMechanism("two-sided-wishart");
  ASSERT_NE(two_sided, nullptr);
  EXPECT_EQ(two_sided->budget, Budget::kPure);
  EXPECT_TRUE(two_sided->additive);
  EXPECT_FALSE(two_sided->psd);
  const Mechanism* wishart = findMechanism("wishart");
  ASSERT_NE(wishart, nullptr);
  EXPECT_EQ(wishart->budget, Budget::kApproximate);
  EXPECT_TRUE(wishart->psd);
}

}  // namespace wishart_plan_test
}  // namespace pm
