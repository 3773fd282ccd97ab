// Wishart noise: its law, the reduction of its privacy to a shifted chi-square checked on matrices,
// audits of releases, and the two published mechanisms that this kind of noise cannot make private.
#include "core/mechanisms/wishart.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "core/matrix/packed.hpp"
#include "core/privacy/wishart.hpp"
#include "core/random/wishart.hpp"
#include "core/research/published/wishart.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/gamma_difference.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace wishart_test {

using namespace testing_support;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd drawWishart(int n, double freedom, Drbg& random) {
  std::vector<double> packed(packedSize(std::size_t(n)));
  addWishart(n, freedom, 1, random, packed);
  return unpacked(std::span<const double>(packed), n);
}

// A unit vector with no zero entry.
VectorXd direction(int n) {
  VectorXd x(n);
  for (int i = 0; i < n; ++i) x(i) = std::cos(1.0 + 2 * i);
  return x.normalized();
}

using Sampler = std::function<MatrixXd(Drbg&)>;

// p-values for draws from Wishart_n(freedom, I), freedom even and at least n.
std::vector<Verdict> testWishart(int n, int freedom, const Sampler& sampler, std::uint64_t draws,
                                 std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  const VectorXd x = direction(n);
  std::vector<double> diagonal, quadratic, trace, off_diagonal, inverse, squares;
  for (std::uint64_t r = 0; r < draws; ++r) {
    const MatrixXd w = sampler(random);
    diagonal.push_back(w(n - 1, n - 1));
    quadratic.push_back((w * x).dot(x));
    trace.push_back(w.trace());
    inverse.push_back(1 / w.ldlt().solve(x).dot(x));
    off_diagonal.push_back(w(0, n - 1));
    squares.push_back((w.squaredNorm() - w.diagonal().squaredNorm()) / (n * (n - 1)));
  }
  const auto chi_square_fit = [](const char* name, const std::vector<double>& samples,
                                 int degrees) {
    const double reach = 5 * std::sqrt(2.0 * degrees);
    return fit(
        name, samples, [=](double t) { return t > 0 ? chiSquareTail(t, degrees) : 1; },
        std::max(0.0, degrees - reach), degrees + reach);
  };
  const double far = 5 * std::sqrt(double(freedom));
  return {
      chi_square_fit("diagonal entry", diagonal, freedom),
      chi_square_fit("x'Wx", quadratic, freedom),
      chi_square_fit("trace", trace, n * freedom),
      chi_square_fit("1/x'W^-1 x", inverse, freedom - n + 1),
      fit(
          "off-diagonal entry", off_diagonal,
          [=](double t) { return gammaDifferenceTail(freedom / 2, t); }, -far, far),
      hasMean("variance off the diagonal", squares, freedom),
  };
}

struct Size {
  int n, freedom;
};
constexpr Size kSizes[] = {{2, 4}, {3, 40}, {13, 14}};

