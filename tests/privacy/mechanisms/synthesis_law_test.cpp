// The law of the noise that a synthesis adds, against the law of its proof: scales are computed
// here from sensitivity and budget, not taken from the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/privacy/gaussian.hpp"
#include "core/synthesis/fit/synthesis.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/gamma_difference.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/synthesis_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace synthesis_law_test {

using namespace testing_support;

constexpr double kBudget = 0.4;
constexpr std::size_t kCells = 40;
// Classes whose noise is drawn together; the bounds are those of two.
constexpr int kBlocks = 200;
constexpr std::uint64_t kLength = std::uint64_t{1} << kRowBits;

using Cdf = std::function<double(double)>;

double laplaceCdf(double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }
double normalCdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }
Cdf gammaCdf(double shape) {
  return [shape](double x) { return 1 - gammaTail(shape, x); };
}

// p-value of x having this distribution: its values of the distribution function are uniform.
double fit(const std::vector<double>& x, const Cdf& cdf) {
  std::vector<std::uint64_t> counts(kCells);
  for (const double v : x) ++counts[std::min(kCells - 1, std::size_t(cdf(v) * double(kCells)))];
  return goodnessOfFit(counts, std::vector<double>(kCells, double(x.size()) / double(kCells)));
}

// Whether the law fits, and laws with a scale 5 % off or with the inverse of the budget do not.
void expectScale(const std::vector<double>& noise, double scale, const Cdf& cdf, const char* what) {
  const auto at = [&](double factor) {
    std::vector<double> x = noise;
    for (double& v : x) v /= scale * factor;
    return fit(x, cdf);
  };
  EXPECT_GT(at(1), kAlarm / 16) << what;
  EXPECT_LT(at(1.05), kAlarm) << what;
  EXPECT_LT(at(1 / 1.05), kAlarm) << what;
  EXPECT_LT(at(kBudget * kBudget), kAlarm) << what;
}

// The noise of `count` draws of a step, in units of the grid.
std::vector<std::vector<double>> drawsOf(const Query& query, SynthesisNoise kind, std::size_t count,
                                         std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  DrawnNoise noise(random);
  const Step step = calibrate("", query, kind, kBudget).value();
  std::vector<std::vector<double>> result;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Int128> sums(query.entries());
    noise.add(step, sums);
    result.emplace_back(sums.begin(), sums.end());
  }
  return result;
}

std::vector<double> flat(const std::vector<std::vector<double>>& rows) {
  std::vector<double> result;
  for (const auto& row : rows) result.insert(result.end(), row.begin(), row.end());
  return result;
}

TEST(SynthesisNoiseLaw, OfVectorsIsLaplaceGaussianOrThatOfABall) {
  const Query query = sumsQuery(kBlocks, 4, kRowBits);
  const double l1 = double(query.l1), l2 = 2 * double(kLength);
  expectScale(flat(drawsOf(query, SynthesisNoise::kLaplace, 80, 1)), l1 / kBudget, laplaceCdf,
              "laplace");
  expectScale(flat(drawsOf(query, SynthesisNoise::kGaussian, 50, 2)), l2 / kBudget, normalCdf,
              "gaussian");
  std::vector<double> lengths, shares;
  for (const auto& draw : drawsOf(query, SynthesisNoise::kFrobenius, 120, 3)) {
    for (std::size_t block = 0; block < std::size_t(kBlocks); ++block) {
      double square = 0;
      for (std::size_t i = 0; i < 4; ++i) square += draw[4 * block + i] * draw[4 * block + i];
      lengths.push_back(std::sqrt(square));
      shares.push_back(draw[4 * block] * draw[4 * block] / square);
    }
  }
  expectScale(lengths, l2 / kBudget, gammaCdf(4), "length");
  EXPECT_GT(fit(shares, [](double x) { return betaBelow(0.5, 1.5, x); }), kAlarm / 16);
  EXPECT_LT(fit(shares, [](double x) { return betaBelow(0.5, 2, x); }), kAlarm);
}

