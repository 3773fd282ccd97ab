#include "core/analysis/noise/entry_levels.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/noise/noise_draw.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/support/statistics.hpp"

namespace pm {
namespace entry_levels_test {

constexpr int kFeatures = 8;
constexpr double kEntries = 0.5 * kFeatures * (kFeatures - 1);

NoiseLaw lawOf(NoiseFamily family, int releases, int freedom = 0) {
  return {std::sqrt(2.0), 1, family, releases, freedom};
}

const NoiseLaw kLaws[] = {
    lawOf(NoiseFamily::kGaussian, 1),    lawOf(NoiseFamily::kLaplace, 1),
    lawOf(NoiseFamily::kLaplace, 5),     lawOf(NoiseFamily::kFrobenius, 1),
    lawOf(NoiseFamily::kWishart, 1, 12), lawOf(NoiseFamily::kTwoSidedWishart, 2, 12),
};

TEST(EntryReach, IsExceededBySomeEntryOffTheDiagonalInAtMostOneReleaseInTwenty) {
  constexpr int kDraws = 4000;
  // Seven standard deviations of a count of chance 0.05, above its mean.
  const double most = kDraws * 0.05 + 7 * std::sqrt(kDraws * 0.05 * 0.95);
  for (const NoiseLaw& law : kLaws) {
    const double reach = entryReach(law, kFeatures, kEntries);
    const NoiseDraw noise(SumNoise::everywhere(law), kFeatures);
    Drbg random = simulationDrbg(5);
    int exceeded = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      Eigen::MatrixXd e = noise.draw(random).bottomRightCorner(kFeatures, kFeatures);
      e.diagonal().setZero();
      exceeded += e.cwiseAbs().maxCoeff() > reach ? 1 : 0;
    }
    EXPECT_LT(exceeded, most) << static_cast<int>(law.family);
    EXPECT_GT(exceeded, kDraws * 0.005) << static_cast<int>(law.family);
  }
}

TEST(EntryReach, IsTheNormalQuantileForNormalNoiseAndForManyReleasesOfAnyOther) {
  // P(|Z| > 1.959964) = 0.05.
  EXPECT_NEAR(entryReach(lawOf(NoiseFamily::kGaussian, 1), kFeatures, 1), 1.959964, 1e-6);
  EXPECT_NEAR(entryReach(lawOf(NoiseFamily::kLaplace, 1000000), kFeatures, 1), 1.959964, 1e-4);
  EXPECT_GT(entryReach(lawOf(NoiseFamily::kLaplace, 1), kFeatures, 100),
            1.3 * entryReach(lawOf(NoiseFamily::kGaussian, 1), kFeatures, 100));
}

TEST(EntryLevels, AddTheNoiseOfTheMeansAndTheSamplingOfRowsToThatOfTheProducts) {
  NoisyCovariance data;
  data.covariance = Eigen::Vector2d(0.4, 0.1).asDiagonal();
  data.noise = fixtures::rotationInvariant(0.05);
  data.trace_bound = 2;
  data.half = Eigen::VectorXd::Ones(2);
  const double reach = entryReach(data.noise, 2, 3);
  const Eigen::MatrixXd alone = entryLevels(data, 0, 3);
  EXPECT_NEAR(alone(0, 1), reach * 0.05, 1e-12);
  EXPECT_NEAR(alone(0, 0), reach * 0.05 * std::sqrt(2.0), 1e-12);

  const Eigen::MatrixXd sampled = entryLevels(data, 50, 3);
  EXPECT_NEAR(sampled(0, 1), reach * std::hypot(0.05, std::sqrt(0.4 * 0.1 / 50)), 1e-12);
  EXPECT_NEAR(sampled(1, 1), reach * std::sqrt(2.0) * std::hypot(0.05, 0.1 / std::sqrt(50)), 1e-12);

  // The root mean square of the noise stays; more of it is in the first feature.
  data.mean_noise = Eigen::Vector2d(0.03, 0);
  const Eigen::MatrixXd off_centre = entryLevels(data, 0, 3);
  const double products = 0.05 * 0.05 - 0.03 * 0.03;
  EXPECT_NEAR(off_centre(1, 1), reach * std::sqrt(2 * products), 1e-12);
  EXPECT_NEAR(off_centre(0, 1), reach * std::sqrt(products + 0.03 * 0.03), 1e-12);
  EXPECT_NEAR(off_centre(0, 0), reach * std::sqrt(2 * products + 4 * 0.03 * 0.03), 1e-12);

  data.mean_noise = {};
  data.centre_spread = Eigen::MatrixXd::Constant(2, 2, -0.2);
  EXPECT_NEAR(entryLevels(data, 0, 3)(0, 1), alone(0, 1) + 0.2, 1e-12);
}

}  // namespace entry_levels_test
}  // namespace pm
