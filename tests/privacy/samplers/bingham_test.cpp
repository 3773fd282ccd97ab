#include "core/research/idealized/bingham.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/random/continuous.hpp"
#include "core/random/exact_bingham.hpp"
#include "tests/support/bingham_law.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/exact_directions.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace bingham_test {

using namespace testing_support;

using Alphas = std::vector<double>;
using Sampler = void (*)(std::span<const double>, Drbg&, std::span<double>);

TEST(BinghamLaw, HasTheReferenceNormaliserAndMoments) {
  const auto vectors = readVectors("eigenvectors.json");
  ASSERT_EQ(vectors["bingham_moments_d2"].size(), 4u);
  for (const auto& v : vectors["bingham_moments_d2"]) {
    const Alphas alphas = {0, v["kappa_gap"].get<double>()};
    EXPECT_NEAR(binghamMoment(alphas, 0), v["E_x1sq"].get<double>(), 1e-10);
  }
  ASSERT_EQ(vectors["bingham_moments_d3"].size(), 3u);
  for (const auto& v : vectors["bingham_moments_d3"]) {
    const auto exponent = v["B"].get<std::vector<double>>();
    const Alphas alphas = {0, exponent[0] - exponent[1], exponent[0]};
    EXPECT_NEAR(std::log(binghamNormaliser(alphas)) + exponent[0],
                v["logZ_uniform_measure"].get<double>(), 1e-9);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(binghamMoment(alphas, i), v["E_xsq"][i].get<double>(), 1e-9);
    }
  }
  // Sums that do not depend on the alphas.
  const Alphas alphas = {0, 0.5, 3, 40, 900};
  double first = 0, second = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    first += binghamMoment(alphas, i);
    for (std::size_t j = 0; j < 5; ++j) second += binghamMoment(alphas, i, j);
  }
  EXPECT_NEAR(first, 1, 1e-10);
  EXPECT_NEAR(second, 1, 1e-10);
}

TEST(BinghamEnvelope, HasTheReferenceParameterAndAcceptance) {
  const auto vectors = readVectors("eigenvectors.json")["bingham_envelope"];
  ASSERT_EQ(vectors.size(), 5u);
  for (const auto& v : vectors) {
    const auto alphas = v["alpha"].get<Alphas>();
    const auto x = v["x"].get<std::vector<double>>();
    const int q = int(alphas.size());
    const double b = binghamB(alphas);
    EXPECT_NEAR(b, v["b"].get<double>(), 1e-12 * b);
    double u = 0;
    for (std::size_t i = 0; i < alphas.size(); ++i) u += alphas[i] * x[i] * x[i];
    const double at_x = v["log_accept_at_x"].get<double>();
    EXPECT_NEAR(idealized::binghamLogAcceptance(b, u, q), at_x, 1e-12 * (1 + std::fabs(at_x)));
    EXPECT_NEAR(idealized::binghamLogAcceptance(b, 0, q), v["log_accept_at_e1"].get<double>(),
                1e-12);
  }
}

TEST(BinghamEnvelope, IsNeverBelowTheDensityAndTouchesIt) {
  for (const int q : {2, 7, 100}) {
    for (const double b : {1.0, 1.5, double(q)}) {
      for (double u = 1e-9; u < 1e9; u *= 1.7)
        EXPECT_LE(idealized::binghamLogAcceptance(b, u, q), 0);
      EXPECT_NEAR(idealized::binghamLogAcceptance(b, (q - b) / 2, q), 0, 1e-15);
    }
  }
}

