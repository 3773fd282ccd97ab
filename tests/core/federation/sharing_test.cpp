#include "core/federation/sharing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/privacy/gaussian.hpp"
#include "tests/support/release_fixtures.hpp"

namespace pm {
namespace federation_sharing_test {

using namespace testing_support;

MechanismParams sharedParams(Federation mode, int sites, int honest,
                             Neighbours neighbours = Neighbours::kAddRemove,
                             Unit unit = Unit::kRow) {
  MechanismParams params = gaussianParams(4, neighbours, unit);
  params.sites = sites;
  params.sharing.mode = mode;
  params.sharing.honest = honest;
  return params;
}

Plan planOf(const MechanismParams& params) { return planSharedGaussian(params).value(); }

TEST(SharedGaussian, GivesAnyHonestSitesTheNoiseOfOneReleaseOnTheSameGrid) {
  for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
    for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
      for (const int honest : {1, 2, 7, 100}) {
        const MechanismParams params =
            sharedParams(Federation::kSplit, 100, honest, neighbours, unit);
        const Plan plan = planOf(params);
        const double mu = gdpOfEpsilonDelta(params.epsilon, params.delta);
        const double whole = double(gaussianWidth(mu, plan.sensitivity_squared));
        const double of_sum =
            std::sqrt(double(honest)) * double(plan.own<GaussianNoise>().w_diagonal);
        // Each site rounds its width up by at most two.
        EXPECT_GE(of_sum, whole - 2);
        EXPECT_LE(of_sum, whole + 2 * std::sqrt(double(honest)) + 2);
        EXPECT_GE(
            2 * Uint128(plan.own<GaussianNoise>().w_off_diagonal) *
                plan.own<GaussianNoise>().w_off_diagonal,
            Uint128(plan.own<GaussianNoise>().w_diagonal) * plan.own<GaussianNoise>().w_diagonal);
      }
    }
  }
}

TEST(SharedGaussian, GuaranteesWhatTheSumOfTheHonestNoiseGives) {
  const MechanismParams params = sharedParams(Federation::kSplit, 20, 10);
  const Plan plan = planOf(params);
  const Guarantee& g = plan.guarantee;
  EXPECT_EQ(g.epsilon, 1);
  EXPECT_EQ(g.delta, 1e-6);
  EXPECT_EQ(g.honest, 10);
  const double sensitivity = std::sqrt(double(plan.sensitivity_squared));
  const double sd = 16.0 * double(plan.own<GaussianNoise>().w_diagonal);
  EXPECT_NEAR(g.gdp, sensitivity / (sd * std::sqrt(10.0)), 1e-12 * g.gdp);
  EXPECT_GE(g.gdp, sensitivity / (sd * std::sqrt(10.0))) << "the 18 of the theorem";
  EXPECT_NEAR(g.zcdp, g.gdp * g.gdp / 2, 1e-9);
  EXPECT_LE(std::exp(logDeltaOfGdp(1, g.gdp)), 1e-6);
  // The samples of ten sites count: 10 x 15 entries x 2^-144, times 1 + e.
  EXPECT_NEAR(plan.own<GaussianNoise>().sampler_delta_log2,
              std::log2(150 * (1 + std::exp(1.0))) - 144, 1e-9);
}

TEST(SharedGaussian, HasAFloorFromOneSitesNoise) {
  const Plan plan = planOf(sharedParams(Federation::kSplit, 20, 10));
  ASSERT_TRUE(plan.guarantee.floor);
  const Promise& floor = *plan.guarantee.floor;
  EXPECT_NEAR(floor.gdp / plan.guarantee.gdp, std::sqrt(10.0), 1e-9);
  EXPECT_NEAR(floor.epsilon, epsilonOfGdp(floor.gdp, 1e-6), 1e-6);
  EXPECT_EQ(floor.delta, 1e-6);
  // One honest site needs no others.
  const Plan alone = planOf(sharedParams(Federation::kSplit, 20, 1));
  EXPECT_NEAR(alone.guarantee.floor->epsilon, 1, 1e-6);
  // With a thousandth of the noise there is nothing to certify.
  EXPECT_FALSE(planOf(sharedParams(Federation::kSplit, 1 << 20, 1 << 20)).guarantee.floor);
}

TEST(SharedGaussian, StatesTheAssumptionsOfItsMasks) {
  const auto rests = [](Federation mode) {
    std::string all;
    for (const std::string& each : planOf(sharedParams(mode, 5, 3)).guarantee.assumes) all += each;
    return all;
  };
  EXPECT_NE(rests(Federation::kSplit).find("distinguished from random numbers"), std::string::npos);
  EXPECT_NE(rests(Federation::kSplit).find("SHA-256"), std::string::npos);
  EXPECT_EQ(rests(Federation::kRing).find("SHA-256"), std::string::npos);
}

