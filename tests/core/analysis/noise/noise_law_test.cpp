#include "core/analysis/noise/noise_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <vector>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/pca.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/spectrum.hpp"
#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace noise_law_test {

using fixtures::indices;

Drbg seeded(std::uint8_t number) {
  Seed seed{};
  seed[0] = number;
  return Drbg(seed);
}

struct Case {
  const char* name;
  NoiseFamily family;
  int releases;
  int features;
  int spare;  ///< Wishart families: degrees of freedom beyond the D + 1 coordinates
};

constexpr Case kCases[] = {
    {"normal", NoiseFamily::kGaussian, 1, 12, 0},
    {"one normal feature", NoiseFamily::kGaussian, 1, 1, 0},
    {"Laplace", NoiseFamily::kLaplace, 1, 12, 0},
    {"three Laplace", NoiseFamily::kLaplace, 3, 20, 0},
    {"Frobenius", NoiseFamily::kFrobenius, 1, 3, 0},
    {"Frobenius in more dimensions", NoiseFamily::kFrobenius, 1, 12, 0},
    {"two-sided Wishart", NoiseFamily::kTwoSidedWishart, 1, 12, 1},
    {"two-sided Wishart in more dimensions", NoiseFamily::kTwoSidedWishart, 1, 30, 1},
    {"three two-sided Wishart", NoiseFamily::kTwoSidedWishart, 3, 12, 1},
    {"Wishart", NoiseFamily::kWishart, 1, 12, 34},
    {"Wishart in more dimensions", NoiseFamily::kWishart, 1, 30, 34},
};

SumNoise noiseOf(const Case& one, double sd) {
  const bool wishart =
      one.family == NoiseFamily::kTwoSidedWishart || one.family == NoiseFamily::kWishart;
  const double diagonal = one.family == NoiseFamily::kLaplace ? sd : std::numbers::sqrt2 * sd;
  return {
      diagonal, sd, sd, 0, one.family, one.releases, wishart ? one.features + 1 + one.spare : 0};
}

NoiseLaw lawOf(const SumNoise& noise) {
  return {noise.diagonal, noise.off_diagonal, noise.family, noise.releases, noise.freedom};
}

constexpr int kRounds = 1000;
/// 5 % plus 4.5 standard deviations: a true rate of 5 % exceeds it 3 times in a million.
constexpr int kMost = 81;

TEST(SpectralFloor, IsExceededByTheNoiseOfEveryFamilyInAtMostOneDrawInTwenty) {
  for (const Case& one : kCases) {
    const SumNoise noise = noiseOf(one, 1);
    const NoiseDraw draw(noise, one.features);
    const NoiseLaw law = lawOf(noise);
    NoiseLaw gaussian = law;
    gaussian.family = NoiseFamily::kGaussian;
    Drbg random = seeded(1);
    int above = 0;
    int above_edge = 0;
    int half = 0;
    const int d = one.features;
    const int h = (d + 1) / 2;
    for (int round = 0; round < kRounds; ++round) {
      const Eigen::MatrixXd e = draw.draw(random).bottomRightCorner(d, d);
      const double largest = spectrum(e).values[0];
      above += largest > spectralFloor(law, d) ? 1 : 0;
      above_edge += largest > spectralEdge(gaussian, d) ? 1 : 0;
      half += spectrum(e.topLeftCorner(h, h)).values[0] > spectralFloor(law, h) ? 1 : 0;
    }
    std::cout << one.name << ": above the floor " << above << ", half of the features " << half
              << ", above the edge of normal noise " << above_edge << " of " << kRounds << "\n";
    EXPECT_LE(above, kMost) << one.name;
    EXPECT_LE(half, kMost) << one.name;
  }
}

TEST(SpectralFloor, OfNormalNoiseWouldBeTooLowForWishartNoise) {
  for (const Case& one : kCases) {
    const SumNoise noise = noiseOf(one, 1);
    if (noise.freedom == 0 || one.features < 30) continue;
    const NoiseDraw draw(noise, one.features);
    NoiseLaw gaussian = lawOf(noise);
    gaussian.family = NoiseFamily::kGaussian;
    Drbg random = seeded(2);
    int above = 0;
    for (int round = 0; round < 200; ++round) {
      const Eigen::MatrixXd e = draw.draw(random).bottomRightCorner(one.features, one.features);
      above += spectrum(e).values[0] > spectralFloor(gaussian, one.features) ? 1 : 0;
    }
    EXPECT_GT(above, 40) << one.name;
  }
}

