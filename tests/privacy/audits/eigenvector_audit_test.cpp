// Black-box audits of eigenvector sampling: of one draw, and of whole releases, at neighbours that
// nearly attain the proof's bound. The same audit refutes the sampler that two libraries shipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/mechanisms/eigenvector_sampling.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/random/continuous.hpp"
#include "core/random/exact_bingham.hpp"
#include "tests/support/bingham_law.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/exact_directions.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace eigenvector_audit_test {

using namespace testing_support;

// The largest epsilon refuted by scores of many releases of two neighbours, where a larger score
// favours the first: over thresholds at 15 quantiles of the pooled scores and both directions. The
// quantiles come from a third of the scores and are tested on the others. Wrong with probability
// below 1e-6.
double epsilonAtLeast(const std::vector<double>& first, const std::vector<double>& second) {
  const std::size_t third = first.size() / 3;
  std::vector<double> pooled(first.begin(), first.begin() + std::ptrdiff_t(third));
  pooled.insert(pooled.end(), second.begin(), second.begin() + std::ptrdiff_t(third));
  std::sort(pooled.begin(), pooled.end());
  constexpr double kQuantiles[] = {0.001, 0.003, 0.01, 0.03, 0.1,  0.2,   0.3,  0.5,
                                   0.7,   0.8,   0.9,  0.97, 0.99, 0.997, 0.999};
  constexpr double kEach = kAlarm / (4 * std::size(kQuantiles));
  double found = 0;
  const std::size_t rest = first.size() - third;
  for (const double quantile : kQuantiles) {
    const double threshold = pooled[std::size_t(quantile * double(pooled.size()))];
    const auto above = [&](const std::vector<double>& scores, double sign) {
      return std::uint64_t(std::count_if(scores.begin() + std::ptrdiff_t(third), scores.end(),
                                         [&](double x) { return sign * (x - threshold) > 0; }));
    };
    for (const double sign : {1.0, -1.0}) {
      const auto& likely = sign > 0 ? first : second;
      const auto& unlikely = sign > 0 ? second : first;
      const double hit = probabilityAtLeast(above(likely, sign), rest, kEach);
      if (hit > 0) {
        found =
            std::max(found, std::log(hit / probabilityAtMost(above(unlikely, sign), rest, kEach)));
      }
    }
  }
  return found;
}

// One direction from exp(kappa u^T C u), drawn by a sampler of Bingham's law.
using Sampler = void (*)(std::span<const double>, Drbg&, std::span<double>);

// The acceptance probability of diffprivlib up to 0.6.6 and of OpenDP's eigenvector measurement:
// divided by (x^T Omega x)^(q/2) instead of multiplied by it.
void invertedEnvelope(std::span<const double> alphas, Drbg& random, std::span<double> x) {
  const int q = int(alphas.size());
  const double b = binghamB(alphas);
  for (;;) {
    double squared = 0, u = 0;
    for (std::size_t i = 0; i < alphas.size(); ++i) {
      x[i] = standardNormal(random) / std::sqrt(1 + 2 * alphas[i] / b);
      squared += x[i] * x[i], u += alphas[i] * x[i] * x[i];
    }
    u /= squared;
    const double bound = -(q - b) / 2 + q * std::log(q / b) / 2;
    if (std::log(uniformOpen(random)) >= -u - q * std::log1p(2 * u / b) / 2 - bound) continue;
    for (double& entry : x) entry /= std::sqrt(squared);
    return;
  }
}

// p-value of the first of two directions in three dimensions, drawn with `drawn`, against the
// exponent that `claimed` gives it: half of that of the two draws. The values have almost no noise,
// so they keep the order of the draws.
double exponentPValue(const EigenBudget& drawn, const EigenBudget& claimed, std::uint64_t count) {
  const Eigen::MatrixXd scatter = Eigen::Vector3d(9, 5, 0).asDiagonal();
  const double kappa = claimed.kappa * claimed.directions / 2;
  const std::vector<double> alphas = {0, 4 * kappa, 9 * kappa};
  const double mean = binghamMoment(alphas, 0);
  const double variance = binghamMoment(alphas, 0, 0) - mean * mean;
  const std::vector<Int128> totals = gridTotals(scatter, drawn.bits);
  Drbg random(unsafeTestSeed(70));
  double sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = noisyEigenpairs(totals, 3, drawn, random).directions[0];
    sum += std::ldexp(x * x, -2 * kDirectionBits) - mean;
  }
  return normalTail(sum / std::sqrt(variance * double(count)));
}

