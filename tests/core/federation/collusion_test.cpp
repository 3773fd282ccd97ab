// The privacy of messages with Gaussian masks, compared with inverted covariance matrices
// (tests/vectors/federation_reference.py).
#include "core/federation/collusion.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <string>

#include "core/federation/sharing.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/privacy/gaussian.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace federation_collusion_test {

using namespace testing_support;

const std::map<std::string, View> kViews = {
    {"one-message", View::kOneMessage},
    {"pair-masks", View::kPairMasks},
    {"generated-masks", View::kGeneratedMasks},
    {"all-masks", View::kAllMasks},
    {"generator-on-wire", View::kGeneratorOnWire},
    {"generator-and-published", View::kGeneratorAndPublished},
    {"wire-and-published", View::kWireAndPublished},
    {"published", View::kPublished},
};

MechanismParams correlatedParams(double epsilon, double delta, int sites, int honest, double ratio,
                                 bool joint) {
  MechanismParams params = gaussianParams(3, Neighbours::kAddRemove, Unit::kRow, epsilon, delta);
  params.row_norm = 1;
  params.sites = sites;
  params.sharing = {Federation::kCorrelated, honest, ratio, joint};
  return params;
}

TEST(Exposure, IsTheEntryOfTheInvertedCovarianceForEveryView) {
  int compared = 0;
  for (const auto& [name, sites, honest, ratio, value] :
       readVectors("federation.json")["views"]
           .get<std::vector<std::tuple<std::string, int, int, double, double>>>()) {
    EXPECT_NEAR(exposure(kViews.at(name), sites, honest, ratio) / value, 1, 1e-9)
        << name << ", " << sites << " sites, " << honest << " honest, ratio " << ratio;
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

// The covariance of honest messages if the first `group` sites see one roster and every other site
// a different one: masks between sites with the same roster cancel, all others are independent.
Eigen::MatrixXd covarianceOfGroup(int honest, int group, double ratio) {
  Eigen::MatrixXd covariance =
      (1 + ratio * (honest - 1)) * Eigen::MatrixXd::Identity(honest, honest);
  for (int i = 0; i < group; ++i) {
    for (int j = 0; j < group; ++j) covariance(i, j) -= i == j ? 0 : ratio;
  }
  return covariance;
}

TEST(Exposure, IsNotLargerIfACoordinatorShowsDifferentRosters) {
  for (const int honest : {2, 3, 7, 12}) {
    for (const double ratio : {0.01, 1.0, 100.0}) {
      const double stated = exposure(View::kPairMasks, 20, honest, ratio);
      for (int group = 1; group <= honest; ++group) {
        const double seen = covarianceOfGroup(honest, group, ratio).inverse()(0, 0);
        EXPECT_LE(seen, stated * (1 + 1e-9)) << honest << ", " << group << ", " << ratio;
        if (group == honest) {
          EXPECT_NEAR(seen / stated, 1, 1e-9);
        }
      }
    }
  }
}

TEST(Kappa, IsThatOfThePaperIfAllAreHonestAndGrowsWithCollusion) {
  for (const int sites : {2, 5, 10, 100, 1000}) {
    const double expected = 2.0 * sites / (sites + 1);
    EXPECT_NEAR(kappa(View::kPairMasks, sites, sites, 1), expected, 1e-12);
    EXPECT_NEAR(kappa(View::kGeneratedMasks, sites, sites, 1), expected, 1e-12);
    EXPECT_NEAR(kappa(View::kOneMessage, sites, sites, 1), 1, 1e-12) << "the claim";
  }
  EXPECT_NEAR(kappa(View::kGeneratedMasks, 10, 7, 1), 2.2078, 5e-5);
  EXPECT_NEAR(kappa(View::kPairMasks, 10, 7, 1), 2.5, 1e-12);
  EXPECT_NEAR(kappa(View::kPairMasks, 100, 67, 1), 2.9412, 5e-5);
}

TEST(CorrelatedPlan, HasTheOwnNoiseThatTheInvertedCovarianceRequires) {
  const nlohmann::json vectors = readVectors("federation.json");
  for (const auto& each : vectors["calibrations"]) {
    const Plan plan =
        planSharedGaussian(correlatedParams(each["epsilon"], each["delta"], each["sites"],
                                            each["honest"], each["ratio"], true))
            .value();
    const double own = plan.sd_diagonal * plan.sd_diagonal / double(plan.sensitivity_squared);
    EXPECT_NEAR(own / each["own"].get<double>(), 1, 1e-6) << each.dump();
    EXPECT_GE(own, each["own"].get<double>()) << each.dump();
    const double ratio = std::pow(double(plan.own<GaussianNoise>().w_pair_diagonal) /
                                      double(plan.own<GaussianNoise>().w_diagonal),
                                  2);
    EXPECT_NEAR(ratio / each["ratio"].get<double>(), 1, 1e-6) << each.dump();
    EXPECT_EQ(plan.guarantee.delta, each["delta"].get<double>());
    EXPECT_FALSE(plan.guarantee.alone);
  }
}

TEST(CorrelatedPlan, CalibratedAsPublishedStatesTheGuaranteeOfAllMessages) {
  const nlohmann::json vectors = readVectors("federation.json");
  for (const auto& each : vectors["claims"]) {
    const Plan plan = planSharedGaussian(correlatedParams(each["epsilon"], each["delta"],
                                                          each["sites"], each["honest"], 1, false))
                          .value();
    const Guarantee& g = plan.guarantee;
    EXPECT_EQ(g.epsilon, each["epsilon"].get<double>());
    EXPECT_NEAR(g.gdp / each["mu"].get<double>(), 1, 1e-6) << each.dump();
    EXPECT_NEAR(g.delta / each["trueDelta"].get<double>(), 1, 1e-5) << each.dump();
    EXPECT_GT(g.delta, 3 * each["delta"].get<double>()) << "more than the label says";
    EXPECT_NEAR(epsilonOfGdp(g.gdp, each["delta"]) / each["trueEpsilon"].get<double>(), 1, 1e-5);
    ASSERT_TRUE(g.alone);
    EXPECT_EQ(g.alone->epsilon, each["epsilon"].get<double>());
    EXPECT_EQ(g.alone->delta, each["delta"].get<double>()) << "the published claim";
    ASSERT_TRUE(g.floor);
    EXPECT_GT(g.floor->gdp, g.gdp);
  }
}

TEST(CorrelatedPlan, CostsAtMostOnePartInRMoreThanTheHonestSitesNeed) {
  for (const int sites : {5, 10, 100}) {
    for (const double ratio : {1.0, 10.0, 100.0, 1e4}) {
      const double overhead = sites * exposure(View::kPairMasks, sites, sites, ratio);
      EXPECT_LT(overhead, 1 + 1 / ratio);
      EXPECT_GT(overhead, 1);
    }
  }
}

}  // namespace federation_collusion_test
}  // namespace pm
