#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "core/mechanisms/ppca.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/research/published/ppca_gibbs.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace ppca_plan_test {

using namespace testing_support;

MechanismParams ppcaParams(int dimension, int components,
                           Neighbours neighbours = Neighbours::kReplaceOne,
                           Unit unit = Unit::kRow) {
  MechanismParams params = gaussianParams(dimension, neighbours, unit, 2, 0);
  params.components = components;
  return params;
}

TEST(PpcaPlan, OneDrawSpendsEpsilonOnASubspace) {
  const Plan replace = planPpca(ppcaParams(5, 2)).value();
  // epsilon/2 minus its possible rounding error
  EXPECT_LT(replace.own<PpcaDraws>().kappa, 1);
  EXPECT_NEAR(replace.own<PpcaDraws>().kappa, 1, 1e-12);
  EXPECT_FALSE(replace.own<PpcaDraws>().sequential);
  EXPECT_EQ(replace.content, Content::kComponents);
  EXPECT_EQ(replace.length, 10u);
  EXPECT_EQ(replace.guarantee.epsilon, 2);
  EXPECT_EQ(replace.guarantee.delta, 0);
  EXPECT_EQ(replace.guarantee.zcdp, 0.5);  // bounded range: epsilon^2/8
  EXPECT_TRUE(replace.guarantee.parts.empty());
  EXPECT_EQ(replace.guarantee.numerics, Numerics::kExact);
  const Plan add = planPpca(ppcaParams(5, 2, Neighbours::kAddRemove)).value();
  EXPECT_NEAR(add.own<PpcaDraws>().kappa, 2, 2e-12);  // epsilon
  EXPECT_EQ(add.guarantee.zcdp, 0.5);
}

TEST(PpcaPlan, AveragesHaveASlightlySmallerScaleForTheirTruncation) {
  const Plan plan = planPpca(ppcaParams(9, 4, Neighbours::kReplaceOne, Unit::kParticipant)).value();
  // Each entry is off by less than a grid unit g, so the utility by less than sqrt(4) 9 g.
  const double unit = std::ldexp(1.0, -2 * plan.bits);
  EXPECT_LT(plan.own<PpcaDraws>().kappa, 1);
  EXPECT_GE(1 / plan.own<PpcaDraws>().kappa, 1 + 36 * unit);
  EXPECT_GT(plan.own<PpcaDraws>().kappa, 1 - 1e-9);
}

TEST(PpcaPlan, WhetherOneDrawIsFeasibleDependsOnTheShapeAlone) {
  for (const int d : {2, 3, 13, 100, 1000}) {
    EXPECT_TRUE(ppcaIsExact(d, 1)) << d;
    EXPECT_TRUE(ppcaIsExact(d, d - 1)) << d;
  }
  // (k-1) log10(1/acceptance): 4.23 at (100, 5), 4.7 at (1000, 4), 5.2 at (20, 10).
  EXPECT_TRUE(ppcaIsExact(100, 5));
  EXPECT_TRUE(ppcaIsExact(100, 95));
  EXPECT_FALSE(ppcaIsExact(100, 6));
  EXPECT_TRUE(ppcaIsExact(1000, 3));
  EXPECT_FALSE(ppcaIsExact(1000, 4));
  EXPECT_FALSE(ppcaIsExact(20, 10));
}

TEST(PpcaPlan, SequentialDrawsDivideEpsilonAndStateThePartOfEach) {
  const Plan plan = planPpca(ppcaParams(20, 10)).value();
  EXPECT_TRUE(plan.own<PpcaDraws>().sequential);
  EXPECT_NEAR(plan.own<PpcaDraws>().kappa, 0.1, 1e-13);  // epsilon/2/10
  const Guarantee& g = plan.guarantee;
  EXPECT_EQ(g.epsilon, 2);
  ASSERT_EQ(g.parts.size(), 10u);
  double epsilon = 0, zcdp = 0;
  for (const Part& part : g.parts) {
    epsilon += part.epsilon;
    zcdp += part.zcdp;
  }
  EXPECT_NEAR(epsilon, g.epsilon, 1e-12);
  EXPECT_NEAR(zcdp, g.zcdp, 1e-12);
  EXPECT_NEAR(g.zcdp, 4 / 80.0, 1e-12);
  EXPECT_LT(g.gdp, planPpca(ppcaParams(5, 2)).value().guarantee.gdp);
}