TEST(SpectralReach, IsTheEdgeOfTheLimitingLaw) {
  // Free difference of two Marchenko-Pastur laws of ratio 1: edge K(y) at y^2 = sqrt 5 - 2.
  const double y = std::sqrt(std::sqrt(5.0) - 2);
  const double edge = 2 * y / (1 - y * y) + 1 / y;
  const NoiseLaw two_sided{1, 1, NoiseFamily::kTwoSidedWishart, 1, 40};
  EXPECT_NEAR(spectralReach(two_sided, 40), edge / std::sqrt(8.0), 1e-12);
  // (sqrt f + sqrt d)^2 - f over 2 sqrt(f d).
  const NoiseLaw wishart{1, 1, NoiseFamily::kWishart, 2, 50};
  EXPECT_NEAR(spectralReach(wishart, 25), (15.0 * 15.0 - 100) / 100, 1e-12);
}

TEST(SpectralReach, IsOneForIndependentEntriesAndTendsToItAsReleasesAddUp) {
  EXPECT_EQ(spectralReach({1, 1, NoiseFamily::kLaplace, 1, 0}, 10), 1);
  EXPECT_EQ(spectralReach({1, 1}, 10), 1);
  for (const NoiseFamily family : {NoiseFamily::kTwoSidedWishart, NoiseFamily::kWishart}) {
    double last = 2;
    for (const int releases : {1, 4, 100, 100000}) {
      const double reach = spectralReach({1, 1, family, releases, 12}, 10);
      EXPECT_LT(reach, last);
      last = reach;
    }
    EXPECT_NEAR(last, 1, 2e-3);
  }
}

TEST(NoiseFloors, AreAboveNoiseOfEveryFamilyInNinetyFivePercentOfReleases) {
  // Features without structure, of variances from well above the noise down to below it.
  constexpr int kDraws = 300;
  constexpr int kFewest = 268;  // 95 % minus 4.5 standard deviations
  for (const Case& one : kCases) {
    if (one.features < 2) continue;
    const int d = one.features;
    const SumNoise noise = noiseOf(one, 0.002);
    const NoiseDraw draw(noise, d);
    CcaInput input;
    input.noise = lawOf(noise);
    input.trace_bound = d;
    input.half = Eigen::VectorXd::Ones(d);
    input.x = indices(0, d / 2);
    input.y = indices(d / 2, d - d / 2);
    input.components = 1;
    Eigen::VectorXd variances(d);
    for (int i = 0; i < d; ++i) variances[i] = 0.1 * std::pow(0.02, double(i % (d / 2)) / d);
    Drbg random = seeded(3);
    int below = 0;
    int nothing = 0;
    for (int round = 0; round < kDraws; ++round) {
      const Eigen::MatrixXd e = draw.draw(random).bottomRightCorner(d, d);
      input.covariance = Eigen::MatrixXd(variances.asDiagonal()) + e;
      below += cca(input).value().correlations[0].below_noise_floor ? 1 : 0;
      PcaInput empty;
      static_cast<NoisyCovariance&>(empty) = input;
      empty.covariance = e;
      empty.components = 1;
      nothing += pca(empty).value().explained[0].below_noise_floor ? 1 : 0;
    }
    std::cout << one.name << ": first correlation below in " << below << ", first variance in "
              << nothing << " of " << kDraws << "\n";
    EXPECT_GE(below, kFewest) << one.name;
    EXPECT_GE(nothing, kFewest) << one.name;
  }
}

/// A law of noise in z and a frame, without a matrix.
PcaInput emptyIn(const Frame& frame, const NoiseLaw& law) {
  const auto d = frame.units.size();
  PcaInput input;
  input.covariance = Eigen::MatrixXd::Zero(d, d);
  input.noise = law;
  input.trace_bound = 1e9;
  input.half = frame.units;
  input.frame = frame;
  input.components = 1;
  return input;
}