// The smallest sum that a session completes has S - d releases, at most S - h of which are from
// colluders.
TEST(SharedNoise, IsCompleteInTheSmallestSumWithAllColluders) {
  for (int sites = 2; sites <= 9; ++sites) {
    for (int honest = 1; honest <= sites; ++honest) {
      for (int dropouts = 0; dropouts < honest; ++dropouts) {
        MechanismParams params = sharedParams(Federation::kSplit, sites, honest);
        params.sharing.dropouts = dropouts;
        const int left = (sites - dropouts) - (sites - honest);
        const std::string about =
            std::to_string(sites) + ", " + std::to_string(honest) + ", " + std::to_string(dropouts);
        const Plan plan = planOf(params);
        EXPECT_EQ(plan.guarantee.honest, left) << about;
        const double variance =
            left * std::pow(16.0 * double(plan.own<GaussianNoise>().w_diagonal), 2);
        const double mu = std::sqrt(double(plan.sensitivity_squared) / (variance - 18));
        EXPECT_LE(std::exp(logDeltaOfGdp(1, mu)), 1e-6) << about;
        EXPECT_GE(plan.guarantee.gdp, mu) << about;
        params.delta = 0;
        EXPECT_GE(planSharedWishart(params).value().freedom * left, 6) << about;  // n + 1, n = 5
      }
    }
  }
}

TEST(SharedNoise, OfOneSiteIsCompleteIfAllOtherHonestSitesMayBeMissing) {
  MechanismParams params = sharedParams(Federation::kSplit, 10, 3);
  params.sharing.dropouts = 2;
  EXPECT_EQ(planOf(params).own<GaussianNoise>().w_diagonal,
            planOf(sharedParams(Federation::kSplit, 10, 1)).own<GaussianNoise>().w_diagonal);
}

TEST(SharedGrid, FitsTheRowsAndTheNoiseOfAllSitesInto62Bits) {
  for (const double epsilon : {1e-4, 0.1, 1.0, 30.0}) {
    for (const int sites : {2, 20, 5000, 1 << 20, 1 << 30}) {
      for (const int honest : {1, sites / 2 + 1}) {
        MechanismParams params = sharedParams(Federation::kSplit, sites, honest);
        params.epsilon = epsilon;
        const Result<Plan> planned = planSharedGaussian(params);
        if (!planned.ok()) {
          EXPECT_TRUE(epsilon == 1e-4 || sites == 1 << 30) << epsilon << ", " << sites;
          continue;
        }
        const Plan& plan = planned.value();
        EXPECT_LE(plan.bits, kFinestSharedBits);
        EXPECT_GE(plan.max_rows, 1u);
        EXPECT_LE(Uint128(plan.max_rows) * unsigned(sites), plan.max_rows_of_sum);
        const double most = double(plan.max_rows_of_sum) * double(augmentedNormSquared(plan.bits)) +
                            14 * plan.sd_diagonal * std::sqrt(double(sites));
        EXPECT_LE(most, 0x1p62);
        EXPECT_LE(std::ldexp(most, -plan.release_shift), 0x1p53 + 0x1p30);
      }
    }
  }
}

