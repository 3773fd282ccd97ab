// The law of two-sided Wishart noise against its exact properties, and audits of releases.
#include "core/mechanisms/two_sided_wishart.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "core/matrix/packed.hpp"
#include "core/random/wishart.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/gamma_difference.hpp"
#include "tests/support/likelihood_audit.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace two_sided_wishart_test {

using namespace testing_support;
using Eigen::MatrixXd;

constexpr double kC = 0.7;

using Sampler = std::function<void(Drbg&, std::span<double>)>;

double leastEigenvalue(const MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

// E cos tr(T N) = prod over the eigenvalues t of T of (1 + t^2)^-((n+1)/2), for c = 1.
double characteristic(const MatrixXd& t) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(t, Eigen::EigenvaluesOnly).eigenvalues();
  double product = 1;
  for (const double value : values) product *= 1 + value * value;
  return std::pow(product, -(double(t.rows()) + 1) / 2);
}

// p-values for the draws of `sampler`, times c, being W1 - W2 with density exp(-tr W) each. The
// characteristic function determines the joint law; four points of it are tested.
std::vector<Verdict> testNoise(int n, const Sampler& sampler, std::uint64_t draws,
                               std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  const std::size_t size = packedSize(std::size_t(n));
  std::vector<MatrixXd> points;
  for (int p = 0; p < 4; ++p) {
    MatrixXd t = MatrixXd::Zero(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        const double entry = p == 0   ? (i == j ? 1 : 0)
                             : p == 1 ? (i == j ? (i % 2 == 0 ? 1 : -1) : 0)
                             : p == 2 ? (i == j ? 0 : 0.7)
                                      : std::cos(1.0 + 3 * i + 5 * j);
        t(i, j) = t(j, i) = entry;
      }
    }
    if (t.norm() > 0) points.push_back(t * (std::sqrt(1.5 / (n + 1)) / t.norm()));
  }
  std::vector<double> diagonal, off_diagonal, trace, squares_on, squares_off, packed(size);
  std::vector<double> cosines(points.size()), sines(points.size());
  std::uint64_t positive = 0, negative = 0;
  for (std::uint64_t r = 0; r < draws; ++r) {
    sampler(random, packed);
    const MatrixXd noise = kC * unpacked(std::span<const double>(packed), n);
    diagonal.push_back(noise(n - 1, n - 1));
    trace.push_back(noise.trace());
    const double on = noise.diagonal().squaredNorm();
    squares_on.push_back(on / n);
    if (n > 1) {
      off_diagonal.push_back(noise(0, n - 1));
      squares_off.push_back((noise.squaredNorm() - on) / (n * (n - 1)));
    }
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double angle = points[p].cwiseProduct(noise).sum();
      cosines[p] += std::cos(angle), sines[p] += std::sin(angle);
    }
    if (n <= 3) positive += leastEigenvalue(noise) > 0, negative += leastEigenvalue(-noise) > 0;
  }
  std::vector<Verdict> verdicts;
  const auto difference = [](int shape, double scale) {
    return [=](double x) { return gammaDifferenceTail(shape, x * scale); };
  };
  if (n % 2 == 1) {
    const double reach = 5 * std::sqrt(n + 1.0);
    verdicts.push_back(fit("diagonal entry", diagonal, difference((n + 1) / 2, 1), -reach, reach));
  }
  const int shape = n * (n + 1) / 2;
  const double reach = 5 * std::sqrt(2.0 * shape);
  verdicts.push_back(fit("trace", trace, difference(shape, 1), -reach, reach));
  verdicts.push_back(hasMean("variance on the diagonal", squares_on, n + 1));
  if (n > 1) {
    const double far = 5 * std::sqrt((n + 1) / 2.0);
    verdicts.push_back(fit("off-diagonal entry", off_diagonal, difference(n + 1, 2), -far, far));
    verdicts.push_back(hasMean("variance off the diagonal", squares_off, (n + 1) / 2.0));
  }
  const double count = double(draws);
  for (std::size_t p = 0; p < points.size(); ++p) {
    const double phi = characteristic(points[p]), twice = characteristic(2 * points[p]);
    verdicts.push_back({"cosine", normalTail((cosines[p] - count * phi) /
                                             std::sqrt(count * ((1 + twice) / 2 - phi * phi)))});
    verdicts.push_back({"sine", normalTail(sines[p] / std::sqrt(count * (1 - twice) / 2))});
  }
  if (n <= 3) {
    const double chance = std::ldexp(1.0, -shape);
    verdicts.push_back({"positive definite", binomialTail(positive, draws, chance)});
    verdicts.push_back({"negative definite", binomialTail(negative, draws, chance)});
  }
  return verdicts;
}