TEST(SynthesisNoiseLaw, OfMatricesIsThatOfTheirMechanisms) {
  const Query query = scatterQuery(kBlocks, 3, kRowBits, kLength, true);
  const double trace = double(kLength) * double(kLength);
  const auto entries = [&](SynthesisNoise kind, std::size_t count, std::uint64_t seed, auto read) {
    std::vector<double> result;
    for (const auto& draw : drawsOf(query, kind, count, seed)) {
      for (std::size_t block = 0; block < std::size_t(kBlocks); ++block)
        read(&draw[6 * block], result);
    }
    return result;
  };
  // (0,0), (0,1), (0,2), (1,1), (1,2), (2,2)
  const auto diagonal = [](const double* e, std::vector<double>& to) {
    to.insert(to.end(), {e[0], e[3], e[5]});
  };
  const auto elsewhere = [](const double* e, std::vector<double>& to) {
    to.insert(to.end(), {e[1], e[2], e[4]});
  };
  const auto length = [](const double* e, std::vector<double>& to) {
    to.push_back(std::sqrt(e[0] * e[0] + e[3] * e[3] + e[5] * e[5] +
                           2 * (e[1] * e[1] + e[2] * e[2] + e[4] * e[4])));
  };
  const auto sum = [](const double* e, std::vector<double>& to) {
    to.push_back(e[0] + e[3] + e[5]);
  };
  const double l1 = 4 * trace, l2 = std::numbers::sqrt2 * trace;
  expectScale(entries(SynthesisNoise::kLaplace, 140, 4, diagonal), l1 / kBudget, laplaceCdf,
              "laplace diagonal");
  expectScale(entries(SynthesisNoise::kLaplace, 140, 5, elsewhere), l1 / kBudget, laplaceCdf,
              "laplace elsewhere");
  expectScale(entries(SynthesisNoise::kGaussian, 70, 6, diagonal), l2 / kBudget, normalCdf,
              "gaussian diagonal");
  expectScale(entries(SynthesisNoise::kGaussian, 70, 7, elsewhere), trace / kBudget, normalCdf,
              "gaussian elsewhere");
  expectScale(entries(SynthesisNoise::kFrobenius, 100, 8, length), 2 * trace / kBudget, gammaCdf(6),
              "frobenius");
  // The trace of n + 1 = 4 degrees of freedom in 3 dimensions: twice a Gamma of shape 6.
  expectScale(
      entries(SynthesisNoise::kTwoSidedWishart, 300, 9, sum), 2 * trace / kBudget,
      [](double x) { return 1 - gammaDifferenceTail(6, x); }, "two-sided Wishart");
}

TEST(SynthesisNoiseLaw, IsThatOfTheReleaseOfCentredRows) {
  // 60 rows at the centre: the mean equals its noise, and so does the variance half of the time.
  SynthesisTerms terms = synthesisTerms(1, 0, 1);
  const std::vector<double> cells(60);
  std::vector<double> means, variances;
  std::uint64_t zero = 0;
  const std::uint64_t count = draws(1'500);
  for (std::uint64_t i = 0; i < count; ++i) {
    SynthesisTable table = tableOf(terms, cells);
    Drbg random(unsafeTestSeed(10'000 + i));
    DrawnNoise noise(random);
    const Synthesis made = synthesise(table, noise).value();
    means.push_back(made.gaussians[0].mean[0] * 60 * 0.25 / 2);
    // The residuals are as long as the released mean.
    const double mean = made.gaussians[0].mean[0];
    const double exact = std::min(mean * mean, 0.64);
    const double noise_in = (made.gaussians[0].covariance(0, 0) - exact) * 60 * 0.75 / 0.64;
    if (made.gaussians[0].covariance(0, 0) == 0) {
      ++zero;
    } else if (made.gaussians[0].covariance(0, 0) < 0.64 * (1 - 1e-9) && noise_in > 0) {
      variances.push_back(noise_in);
    }
  }
  // The mean is clipped to 1 with probability e^-7.5.
  const auto shortened = [](double x) { return laplaceCdf(x); };
  EXPECT_GT(fit(means, shortened), kAlarm / 16);
  // With probability 1/2 the noise is positive, and then exponential.
  EXPECT_GT(binomialTail(variances.size(), count, 0.5), kAlarm / 16);
  EXPECT_GT(fit(variances, [](double x) { return 1 - std::exp(-x); }), kAlarm / 16);
  EXPECT_GT(zero, 0u);
}

}  // namespace synthesis_law_test
}  // namespace pm
