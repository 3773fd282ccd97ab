#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/privacy/gaussian.hpp"
#include "core/research/published/hardt_price.hpp"
#include "core/research/published/output_perturbation.hpp"
#include "tests/support/matrix_vectors.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace published_rounds_test {

using namespace testing_support;
using Eigen::MatrixXd;

PublishedParams paramsOf(double epsilon, double delta, Neighbours neighbours, int components = 1,
                         int rounds = 1) {
  PublishedParams params{epsilon, delta, neighbours, 100};
  params.components = components;
  params.rounds = rounds;
  return params;
}

TEST(HardtPrice, HasThePapersScaleAndTheGuaranteeThatScaleGivesPerRow) {
  const auto vectors = readVectors("rounds.json")["ppm"];
  ASSERT_EQ(vectors.size(), 3u);
  for (const auto& v : vectors) {
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const PublishedParams params = paramsOf(v["eps"].get<double>(), v["delta"].get<double>(),
                                              neighbours, v["k"].get<int>(), v["L"].get<int>());
      const double sigma = hardtPriceDeviation(params);
      EXPECT_NEAR(sigma, v["sigma_HardtPrice_entry_level"].get<double>(), 1e-9);
      // The calibrated scale for the same run is smaller by the factor by which mu is larger.
      const char* key =
          neighbours == Neighbours::kAddRemove ? "sigma_GDP_add_remove" : "sigma_GDP_replace_one";
      const Guarantee g = *hardtPriceGuarantee(params);
      EXPECT_NEAR(g.gdp * sigma,
                  v[key].get<double>() * gdpOfEpsilonDelta(params.epsilon, params.delta), 1e-9);
      EXPECT_NEAR(std::exp(logDeltaOfGdp(g.epsilon, g.gdp)), params.delta, 1e-9 * params.delta);
      EXPECT_LT(g.epsilon, params.epsilon);
      EXPECT_EQ(g.numerics, Numerics::kIdealized);
      EXPECT_EQ(g.neighbours, neighbours);
    }
  }
}

TEST(HardtPrice, SatisfiesItsClaimUpTo23LogsOfDeltaAndNotForEveryEpsilon) {
  for (const double delta : {1e-3, 1e-5, 1e-9}) {
    const double logs = -std::log(delta);
    for (const int k : {1, 2, 5}) {
      for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
        for (const double epsilon : {0.1, 1.0, 2.3 * logs}) {
          EXPECT_LE(hardtPriceGuarantee(paramsOf(epsilon, delta, neighbours, k, 7))->epsilon,
                    epsilon);
        }
      }
    }
    const double epsilon = 5 * logs;
    EXPECT_GT(hardtPriceGuarantee(paramsOf(epsilon, delta, Neighbours::kReplaceOne, 2, 7))->epsilon,
              epsilon);
  }
}

TEST(HardtPrice, HasNoGuaranteeAndUsesNoDataAtDeltaZero) {
  const PublishedParams params = paramsOf(1, 0, Neighbours::kReplaceOne, 2, 3);
  EXPECT_FALSE(hardtPriceGuarantee(params).has_value());
  Drbg first(unsafeTestSeed(1)), second(unsafeTestSeed(1));
  const MatrixXd large = 1e9 * MatrixXd::Ones(4, 4);
  EXPECT_EQ(hardtPrice(large, params, first), hardtPrice(0 * large, params, second));
}

TEST(HardtPrice, IsTheNoisyPowerMethodAtItsScale) {
  const PublishedParams params = paramsOf(1, 1e-5, Neighbours::kReplaceOne, 2, 3);
  MatrixXd scatter = MatrixXd::Zero(4, 4);
  scatter.diagonal() << 40, 30, 5, 1;
  Drbg first(unsafeTestSeed(1)), second(unsafeTestSeed(1));
  EXPECT_EQ(hardtPrice(scatter, params, first),
            noisyPowerMethod(scatter, 2, 3, hardtPriceDeviation(params), second));
}