/// Largest eigenvalues of noise in scaled units, sorted.
struct Largest {
  std::vector<double> values;
  double median() const { return values[values.size() / 2]; }
  double exceededByOneInTwenty() const { return values[values.size() * 19 / 20]; }
  int above(double level) const {
    return static_cast<int>(values.end() - std::upper_bound(values.begin(), values.end(), level));
  }
};

template <class Noise>
Largest largestOf(const Frame& frame, int rounds, Noise noise) {
  Largest largest;
  for (int round = 0; round < rounds; ++round) {
    largest.values.push_back(eigenvalues(frame.covariance(noise()))[0]);
  }
  std::sort(largest.values.begin(), largest.values.end());
  return largest;
}

TEST(VarianceFloor, OfUnequalUnitsIsExceededInAtMostOneDrawInTwentyAndNotMuchTooHigh) {
  for (const Case& one : kCases) {
    if (one.features < 12) continue;
    const SumNoise noise = noiseOf(one, 1);
    const NoiseDraw draw(noise, one.features);
    for (const double span : {1.0, 2.0, 5.0}) {
      const Frame frame = fixtures::someFrame(one.features, span, 31);
      const double floor = varianceFloor(emptyIn(frame, lawOf(noise)));
      Drbg random = seeded(4);
      const Largest largest = largestOf(frame, kRounds, [&] {
        return Eigen::MatrixXd(draw.draw(random).bottomRightCorner(one.features, one.features));
      });
      const double ratio = floor / largest.exceededByOneInTwenty();
      std::cout << one.name << ", units from 2^-" << span << ": above the floor "
                << largest.above(floor) << " of " << kRounds << ", floor / 95 % quantile " << ratio
                << "\n";
      EXPECT_LE(largest.above(floor), kMost) << one.name;
      EXPECT_LT(ratio, 1.35) << one.name;
    }
  }
}

TEST(VarianceFloor, OfManyFeaturesOfUnequalUnitsIsNearTheUsualNoise) {
  constexpr int kDimension = 100;
  const NoiseLaw law = fixtures::rotationInvariant(1);
  const NoiseDraw draw(SumNoise::everywhere(law), kDimension);
  for (const double span : {2.0, 4.0}) {
    const Frame frame = fixtures::someFrame(kDimension, span, 31);
    PcaInput input = emptyIn(frame, law);
    const double floor = varianceFloor(input);
    Drbg random = seeded(6);
    int shown = 0;
    const Largest largest = largestOf(frame, 100, [&] {
      input.covariance = draw.draw(random).bottomRightCorner(kDimension, kDimension);
      shown += pca(input).value().explained[0].below_noise_floor ? 0 : 1;
      return input.covariance;
    });
    EXPECT_GT(floor, largest.median());
    EXPECT_LT(floor, 1.3 * largest.median());
    // 5 % plus 4.5 standard deviations.
    EXPECT_LE(largest.above(floor), 15);
    EXPECT_LE(shown, 15);
    // Features of the largest unit or of the mean square would be far off.
    const double equal = spectralFloor(law, kDimension);
    const double most = frame.units.maxCoeff();
    EXPECT_GT(equal * most * most, 1.8 * floor);
    EXPECT_LT(equal * frame.units.squaredNorm() / kDimension, 0.9 * floor);
  }
}

TEST(VarianceFloor, OfUnequalUnitsIncludesTheNoiseOfMeansFarFromTheCentre) {
  constexpr int kDimension = 40;
  const NoiseDraw draw(SumNoise::everywhere(fixtures::rotationInvariant(1)), kDimension);
  for (const double length : {0.5, 1.4, 3.0}) {
    const Frame frame = fixtures::someFrame(kDimension, 4, 32);
    PcaInput input = emptyIn(frame, fixtures::rotationInvariant(1));
    const double without = varianceFloor(input);
    const Eigen::VectorXd t = Eigen::VectorXd::Constant(kDimension, length / std::sqrt(kDimension));
    input.mean_noise = t;
    input.noise = fixtures::rotationInvariant(std::sqrt(1 + 2 * t.squaredNorm() / kDimension));
    const double floor = varianceFloor(input);
    Drbg random = seeded(5);
    const Largest largest = largestOf(frame, kRounds, [&] {
      const Eigen::MatrixXd e = draw.draw(random);
      const Eigen::VectorXd u = e.col(0).tail(kDimension);
      const Eigen::MatrixXd of_means = t * u.transpose();
      return Eigen::MatrixXd(e.bottomRightCorner(kDimension, kDimension) - of_means -
                             of_means.transpose());
    });
    const double ratio = floor / largest.exceededByOneInTwenty();
    std::cout << "length " << length << ": above the floor " << largest.above(floor)
              << ", above that without the noise of means " << largest.above(without) << " of "
              << kRounds << ", floor / 95 % quantile " << ratio << "\n";
    EXPECT_LE(largest.above(floor), kMost);
    EXPECT_LT(ratio, 1.2);
    if (length == 3) {
      EXPECT_GT(largest.above(without), 2 * kMost);
    }
  }
}