/// Noise on a grid of 2^-30.
void drawNoise(int n, Drbg& random, std::span<double> packed) {
  constexpr int kGrid = 30;
  std::vector<Int128> noise(packed.size());
  twoSidedWishartNoise(n, n + 1, scaleAbove(std::uint64_t{1} << kGrid, 2 * kC), random, noise);
  for (std::size_t i = 0; i < noise.size(); ++i) packed[i] = std::ldexp(double(noise[i]), -kGrid);
}

Sampler trueNoise(int n) {
  return [n](Drbg& random, std::span<double> packed) { drawNoise(n, random, packed); };
}

std::uint64_t drawsFor(int n) { return draws(n < 5 ? 60'000 : 12'000); }

TEST(TwoSidedWishartNoise, HasItsMarginalsItsVariancesAndItsCharacteristicFunction) {
  // n = 1 is the Laplace law of scale 1/c. At most 17 p-values for each of four laws, with a
  // correction for their number.
  for (const int n : {1, 2, 3, 13}) {
    const Verdict verdict = worst(testNoise(n, trueNoise(n), drawsFor(n), std::uint64_t(n)));
    EXPECT_GT(verdict.p, kAlarm / 4) << n << ": " << verdict.test;
  }
}

TEST(TwoSidedWishartNoise, OfOneEntryIsTheNearestIntegerToALaplaceVariate) {
  // Scale 1/c = 4 steps of the grid; the mutant rounds down.
  const std::uint64_t count = draws(100'000);
  constexpr int kReach = 40;
  const auto judge = [&](double shift, std::uint64_t seed) {
    Drbg random(unsafeTestSeed(seed));
    std::vector<std::uint64_t> counts(2 * kReach + 1);
    std::vector<Int128> noise(1);
    for (std::uint64_t r = 0; r < count; ++r) {
      twoSidedWishartNoise(1, 2, scaleAbove(2, 1), random, noise);
      ++counts[std::size_t(std::clamp(int(noise[0]), -kReach, kReach) + kReach)];
    }
    std::vector<double> expected;
    const auto below = [](double x) {
      return x < 0 ? std::exp(x / 4) / 2 : 1 - std::exp(-x / 4) / 2;
    };
    for (int k = -kReach; k <= kReach; ++k) {
      const double low = k == -kReach ? 0 : below(k - 0.5 + shift);
      const double high = k == kReach ? 1 : below(k + 0.5 + shift);
      expected.push_back(double(count) * (high - low));
    }
    return goodnessOfFit(counts, expected);
  };
  EXPECT_GT(judge(0, 6), kAlarm);
  if (!kSlowBuild) {
    EXPECT_LT(judge(0.5, 6), kAlarm);
  }
}

TEST(TwoSidedWishartNoise, IsAWishartMatrixWhereItIsPositiveDefinite) {
  // On that cone its density is proportional to exp(-c tr N): the trace is Gamma(3) for n = 2.
  Drbg random(unsafeTestSeed(5));
  std::vector<double> packed(3), traces;
  for (std::uint64_t r = 0; r < draws(120'000); ++r) {
    drawNoise(2, random, packed);
    if (packed[0] > 0 && packed[0] * packed[2] > packed[1] * packed[1]) {
      traces.push_back(kC * (packed[0] + packed[2]));
    }
  }
  EXPECT_GT(fit(
                "trace", traces, [](double x) { return gammaTail(3, x); }, 0, 12)
                .p,
            kAlarm);
}

TEST(TwoSidedWishartNoise, RejectsOtherFreedomScaleShapeAndASingleWishart) {
  if (kSlowBuild) return;  // too few draws to distinguish them
  struct Mutant {
    const char* name;
    double freedom, scale, off_diagonal;
    bool two_sided;
  };
  for (const int n : {2, 13}) {
    for (const Mutant& mutant : {
             Mutant{"n degrees of freedom", n + 0.0, 1, 1, true},
             Mutant{"n + 2 degrees of freedom", n + 2.0, 1, 1, true},
             Mutant{"5 % more", n + 1.0, 1.05, 1, true},
             Mutant{"5 % less", n + 1.0, 0.95, 1, true},
             Mutant{"no 2 in 1/(2c)", n + 1.0, 2, 1, true},
             Mutant{"equal variances", n + 1.0, 1, std::sqrt(2), true},
             Mutant{"one Wishart matrix", n + 1.0, std::sqrt(2), 1, false},
         }) {
      const auto sampler = [&](Drbg& random, std::span<double> packed) {
        std::fill(packed.begin(), packed.end(), 0.0);
        const double scale = mutant.scale / (2 * kC);
        addWishart(n, mutant.freedom, scale, random, packed);
        if (mutant.two_sided) addWishart(n, mutant.freedom, -scale, random, packed);
        for (std::size_t i = 0, entry = 0; i < std::size_t(n); ++i) {
          for (std::size_t j = i; j < std::size_t(n); ++j, ++entry) {
            if (i != j) packed[entry] *= mutant.off_diagonal;
            if (i == j && !mutant.two_sided) packed[entry] -= scale * mutant.freedom;
          }
        }
      };
      EXPECT_LT(worst(testNoise(n, sampler, drawsFor(n), 100)).p, kAlarm) << n << mutant.name;
    }
  }
}

// ---- audits of releases

Plan planOf(int dimension, Neighbours neighbours, double epsilon) {
  return planTwoSidedWishart(gaussianParams(dimension, neighbours, Unit::kRow, epsilon, 0)).value();
}

struct Pair {
  std::vector<Int128> first, second;
};

// Releases of one of the two, minus the exact totals of the other or itself, in units of T.
template <class Score>
std::vector<double> scores(const Plan& plan, const std::vector<Int128>& totals,
                           std::uint64_t releases, std::uint64_t seed, Score score) {
  Drbg random(unsafeTestSeed(seed));
  const double step = std::ldexp(1.0, plan.release_shift);
  std::vector<double> out(totals.size()), results;
  for (std::uint64_t r = 0; r < releases; ++r) {
    plan.release(plan, totals, random, out);
    for (double& entry : out) entry *= step;
    results.push_back(score(out));
  }
  return results;
}

// One column; a row of the largest length more. Where the release is above both matrices the ratio
// of the densities is exactly e^-epsilon, where it is below both, e^epsilon.
struct AddRemoveAudit {
  std::vector<double> with, without;
};
AddRemoveAudit auditAddRemove(const Plan& plan, std::uint64_t releases) {
  const Pair pair{exactTotals(plan, std::vector<double>{0.3, 1}),
                  exactTotals(plan, std::vector<double>{0.3})};
  const auto above = [](const std::vector<double>& out, const std::vector<Int128>& totals,
                        double sign) {
    const double a = sign * (out[0] - double(totals[0])), b = out[1] - double(totals[1]);
    const double d = sign * (out[2] - double(totals[2]));
    return a > 0 && a * d > b * b;
  };
  const auto score = [&](const std::vector<double>& out) {
    return above(out, pair.first, 1) ? 1.0 : above(out, pair.second, -1) ? -1.0 : 0.0;
  };
  return {scores(plan, pair.first, releases, 11, score),
          scores(plan, pair.second, releases, 12, score)};
}

TEST(TwoSidedWishartAudit, AttainsEpsilonForOneRowMoreAndDoesNotExceedIt) {
  for (const double epsilon : {0.5, 2.0}) {
    const Plan plan = planOf(1, Neighbours::kAddRemove, epsilon);
    const std::uint64_t releases = draws(100'000);
    const AddRemoveAudit audit = auditAddRemove(plan, releases);
    const double found = epsilonAtLeast(audit.with, audit.without, 1);
    EXPECT_LE(found, epsilon);
    if (!kSlowBuild) {
      EXPECT_GT(found, 0.75 * epsilon);
    }
    // The exact probabilities are 1/8, and e^-epsilon/8 for the other data set.
    const auto check = [&](const std::vector<double>& results, double value, double chance) {
      const auto hits = std::uint64_t(std::count(results.begin(), results.end(), value));
      EXPECT_GT(binomialTail(hits, releases, chance), kAlarm / 8) << value;
    };
    check(audit.with, 1, 0.125);
    check(audit.without, -1, 0.125);
    check(audit.without, 1, 0.125 * std::exp(-epsilon));
    check(audit.with, -1, 0.125 * std::exp(-epsilon));
  }
}

TEST(TwoSidedWishartAudit, CatchesNoiseHalfAsLarge) {
  Plan plan = planOf(1, Neighbours::kAddRemove, 1);
  plan.own<TwoSidedWishartNoise>().scale.log2_denominator += 1;
  const AddRemoveAudit audit = auditAddRemove(plan, repetitions(30'000, 20'000));
  EXPECT_GT(epsilonAtLeast(audit.with, audit.without, 1), 1);
}

// Two columns; one row replaced by another, so that the augmented rows x, y are orthogonal and of
// the largest length. With N the noise, x N x - y N y decides: its law is known.
double auditReplaceOne(const Plan& plan, std::uint64_t releases) {
  const std::vector<double> rows{0.3, 0.3, 1, 0}, others{0.3, 0.3, -0.5, std::sqrt(0.75)};
  const Pair pair{exactTotals(plan, rows), exactTotals(plan, others)};
  const double t = double(augmentedNormSquared(plan.bits));
  const auto score = [&](const std::vector<double>& out) {
    double sum = 0;
    for (std::size_t i = 0, entry = 0; i < 3; ++i) {
      for (std::size_t j = i; j < 3; ++j, ++entry) {
        const double distance = double(pair.first[entry] - pair.second[entry]);
        const double centre = double(pair.first[entry] + pair.second[entry]) / 2;
        sum += (i == j ? 1 : 2) * distance / t * (out[entry] - centre) / t;
      }
    }
    return sum;
  };
  return epsilonAtLeast(scores(plan, pair.first, releases, 21, score),
                        scores(plan, pair.second, releases, 22, score), 12 / plan.params.epsilon);
}

TEST(TwoSidedWishartAudit, DoesNotExceedEpsilonForARowReplaced) {
  const double found = auditReplaceOne(planOf(2, Neighbours::kReplaceOne, 1), draws(60'000));
  EXPECT_LE(found, 1);
  if (!kSlowBuild) {
    EXPECT_GT(found, 0.3);
  }
}

TEST(TwoSidedWishartAudit, CatchesReplaceOneNoiseCalibratedForAThirdOfTheNuclearNorm) {
  if (kSlowBuild) return;
  Plan plan = planOf(2, Neighbours::kReplaceOne, 1);
  plan.own<TwoSidedWishartNoise>().scale.numerator /= 3;
  EXPECT_GT(auditReplaceOne(plan, 60'000), 1);
}

}  // namespace two_sided_wishart_test
}  // namespace pm