TEST(EigenvectorLaw, UsesForEachDirectionTheExponentOfItsPart) {
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    MechanismParams params{};
    params.epsilon = 1;
    params.neighbours = neighbours;
    params.unit = Unit::kRow;
    params.dimension = 3;
    params.components = 2;
    params.options.set(kEigenMethod, EigenMethod::kUniform);
    EigenBudget budget = eigenBudget(params, 22);
    budget.w = 1;
    // The theorem's fraction: a quarter of epsilon for each draw.
    const double c = neighbours == Neighbours::kReplaceOne ? 0.5 : 1;
    EXPECT_DOUBLE_EQ(budget.kappa * kScaleMargin * budget.directions / 2, c / 4);
    EXPECT_GT(exponentPValue(budget, budget, draws(20'000)), kAlarm);
    for (const double fault : {0.5, 2.0}) {
      EigenBudget wrong = budget;
      wrong.kappa *= fault;
      EXPECT_LT(exponentPValue(wrong, budget, repetitions(20'000, 5'000)), kAlarm);
    }
  }
}

// Diagonal matrices, so that axes are eigenvectors.
using Diagonal = std::vector<double>;
struct Pair {
  Neighbours neighbours;
  Diagonal first, second;
  std::size_t axis;  ///< the axis of the row that only the first data set has
};

// Small matrices: the draws differ most if one data set prefers no direction.
std::vector<Pair> pairs() {
  return {
      {Neighbours::kReplaceOne, {1, 1}, {0, 2}, 0},
      {Neighbours::kReplaceOne, {1, 1, 1}, {0, 2, 1}, 0},
      {Neighbours::kAddRemove, {1, 0}, {0, 0}, 0},
      {Neighbours::kAddRemove, {1, 1, 1}, {0, 1, 1}, 0},
  };
}

std::vector<double> scoresOfOneDraw(const Pair& pair, bool of_first, double kappa, Sampler sampler,
                                    std::uint64_t count, std::uint64_t seed) {
  const Diagonal& values = of_first ? pair.first : pair.second;
  const double top = *std::max_element(values.begin(), values.end());
  std::vector<double> alphas, x(values.size()), scores;
  for (const double value : values) alphas.push_back(kappa * (top - value));
  Drbg random(unsafeTestSeed(seed));
  for (std::uint64_t i = 0; i < count; ++i) {
    sampler(alphas, random, x);
    double change = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      change += (pair.first[j] - pair.second[j]) * x[j] * x[j];
    }
    scores.push_back(change);
  }
  return scores;
}

double auditOfOneDraw(const Pair& pair, double kappa, Sampler sampler, std::uint64_t count) {
  return epsilonAtLeast(scoresOfOneDraw(pair, true, kappa, sampler, count, 1),
                        scoresOfOneDraw(pair, false, kappa, sampler, count, 2));
}

// The exponent of the mechanism for one draw that spends `epsilon`.
double kappaFor(Neighbours neighbours, int dimension, double epsilon) {
  MechanismParams params{};
  params.epsilon = 1;
  params.neighbours = neighbours;
  params.unit = Unit::kRow;
  params.dimension = dimension;
  params.components = 1;
  return eigenBudget(params, 22).kappa * epsilon;
}

TEST(EigenvectorAudit, OfOneDrawStaysBelowItsEpsilonAndComesClose) {
  for (const Pair& pair : pairs()) {
    for (const double epsilon : {1.0, 4.0}) {
      const double kappa = kappaFor(pair.neighbours, int(pair.first.size()), epsilon);
      const double found = auditOfOneDraw(pair, kappa, &exactBingham, draws(150'000));
      EXPECT_LE(found, epsilon) << name(pair.neighbours) << pair.first.size();
      if (!kSlowBuild) {
        EXPECT_GT(found, 0.3 * epsilon) << name(pair.neighbours) << pair.first.size();
      }
    }
  }
}

TEST(EigenvectorAudit, CatchesTheAddRemoveExponentUnderReplaceOne) {
  // Twice the permitted exponent: the likelihood ratio reaches e^6.4, but the guarantee is e^4.
  const Pair pair = pairs()[0];
  const double kappa = kappaFor(Neighbours::kAddRemove, 2, 4);
  EXPECT_GT(auditOfOneDraw(pair, kappa, &exactBingham, repetitions(150'000, 60'000)), 4);
}

TEST(EigenvectorAudit, CatchesTheInvertedEnvelopeThatTwoLibrariesShipped) {
  // It samples exp(-u) (1 + 2u/b)^-q: at epsilon = 1 and two dimensions the likelihood ratio
  // reaches e^1.7.
  const Pair pair = pairs()[0];
  const double kappa = kappaFor(Neighbours::kReplaceOne, 2, 1);
  const std::uint64_t count = repetitions(150'000, 60'000);
  EXPECT_GT(auditOfOneDraw(pair, kappa, &invertedEnvelope, count), 1.2);
}

// ---------------------------------------------------------------- whole releases

struct Case {
  Neighbours neighbours;
  EigenMethod method;
  int components;
};

// Rows on axes in the plane. One row lies along the second axis; another one lies along the first,
// or also along the second (replace-one), or is absent (add-remove).
constexpr double kOnAxes[] = {0, 1, 1, 0};

// The logarithm of the likelihood ratio of a release of two components in the plane, first data set
// over second. The order of the draws is not released, so both orders contribute.
class Likelihood {
 public:
  Likelihood(const Plan& plan, Diagonal scatter)
      : plan_(plan), scatter_(std::move(scatter)), budget_(eigenBudget(plan.params, plan.bits)) {
    const double top = std::max(scatter_[0], scatter_[1]);
    const double kappa = budget_.kappa * budget_.directions;
    const Diagonal alphas = {kappa * (top - scatter_[0]), kappa * (top - scatter_[1])};
    log_normaliser_ = std::log(binghamNormaliser(alphas)) + kappa * top;
  }

  double log(const std::vector<double>& out) const {
    const double kappa = budget_.kappa * budget_.directions;
    double quotients[2], values[2];
    for (std::size_t i = 0; i < std::size_t(plan_.params.components); ++i) {
      const double x = std::ldexp(out[3 * i + 1], -kDirectionBits);
      const double y = std::ldexp(out[3 * i + 2], -kDirectionBits);
      quotients[i] = scatter_[0] * x * x + scatter_[1] * y * y;
      values[i] = std::ldexp(out[3 * i], plan_.release_shift - 2 * plan_.bits);
    }
    const bool rayleigh = budget_.method == EigenMethod::kRayleigh;
    const double eigenvalues[2] = {std::max(scatter_[0], scatter_[1]),
                                   std::min(scatter_[0], scatter_[1])};
    const auto laplace = [&](double value, double centre) {
      return std::exp(-std::fabs(value - centre) / budget_.valueScale());
    };
    const auto drawn = [&](std::size_t i) {
      return std::exp(kappa * quotients[i] - log_normaliser_);
    };
    if (plan_.params.components == 1) {
      return std::log(drawn(0) * laplace(values[0], rayleigh ? quotients[0] : eigenvalues[0]));
    }
    double density = 0;
    for (const std::size_t i : {0, 1}) {  // component i was drawn first
      density += drawn(i) * laplace(values[i], rayleigh ? quotients[i] : eigenvalues[0]) *
                 laplace(values[1 - i], rayleigh ? quotients[1 - i] : eigenvalues[1]);
    }
    return std::log(density);
  }

 private:
  const Plan& plan_;
  Diagonal scatter_;
  EigenBudget budget_;
  double log_normaliser_;
};

double auditOfReleases(const Plan& noise, const Plan& claimed, std::uint64_t releases) {
  const bool replace = claimed.params.neighbours == Neighbours::kReplaceOne;
  const std::span<const double> both(kOnAxes);
  const std::vector<double> twice = {0, 1, 0, 1};
  const std::vector<Int128> first = exactTotals(noise, both);
  const std::vector<Int128> second =
      exactTotals(noise, replace ? std::span<const double>(twice) : both.first(2));
  const Likelihood of_first(noise, {1, 1});
  const Likelihood of_second(noise, {0, replace ? 2.0 : 1.0});
  std::vector<double> scores[2], out(noise.length);
  for (const int which : {0, 1}) {
    Drbg random(unsafeTestSeed(std::uint64_t(50 + which)));
    for (std::uint64_t i = 0; i < releases; ++i) {
      noise.release(noise, which == 0 ? first : second, random, out);
      scores[which].push_back(of_first.log(out) - of_second.log(out));
    }
  }
  return epsilonAtLeast(scores[0], scores[1]);
}

MechanismParams paramsOf(const Case& c, double epsilon) {
  MechanismParams params{};
  params.epsilon = epsilon;
  params.neighbours = c.neighbours;
  params.unit = Unit::kRow;
  params.dimension = 2;
  params.components = c.components;
  params.options.set(kEigenMethod, c.method);
  return params;
}

TEST(EigenvectorAudit, OfWholeReleasesStaysBelowTheGuaranteeAndComesClose) {
  const std::vector<Case> cases = {
      {Neighbours::kReplaceOne, EigenMethod::kRayleigh, 2},
      {Neighbours::kAddRemove, EigenMethod::kRayleigh, 2},
      {Neighbours::kReplaceOne, EigenMethod::kRayleigh, 1},
      {Neighbours::kReplaceOne, EigenMethod::kUniform, 2},
      {Neighbours::kAddRemove, EigenMethod::kUniform, 2},
      {Neighbours::kAddRemove, EigenMethod::kAdaptive, 2},
  };
  for (const Case& c : cases) {
    const Plan plan = planEigenvectorSampling(paramsOf(c, 4)).value();
    const double found = auditOfReleases(plan, plan, draws(40'000));
    EXPECT_LE(found, plan.guarantee.epsilon) << name(c.neighbours) << c.components;
    if (!kSlowBuild) {
      EXPECT_GT(found, 0.35 * plan.guarantee.epsilon) << name(c.neighbours) << c.components;
    }
  }
}

TEST(EigenvectorAudit, CatchesReleasesWithNoiseForThreeTimesTheEpsilon) {
  const Case c = {Neighbours::kReplaceOne, EigenMethod::kRayleigh, 2};
  const Plan claimed = planEigenvectorSampling(paramsOf(c, 2)).value();
  const Plan noise = planEigenvectorSampling(paramsOf(c, 6)).value();
  EXPECT_GT(auditOfReleases(noise, claimed, repetitions(40'000, 20'000)),
            claimed.guarantee.epsilon);
}

}  // namespace eigenvector_audit_test
}  // namespace pm
