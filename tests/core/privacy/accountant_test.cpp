#include "core/privacy/accountant.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/privacy/gaussian.hpp"
#include "core/privacy/upward.hpp"
#include "core/privacy/zcdp.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"
#include "tests/support/zcdp_bounds.hpp"

namespace pm {
namespace accountant_test {

using namespace testing_support;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Accountant sumOf(const std::vector<Cost>& costs) {
  Accountant accountant;
  for (const Cost& cost : costs) accountant.add(cost);
  return accountant;
}

nlohmann::json reference(const char* key) { return readVectors("rounds.json")["composition"][key]; }

// The least f(order, divergence) over the orders of the accountant, all of them, each divergence
// rounded up.
template <class F>
double leastOfAllOrders(const std::vector<Cost>& pure, double rho, F f) {
  double least = kInfinity, x = 1e-6;
  for (int i = 0; i < 8311; ++i, x *= 1.005) {
    double divergence = productUp(1 + x, rho);
    for (const Cost& cost : pure) {
      const double square = productUp(cost.size, cost.size) / 2;
      divergence = sumUp(divergence, std::min(cost.size, productUp(1 + x, square)));
    }
    least = std::min(least, f(RenyiOrder(x), divergence));
  }
  return least;
}

TEST(Accountant, SkipsOrdersOnlyIfTheyGiveNoLess) {
  for (const double rho : {1e-9, 0.02, 0.7, 30.0, 1e4}) {
    for (const std::vector<double>& sizes :
         {std::vector<double>{}, {0.1}, {3}, {1e-5, 0.3, 0.3, 7}, std::vector<double>(90, 0.01)}) {
      std::vector<Cost> pure;
      for (const double size : sizes) pure.push_back(Cost::pure(size));
      Accountant accountant = sumOf(pure);
      accountant.add(Cost::zcdp(rho));
      for (const double delta : {1e-200, 1e-9, 0.01}) {
        const double all = leastOfAllOrders(pure, rho, [&](const RenyiOrder& order, double d) {
          return epsilonAtOrder(order, d, std::log(delta));
        });
        EXPECT_EQ(accountant.epsilonAt(delta), std::max(all, 0.0)) << rho << ' ' << sizes.size();
        const double epsilon = accountant.epsilonAt(delta) / 2;
        const double log_delta = leastOfAllOrders(
            pure, rho,
            [&](const RenyiOrder& order, double d) { return logDeltaAtOrder(order, d, epsilon); });
        const double least =
            std::max(std::exp(log_delta) * (1 + 2 * kLibraryError), kSmallestStated);
        EXPECT_EQ(accountant.deltaAt(epsilon), std::min(least, 1.0)) << rho << ' ' << sizes.size();
      }
    }
  }
}

TEST(Accountant, TurnsEveryKindOfCostIntoTheReferenceRho) {
  const auto rho_of_mu = reference("rho_of_mu");
  ASSERT_FALSE(rho_of_mu.empty());
  for (const auto& v : rho_of_mu) {
    EXPECT_DOUBLE_EQ(sumOf({Cost::gdp(v["mu"].get<double>())}).zcdp(), v["rho"].get<double>());
  }
  const auto rho_of_pure = reference("rho_of_pure");
  ASSERT_FALSE(rho_of_pure.empty());
  for (const auto& v : rho_of_pure) {
    EXPECT_DOUBLE_EQ(sumOf({Cost::pure(v["eps"].get<double>())}).zcdp(), v["rho"].get<double>());
  }
  const auto rho_of_exponential_mechanism = reference("rho_of_exponential_mechanism");
  ASSERT_FALSE(rho_of_exponential_mechanism.empty());
  for (const auto& v : rho_of_exponential_mechanism) {
    EXPECT_DOUBLE_EQ(sumOf({Cost::boundedRange(v["eps"].get<double>())}).zcdp(),
                     v["rho"].get<double>());
  }
  EXPECT_DOUBLE_EQ(sumOf({Cost::zcdp(0.25), Cost::gdp(1)}).zcdp(), 0.75);
}

TEST(Accountant, TurnsPureCostsIntoTheReferenceMu) {
  const auto mu_of_pure = reference("mu_of_pure");
  ASSERT_FALSE(mu_of_pure.empty());
  for (const auto& v : mu_of_pure) {
    const double mu = v["mu"].get<double>();
    EXPECT_NEAR(sumOf({Cost::pure(v["eps"].get<double>())}).gdp(), mu, 1e-12);
    EXPECT_NEAR(sumOf({Cost::pure(v["eps"].get<double>()), Cost::gdp(1)}).gdp(),
                std::sqrt(mu * mu + 1), 1e-12);
  }
}

TEST(Accountant, ComposesGaussianAccessesExactly) {
  const auto v = reference("gdp");
  const auto mus = v["mus"].get<std::vector<double>>();
  const Accountant whole = sumOf({Cost::gdp(mus[0]), Cost::gdp(mus[1]), Cost::gdp(mus[2])});
  const double mu = v["total"].get<double>();
  EXPECT_NEAR(whole.gdp(), mu, 1e-15);
  for (const double delta : {1e-9, 1e-5, 0.01}) {
    EXPECT_NEAR(whole.epsilonAt(delta), epsilonOfGdp(mu, delta), 1e-12);
  }
  for (const double epsilon : {0.0, 1.0, 5.0}) {
    EXPECT_NEAR(whole.deltaAt(epsilon), deltaOfGdp(epsilon, mu), 1e-15);
  }
  EXPECT_EQ(whole.epsilonAt(0), kInfinity);
}

TEST(Accountant, AddsPureEpsilonsWhereDeltaIsZero) {
  const Accountant whole = sumOf({Cost::pure(0.25), Cost::boundedRange(0.5), Cost::pure(1)});
  EXPECT_EQ(whole.pure(), 1.75);
  EXPECT_EQ(whole.epsilonAt(0), 1.75);
  EXPECT_EQ(whole.deltaAt(1.75), 0);
  EXPECT_GT(whole.deltaAt(1.74), 0);
  EXPECT_LE(whole.epsilonAt(1e-6), 1.75);
}

TEST(Accountant, ChargesManyPureAccessesLessThanTheirSumAtAPositiveDelta) {
  Accountant pure, range;
  for (int i = 0; i < 100; ++i) pure.add(Cost::pure(0.1)), range.add(Cost::boundedRange(0.1));
  EXPECT_NEAR(pure.pure(), 10, 1e-12);
  EXPECT_NEAR(pure.epsilonAt(1e-6), 5.2215, 1e-4);
  EXPECT_NEAR(range.epsilonAt(1e-6), 2.4191, 1e-4);
  EXPECT_NEAR(range.epsilonAt(1e-6), epsilonOfZcdp(0.125, 1e-6), 1e-5);
}

TEST(Accountant, ChargesFourHalvesAsOneWhole) {
  const double half = gdpOfEpsilonDelta(1, 1e-6) / 2;
  EXPECT_NEAR(sumOf({Cost::gdp(half)}).epsilonAt(1e-6), 0.4752, 1e-4);
  const Accountant whole = sumOf(std::vector<Cost>(4, Cost::gdp(half)));
  EXPECT_NEAR(whole.epsilonAt(1e-6), 1, 1e-12);
  EXPECT_NEAR(epsilonOfZcdp(whole.zcdp(), 1e-6), 1.0779, 1e-4);
}

TEST(Accountant, ExploitsTheBoundedRangeOfExponentialMechanisms) {
  // d - 1 draws within rho: sqrt(8 rho/(d-1)) each instead of epsilon/(d-1).
  const int draws = 12;
  const double epsilon = 1, delta = 1e-6;
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double rho = (low + high) / 2;
    (epsilonOfZcdp(rho, delta) < epsilon ? low : high) = rho;
  }
  const double each = std::sqrt(8 * low / draws);
  EXPECT_NEAR(each, 0.1274, 1e-4);
  EXPECT_GT(each, epsilon / draws);
  EXPECT_LE(sumOf(std::vector<Cost>(draws, Cost::boundedRange(each))).epsilonAt(delta),
            epsilon * (1 + 1e-5));
}

TEST(Accountant, ChoosesTheBetterOfItsBoundsForMixtures) {
  // One large pure access with a little noise: basic composition. Many small ones: zCDP.
  const Accountant large = sumOf({Cost::gdp(0.1), Cost::pure(5)});
  EXPECT_NEAR(large.epsilonAt(1e-6), 5 + epsilonOfGdp(0.1, 1e-6), 1e-12);
  EXPECT_NEAR(large.epsilonAt(1e-6), 5.3969, 1e-4);
  EXPECT_NEAR(epsilonOfZcdp(large.zcdp(), 1e-6), 37.4319, 1e-4);
  std::vector<Cost> costs(200, Cost::boundedRange(0.05));
  costs.push_back(Cost::zcdp(0.01));
  const Accountant small = sumOf(costs);
  EXPECT_NEAR(small.epsilonAt(1e-6), epsilonOfZcdp(small.zcdp(), 1e-6), 1e-4);
  EXPECT_NEAR(small.epsilonAt(1e-6), 1.7988, 1e-4);
}

TEST(Accountant, AddsApproximateAccessesUnchanged) {
  const Accountant whole = sumOf({Cost::approximate(0.5, 1e-7), Cost::gdp(0.2)});
  EXPECT_NEAR(whole.epsilonAt(1e-6), 0.5 + epsilonOfGdp(0.2, 9e-7), 1e-9);
  EXPECT_EQ(whole.epsilonAt(1e-8), kInfinity);
  EXPECT_EQ(whole.gdp(), kInfinity);
  EXPECT_EQ(whole.zcdp(), kInfinity);
  EXPECT_EQ(whole.pure(), kInfinity);
  EXPECT_EQ(whole.deltaAt(0.4), 1);
  const Accountant with_pure = sumOf({Cost::approximate(0.5, 1e-7), Cost::pure(0.25)});
  EXPECT_EQ(with_pure.epsilonAt(1e-7), 0.75);
  EXPECT_EQ(with_pure.deltaAt(0.75), 1e-7);
  EXPECT_EQ(sumOf({Cost::approximate(0.5, 0)}).pure(), 0.5);
}

TEST(Accountant, GivesNoBoundThatItsCostsDoNotImply) {
  const Accountant nothing;
  EXPECT_EQ(nothing.pure(), 0);
  EXPECT_EQ(nothing.epsilonAt(0), 0);
  EXPECT_EQ(nothing.deltaAt(0), 0);
  EXPECT_EQ(sumOf({Cost::zcdp(0.1)}).gdp(), kInfinity);
  EXPECT_EQ(sumOf({Cost::zcdp(0.1)}).pure(), kInfinity);
  EXPECT_EQ(sumOf({Cost::gdp(0.1)}).pure(), kInfinity);
}

TEST(Accountant, NeverChargesLessForAnotherAccess) {
  // Random sequences of every kind. There is no false-alarm rate, as the property holds for every
  // sequence.
  UnsafeTestRandom random(71);
  for (int sequence = 0; sequence < 12; ++sequence) {
    Accountant accountant;
    std::vector<double> epsilons(3), deltas(3);
    for (int i = 0; i < 12; ++i) {
      const double size = std::exp(-4 + 5 * random.uniform());
      switch (random.below(sequence % 3 == 0 ? 2 : sequence % 3 == 1 ? 3 : 5)) {
        case 0: accountant.add(Cost::pure(size)); break;
        case 1: accountant.add(Cost::boundedRange(size)); break;
        case 2: accountant.add(Cost::gdp(size)); break;
        case 3: accountant.add(Cost::zcdp(size * size / 2)); break;
        default: accountant.add(Cost::approximate(size, 1e-8 * random.uniform()));
      }
      for (std::size_t at = 0; at < 3; ++at) {
        const double delta = std::pow(10.0, -8 + 3 * double(at)), epsilon = double(at) * 2;
        // Slack for equal bounds with different roundings.
        EXPECT_GE(accountant.epsilonAt(delta), epsilons[at] * (1 - 1e-12));
        EXPECT_GE(accountant.deltaAt(epsilon), deltas[at] * (1 - 1e-12));
        epsilons[at] = accountant.epsilonAt(delta), deltas[at] = accountant.deltaAt(epsilon);
      }
    }
  }
}

TEST(Accountant, ChargesForTheDistanceOfSamplersFromTheirLaws) {
  Accountant exact, near, far;
  for (Accountant* accountant : {&exact, &near, &far}) accountant->add(Cost::gdp(0.3));
  near.addDistance(0x1p-118);
  far.addDistance(1e-7);
  EXPECT_GE(near.epsilonAt(1e-6), exact.epsilonAt(1e-6));
  EXPECT_LT(near.epsilonAt(1e-6), exact.epsilonAt(1e-6) * (1 + 1e-6));
  EXPECT_NEAR(far.deltaAt(1), exact.deltaAt(1) + (1 + std::exp(1.0)) * 1e-7, 1e-12);
  // A distance that uses much of delta leaves less for the rest; one that uses all of it leaves
  // nothing.
  EXPECT_GT(far.epsilonAt(1e-6), 1.03 * exact.epsilonAt(1e-6));
  EXPECT_LE(far.deltaAt(far.epsilonAt(1e-6)), 1e-6);
  EXPECT_EQ(far.epsilonAt(1e-7), std::numeric_limits<double>::infinity());
}

TEST(Accountant, HasEpsilonAndDeltaThatInvertEachOther) {
  for (const Accountant& whole :
       {sumOf({Cost::gdp(0.5), Cost::pure(0.3)}), sumOf({Cost::zcdp(0.2), Cost::pure(0.3)}),
        sumOf({Cost::zcdp(0.02), Cost::approximate(0.1, 1e-9)})}) {
    for (const double delta : {1e-7, 1e-4}) {
      EXPECT_NEAR(whole.deltaAt(whole.epsilonAt(delta)) / delta, 1, 1e-3);
    }
  }
}

TEST(Zcdp, HasTheReferenceEpsilonWhichIsBelowTheSimpleBound) {
  const auto zcdp_tight_delta = reference("zcdp_tight_delta");
  ASSERT_FALSE(zcdp_tight_delta.empty());
  for (const auto& v : zcdp_tight_delta) {
    EXPECT_NEAR(epsilonOfZcdp(v["rho"].get<double>(), v["delta"].get<double>()),
                v["eps"].get<double>(), 1e-6);
  }
  const auto zcdp_simple_eps = reference("zcdp_simple_eps");
  ASSERT_FALSE(zcdp_simple_eps.empty());
  for (const auto& v : zcdp_simple_eps) {
    const double simple = v["eps"].get<double>();
    const double tight = epsilonOfZcdp(v["rho"].get<double>(), v["delta"].get<double>());
    EXPECT_LT(tight, simple);
    EXPECT_GT(tight, 0.8 * simple);
  }
  const auto rho_of_eps_delta_simple = reference("rho_of_eps_delta_simple");
  ASSERT_FALSE(rho_of_eps_delta_simple.empty());
  for (const auto& v : rho_of_eps_delta_simple) {
    EXPECT_LT(epsilonOfZcdp(v["rho"].get<double>(), v["delta"].get<double>()),
              v["eps"].get<double>());
  }
}

}  // namespace accountant_test
}  // namespace pm