TEST(VarianceFloor, OfSeveralColumnsIsThatOfTheirLongestCombination) {
  for (const Frame& frame : {Frame{}, fixtures::someFrame(20, 3, 33)}) {
    PcaInput input = emptyIn(fixtures::someFrame(20, 1, 33), fixtures::rotationInvariant(1));
    input.frame = frame;
    Eigen::VectorXd t = Eigen::VectorXd::Zero(20);
    t.head(10).setConstant(1);
    input.noise = fixtures::rotationInvariant(std::sqrt(1 + 2 * 1.25 * t.squaredNorm() / 20));
    const auto floorOf = [&](const Eigen::MatrixXd& columns) {
      input.mean_noise = columns;
      return varianceFloor(input);
    };
    Eigen::MatrixXd across = Eigen::MatrixXd::Zero(20, 1);
    across.bottomRows(10).setConstant(0.5);
    Eigen::MatrixXd columns(20, 3);
    columns << 0.6 * t, across, 0.8 * t;
    Eigen::MatrixXd orthogonal(20, 2);
    orthogonal << t, across;
    EXPECT_NEAR(floorOf(columns), floorOf(orthogonal), 1e-9);
  }
}

TEST(VarianceFloor, IncludesTheNoiseOfReleasesAboutDifferentCentres) {
  constexpr int kDimension = 40;
  constexpr int kCentres = 3;
  const NoiseDraw draw(SumNoise::everywhere(fixtures::rotationInvariant(1)), kDimension);
  Drbg random = seeded(8);
  PcaInput input = emptyIn(fixtures::someFrame(kDimension, 1, 34), fixtures::rotationInvariant(1));
  input.frame = {};
  input.mean_noise = Eigen::MatrixXd::Zero(kDimension, kCentres);
  for (int s = 0; s < kCentres; ++s) input.mean_noise.col(s).segment(10 * s, 10).setConstant(0.8);
  const double means = 2 * input.mean_noise.squaredNorm() / kDimension;
  input.noise = fixtures::rotationInvariant(std::sqrt(1 + means));
  const double floor = varianceFloor(input);
  const Largest largest = largestOf({}, kRounds, [&] {
    Eigen::MatrixXd error = draw.draw(random).bottomRightCorner(kDimension, kDimension);
    for (int s = 0; s < kCentres; ++s) {
      Eigen::VectorXd u = draw.draw(random).col(0).tail(kDimension);
      const Eigen::MatrixXd of_means = input.mean_noise.col(s) * u.transpose();
      error -= of_means + of_means.transpose();
    }
    return error;
  });
  EXPECT_LE(largest.above(floor), kMost);
  EXPECT_LT(floor / largest.exceededByOneInTwenty(), 1.2);
}

TEST(VarianceFloor, OfEqualUnitsIsThatWithoutAFrame) {
  for (const double length : {0.0, 0.5, 1.5, 3.0}) {
    const double unit = 0.25;
    const Frame frame{Eigen::VectorXd::Zero(20), Eigen::VectorXd::Constant(20, unit)};
    PcaInput input = emptyIn(frame, fixtures::rotationInvariant(1));
    input.mean_noise = Eigen::VectorXd::Constant(20, length / std::sqrt(20.0));
    const double floor = varianceFloor(input);
    input.frame = {};
    EXPECT_NEAR(floor, varianceFloor(input) * unit * unit, 1e-9 * floor) << length;
  }
}

}  // namespace noise_law_test
}  // namespace pm
