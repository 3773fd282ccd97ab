// Noise shared by several sites: its law, and a black-box audit of the sum.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/federation/masked.hpp"
#include "core/federation/sharing.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/wishart.hpp"
#include "tests/support/discrete_gaussian_law.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/likelihood_audit.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace shared_noise_test {

using namespace testing_support;

MechanismParams sharedParams(int dimension, int sites, int honest, double epsilon, double delta) {
  MechanismParams params =
      gaussianParams(dimension, Neighbours::kAddRemove, Unit::kRow, epsilon, delta);
  params.sites = sites;
  params.sharing = {Federation::kSplit, honest};
  return params;
}

// The sum of the noise of several sites, entry by entry.
std::vector<std::int64_t> noiseOf(const Plan& plan, int sites, std::uint64_t seed) {
  std::vector<std::uint64_t> words(plan.length);
  for (int site = 0; site < sites; ++site) {
    Drbg random(unsafeTestSeed(seed + std::uint64_t(site)));
    plan.add_noise(plan, random, words);
  }
  std::vector<std::int64_t> sums;
  for (const std::uint64_t word : words) sums.push_back(std::int64_t(word));
  return sums;
}

// Entries off the diagonal.
std::vector<std::int64_t> offDiagonal(const std::vector<std::int64_t>& packed, std::size_t n) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0, entry = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j, ++entry) {
      if (i != j) result.push_back(packed[entry]);
    }
  }
  return result;
}

TEST(SumOfDiscreteGaussians, IsAsCloseToTheDiscreteGaussianAsTheLemmaStates) {
  // Exact convolutions at widths so small that the difference is visible.
  // docs/mechanisms/federation.md, lemma 1: |log quotient| of adding one with precision gamma is
  // below 2 t; here t = 2.01 exp(-2 pi^2 gamma^2).
  for (const double sigma : {0.6, 0.8, 1.0}) {
    const DiscreteGaussianLaw one(sigma * sigma);
    constexpr int kMost = 60;
    std::vector<double> sum(2 * kMost + 1);
    for (int x = -kMost; x <= kMost; ++x) sum[std::size_t(x + kMost)] = one.mass(x);
    double bound = 0;
    for (int sites = 2; sites <= 4; ++sites) {
      std::vector<double> next(sum.size());
      for (int x = -kMost; x <= kMost; ++x) {
        for (int y = std::max(-kMost, x - kMost); y <= std::min(kMost, x + kMost); ++y) {
          next[std::size_t(x + kMost)] += sum[std::size_t(y + kMost)] * one.mass(x - y);
        }
      }
      sum = next;
      const double gamma_squared = sigma * sigma * (sites - 1) / sites;
      const double t = 2.01 * std::exp(-2 * std::numbers::pi * std::numbers::pi * gamma_squared);
      bound += std::log((1 + t) / (1 - t));
      const DiscreteGaussianLaw whole(sites * sigma * sigma);
      double worst = 0;
      for (int x = -6; x <= 6; ++x) {
        worst = std::max(worst,
                         std::fabs(std::log(sum[std::size_t(x + kMost)] / whole.mass(double(x)))));
      }
      EXPECT_LE(worst, bound + 1e-12) << sigma << ", " << sites;
      if (sites == 2) {
        EXPECT_GT(worst, bound / 10) << "the difference is real, " << sigma;
      }
    }
  }
}

TEST(SharedNoise, OfFourSitesHasTheLawOfTheWholeNoise) {
  const Plan plan = planSharedGaussian(sharedParams(300, 6, 4, 1, 1e-6)).value();
  const std::size_t n = 301;
  std::vector<std::int64_t> samples;
  const std::uint64_t runs = draws(20);
  for (std::uint64_t r = 0; r < std::max<std::uint64_t>(1, runs); ++r) {
    const auto run = offDiagonal(noiseOf(plan, 4, 1000 + 10 * r), n);
    samples.insert(samples.end(), run.begin(), run.end());
  }
  // Twice the width of one.
  const Verdict verdict = worst(testLaw(samples, 2 * plan.own<GaussianNoise>().w_off_diagonal));
  EXPECT_GT(verdict.p, kAlarm) << verdict.test;
}

// p-value of noise being no smaller than that of a whole release.
double enoughNoise(const Plan& plan, int sites, std::uint64_t seed) {
  const double mu = gdpOfEpsilonDelta(plan.params.epsilon, plan.params.delta);
  const double w = double(gaussianWidth(mu, plan.sensitivity_squared));
  const double whole = plan.sd_off_diagonal / plan.sd_diagonal * 16 * w;
  double squares = 0, count = 0;
  const std::size_t n = std::size_t(plan.params.dimension) + 1;
  for (const std::int64_t noise : offDiagonal(noiseOf(plan, sites, seed), n)) {
    squares += std::pow(double(noise) / whole, 2), ++count;
  }
  return 1 - chiSquareTail(squares, count);
}

