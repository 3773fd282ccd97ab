// Figures that guarantees state are never below the true ones: deltas, epsilons, mu and rho against
// 400-digit references (tests/vectors/promises_reference.py), parts against the whole, and the
// distance of the samplers in everything that is composed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/federation/sharing.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/power_method.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/privacy/accountant.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/upward.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/random/discrete_gaussian.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"
#include "tests/support/zcdp_bounds.hpp"

namespace pm {
namespace promise_test {

using namespace testing_support;

nlohmann::json reference(const char* key) { return readVectors("promises.json")[key]; }

// The references are rounded up, so a figure that is not below them is not below the truth.
void expectJustAbove(double stated, double truth, double relative, const nlohmann::json& at) {
  EXPECT_GE(stated, truth) << at;
  EXPECT_LE(stated, truth * (1 + relative)) << at;
}

TEST(Upward, RoundsUpAndLeavesExactResultsAsTheyAre) {
  EXPECT_EQ(sumUp(0.25, 0.5), 0.75);
  EXPECT_EQ(sumUp(1, 0x1p-60), nextUp(1));
  EXPECT_EQ(sumUp(1, -0x1p-60), 1);
  EXPECT_EQ(differenceDown(1, 0x1p-60), nextDown(1));
  EXPECT_EQ(productUp(3, 0.125), 0.375);
  EXPECT_EQ(quotientUp(3, 8), 0.375);
  EXPECT_EQ(rootUp(2.25), 1.5);
  EXPECT_GT(productUp(1e-200, 1e-200), 0);
  EXPECT_GT(quotientUp(1e-200, 1e200), 0);
  EXPECT_EQ(realUp((Uint128(1) << 60) + 1), nextUp(0x1p60));
  EXPECT_EQ(realDown((Uint128(1) << 60) - 1), nextDown(0x1p60));
  EXPECT_EQ(realUp(Uint128(1) << 60), 0x1p60);
  UnsafeTestRandom random(3);
  for (int i = 0; i < 1000; ++i) {
    // Factors of 26 and 28 bits have exact products; so have their quotients and roots.
    const double a = double(random.below(1 << 26) + 1), b = double(random.below(1 << 26) + 1);
    EXPECT_EQ(productUp(a, b), a * b);
    EXPECT_EQ(quotientUp(a * b, b), a);
    EXPECT_EQ(rootUp(a * a), a);
    // One more bit would not fit in a double.
    EXPECT_EQ(sumUp(a, 0x1p-60), nextUp(a));
    EXPECT_EQ(rootUp(nextUp(a * a)), nextUp(a));
    EXPECT_GE(quotientUp(a, 3) * 3, a);
  }
}

TEST(Promise, OfAGaussianHasADeltaThatIsNotBelowTheTrueOne) {
  const auto vectors = reference("gdp_delta");
  ASSERT_EQ(vectors.size(), 209u);
  for (const auto& v : vectors) {
    const double epsilon = v["eps"].get<double>(), mu = v["mu"].get<double>();
    expectJustAbove(deltaOfGdp(epsilon, mu), v["delta"].get<double>(), 1e-9, v);
  }
  EXPECT_EQ(deltaOfGdp(1e6, 1e-3), std::numeric_limits<double>::min()) << "0 would be below";
  EXPECT_LE(deltaOfGdp(0, 1e6), 1);
}

TEST(Promise, OfAGaussianHasAnEpsilonThatIsNotBelowTheTrueOne) {
  const auto vectors = reference("gdp_epsilon");
  ASSERT_EQ(vectors.size(), 34u);
  for (const auto& v : vectors) {
    const double mu = v["mu"].get<double>(), delta = v["delta"].get<double>();
    expectJustAbove(epsilonOfGdp(mu, delta), v["eps"].get<double>(), 1e-9, v);
    // Nor is the mu for this epsilon above the true one.
    EXPECT_LE(gdpOfEpsilonDelta(v["eps"].get<double>(), delta), mu * (1 + 1e-15)) << v;
  }
}

TEST(Promise, OfAPureMechanismHasAMuThatIsNotBelowTheTrueOne) {
  const auto vectors = reference("gdp_of_pure");
  ASSERT_EQ(vectors.size(), 11u);
  for (const auto& v : vectors) {
    expectJustAbove(gdpOfPure(v["eps"].get<double>()), v["mu"].get<double>(), 1e-12, v);
  }
}

TEST(Promise, OfConcentratedPrivacyHasADeltaThatIsNotBelowTheBestOfAllOrders) {
  const auto vectors = reference("zcdp_delta");
  ASSERT_EQ(vectors.size(), 7u);
  for (const auto& v : vectors) {
    const double rho = v["rho"].get<double>(), epsilon = v["eps"].get<double>();
    const double delta = v["delta"].get<double>();
    expectJustAbove(deltaOfZcdp(rho, epsilon), delta, 1e-9, v);
    expectJustAbove(epsilonOfZcdp(rho, delta), epsilon, 1e-9, v);
    Accountant accountant;
    accountant.add(Cost::zcdp(rho));
    expectJustAbove(accountant.deltaAt(epsilon), delta, 1e-2, v);
    expectJustAbove(accountant.epsilonAt(delta), epsilon, 1e-3, v);
  }
}

TEST(Promise, OfAPlanIsImpliedByItsNoiseAndItsSampler) {
  for (const double epsilon : {1e-3, 0.1, 1.0, 10.0, 60.0, 80.0, 90.0}) {
    for (const double delta : {1e-300, 1e-40, 1e-15, 1e-6, 0.01, 0.9}) {
      const auto plan =
          planGaussian(gaussianParams(4, Neighbours::kAddRemove, Unit::kRow, epsilon, delta));
      if (!plan.ok()) continue;
      const Guarantee& g = plan.value().guarantee;
      EXPECT_EQ(g.total_variation, 15 * 0x1p-144);
      const double gaussian = deltaOfGdp(epsilon, g.gdp);
      const double sampler = (1 + std::exp(epsilon)) * g.total_variation;
      EXPECT_GE(g.delta, std::min(1.0, std::max(gaussian, sampler))) << epsilon << " " << delta;
      EXPECT_LE(g.delta, std::max(delta, (gaussian + sampler) * (1 + 1e-12)));
      // While the sampler's own delta is negligible, the requested values are stated.
      if (sampler < 1e-13 * delta) {
        EXPECT_EQ(g.delta, delta) << epsilon;
      }
      const double variance = 256.0 * double(plan.value().own<GaussianNoise>().w_diagonal) *
                              double(plan.value().own<GaussianNoise>().w_diagonal);
      const double squared = double(plan.value().sensitivity_squared);
      EXPECT_NEAR(g.gdp * g.gdp * (variance - 18) / squared, 1, 1e-14);
      EXPECT_NEAR(2 * g.zcdp * variance / squared, 1, 1e-14);
    }
  }
}

// Every part by itself, and all of them together.
void expectPartsOf(const Guarantee& g) {
  Accountant whole;
  double distance = 0;
  for (const Part& part : g.parts) {
    EXPECT_LE(part.epsilon, g.epsilon);
    const double alone =
        deltaOfGdp(part.epsilon, part.gdp) + (1 + std::exp(part.epsilon)) * part.total_variation;
    if (part.epsilon < g.epsilon) {
      EXPECT_GE(part.delta, alone * (1 - 1e-12)) << part.what << " of epsilon " << g.epsilon;
    }
    EXPECT_EQ(part.delta, g.delta) << part.what;
    EXPECT_GT(part.total_variation, 0);
    whole.add(Cost::gdp(part.gdp));
    whole.addDistance(part.total_variation);
    distance += part.total_variation;
  }
  EXPECT_EQ(distance, g.total_variation);
  EXPECT_NEAR(whole.gdp() / g.gdp, 1, 1e-14);
  EXPECT_GE(whole.gdp(), g.gdp * (1 - 1e-15));
  EXPECT_NEAR(whole.zcdp() / g.zcdp, 1, 1e-6);  // mu has less variance than rho
  EXPECT_LE(whole.deltaAt(g.epsilon), g.delta * (1 + 1e-11));
}

TEST(Promise, OfEveryPartIncludesTheSamplersTailAndPartsComposeToTheWhole) {
  for (const double epsilon : {0.1, 1.0, 20.0, 60.0, 76.0, 84.0, 95.0}) {
    for (const double delta : {1e-38, 1e-12, 1e-6}) {
      MechanismParams params =
          gaussianParams(10, Neighbours::kAddRemove, Unit::kRow, epsilon, delta);
      params.row_norm = 3;
      params.clipping = Clipping::kAdaptive;
      if (const auto plan = planGaussian(params); plan.ok()) expectPartsOf(plan.value().guarantee);
      params.clipping = Clipping::kFixed;
      params.components = 2;
      params.options.set(kRounds, 3);
      if (const auto plan = planPowerMethod(params); plan.ok()) {
        expectPartsOf(plan.value().guarantee);
      }
    }
  }
}

TEST(Promise, StatesTheDistanceAtWhichGdpAndZcdpHoldAndNoneIfTheyAreExact) {
  for (const Mechanism& mechanism : mechanisms()) {
    MechanismParams params = gaussianParams(4, Neighbours::kAddRemove);
    params.components = 2;
    params.options.set(kRounds, 3);
    const Guarantee g = mechanism.plan(params).value().guarantee;
    const bool bounded = mechanism.name == "gaussian" || mechanism.name == "power-method";
    const double samples = mechanism.name == "gaussian" ? 15 : 3 * 4 * 2;
    EXPECT_EQ(g.total_variation, bounded ? samples * 0x1p-144 : 0) << mechanism.name;
  }
}

TEST(Promise, OfASharedSumStatesTheDistanceOfTheSumAndOfItsFloor) {
  MechanismParams params = gaussianParams(4, Neighbours::kAddRemove);
  params.sites = 5;
  params.sharing = {Federation::kRing, 3};
  const Guarantee ring = planSharedGaussian(params).value().guarantee;
  EXPECT_GE(ring.total_variation, 3 * 15 * 0x1p-144);
  EXPECT_GE(ring.floor->total_variation, 15 * 0x1p-144);
  EXPECT_GE(ring.floor->delta, deltaOfGdp(ring.floor->epsilon, ring.floor->gdp));
}

TEST(Promise, OfSeveralReleasesAddsTheDistanceOfEach) {
  // More than 2^26 samples: the largest rounds there can be.
  MechanismParams params = gaussianParams(1000, Neighbours::kReplaceOne, Unit::kRow, 20);
  params.components = 1000;
  params.options.set(kRounds, 100);
  const Guarantee g = planPowerMethod(params).value().guarantee;
  EXPECT_EQ(g.total_variation, 1e8 * 0x1p-144);
  EXPECT_GT(g.total_variation, 0x1p-118);

  Accountant accountant;
  for (int i = 0; i < 4; ++i) {
    accountant.add(Cost::gdp(g.gdp));
    accountant.addDistance(g.total_variation);
  }
  EXPECT_EQ(accountant.distance(), 4e8 * 0x1p-144);
  const double counted = accountant.deltaAt(60) - deltaOfGdp(60, 2 * g.gdp);
  EXPECT_NEAR(counted / ((1 + std::exp(60.0)) * 4e8 * 0x1p-144), 1, 1e-9);
}

TEST(SamplerTail, EqualsTheReferenceAndIsLargestForTheNarrowestNoise) {
  const auto tail = reference("sampler_tail");
  double largest = -1000;
  for (const auto& v : tail["widths"]) {
    const int w = v["w"].get<int>();
    const double variance = 256.0 * w * w;
    double beyond = 0, whole = 1;
    for (int value = 40 * 16 * w; value >= 1; --value) {
      const double mass = 2 * std::exp(-double(value) * value / (2 * variance));
      whole += mass;
      if (value >= 224 * w) beyond += mass;
    }
    EXPECT_NEAR(std::log2(beyond / whole), v["log2"].get<double>(), 1e-9) << w;
    largest = std::max(largest, v["log2"].get<double>());
  }
  EXPECT_NEAR(largest, -144.9366, 1e-4);
  EXPECT_EQ(largest, tail["widths"][0]["log2"].get<double>());
  EXPECT_NEAR(tail["limit"].get<double>(), -145.5245, 1e-4);
  EXPECT_LE(largest, kGaussianSamplerDistanceLog2);
}

}  // namespace promise_test
}  // namespace pm