TEST(BinghamEnvelope, HasTheLimitingAcceptanceIfOneDirectionDominates) {
  const auto vectors = readVectors("eigenvectors.json")["bingham_limit_acceptance"];
  ASSERT_EQ(vectors.size(), 8u);
  for (const auto& v : vectors) {
    const int q = v["q"].get<int>();
    Alphas alphas(std::size_t(q), 1e8);
    alphas[0] = 0;
    const double b = binghamB(alphas);
    Drbg random(unsafeTestSeed(std::uint64_t(q)));
    const std::uint64_t proposals = draws(40'000);
    std::uint64_t accepted = 0;
    for (std::uint64_t i = 0; i < proposals; ++i) {
      double squared = 0, u = 0;
      for (const double alpha : alphas) {
        const double y = standardNormal(random) / std::sqrt(1 + 2 * alpha / b);
        squared += y * y, u += alpha * y * y;
      }
      accepted +=
          std::log(uniformOpen(random)) < idealized::binghamLogAcceptance(b, u / squared, q);
    }
    EXPECT_GT(binomialTail(accepted, proposals, v["acc_inf"].get<double>()), kAlarm) << q;
  }
}

// The p-value of draws having the law: the smallest of three p-values, times three. The squares
// x_i^2 are the law's sufficient statistic; their means, with their exact covariance, detect a
// wrong concentration best. The angle to the first axis and the signs detect the rest.
double pValue(Sampler sampler, const Alphas& alphas, std::uint64_t count, std::uint64_t seed) {
  const std::size_t q = alphas.size(), free = q - 1, signs = std::min<std::size_t>(q, 5);
  constexpr int kCells = 20;
  // Six standard deviations of the angle, or all of it.
  const double end = std::min(6 * std::sqrt((1 - binghamMoment(alphas, 0)) / double(q)),
                              std::numbers::pi / 2 - 1e-3);
  std::vector<std::uint64_t> angles(kCells + 1), patterns(std::size_t{1} << signs);
  Eigen::VectorXd means = Eigen::VectorXd::Zero(Eigen::Index(free));
  std::vector<double> x(q);
  Drbg random(unsafeTestSeed(seed));
  for (std::uint64_t n = 0; n < count; ++n) {
    sampler(alphas, random, x);
    for (std::size_t i = 0; i < free; ++i) means[Eigen::Index(i)] += x[i] * x[i] / double(count);
    const double angle = std::acos(std::min(1.0, std::fabs(x[0])));
    ++angles[std::min<std::size_t>(kCells, std::size_t(angle / end * kCells))];
    std::size_t pattern = 0;
    for (std::size_t i = 0; i < signs; ++i) pattern = 2 * pattern + (x[i] > 0);
    ++patterns[pattern];
  }
  Eigen::MatrixXd covariance(free, free);
  for (std::size_t i = 0; i < free; ++i) {
    means[Eigen::Index(i)] -= binghamMoment(alphas, i);
    for (std::size_t j = 0; j < free; ++j) {
      covariance(Eigen::Index(i), Eigen::Index(j)) =
          binghamMoment(alphas, i, j) - binghamMoment(alphas, i) * binghamMoment(alphas, j);
    }
  }
  const double distance = double(count) * means.dot(covariance.ldlt().solve(means));
  std::vector<double> expected_angles = binghamAngles(alphas, end, kCells);
  for (double& cell : expected_angles) cell *= double(count);
  const std::vector<double> expected_patterns(patterns.size(),
                                              double(count) / double(patterns.size()));
  return std::min(1.0, 3 * std::min({chiSquareTail(distance, double(free)),
                                     goodnessOfFit(angles, expected_angles),
                                     goodnessOfFit(patterns, expected_patterns)}));
}

struct Case {
  Alphas alphas;
  std::uint64_t count;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {{0, 5}, 300'000},           {{0, 5000}, 300'000},
      {{0, 2, 3}, 300'000},        {{0, 10, 400}, 200'000},
      {{0, 0, 1, 4, 20}, 100'000}, {{0, 0.5, 1, 2, 3, 5, 8, 13, 21, 34, 55, 500, 2000}, 50'000},
  };
  return all;
}