TEST(SharedNoise, OfTheHonestSitesIsAtLeastThatOfOneReleaseAndOfOneFewerIsNot) {
  // 44 850 entries: the relative error of the variance is 0.0067, and one site fewer reduces it by
  // 0.1.
  for (const int honest : {2, 5, 10}) {
    const Plan plan = planSharedGaussian(sharedParams(300, 12, honest, 1, 1e-6)).value();
    EXPECT_GT(enoughNoise(plan, honest, 50), kAlarm / 3) << honest;
    EXPECT_LT(enoughNoise(plan, honest - 1, 50), 1e-12) << honest;
  }
}

TEST(SharedWishart, WithFewerDegreesOfFreedomThanRowsIsASumOfThatManySquares) {
  Drbg random(unsafeTestSeed(4));
  std::vector<double> packed(packedSize(5));
  addWishart(5, 1, 1, random, packed);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = i; j < 5; ++j) {
      const double square = std::pow(packed[packedIndex(5, i, j)], 2);
      EXPECT_NEAR(packed[packedIndex(5, i, i)] * packed[packedIndex(5, j, j)], square,
                  1e-12 * square);
    }
  }
  // In a sum of two, every minor of three rows and columns is zero, and each entry has the mean and
  // variance of z_i z_j summed twice. 20 z-scores within 5.5: false alarm below 1e-6.
  const std::uint64_t runs = draws(40'000);
  std::vector<double> sum(packed.size()), squares(packed.size());
  for (std::uint64_t r = 0; r < runs; ++r) {
    std::fill(packed.begin(), packed.end(), 0.0);
    addWishart(4, 2, 1, random, std::span(packed).first(packedSize(4)));
    const auto at = [&](std::size_t i, std::size_t j) {
      return packed[packedIndex(4, std::min(i, j), std::max(i, j))];
    };
    const double minor = at(1, 1) * (at(2, 2) * at(3, 3) - at(2, 3) * at(2, 3)) -
                         at(1, 2) * (at(1, 2) * at(3, 3) - at(2, 3) * at(1, 3)) +
                         at(1, 3) * (at(1, 2) * at(2, 3) - at(2, 2) * at(1, 3));
    ASSERT_NEAR(minor, 0, 1e-11 * std::pow(at(1, 1) + at(2, 2) + at(3, 3), 3));
    for (std::size_t e = 0; e < packedSize(4); ++e) {
      sum[e] += packed[e];
      squares[e] += packed[e] * packed[e];
    }
  }
  const double n = double(runs);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = i; j < 4; ++j) {
      const std::size_t e = packedIndex(4, i, j);
      // Chi-square of 2: mean 2, second moment 8, fourth 384. z_1 z_2 + z_3 z_4 is Laplace of
      // scale 1: 0, 2 and 24.
      const double mean = i == j ? 2 : 0, second = i == j ? 8 : 2, fourth = i == j ? 384 : 24;
      EXPECT_NEAR(sum[e] / n, mean, 5.5 * std::sqrt((second - mean * mean) / n)) << i << j;
      EXPECT_NEAR(squares[e] / n, second, 5.5 * std::sqrt((fourth - second * second) / n))
          << i << j;
    }
  }
}

TEST(SharedWishart, OfTheHonestSitesHasTheMomentsOfAtLeastAWholeRelease) {
  // Diagonal entries of the sum are differences of two Gamma(k/2)/c, k = h f: variance k/c^2 and
  // fourth moment 3 k (k + 2)/c^4; entries off the diagonal have variance k/2c^2. Runs of 20 rows
  // and 3 sites of 7 terms, k = 21 = n + 1: 20 diagonal entries a run.
  MechanismParams params = sharedParams(19, 5, 3, 1, 0);
  const Plan plan = planSharedWishart(params).value();
  ASSERT_EQ(plan.freedom, 7);
  const std::uint64_t runs = draws(2000);
  const double k = 21, c = plan.own<TwoSidedWishartNoise>().c();
  double diagonal = 0, fourth = 0, off = 0, trace = 0;
  for (std::uint64_t r = 0; r < runs; ++r) {
    const std::vector<std::int64_t> sum = noiseOf(plan, 3, 7'000'000 + 10 * r);
    double run_trace = 0;
    for (std::size_t i = 0, entry = 0; i < 20; ++i) {
      for (std::size_t j = i; j < 20; ++j, ++entry) {
        const double x = double(sum[entry]) * c;
        if (i == j) {
          diagonal += x * x, fourth += x * x * x * x, run_trace += x;
        } else {
          off += x * x;
        }
      }
    }
    trace += run_trace * run_trace;
  }
  const double n = double(runs);
  // Relative standard errors. Entries of one run count as one if they depend on each other
  // (diagonal ones are independent). 6 of each: false alarm below 1e-8.
  EXPECT_NEAR(diagonal / (20 * n) / k, 1, 6 * std::sqrt((3 * (k + 2) / k - 1) / (20 * n)));
  EXPECT_NEAR(fourth / (20 * n) / (3 * k * (k + 2)), 1, 6 * std::sqrt(15 / (20 * n)));
  EXPECT_NEAR(off / (190 * n) / (k / 2), 1, 6 * std::sqrt(3 / (20 * n)));
  EXPECT_NEAR(trace / n / (20 * k), 1, 6 * std::sqrt(2.1 / n));
  // With one term fewer in each site's matrices the variance would be 1/7 smaller.
  EXPECT_GT(1.0 / 7, 6 * std::sqrt((3 * (k + 2) / k - 1) / (20 * n)) + 0.02);
}

