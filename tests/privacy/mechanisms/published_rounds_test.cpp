// The laws of two published baselines, and an audit of the one with pure differential privacy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/random/continuous.hpp"
#include "core/research/published/hardt_price.hpp"
#include "core/research/published/output_perturbation.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace published_rounds_test {

using namespace testing_support;
using Eigen::MatrixXd;

constexpr int kCells = 40;

// p-value of numbers in [0, 1) being uniform.
double uniformity(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> counts(kCells);
  for (const double u : numbers) ++counts[std::size_t(std::min(u * kCells, kCells - 1.0))];
  return goodnessOfFit(counts, std::vector<double>(kCells, double(numbers.size()) / kCells));
}

struct Noise {
  std::vector<double> radius;  ///< in units of Delta/epsilon
  std::vector<double> angle;   ///< of the first two coordinates, as a share of the circle
};

// The noise that outputPerturbation adds to three weights.
Noise ridgeNoise(const PublishedParams& params, std::uint64_t count, std::uint64_t seed) {
  MatrixXd scatter = MatrixXd::Zero(4, 4);
  scatter.diagonal() << 20, 10, 5, 15;
  scatter(0, 3) = scatter(3, 0) = 8;
  const MatrixXd exact = ridgeWeights(scatter, params.rows, params.penalty);
  const double scale = ridgeSensitivity(params.rows, params.penalty).distance / params.epsilon;
  Noise noise;
  Drbg random(unsafeTestSeed(seed));
  for (std::uint64_t i = 0; i < count; ++i) {
    const MatrixXd b = outputPerturbation(scatter, params, random) - exact;
    noise.radius.push_back(b.norm() / scale);
    noise.angle.push_back(std::atan2(b(0, 0), b(1, 0)) / (2 * std::numbers::pi) + 0.5);
  }
  return noise;
}

double radiusLaw(std::vector<double> radius, double shape) {
  for (double& r : radius) r = gammaTail(shape, r);
  return uniformity(radius);
}

PublishedParams ridgeParams(double epsilon, double rows, double penalty) {
  PublishedParams params{epsilon, 0, Neighbours::kReplaceOne, rows};
  params.penalty = penalty;
  return params;
}

TEST(OutputPerturbationLaw, IsAGammaRadiusInAUniformDirection) {
  // Two p-values, which detect a scale 5 % off, one degree of freedom less, or a preferred
  // direction.
  const Noise noise = ridgeNoise(ridgeParams(0.7, 50, 0.1), draws(30'000), 1);
  EXPECT_GT(radiusLaw(noise.radius, 3), kAlarm / 2);
  EXPECT_GT(uniformity(noise.angle), kAlarm / 2);
  EXPECT_LT(radiusLaw(noise.radius, 2), kAlarm / 2);
  if (kSlowBuild) return;
  for (const double mutant : {0.95, 1.05}) {
    std::vector<double> radius = noise.radius;
    for (double& r : radius) r *= mutant;
    EXPECT_LT(radiusLaw(radius, 3), kAlarm / 2) << mutant;
  }
  std::vector<double> angle = noise.angle;
  for (double& u : angle) u += 0.01 * std::sin(2 * std::numbers::pi * u);
  EXPECT_LT(uniformity(angle), kAlarm / 2);
}

// The largest epsilon refuted for the best neighbours of a search over rows: one other row,
// (x, y) against (x, -y), whose weights differ by 0.44 of the bound. By half-spaces between the two
// minimisers; pure, so delta is 0. Wrong with probability below 1e-6.
double refuted(const PublishedParams& params, std::uint64_t runs, double scale) {
  const double x = 0.6, y = 0.8;
  MatrixXd scatter(2, 2), other(2, 2);
  scatter << x * x, x * y, x * y, y * y;
  other << x * x, -x * y, -x * y, y * y;
  const double w1 = ridgeWeights(scatter, 1, params.penalty)(0, 0);
  const double w2 = ridgeWeights(other, 1, params.penalty)(0, 0);
  Drbg random(unsafeTestSeed(5));
  const auto share = [&](const MatrixXd& data, double exact, double sign) {
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < runs; ++i) {
      const double noise = outputPerturbation(data, params, random)(0, 0) - exact;
      hits += sign * (exact + scale * noise - (w1 + w2) / 2) > 0;
    }
    return hits;
  };
  const double sign = w1 > w2 ? 1 : -1;
  const double hit = probabilityAtLeast(share(scatter, w1, sign), runs, kAlarm / 4);
  const double alarm = probabilityAtMost(share(other, w2, sign), runs, kAlarm / 4);
  return std::log(hit / alarm);
}

TEST(OutputPerturbationAudit, StaysBelowTheClaimAndCatchesNoiseFiveTimesTooSmall) {
  const PublishedParams params = ridgeParams(1, 1, 0.5);
  const std::uint64_t runs = draws(20'000);
  const double honest = refuted(params, runs, 1);
  EXPECT_LE(honest, 1);
  if (!kSlowBuild) {
    EXPECT_GT(honest, 0.1);
    EXPECT_GT(refuted(params, runs, 0.2), 1);
  }
}

// E cos^2 of the angle between the first axis and V after one round on diag(a, 0), by quadrature:
// Y = (a cos phi + sigma g, sigma h), phi uniform. The direction of a normal vector of mean m along
// the first axis has density e^{-m^2/2}/(2 pi) (1 + m cos t sqrt(2 pi) e^{m^2 cos^2 t/2}
// Phi(m cos t)).
double meanSquaredCosine(double a, double sigma) {
  constexpr int kSteps = 400;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double m = a / sigma * std::cos(2 * std::numbers::pi * (i + 0.5) / kSteps);
    for (int j = 0; j < kSteps; ++j) {
      const double c = std::cos(2 * std::numbers::pi * (j + 0.5) / kSteps), mc = m * c;
      const double cdf = std::erfc(-mc / std::numbers::sqrt2) / 2;
      sum += c * c * std::exp(-m * m / 2) *
             (1 + mc * std::sqrt(2 * std::numbers::pi) * std::exp(mc * mc / 2) * cdf);
    }
  }
  return sum / (kSteps * kSteps);
}

TEST(NoisyPowerMethodLaw, RotatesTheDirectionByTheAmountOfItsScale) {
  // One p-value. As cos^2 is within [0, 1], its mean is normal far enough into the tails.
  const double a = 6, sigma = 3;
  MatrixXd scatter = MatrixXd::Zero(2, 2);
  scatter(0, 0) = a;
  Drbg random(unsafeTestSeed(9));
  const std::uint64_t runs = draws(150'000);
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < runs; ++i) {
    const double c = noisyPowerMethod(scatter, 1, 1, sigma, random)(0, 0);
    sum += c * c, squares += c * c * c * c;
  }
  const double n = double(runs), mean = sum / n;
  const double error = std::sqrt((squares / n - mean * mean) / n);
  const auto p = [&](double s) { return normalTail((mean - meanSquaredCosine(a, s)) / error); };
  EXPECT_GT(p(sigma), kAlarm);
  EXPECT_LT(p(sigma * std::numbers::sqrt2), kAlarm);
  if (!kSlowBuild) {
    EXPECT_LT(p(sigma * 1.05), kAlarm);
    EXPECT_LT(p(sigma * 0.95), kAlarm);
  }
}

}  // namespace published_rounds_test
}  // namespace pm