TEST(PpcaPlan, RejectsTheWholeSpaceAndAbsurdParameters) {
  for (const int k : {-1, 0, 5, 6}) {
    const Result<Plan> plan = planPpca(ppcaParams(5, k));
    ASSERT_FALSE(plan.ok()) << k;
    EXPECT_EQ(plan.error().code, Code::kInvalidComponents) << k;
    EXPECT_EQ(plan.error().field, "components");
  }
  MechanismParams params = ppcaParams(5, 2);
  params.epsilon = 0;
  EXPECT_EQ(planPpca(params).error().code, Code::kInvalidEpsilon);
}

TEST(PpcaPlan, TheNumberOfRowsIsNotLimitedByTheSizeOfTheRelease) {
  EXPECT_GT(planPpca(ppcaParams(5, 2)).value().max_rows, std::uint64_t{1} << 52);
}

TEST(PpcaRelease, IsAnOrthonormalFrameInSixteenBitsForBothSamplers) {
  for (const auto& [d, k] : {std::pair{4, 1}, {4, 2}, {4, 3}, {22, 10}}) {
    const Plan plan = planPpca(ppcaParams(d, k)).value();
    std::vector<double> rows(std::size_t(3 * d), 0.1), out(plan.length);
    rows[0] = 0.9;
    const std::vector<Int128> totals = exactTotals(plan, rows);
    Drbg random(unsafeTestSeed(5));
    plan.release(plan, totals, random, out);
    for (int i = 0; i < k; ++i) {
      for (int j = i; j < k; ++j) {
        double product = 0;
        for (int r = 0; r < d; ++r) {
          const double a = out[std::size_t(i * d + r)], b = out[std::size_t(j * d + r)];
          EXPECT_EQ(a, std::nearbyint(a));
          product += a * b;
        }
        EXPECT_NEAR(std::ldexp(product, -2 * kDirectionBits), i == j, 1e-3) << d << ' ' << k;
      }
    }
  }
}

TEST(PpcaRelease, AnEnormousEpsilonFindsTheSubspaceAndTerminates) {
  MechanismParams params = ppcaParams(3, 2);
  params.epsilon = 1e300;
  const Plan plan = planPpca(params).value();
  const std::vector<Int128> totals =
      exactTotals(plan, std::vector<double>{1, 0, 0, 0, 0.7, 0, 0, 0, 0.3});
  Drbg random(unsafeTestSeed(6));
  std::vector<double> out(plan.length);
  plan.release(plan, totals, random, out);
  EXPECT_LE(std::fabs(out[2]), 1);
  EXPECT_LE(std::fabs(out[5]), 1);
}

TEST(PpcaRegistry, ListsThePrivateMechanismAndTheMarkovChainWithoutAGuarantee) {
  const Mechanism* mechanism = findMechanism("ppca");
  ASSERT_NE(mechanism, nullptr);
  EXPECT_EQ(mechanism->plan, &planPpca);
  EXPECT_EQ(mechanism->numerics, Numerics::kExact);
  EXPECT_EQ(findMechanism("ppca-gibbs"), nullptr);
  const Published* chain = findPublished("ppca-gibbs");
  ASSERT_NE(chain, nullptr);
  const PublishedParams params{1, 0, Neighbours::kReplaceOne, 10, 2};
  EXPECT_FALSE(chain->guarantee(params).has_value());
  Drbg random(unsafeTestSeed(7));
  Eigen::MatrixXd scatter = Eigen::MatrixXd::Identity(4, 4);
  scatter(0, 0) = 1e6;
  const Eigen::MatrixXd x = chain->run(scatter, params, random);
  EXPECT_LT((x.transpose() * x - Eigen::MatrixXd::Identity(2, 2)).norm(), 1e-10);
  EXPECT_GT(x.row(0).norm(), 0.99);  // the one strong axis is in the subspace
}

}  // namespace ppca_plan_test
}  // namespace pm
