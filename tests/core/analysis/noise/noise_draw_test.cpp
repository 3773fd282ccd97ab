#include "core/analysis/noise/noise_draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/random/continuous.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/gamma_difference.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace noise_draw_test {

using namespace testing_support;

constexpr int kFeatures = 2;
constexpr int kSize = kFeatures + 1;
constexpr int kFreedom = 6;

SumNoise noiseOf(NoiseFamily family, int releases) {
  SumNoise noise{std::numbers::sqrt2 * 3, 3, 3, 0, family, releases, kFreedom};
  if (family == NoiseFamily::kLaplace) noise.diagonal = noise.off_diagonal;
  return noise;
}

TEST(SimulatedNormals, HaveTheNormalLawIntoTheTails) {
  // Cells of width 0.1 up to 5, past the ziggurat's tail at 3.65, and one beyond.
  constexpr int kCells = 102;
  const std::size_t trials = draws(20'000'000);
  const auto below = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
  std::vector<double> normals(trials);
  Drbg random(unsafeTestSeed(61));
  simulateNormals(normals, random);
  std::vector<std::uint64_t> counts(kCells);
  for (const double x : normals) {
    ++counts[static_cast<std::size_t>(std::clamp(std::floor(10 * x) + kCells / 2, 0.0, 101.0))];
  }
  std::vector<double> expected(kCells);
  for (int i = 0; i < kCells; ++i) {
    const double low = i == 0 ? 0 : below(0.1 * (i - kCells / 2));
    const double high = i == kCells - 1 ? 1 : below(0.1 * (i + 1 - kCells / 2));
    expected[static_cast<std::size_t>(i)] = static_cast<double>(trials) * (high - low);
  }
  EXPECT_GT(goodnessOfFit(counts, expected), 1e-7);
}

TEST(SimulatedNormals, HaveTheLawOfThePolarMethodWithinALayerToo) {
  // Cells of a thousandth around the widths of the upper layers, where the wedges are.
  constexpr int kCells = 1000;
  const std::size_t trials = draws(10'000'000);
  std::vector<double> normals(trials);
  Drbg random(unsafeTestSeed(62));
  simulateNormals(normals, random);
  std::vector<std::uint64_t> simulated(kCells + 1), polar(kCells + 1);
  const auto cell = [](double x) {
    return static_cast<std::size_t>(std::min<double>(kCells, std::floor(1000 * std::abs(x))));
  };
  for (const double x : normals) {
    ++simulated[cell(x)];
    ++polar[cell(standardNormal(random))];
  }
  EXPECT_GT(homogeneity(simulated, polar), 1e-7);
}

TEST(SimulatedNormals, AreUncorrelatedWithEarlierOnes) {
  const std::size_t trials = draws(4'000'000);
  std::vector<double> normals(trials);
  Drbg random(unsafeTestSeed(63));
  simulateNormals(normals, random);
  for (const std::size_t lag : {1, 2, 3}) {
    double products = 0, squares = 0;
    for (std::size_t i = lag; i < trials; ++i) {
      products += normals[i] * normals[i - lag];
      squares += (normals[i] * normals[i] - 1) * (normals[i - lag] * normals[i - lag] - 1) / 2;
    }
    // Sums of independent terms of variance 1.
    EXPECT_LT(std::abs(products), 6 * std::sqrt(static_cast<double>(trials)));
    EXPECT_LT(std::abs(squares), 6 * std::sqrt(static_cast<double>(trials)));
  }
}

using Source = std::function<Eigen::MatrixXd(Drbg&)>;

Source drawsOf(const SumNoise& noise) {
  return [draw = NoiseDraw(noise, kFeatures)](Drbg& random) { return draw.draw(random); };
}

/// P(an entry off the diagonal > x sds), P(one on it > x sds).
struct Tails {
  std::function<double(double)> off_diagonal;
  std::function<double(double)> diagonal;
};

Tails tailsOf(const SumNoise& noise) {
  const int freedom = noise.releases * noise.freedom;
  switch (noise.family) {
    case NoiseFamily::kLaplace: {
      const auto tail = [r = noise.releases](double x) {
        return gammaDifferenceTail(r, x * std::sqrt(2.0 * r));
      };
      return {tail, tail};
    }
    case NoiseFamily::kTwoSidedWishart:
      // Products x y are differences of squares; a diagonal entry is a difference of chi-squares.
      return {[freedom](double x) {
                return gammaDifferenceTail(freedom, x * std::sqrt(2.0 * freedom));
              },
              [freedom](double x) {
                return gammaDifferenceTail(freedom / 2, x * std::sqrt(1.0 * freedom));
              }};
    case NoiseFamily::kWishart:
      return {[freedom](double x) {
                return gammaDifferenceTail(freedom / 2, x * std::sqrt(1.0 * freedom));
              },
              [freedom](double x) {
                return chiSquareTail(freedom + x * std::sqrt(2.0 * freedom), freedom);
              }};
    default: {
      const auto tail = [](double x) { return std::erfc(x / std::numbers::sqrt2) / 2; };
      return {tail, tail};
    }
  }
}

