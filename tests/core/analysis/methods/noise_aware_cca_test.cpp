#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/matrix/spectrum.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/core/analysis/planted.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace noise_aware_cca_test {

using fixtures::Deterministic;
using fixtures::indices;
using fixtures::rotationInvariant;

/// A population of two views of d features each with known canonical correlations.
struct Population {
  Eigen::MatrixXd covariance;
  int d;
  double row_norm_squared;
};

/// Variances fall as 0.3 / i^decay in random directions of each view; the canonical variates are
/// random mixtures of all of them.
Population plant(Deterministic& random, int d, double decay, const Eigen::VectorXd& correlations) {
  Eigen::VectorXd sds(d);
  for (int i = 0; i < d; ++i) sds[i] = std::sqrt(0.3 * std::pow(i + 1, -decay));
  const auto root = [&]() -> Eigen::MatrixXd {
    const Eigen::MatrixXd axes = random.orthogonal(d);
    return axes * sds.asDiagonal() * random.orthogonal(d);
  };
  const Eigen::MatrixXd x = root();
  const Eigen::MatrixXd y = root();
  Eigen::VectorXd rho = Eigen::VectorXd::Zero(d);
  rho.head(correlations.size()) = correlations;

  Population population{Eigen::MatrixXd(2 * d, 2 * d), d, static_cast<double>(2 * d)};
  population.covariance << x * x.transpose(), x * rho.asDiagonal() * y.transpose(),
      y * rho.asDiagonal() * x.transpose(), y * y.transpose();
  return population;
}

CcaInput release(Deterministic& random, const Population& population, double sd, int components) {
  const NoiseLaw law = rotationInvariant(sd);
  const int d = population.d;
  return {{population.covariance + random.noise(2 * d, law),
           law,
           population.row_norm_squared,
           Eigen::VectorXd::Ones(2 * d),
           {}},
          indices(0, d),
          indices(d, d),
          components};
}

/// The textbook's inverse square root, with |eigenvalue| if noise made it negative.
Eigen::MatrixXd rawWhitener(const Eigen::MatrixXd& block) {
  const Spectrum decomposed = spectrum(block);
  return decomposed.vectors * decomposed.values.cwiseAbs().cwiseSqrt().cwiseInverse().asDiagonal();
}

struct Estimate {
  Eigen::VectorXd correlations;
  Eigen::MatrixXd x;
  Eigen::MatrixXd y;
};

Estimate rawWhitening(const CcaInput& input, int components) {
  const auto d = static_cast<Eigen::Index>(input.x.size());
  const Eigen::MatrixXd a = rawWhitener(input.covariance.topLeftCorner(d, d));
  const Eigen::MatrixXd b = rawWhitener(input.covariance.bottomRightCorner(d, d));
  const SingularPairs pairs =
      singularPairs(a.transpose() * input.covariance.topRightCorner(d, d) * b);
  return {pairs.values.head(components).cwiseMin(1.0), a * pairs.left.leftCols(components),
          b * pairs.right.leftCols(components)};
}

Estimate noiseAware(const CcaInput& input) {
  const Cca result = cca(input).value();
  Eigen::VectorXd values(input.components);
  for (int j = 0; j < input.components; ++j) {
    values[j] = result.correlations[static_cast<std::size_t>(j)].value;
  }
  return {values, result.x.weights, result.y.weights};
}

/// Sum of the true canonical correlations between the subspaces that the weights span.
double captured(const Population& population, const Estimate& estimate) {
  const int d = population.d;
  const Eigen::MatrixXd& c = population.covariance;
  const Eigen::MatrixXd xx = estimate.x.transpose() * c.topLeftCorner(d, d) * estimate.x;
  const Eigen::MatrixXd yy = estimate.y.transpose() * c.bottomRightCorner(d, d) * estimate.y;
  const Eigen::MatrixXd xy = estimate.x.transpose() * c.topRightCorner(d, d) * estimate.y;
  const Eigen::MatrixXd a = flooredWhitener(xx, 0);
  const Eigen::MatrixXd b = flooredWhitener(yy, 0);
  return singularPairs(a.transpose() * xy * b).values.sum();
}

struct Score {
  double error = 0;     ///< mean |estimated - true correlation|
  double captured = 0;  ///< mean sum of true correlations
};