TEST(SharedGrid, IsCoarserIfManySitesWouldHaveTooFewRows) {
  EXPECT_EQ(planOf(sharedParams(Federation::kSplit, 20, 10)).bits, 16);
  EXPECT_EQ(planOf(sharedParams(Federation::kSplit, 20'000, 10)).bits, 15);
  EXPECT_EQ(planOf(sharedParams(Federation::kSplit, 1'000'000, 10)).bits, 14);
  EXPECT_GT(planOf(sharedParams(Federation::kSplit, 1'000'000, 10)).max_rows, 10'000u);
}

TEST(SharedGrid, LimitsParticipantsAndNotTheirRowsForUnitParticipant) {
  const Plan plan = planOf(
      sharedParams(Federation::kSplit, 1'000'000, 10, Neighbours::kAddRemove, Unit::kParticipant));
  EXPECT_EQ(plan.bits, 16);
  EXPECT_EQ(plan.max_rows, (std::uint64_t{1} << 53) - 1);
  EXPECT_GE(plan.max_rows_of_sum, 1'000'000u);
}

TEST(SharedGrid, IsReleasedInUnitsThatMatchTheNoiseOfTheSum) {
  const Plan plan = planOf(sharedParams(Federation::kSplit, 400, 100));
  const double steps = std::ldexp(10 * plan.sd_off_diagonal, -plan.release_shift);
  EXPECT_GE(steps, 4096);
  EXPECT_LT(steps, 8192);
}

TEST(SharedWishart, GivesAnyHonestSitesAtLeastTheDegreesOfFreedomOfOneRelease) {
  for (const int honest : {1, 2, 3, 5, 6, 7, 50}) {
    MechanismParams params = sharedParams(Federation::kRing, 50, honest);
    params.delta = 0;
    const Plan plan = planSharedWishart(params).value();
    EXPECT_GE(plan.freedom * honest, 6);  // n + 1, n = 5
    EXPECT_LT((plan.freedom - 1) * honest, 6) << "and no more than necessary";
    EXPECT_EQ(plan.guarantee.epsilon, 1);
    EXPECT_EQ(plan.guarantee.delta, 0);
    EXPECT_EQ(plan.guarantee.honest, honest);
    EXPECT_EQ(plan.guarantee.floor.has_value(), honest == 1);
    EXPECT_EQ(plan.guarantee.numerics, honest == 1 ? Numerics::kExact : Numerics::kIdealized);
    params.sharing = {};
    const Plan one = planTwoSidedWishart(params).value();
    const double unit = std::ldexp(1.0, -2 * plan.bits),
                 unit_of_one = std::ldexp(1.0, -2 * one.bits);
    EXPECT_NEAR(plan.sd_diagonal * unit * std::sqrt(6.0 / plan.freedom),
                one.sd_diagonal * unit_of_one, 1e-6 * one.sd_diagonal * unit_of_one);
  }
}

TEST(Federated, StudiesWithoutAFederationHaveThePlanOfTheirMechanism) {
  const MechanismParams params = gaussianParams(4, Neighbours::kReplaceOne);
  const Plan plan = planFederated(*findMechanism("gaussian"), params).value();
  EXPECT_EQ(plan.bits, kFinestBits);
  EXPECT_EQ(plan.guarantee.honest, 0);
  EXPECT_EQ(plan.add_noise, nullptr);
  EXPECT_FALSE(isMasked(plan));
}

TEST(Federated, MaskedPlansCannotMakeAReleaseOfOneSite) {
  for (const Federation mode : {Federation::kSplit, Federation::kRing, Federation::kCorrelated}) {
    const Plan plan = planFederated(*findMechanism("gaussian"), sharedParams(mode, 5, 3)).value();
    EXPECT_EQ(plan.release, nullptr);
    EXPECT_TRUE(isMasked(plan));
  }
}

TEST(Federated, RejectsWhatCannotBeShared) {
  const auto refused = [](const char* mechanism, const MechanismParams& params) {
    const Result<Plan> plan = planFederated(*findMechanism(mechanism), params);
    return plan.ok() ? std::string("fine") : plan.error().field;
  };
  MechanismParams good = sharedParams(Federation::kSplit, 5, 3);
  EXPECT_EQ(refused("gaussian", good), "fine");
  for (const char* name : {"laplace", "frobenius", "wishart", "power-method"}) {
    EXPECT_EQ(refused(name, good), "mechanism") << name;
  }
  EXPECT_EQ(refused("two-sided-wishart", sharedParams(Federation::kCorrelated, 5, 3)), "mechanism");
  EXPECT_EQ(refused("gaussian", sharedParams(Federation::kSplit, 1, 1)), "federation.sites");
  EXPECT_EQ(refused("gaussian", sharedParams(Federation::kSplit, 1001, 1)), "fine");
  EXPECT_EQ(refused("gaussian", sharedParams(Federation::kCorrelated, 1001, 1)),
            "federation.sites");
  EXPECT_EQ(refused("gaussian", sharedParams(Federation::kSplit, 5, 0)), "federation.honest");
  EXPECT_EQ(refused("gaussian", sharedParams(Federation::kSplit, 5, 6)), "federation.honest");
  for (const int dropouts : {-1, 3, 4}) {
    MechanismParams params = good;
    params.sharing.dropouts = dropouts;
    EXPECT_EQ(refused("gaussian", params), "federation.dropouts") << dropouts;
  }
  MechanismParams paired = sharedParams(Federation::kCorrelated, 5, 3);
  paired.sharing.dropouts = 1;
  EXPECT_EQ(refused("gaussian", paired), "federation.dropouts");
  MechanismParams adaptive = good;
  adaptive.clipping = Clipping::kAdaptive;
  EXPECT_EQ(refused("gaussian", adaptive), "clipping");
  for (const double ratio : {0.0, -1.0, 2e6, std::nan("")}) {
    MechanismParams params = sharedParams(Federation::kCorrelated, 5, 3);
    params.sharing.ratio = ratio;
    EXPECT_EQ(refused("gaussian", params), "federation.ratio") << ratio;
  }
  MechanismParams tiny = good;
  tiny.epsilon = tiny.delta = 1e-12;
  EXPECT_EQ(planSharedGaussian(tiny).error().code, Code::kNoiseTooLarge);
}

}  // namespace federation_sharing_test
}  // namespace pm