/// Smallest p-value of a source's draws, times the number of tests: sds of every entry and the
/// marginal laws; for the Frobenius family with one release the law of the length instead.
double judge(const Source& source, const SumNoise& noise, std::uint64_t seed) {
  const std::uint64_t count = draws(20000);
  Drbg random(unsafeTestSeed(seed));
  std::vector<double> off, diagonal, lengths;
  std::vector<std::vector<double>> squares(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Eigen::MatrixXd e = source(random);
    off.push_back(e(1, 2) / noise.off_diagonal);
    diagonal.push_back(e(1, 1) / noise.diagonal);
    squares[0].push_back(off.back() * off.back());
    squares[1].push_back(diagonal.back() * diagonal.back());
    squares[2].push_back(std::pow(e(0, 2) / noise.linear, 2));
    squares[3].push_back(std::pow(e(2, 2) / noise.diagonal, 2));
    lengths.push_back(e.norm());
  }
  std::vector<double> p;
  for (const std::vector<double>& each : squares) p.push_back(hasMean("", each, 1).p);
  if (noise.family != NoiseFamily::kFrobenius) {
    const Tails tails = tailsOf(noise);
    p.push_back(fit("", off, tails.off_diagonal, -3, 3).p);
    p.push_back(fit("", diagonal, tails.diagonal, -3, 3).p);
  } else if (noise.releases == 1) {
    const double coordinates = kSize * (kSize + 1) / 2 - 1;
    const double scale = noise.off_diagonal * std::sqrt(2 / (coordinates + 1));
    for (double& length : lengths) length /= scale;
    p.push_back(fit(
                    "", lengths, [&](double x) { return gammaTail(coordinates, x); }, 0, 15)
                    .p);
  }
  double least = 1;
  for (const double each : p) least = std::min(least, each);
  return least * double(p.size());
}

/// p-value for the largest entries of two sources having the same law.
double alike(const Source& first, const Source& second) {
  const std::uint64_t count = draws(20000);
  std::vector<std::uint64_t> counts[2] = {std::vector<std::uint64_t>(40),
                                          std::vector<std::uint64_t>(40)};
  const Source* sources[2] = {&first, &second};
  for (int s = 0; s < 2; ++s) {
    Drbg random(unsafeTestSeed(std::uint64_t(900 + s)));
    for (std::uint64_t i = 0; i < count; ++i) {
      const double size = (*sources[s])(random).cwiseAbs().maxCoeff();
      ++counts[s][std::min<std::size_t>(39, std::size_t(size * 1.6))];
    }
  }
  return homogeneity(counts[0], counts[1]);
}

const std::vector<NoiseFamily> kFamilies = {NoiseFamily::kGaussian, NoiseFamily::kLaplace,
                                            NoiseFamily::kFrobenius, NoiseFamily::kTwoSidedWishart,
                                            NoiseFamily::kWishart};

TEST(NoiseDraw, HasTheLawOfEveryFamilyForOneReleaseAndForThree) {
  for (const NoiseFamily family : kFamilies) {
    for (const int releases : {1, 3}) {
      const SumNoise noise = noiseOf(family, releases);
      EXPECT_GT(judge(drawsOf(noise), noise, 11), kAlarm) << int(family) << " x " << releases;
    }
  }
}

TEST(NoiseDraw, OfThreeReleasesIsTheSumOfThreeDraws) {
  for (const NoiseFamily family : kFamilies) {
    SumNoise single = noiseOf(family, 1);
    for (double* sd : {&single.diagonal, &single.off_diagonal, &single.linear}) *sd /= std::sqrt(3);
    const Source one = drawsOf(single);
    const auto summed = [&](Drbg& random) -> Eigen::MatrixXd {
      return one(random) + one(random) + one(random);
    };
    EXPECT_GT(alike(drawsOf(noiseOf(family, 3)), summed), kAlarm) << int(family);
  }
}

TEST(NoiseDraw, WithTheWrongSizeOrFamilyIsDetected) {
  if (kSlowBuild) return;  // too few draws there
  for (const NoiseFamily family : kFamilies) {
    const SumNoise noise = noiseOf(family, 1);
    const Source right = drawsOf(noise);
    const auto larger = [&](Drbg& random) -> Eigen::MatrixXd { return 1.05 * right(random); };
    EXPECT_LT(judge(larger, noise, 12), kAlarm) << int(family);
    SumNoise normal = noise;
    normal.family = NoiseFamily::kGaussian;
    if (family != NoiseFamily::kGaussian) {
      EXPECT_LT(judge(drawsOf(normal), noise, 13), kAlarm) << int(family);
      SumNoise many = noise;
      many.releases = 3;
      EXPECT_LT(judge(drawsOf(many), noise, 14), kAlarm) << int(family);
    }
  }
}

TEST(NoiseDraw, IsSymmetricAndDoesNotChangeAPublicCount) {
  Drbg random(unsafeTestSeed(15));
  for (const NoiseFamily family : kFamilies) {
    SumNoise noise = noiseOf(family, 2);
    const Eigen::MatrixXd e = NoiseDraw(noise, kFeatures).draw(random);
    EXPECT_EQ(e.rows(), kSize);
    EXPECT_EQ(e, e.transpose());
    EXPECT_EQ(e(0, 0), 0);
    noise.count = 5;
    EXPECT_NE(NoiseDraw(noise, kFeatures).draw(random)(0, 0), 0);
  }
}

TEST(NoiseDraw, IsZeroWithoutNoise) {
  Drbg random(unsafeTestSeed(16));
  EXPECT_EQ(NoiseDraw(SumNoise{}, 4).draw(random).norm(), 0);
}

}  // namespace noise_draw_test
}  // namespace pm