struct Comparison {
  Score aware;
  Score raw;
};

Comparison compare(int d, double decay, double sd) {
  constexpr int kRounds = 20;
  const Eigen::Vector3d rho(0.8, 0.5, 0.3);
  Deterministic random(61);
  Comparison comparison;
  for (int round = 0; round < kRounds; ++round) {
    const Population population = plant(random, d, decay, rho);
    const CcaInput input = release(random, population, sd, 3);
    const auto add = [&](const Estimate& estimate, Score& score) {
      score.error += (estimate.correlations - rho).cwiseAbs().mean() / kRounds;
      score.captured += captured(population, estimate) / kRounds;
    };
    add(noiseAware(input), comparison.aware);
    add(rawWhitening(input, 3), comparison.raw);
  }
  std::cout << "d " << d << ", noise sd " << sd << ": mean error " << comparison.aware.error
            << " (raw whitening " << comparison.raw.error << "), captured "
            << comparison.aware.captured << " (" << comparison.raw.captured << ") of 1.6\n";
  return comparison;
}

TEST(NoiseAwareCca, IsFarMoreAccurateThanRawWhiteningIfTheNoiseReachesSmallVariances) {
  // Edge 0.07 against variances from 0.3 down to 0.025.
  const Comparison comparison = compare(12, 1, 0.01);
  EXPECT_LT(comparison.aware.error, 0.2);
  EXPECT_GT(comparison.raw.error, 0.4);
  EXPECT_GT(comparison.aware.captured, comparison.raw.captured);
}

TEST(NoiseAwareCca, IsFarMoreAccurateThanRawWhiteningInManyDimensions) {
  const Comparison comparison = compare(50, 1, 0.001);
  EXPECT_LT(comparison.aware.error, 0.2);
  EXPECT_GT(comparison.raw.error, 0.4);
  EXPECT_GT(comparison.aware.captured, comparison.raw.captured);
}

TEST(NoiseAwareCca, IsAsAccurateAsRawWhiteningForSmallNoise) {
  const Comparison comparison = compare(12, 1, 1e-4);
  EXPECT_LT(comparison.aware.error, 0.005);
  EXPECT_NEAR(comparison.aware.error, comparison.raw.error, 0.002);
  EXPECT_GT(comparison.aware.captured, 1.59);
}

TEST(NoiseAwareCca, TendsToTheExactAnalysisAsTheNoiseVanishes) {
  Deterministic random(62);
  const Population population = plant(random, 6, 1, Eigen::Vector3d(0.8, 0.5, 0.3));
  CcaInput input = release(random, population, 1e-9, 3);
  const Cca noisy = cca(input).value();
  input.covariance = population.covariance;
  input.noise = {};
  const Cca exact = cca(input).value();
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(noisy.correlations[j].value, exact.correlations[j].value, 1e-6);
  }
  EXPECT_LT((noisy.x.weights - exact.x.weights).norm(), 1e-5);
  EXPECT_LT((noisy.y.loadings - exact.y.loadings).norm(), 1e-5);
  EXPECT_LT(noisy.noise_floor, 1e-6);
}

TEST(NoiseAwareCca, VariatesHaveUnitVarianceInTheDenoisedCovariance) {
  Deterministic random(67);
  const Population population = plant(random, 8, 1, Eigen::Vector2d(0.9, 0.4));
  CcaInput input = release(random, population, 0.01, 2);
  input.half.setConstant(2);
  const Cca result = cca(input).value();
  const Eigen::MatrixXd clean = denoised(input.covariance, input.noise, input.trace_bound);
  for (int j = 0; j < 2; ++j) {
    const Eigen::VectorXd x = 2 * result.x.weights.col(j);
    const Eigen::VectorXd y = 2 * result.y.weights.col(j);
    EXPECT_NEAR(x.dot(clean.topLeftCorner(8, 8) * x), 1, 1e-9);
    EXPECT_NEAR(y.dot(clean.bottomRightCorner(8, 8) * y), 1, 1e-9);
    EXPECT_GT(x.dot(clean.topRightCorner(8, 8) * y), 0);
    for (int i = 0; i < 8; ++i) {
      EXPECT_NEAR(result.y.loadings(i, j),
                  clean.row(8 + i).tail(8).dot(y) / std::sqrt(clean(8 + i, 8 + i)), 1e-9);
    }
  }
}