constexpr double kEpsilon = 0.5, kDelta = 0.05;
constexpr std::size_t kSide = 3;

struct Data {
  std::vector<double> with, without, other;  ///< of one site, and of the other sites
};
const Data kData = {{0.3, 0.3, 1, 0}, {0.3, 0.3}, {-0.5, 0.1, 0.2, 0.2}};

std::vector<std::uint8_t> maskOf(std::size_t length, std::uint64_t seed) {
  UnsafeTestRandom random(seed);
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < length; ++i) {
    const std::uint64_t word = random.next64();
    for (int byte = 0; byte < 8; ++byte) bytes.push_back(std::uint8_t(word >> 8 * byte));
  }
  return bytes;
}

// Deterministic entropy that differs from call to call.
std::uint64_t next_seed = 0;
int countedEntropy(std::uint8_t* out, std::size_t bytes) {
  const Seed seed = unsafeTestSeed(++next_seed);
  std::copy_n(seed.begin(), bytes, out);
  return 0;
}

// The view of an analyst who colludes with all but the honest sites: the unmasked sum minus the
// contributions of the others. The score is the standardised likelihood ratio of the first site's
// two data sets, for noise of `honest` sites.
std::vector<double> scores(const Plan& plan, bool first, int honest, std::uint64_t releases,
                           std::uint64_t seed) {
  next_seed = seed;
  const std::vector<Int128> with = exactTotals(plan, kData.with);
  const std::vector<Int128> without = exactTotals(plan, kData.without);
  const std::vector<Int128> other = exactTotals(plan, kData.other);
  const double step = std::ldexp(1.0, plan.release_shift);
  std::vector<double> results;
  for (std::uint64_t r = 0; r < releases; ++r) {
    MaskSum sum(plan.length);
    for (int site = 0; site < honest; ++site) {
      Intake intake = unitIntake(plan);
      const bool added = !intake.add(site > 0 ? kData.other : first ? kData.with : kData.without);
      const auto mask = maskOf(plan.length, 1 + seed + 10 * r + std::uint64_t(site));
      const auto masked = releaseMasked(plan, intake, mask, countedEntropy);
      if (!added || !masked.ok() || sum.add(masked.value().payload) || sum.add(mask, true)) {
        return {};
      }
    }
    const std::vector<double> values = unmask(plan, sum.words(), {}).value();
    double score = 0, variance = 0;
    for (std::size_t i = 0, entry = 0; i < kSide; ++i) {
      for (std::size_t j = i; j < kSide; ++j, ++entry) {
        const double sigma =
            std::sqrt(double(honest)) * (i == j ? plan.sd_diagonal : plan.sd_off_diagonal);
        const double distance = double(with[entry] - without[entry]);
        const double centre =
            double(with[entry] + without[entry]) / 2 + double(other[entry]) * (honest - 1);
        score += distance * (values[entry] * step - centre) / (sigma * sigma);
        variance += distance * distance / (sigma * sigma);
      }
    }
    results.push_back(score / std::sqrt(variance));
  }
  return results;
}

GaussianAudit audit(const Plan& plan, int honest, std::uint64_t releases, std::uint64_t seed) {
  return gaussianAudit(scores(plan, true, honest, releases, seed),
                       scores(plan, false, honest, releases, seed + 100 * releases), kDelta, 1);
}

TEST(SumAudit, StaysBelowTheClaimAndComesClose) {
  const Plan plan = planSharedGaussian(sharedParams(2, 4, 2, kEpsilon, kDelta)).value();
  ASSERT_EQ(plan.guarantee.delta, kDelta);
  const std::uint64_t releases = draws(3'000);
  const GaussianAudit result = audit(plan, 2, releases, 900'000);
  EXPECT_LE(result.epsilon_at_least, kEpsilon);
  EXPECT_GT(result.epsilon_at_least, 0.1);
  // Standard error sqrt(2/n), 5.5 of them: false alarm below 1e-7.
  EXPECT_NEAR(result.distance, plan.guarantee.gdp, 5.5 * std::sqrt(2 / double(releases)));
}

TEST(SumAudit, CatchesASumWithTooFewHonestSites) {
  // One of four: mu is 0.86 instead of 0.43, true epsilon above 1 at this delta.
  const Plan plan = planSharedGaussian(sharedParams(2, 4, 4, kEpsilon, kDelta)).value();
  EXPECT_GT(audit(plan, 1, 2'000, 2'000'000).epsilon_at_least, kEpsilon);
}

}  // namespace shared_noise_test
}  // namespace pm