TEST(WishartNoise, HasTheMarginalsOfAWishartMatrix) {
  for (const auto [n, freedom] : kSizes) {
    const auto sampler = [n = n, freedom = freedom](Drbg& random) {
      return drawWishart(n, freedom, random);
    };
    const Verdict verdict =
        worst(testWishart(n, freedom, sampler, draws(30'000), std::uint64_t(n)));
    EXPECT_GT(verdict.p, kAlarm / 3) << n << ": " << verdict.test;
  }
}

TEST(WishartNoise, RejectsOtherFreedomScaleAndShape) {
  if (kSlowBuild) return;  // too few draws to distinguish them
  for (const auto [n, freedom] : kSizes) {
    const auto rejects = [n = n, freedom = freedom](const char* name, const Sampler& mutant) {
      EXPECT_LT(worst(testWishart(n, freedom, mutant, draws(30'000), 50)).p, kAlarm)
          << n << ' ' << name;
    };
    for (const double more : {-1.0, 1.0}) {
      rejects("freedom", [=, n = n, freedom = freedom](Drbg& random) {
        return drawWishart(n, freedom + more, random);
      });
      rejects("scale", [=, n = n, freedom = freedom](Drbg& random) {
        return MatrixXd((1 + 0.05 * more) * drawWishart(n, freedom, random));
      });
    }
    rejects("off-diagonal entries", [n = n, freedom = freedom](Drbg& random) {
      MatrixXd w = drawWishart(n, freedom, random);
      const VectorXd diagonal = w.diagonal();
      w *= std::sqrt(0.5);
      w.diagonal() = diagonal;
      return w;
    });
  }
}

TEST(WishartNoise, IsScaledAndAddedAndSubtractsWithANegativeScale) {
  std::vector<double> once(6), sum(6, 5.0);
  Drbg first(unsafeTestSeed(1)), second(unsafeTestSeed(1)), third(unsafeTestSeed(1));
  addWishart(3, 7.5, 1, first, once);
  addWishart(3, 7.5, 2, second, sum);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(sum[i], 5 + 2 * once[i]);
  addWishart(3, 7.5, -2, third, sum);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(sum[i], 5, 1e-12);
}

// The logarithm of det^((m - 2)/2) exp(-tr/2), the density of Wishart_n(m + n - 1, I) up to a
// constant; -infinity outside its support.
double logDensity(const MatrixXd& w, double m) {
  const Eigen::LLT<MatrixXd> llt(w);
  if (llt.info() != Eigen::Success) return -std::numeric_limits<double>::infinity();
  const MatrixXd l = llt.matrixL();
  return (m - 2) * l.diagonal().array().log().sum() - w.trace() / 2;
}

struct Estimate {
  double mean, error;
};

// E (1 - e^epsilon p_other(Y) / p(Y))+ over outputs Y: the smallest delta for this pair and
// epsilon. Outputs are Y = `own` + W, in differences from the rows both data sets have.
Estimate estimateDelta(double epsilon, double m, const MatrixXd& own, const MatrixXd& other,
                       std::uint64_t draws, std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  const int n = int(own.rows());
  double sum = 0, squares = 0;
  for (std::uint64_t r = 0; r < draws; ++r) {
    const MatrixXd w = drawWishart(n, m + n - 1, random);
    const double ratio = logDensity(w + own - other, m) - logDensity(w, m);
    const double gain = std::max(0.0, -std::expm1(epsilon + ratio));
    sum += gain, squares += gain * gain;
  }
  const double count = double(draws), mean = sum / count;
  return {mean, std::sqrt((squares / count - mean * mean) / count)};
}

TEST(WishartProfile, EqualsThatOfMatricesForOneRowMoreOrLess) {
  // Formula against the densities of 3 x 3 matrices; 5.5 standard errors: false alarm below 1e-6.
  const MatrixXd row = direction(3) * direction(3).transpose(), none = MatrixXd::Zero(3, 3);
  const std::uint64_t count = draws(200'000);
  for (const auto& [epsilon, m] : {std::pair{0.3, 38.0}, {1.0, 12.0}, {0.1, 5.0}, {0.7, 3.0}}) {
    const Estimate without = estimateDelta(epsilon, m, none, row, count, 31);
    EXPECT_NEAR(without.mean, wishartDeltaWithout(epsilon, m, 1), 5.5 * without.error);
    if (epsilon >= 0.5) continue;
    const Estimate with = estimateDelta(epsilon, m, row, none, count, 32);
    EXPECT_NEAR(with.mean, wishartDeltaWith(epsilon, m, 1), 5.5 * with.error + 2e-6);
    // A shorter row is better protected.
    const Estimate shorter = estimateDelta(epsilon, m, none, 0.5 * row, count, 33);
    EXPECT_NEAR(shorter.mean, wishartDeltaWithout(epsilon, m, 0.5), 5.5 * shorter.error);
    EXPECT_LT(shorter.mean + 5.5 * shorter.error, wishartDeltaWithout(epsilon, m, 1));
  }
}

TEST(WishartProfile, IsAnUpperBoundIfARowIsReplaced) {
  // Orthogonal rows, rows at 60 degrees, and a zero row: none exceeds the bound.
  for (const auto& [epsilon, m] : {std::pair{0.3, 38.0}, {1.0, 12.0}, {2.0, 9.0}}) {
    const double bound = wishartDelta(epsilon, m, 1, Neighbours::kReplaceOne);
    double worst_found = 0;
    for (const double cosine : {0.0, 0.5}) {
      VectorXd x = VectorXd::Zero(3), y = VectorXd::Zero(3);
      x(0) = 1;
      y(0) = cosine, y(1) = std::sqrt(1 - cosine * cosine);
      const Estimate found =
          estimateDelta(epsilon, m, x * x.transpose(), y * y.transpose(), draws(100'000), 41);
      EXPECT_LT(found.mean - 5.5 * found.error, bound) << epsilon << ' ' << cosine;
      worst_found = std::max(worst_found, found.mean);
    }
    if (!kSlowBuild) {
      EXPECT_GT(worst_found, 0.25 * bound) << epsilon;
    }
  }
}

// ---- audit of releases

// t = 1 / x'(Y - A)^-1 x in units of T, A without the row x: the likelihood ratio grows with it.
std::vector<double> auditScores(const Plan& plan, bool with, std::uint64_t releases,
                                std::uint64_t seed) {
  const std::vector<Int128> without = exactTotals(plan, std::vector<double>{0.3, 0.3});
  const std::vector<Int128> totals =
      with ? exactTotals(plan, std::vector<double>{0.3, 0.3, 0.6, -0.8}) : without;
  const double step = std::ldexp(1.0, plan.release_shift),
               t = plan.own<WishartNoise>().scale.value();
  const double lift = plan.noise_mean - plan.freedom * t;  // added to the diagonal in public
  VectorXd x(3);
  x << double(plan.constant), std::ldexp(0.6, plan.bits), std::ldexp(-0.8, plan.bits);
  x.normalize();
  Drbg random(unsafeTestSeed(seed));
  std::vector<double> out(totals.size()), results;
  for (std::uint64_t r = 0; r < releases; ++r) {
    plan.release(plan, totals, random, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = (out[i] * step - double(without[i])) / t;
    }
    MatrixXd difference = unpacked(std::span<const double>(out), 3);
    difference.diagonal().array() -= lift / t;
    results.push_back(1 / difference.ldlt().solve(x).dot(x));
  }
  return results;
}

// The delta at `epsilon` that the best set shows at least: outputs below a threshold. Wrong with
// probability below 1e-6.
double deltaAtLeast(const Plan& plan, double epsilon, std::uint64_t releases, std::uint64_t seed) {
  const auto without = auditScores(plan, false, releases, seed);
  const auto with = auditScores(plan, true, releases, seed + 1);
  double found = 0;
  constexpr int kThresholds = 12;
  for (int i = 1; i <= kThresholds; ++i) {
    const auto below = [&](const std::vector<double>& scores) {
      return std::uint64_t(
          std::count_if(scores.begin(), scores.end(), [&](double x) { return x < 0.25 * i; }));
    };
    constexpr double kEach = kAlarm / (2 * kThresholds);
    found =
        std::max(found, probabilityAtLeast(below(without), releases, kEach) -
                            std::exp(epsilon) * probabilityAtMost(below(with), releases, kEach));
  }
  return found;
}

TEST(WishartAudit, FindsTheStatedDeltaAndNoMore) {
  const MechanismParams params = gaussianParams(2, Neighbours::kAddRemove, Unit::kRow, 1, 0.05);
  const Plan plan = planWishart(params).value();
  const double found = deltaAtLeast(plan, 1, draws(200'000), 61);
  EXPECT_LE(found, plan.guarantee.delta);
  if (!kSlowBuild) {
    EXPECT_GT(found, 0.7 * plan.guarantee.delta);
  }
}

TEST(WishartAudit, CatchesHalfTheScaleAndTooFewDegreesOfFreedom) {
  const MechanismParams params = gaussianParams(2, Neighbours::kAddRemove, Unit::kRow, 1, 0.05);
  for (const bool scale : {true, false}) {
    Plan plan = planWishart(params).value();
    const double stated = plan.guarantee.delta;
    if (scale) {
      plan.noise_mean -= plan.freedom * plan.own<WishartNoise>().scale.value() / 2;
      plan.own<WishartNoise>().scale.log2_denominator += 1;
    } else {
      plan.noise_mean -= 2 * plan.own<WishartNoise>().scale.value();
      plan.freedom -= 2;
    }
    EXPECT_GT(deltaAtLeast(plan, 1, repetitions(40'000, 20'000), 71), stated) << scale;
  }
}

// ---- mechanisms that are not private

struct Flawed {
  const char* name;
  MatrixXd (*run)(const MatrixXd&, const PublishedParams&, Drbg&);
  double divisor;  ///< P(Y - A not PSD) = 1 - exp(-epsilon / divisor)
};
const Flawed kFlawed[] = {{"SN", &symmetricNoise, 1}, {"Jiang_C=3/(2eps)", &jiangWishart, 3}};

bool isPositive(const MatrixXd& matrix) {
  return Eigen::LLT<MatrixXd>(matrix).info() == Eigen::Success;
}

TEST(PublishedWishart, RevealsARowWithTheStatedProbabilityInEveryDimension) {
  // Two data sets that differ by one row x of length 1. `hits` counts outputs that are not above
  // the larger one: impossible if it was the data.
  const auto vectors = readVectors("wishart.json")["not_psd"];
  const std::uint64_t count = draws(10'000);
  for (const Flawed& flawed : kFlawed) {
    for (const int d : {2, 5, 13}) {
      for (const double epsilon : {0.1, 1.0, 4.0}) {
        PublishedParams params{};
        params.epsilon = epsilon, params.rows = 3;
        const MatrixXd without = MatrixXd::Identity(d, d) * 0.4;
        const MatrixXd with = without + direction(d) * direction(d).transpose();
        Drbg random(unsafeTestSeed(std::uint64_t(d)));
        std::uint64_t hits = 0, impossible = 0;
        for (std::uint64_t r = 0; r < count; ++r) {
          hits += !isPositive(flawed.run(without, params, random) - with);
          impossible += !isPositive(flawed.run(with, params, random) - with);
        }
        const double chance = -std::expm1(-epsilon / flawed.divisor);
        for (const auto& v : vectors) {
          if (v["eps"] == epsilon) {
            EXPECT_NEAR(v[flawed.name].get<double>(), chance, 1e-12);
          }
        }
        EXPECT_GT(binomialTail(hits, count, chance), kAlarm / 18) << flawed.name << d;
        EXPECT_EQ(impossible, 0u) << flawed.name << d;
        // So delta is not 0 at the claimed epsilon, except with probability below 1e-6.
        if (!kSlowBuild && epsilon <= 1) {
          EXPECT_GT(probabilityAtLeast(hits, count, kAlarm / 36) -
                        std::exp(epsilon) * probabilityAtMost(impossible, count, kAlarm / 36),
                    0.02)
              << flawed.name << d << ' ' << epsilon;
        }
      }
    }
  }
}

TEST(PublishedWishart, HasNoGuaranteeInTheRegistryExceptSheffets) {
  PublishedParams params{};
  params.epsilon = 1, params.delta = 1e-6, params.rows = 100;
  for (const char* name : {"symmetric-noise", "jiang-wishart"}) {
    const Published* published = findPublished(name);
    ASSERT_NE(published, nullptr);
    EXPECT_FALSE(published->guarantee(params).has_value()) << name;
    EXPECT_NE(published->truth.find("none"), std::string_view::npos);
  }
  const auto guarantee = findPublished("sheffet-wishart")->guarantee(params);
  ASSERT_TRUE(guarantee.has_value());
  EXPECT_LT(guarantee->delta, 1e-30);
}

TEST(PublishedWishart, OfSheffetIsCentredAndUndefinedWithoutDelta) {
  PublishedParams params{};
  params.epsilon = 2, params.delta = 1e-3, params.rows = 100;
  const MatrixXd scatter = MatrixXd::Identity(3, 3) * 7;
  Drbg random(unsafeTestSeed(3));
  std::vector<double> diagonal;
  for (std::uint64_t r = 0; r < draws(4'000); ++r) {
    diagonal.push_back(sheffetWishart(scatter, params, random)(2, 2));
  }
  EXPECT_GT(hasMean("diagonal", diagonal, 7).p, kAlarm);
  params.delta = 0;
  EXPECT_TRUE(sheffetWishart(scatter, params, random).array().isNaN().all());
}

}  // namespace wishart_test
}  // namespace pm