TEST(BinghamSampler, HasTheLaw) {
  std::uint64_t seed = 1;
  for (const Case& c : cases()) {
    EXPECT_GT(pValue(&exactBingham, c.alphas, draws(c.count), ++seed), kAlarm) << seed;
  }
  EXPECT_GT(pValue(&exactBingham, Alphas(6, 0.0), draws(50'000), ++seed), kAlarm);
}

TEST(BinghamSampler, GivesUnitVectorsAtAnyConcentrationAndASignInOneDimension) {
  Drbg random(unsafeTestSeed(99));
  for (const double alpha : {0.0, 1e-300, 1e-9, 1.0, 1e9, 1e15, 1e300}) {
    std::vector<double> x(4);
    for (int i = 0; i < 50; ++i) {
      exactBingham(Alphas{alpha, 0, alpha / 3, 0}, random, x);
      EXPECT_NEAR(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3], 1, 1e-14);
      if (alpha > 1e8) {
        EXPECT_NEAR(x[1] * x[1] + x[3] * x[3], 1, 1e-6);
      }
    }
  }
  int positive = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> x(1);
    exactBingham(Alphas{0}, random, x);
    EXPECT_EQ(std::fabs(x[0]), 1);
    positive += x[0] > 0;
  }
  EXPECT_GT(binomialTail(std::uint64_t(positive), 1000, 0.5), kAlarm);
}

template <int kPercent>
void scaled(std::span<const double> alphas, Drbg& random, std::span<double> x) {
  Alphas other(alphas.begin(), alphas.end());
  for (double& alpha : other) alpha *= kPercent / 100.0;
  exactBingham(other, random, x);
}

// A rejection sampler with exchangeable parts.
enum class Fault { kNone, kInvertedEnvelope, kNoTwoInProposal, kAcceptsAll, kOneSign };
template <Fault kFault>
void faulty(std::span<const double> alphas, Drbg& random, std::span<double> x) {
  const int q = int(alphas.size());
  const double b = binghamB(alphas);
  for (;;) {
    double squared = 0, u = 0;
    for (std::size_t i = 0; i < alphas.size(); ++i) {
      const double two = kFault == Fault::kNoTwoInProposal ? 1 : 2;
      x[i] = standardNormal(random) / std::sqrt(1 + two * alphas[i] / b);
      squared += x[i] * x[i], u += alphas[i] * x[i] * x[i];
    }
    u /= squared;
    // exp(-u) (x^T Omega x)^(q/2) / M; two libraries had the wrong sign of the exponent.
    const double bound = -(q - b) / 2 + q * std::log(q / b) / 2;
    const double sign = kFault == Fault::kInvertedEnvelope ? -1 : 1;
    const double log_acceptance = -u + sign * q * std::log1p(2 * u / b) / 2 - bound;
    if (kFault != Fault::kAcceptsAll && std::log(uniformOpen(random)) >= log_acceptance) continue;
    for (double& entry : x) entry /= std::sqrt(squared);
    if (kFault == Fault::kOneSign) x[0] = std::fabs(x[0]);
    return;
  }
}

TEST(BinghamSampler, DiffersFromAConcentrationFivePercentOff) {
  if (kSlowBuild) return;  // a twentieth of the draws is too few to distinguish them
  for (const Case& c : cases()) {
    EXPECT_LT(pValue(&scaled<105>, c.alphas, c.count, 21), kAlarm) << c.alphas.size();
    EXPECT_LT(pValue(&scaled<95>, c.alphas, c.count, 22), kAlarm) << c.alphas.size();
  }
}

TEST(BinghamSampler, DiffersFromSamplersWithOneFault) {
  for (const Case& c : cases()) {
    const std::uint64_t count = repetitions(c.count / 10, c.count / 20);
    EXPECT_GT(pValue(&faulty<Fault::kNone>, c.alphas, count, 31), kAlarm);
    EXPECT_LT(pValue(&scaled<50>, c.alphas, count, 32), kAlarm);
    EXPECT_LT(pValue(&scaled<200>, c.alphas, count, 33), kAlarm);
    EXPECT_LT(pValue(&faulty<Fault::kNoTwoInProposal>, c.alphas, count, 34), kAlarm);
    EXPECT_LT(pValue(&faulty<Fault::kAcceptsAll>, c.alphas, count, 35), kAlarm);
    EXPECT_LT(pValue(&faulty<Fault::kOneSign>, c.alphas, count, 36), kAlarm);
    if (c.alphas.size() <= 3) {  // with more it rarely accepts
      EXPECT_LT(pValue(&faulty<Fault::kInvertedEnvelope>, c.alphas, repetitions(20'000, 5'000), 37),
                kAlarm);
    }
  }
}

}  // namespace bingham_test
}  // namespace pm