TEST(NoiseAwareCca, NeverLeavesItsRangesHoweverLargeTheNoise) {
  Deterministic random(63);
  for (const double sd : {0.01, 0.1, 1.0, 100.0}) {
    const Population population = plant(random, 8, 2, Eigen::Vector2d(0.9, 0.4));
    const Cca result = cca(release(random, population, sd, 8)).value();
    double last = 1;
    for (const CanonicalCorrelation& correlation : result.correlations) {
      EXPECT_GE(correlation.value, 0);
      EXPECT_LE(correlation.value, last);
      EXPECT_GE(correlation.noise_floor, 0);
      EXPECT_LE(correlation.noise_floor, result.noise_floor);
      last = correlation.value;
    }
    EXPECT_LE(result.noise_floor, 1);
    EXPECT_LE(result.x.loadings.cwiseAbs().maxCoeff(), 1);
    EXPECT_TRUE(result.x.weights.allFinite() && result.y.weights.allFinite());
  }
}

TEST(NoiseFloor, IsAboveNoiseAloneInNinetyFivePercentOfReleases) {
  constexpr int kRounds = 200;
  Deterministic random(64);
  for (const auto& [d, decay, sd] :
       {std::tuple{2, 0.0, 0.01}, std::tuple{5, 0.0, 0.01}, std::tuple{5, 2.0, 0.003},
        std::tuple{20, 0.0, 0.005}, std::tuple{20, 1.0, 0.003}}) {
    int first_below = 0;
    int all_below = 0;
    for (int round = 0; round < kRounds; ++round) {
      const Population independent = plant(random, d, decay, Eigen::VectorXd::Zero(1));
      const Cca result = cca(release(random, independent, sd, d)).value();
      first_below += result.correlations[0].value <= result.noise_floor ? 1 : 0;
      bool all = true;
      for (const CanonicalCorrelation& pair : result.correlations) all &= pair.below_noise_floor;
      all_below += all ? 1 : 0;
    }
    std::cout << "d " << d << ", decay " << decay << ", noise sd " << sd << ": first below "
              << first_below << ", all below their own " << all_below << " of " << kRounds << "\n";
    EXPECT_GE(first_below, kRounds * 95 / 100);
    EXPECT_GE(all_below, kRounds * 95 / 100);
  }
}

TEST(NoiseFloor, IncludesTheNoiseOfMeansFarFromTheCentre) {
  // Equal rows, those of the first view on the bounds, so that there is nothing but noise,
  // especially with a small constant coordinate, on which the noise of means depends.
  constexpr int kRounds = 400;
  constexpr int kFeatures = 80;
  Drbg random(testing_support::unsafeTestSeed(67));
  CcaInput input = fixtures::inputOf(kFeatures / 2, 4);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(kFeatures);
  mean.head(kFeatures / 2).setConstant(1.4);
  int above = 0;
  int ignored = 0;
  int weightless = 0;
  for (int round = 0; round < kRounds; ++round) {
    const AssembledMoments moments = fixtures::releasedConstant(mean, 0.001, random);
    input.covariance = moments.scaled_covariance;
    input.noise = moments.covariance_noise;
    input.mean_noise = moments.mean_noise;
    above += cca(input).value().correlations[0].below_noise_floor ? 0 : 1;
    input.mean_noise.resize(0, 0);
    const Cca plain = cca(input).value();
    for (Eigen::Index j = 0; j < 4; ++j) {
      if (plain.correlations[static_cast<std::size_t>(j)].below_noise_floor) continue;
      ignored += j == 0;
      weightless += plain.x.weights.col(j).isZero(0) || plain.y.weights.col(j).isZero(0);
    }
  }
  std::cout << "above the floor " << above << ", without the means' noise " << ignored << " of "
            << kRounds << "\n";
  EXPECT_LE(above, kRounds * 5 / 100);
  EXPECT_GT(ignored, kRounds * 10 / 100);
  EXPECT_EQ(weightless, 0) << "a pair above its floor has weights";
}