TEST(NoisyPowerMethod, FindsTheLeadingDirectionsWithoutNoise) {
  MatrixXd scatter = MatrixXd::Zero(4, 4);
  scatter.diagonal() << 40, 20, 5, 1;
  Drbg random(unsafeTestSeed(2));
  const MatrixXd v = noisyPowerMethod(scatter, 2, 40, 0, random);
  EXPECT_NEAR(std::fabs(v(0, 0)), 1, 1e-9);
  EXPECT_NEAR(std::fabs(v(1, 1)), 1, 1e-9);
  EXPECT_NEAR((v.transpose() * v - MatrixXd::Identity(2, 2)).norm(), 0, 1e-12);
}

TEST(OutputPerturbation, StartsFromTheReferenceWeights) {
  const auto v = readVectors("rounds.json")["ridge"];
  const MatrixXd w = ridgeWeights(matrixOf(v["C"]), v["n"].get<double>(), v["alpha"].get<double>());
  ASSERT_EQ(w.rows(), 2);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(w(i, 0), v["w"][std::size_t(i)].get<double>(), 1e-14);
}

TEST(OutputPerturbation, HasTheReferenceSensitivities) {
  const auto cases = readVectors("rounds.json")["ridge"]["output_perturbation"];
  ASSERT_EQ(cases.size(), 2u);
  for (const auto& v : cases) {
    const RidgeSensitivity s = ridgeSensitivity(v["n"].get<double>(), v["alpha"].get<double>());
    EXPECT_NEAR(s.weights, v["R"].get<double>(), 1e-12);
    EXPECT_NEAR(s.gradient, v["G"].get<double>(), 1e-12);
    EXPECT_NEAR(s.distance, v["Delta2"].get<double>(), 1e-12);
  }
}

TEST(OutputPerturbation, NeverChangesByMoreThanItsSensitivityWhenARowIsReplaced) {
  // Random data sets, and extreme ones: few rows, all equal, one replaced by the opposite target.
  UnsafeTestRandom random(21);
  double largest = 0;
  for (int trial = 0; trial < 2'000; ++trial) {
    const int d = 2 + int(random.below(3)), n = 1 + int(random.below(6));
    const double penalty = std::exp(-6 + 6 * random.uniform());
    const auto row = [&] {
      Eigen::VectorXd x(d);
      for (int i = 0; i < d; ++i) x[i] = random.symmetric();
      if (trial % 3 == 0) x.head(d - 1).setConstant(random.uniform());
      return Eigen::VectorXd(x / x.norm());
    };
    MatrixXd scatter = MatrixXd::Zero(d, d);
    const Eigen::VectorXd common = row();
    for (int i = 1; i < n; ++i) {
      const Eigen::VectorXd x = trial % 2 ? common : row();
      scatter += x * x.transpose();
    }
    const Eigen::VectorXd x = row();
    Eigen::VectorXd y = row();
    if (trial % 5 == 0) y = x, y[d - 1] = -y[d - 1];
    const double moved = (ridgeWeights(scatter + x * x.transpose(), n, penalty) -
                          ridgeWeights(scatter + y * y.transpose(), n, penalty))
                             .norm();
    const RidgeSensitivity s = ridgeSensitivity(n, penalty);
    EXPECT_LE(moved, s.distance);
    EXPECT_LE(ridgeWeights(scatter + x * x.transpose(), n, penalty).norm(), s.weights);
    largest = std::max(largest, moved / s.distance);
  }
  EXPECT_GT(largest, 0.3);
}

TEST(OutputPerturbation, StatesAPureEpsilonOnlyIfTheNumberOfRowsIsPublic) {
  const Guarantee g = *outputPerturbationGuarantee(paramsOf(0.5, 1e-6, Neighbours::kReplaceOne));
  EXPECT_EQ(g.epsilon, 0.5);
  EXPECT_EQ(g.delta, 0);
  EXPECT_EQ(g.neighbours, Neighbours::kReplaceOne);
  EXPECT_EQ(g.unit, Unit::kRow);
  EXPECT_FALSE(outputPerturbationGuarantee(paramsOf(0.5, 0, Neighbours::kAddRemove)).has_value());
}

TEST(PublishedRounds, AreListedUnderTheirNames) {
  ASSERT_NE(findPublished("hardt-price"), nullptr);
  EXPECT_EQ(findPublished("hardt-price")->run, &hardtPrice);
  ASSERT_NE(findPublished("output-perturbation"), nullptr);
  EXPECT_EQ(findPublished("output-perturbation")->run, &outputPerturbation);
}

}  // namespace published_rounds_test
}  // namespace pm