TEST(NoiseFloor, DependsOnTheSumOfTheSquaredColumnsOfTheMeansNoise) {
  Deterministic random(68);
  CcaInput input = release(random, plant(random, 3, 0, Eigen::VectorXd::Zero(1)), 1e-3, 2);
  const Eigen::VectorXd t = Eigen::VectorXd::Constant(input.covariance.rows(), 4e-4);
  input.mean_noise = t;
  const Cca one = cca(input).value();
  input.mean_noise.resize(t.size(), 2);
  input.mean_noise << 0.6 * t, 0.8 * t;
  const Cca two = cca(input).value();
  EXPECT_NEAR(one.noise_floor, two.noise_floor, 1e-12);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(one.correlations[j].noise_floor, two.correlations[j].noise_floor, 1e-12) << j;
  }
}

TEST(NoiseFloor, IsAboveWhatCannotBeACorrelationIfNoiseCouldCauseMore) {
  // Whitened, what the two views share has the value 9, and clipping may have added all of it.
  CcaInput input = fixtures::inputOf(3, 1);
  input.covariance = 0.1 * Eigen::MatrixXd::Identity(6, 6);
  input.centre_spread = Eigen::MatrixXd::Zero(6, 6);
  input.centre_spread.topRightCorner(3, 3).setConstant(0.3);
  input.centre_spread.bottomLeftCorner(3, 3).setConstant(0.3);
  input.covariance += input.centre_spread;
  input.noise = fixtures::rotationInvariant(0.001);
  EXPECT_TRUE(cca(input).value().correlations[0].below_noise_floor);
  input.centre_spread *= 0.8;
  EXPECT_FALSE(cca(input).value().correlations[0].below_noise_floor);
}

TEST(NoiseFloor, IncludesSamplingErrorIfTheNumberOfRowsIsSet) {
  Deterministic random(68);
  const Population independent = plant(random, 3, 0, Eigen::VectorXd::Zero(1));
  CcaInput input = release(random, independent, 1e-5, 2);
  const double alone = cca(input).value().noise_floor;
  input.rows = 100;
  EXPECT_NEAR(cca(input).value().noise_floor, std::hypot(alone, (2 * std::sqrt(3) + 0.5) / 10),
              1e-12);
}

TEST(NoiseFloor, IsLowerForAPairInPreciseDirectionsThanForTheWorst) {
  // One strong feature in each view carries the correlation; seven have almost no variance. Noise
  // alone could cause a larger correlation in those, but not in the strong features.
  constexpr int kRounds = 100;
  Deterministic random(65);
  Eigen::VectorXd variances = Eigen::VectorXd::Constant(16, 1e-5);
  variances[0] = variances[8] = 0.3;
  Population population{variances.asDiagonal(), 8, 16};
  population.covariance(0, 8) = population.covariance(8, 0) = 0.7 * 0.3;
  int found = 0;
  int second_below = 0;
  double error = 0;
  double lower = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Cca result = cca(release(random, population, 1e-3, 2)).value();
    const CanonicalCorrelation& first = result.correlations[0];
    found += first.below_noise_floor ? 0 : 1;
    second_below += result.correlations[1].below_noise_floor ? 1 : 0;
    error += std::abs(first.value - 0.7) / kRounds;
    lower += (result.noise_floor - first.noise_floor) / kRounds;
  }
  EXPECT_GE(found, 90);
  EXPECT_GE(second_below, 90);
  EXPECT_LT(error, 0.1);
  EXPECT_GT(lower, 0.2);
}

TEST(NoiseFloor, IsLowerIfTheIndicatorsOfACategoryAreDeclared) {
  // Each view: one number and one category of three equal levels, independent of each other.
  Deterministic random(66);
  Eigen::MatrixXd block = Eigen::MatrixXd::Zero(4, 4);
  block(0, 0) = 0.2;
  block.bottomRightCorner(3, 3) = Eigen::Matrix3d(Eigen::Vector3d::Constant(1.0 / 3).asDiagonal()) -
                                  Eigen::Matrix3d::Constant(1.0 / 9);
  Population population{Eigen::MatrixXd::Zero(8, 8), 4, 8};
  population.covariance.topLeftCorner(4, 4) = population.covariance.bottomRightCorner(4, 4) = block;
  CcaInput input = release(random, population, 1e-4, 1);
  EXPECT_GT(cca(input).value().noise_floor, 0.2);
  input.columns = {0, 1, 1, 1, 2, 3, 3, 3};
  EXPECT_LT(cca(input).value().noise_floor, 0.01);
}

}  // namespace noise_aware_cca_test
}  // namespace pm
