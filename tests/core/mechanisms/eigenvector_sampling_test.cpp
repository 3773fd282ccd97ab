#include "core/mechanisms/eigenvector_sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/matrix/multiply.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/research/published/eigenvectors.hpp"
#include "tests/support/exact_directions.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace eigenvector_sampling_test {

using namespace testing_support;

constexpr EigenMethod kMethods[] = {EigenMethod::kRayleigh, EigenMethod::kUniform,
                                    EigenMethod::kAdaptive};
constexpr Neighbours kRelations[] = {Neighbours::kReplaceOne, Neighbours::kAddRemove};

MechanismParams eigenParams(int dimension, int components, Neighbours neighbours,
                            double epsilon = 1, EigenMethod method = EigenMethod::kRayleigh,
                            Unit unit = Unit::kRow) {
  MechanismParams params{};
  params.epsilon = epsilon;
  params.neighbours = neighbours;
  params.unit = unit;
  params.dimension = dimension;
  params.components = components;
  params.options.set(kEigenMethod, method);
  return params;
}

Plan planOf(const MechanismParams& params) { return planEigenvectorSampling(params).value(); }

// C = V diag(9, 7, 5, 3, ...) V^T, in units of the squared row norm.
Eigen::MatrixXd steppedScatter(int d, std::uint64_t seed, double step = 2) {
  UnsafeTestRandom random(seed);
  Eigen::MatrixXd raw(d, d);
  for (double& entry : raw.reshaped()) entry = random.symmetric();
  Spectrum steps = spectrum(raw + raw.transpose());
  for (int i = 0; i < d; ++i) steps.values[i] = step * (d - i) + 1;
  return compose(steps);
}

double largestOverlapError(const Eigen::MatrixXd& vectors) {
  const Eigen::Index k = vectors.cols();
  return (vectors.transpose() * vectors - Eigen::MatrixXd::Identity(k, k)).cwiseAbs().maxCoeff();
}

TEST(EigenvectorPlan, SpendsTheBudgetsOfTheReference) {
  const auto vectors = readVectors("eigenvectors.json")["itr_budgets"];
  ASSERT_EQ(vectors.size(), 2u);
  for (const auto& v : vectors) {
    const int d = v["d"].get<int>();
    for (const Neighbours neighbours : kRelations) {
      const bool replace = neighbours == Neighbours::kReplaceOne;
      const MechanismParams params = eigenParams(d, d, neighbours, v["eps"].get<double>());
      const EigenBudget budget = eigenBudget(params, 22);
      const double each = v["eps_vectors_each(d-1 draws)"].get<double>();
      EXPECT_NEAR(budget.directions / (d - 1), each, 1e-15);
      const double kappa = v["kappa_replace_one"].get<double>() * (replace ? 1 : 2);
      EXPECT_NEAR(budget.kappa * each / kappa, 1 / kScaleMargin, 1e-15);
      const char* key =
          replace ? "rayleigh_laplace_scale_replace_one" : "rayleigh_laplace_scale_add_remove";
      // For a basis rounded to integers the scale is at most 2^-16 larger.
      EXPECT_GE(budget.valueScale(), v[key].get<double>());
      EXPECT_NEAR(budget.valueScale() / v[key].get<double>(), 1, 0x1.02p-16);
      EXPECT_NEAR(params.epsilon - budget.directions, v["eps_values"].get<double>(), 1e-15);
    }
  }
}

TEST(EigenvectorPlan, SplitsAdaptivelyAsTheReference) {
  const auto vectors = readVectors("eigenvectors.json")["amin_budgets"];
  ASSERT_EQ(vectors.size(), 3u);
  for (const auto& v : vectors) {
    const auto values = v["lambda_hat"].get<std::vector<double>>();
    const double epsilon = v["eps"].get<double>();
    const double tau = aminTau(epsilon, Eigen::Index(values.size()), v["beta"].get<double>());
    EXPECT_NEAR(tau, v["tau"].get<double>(), 1e-12 * tau);
    const std::vector<double> shares = adaptiveShares(values, tau);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(shares[i] * epsilon / 2, v["eps_i"][i].get<double>(), 1e-14);
    }
  }
  const std::vector<double> hopeless = {-5, -9};
  EXPECT_EQ(adaptiveShares(hopeless, 1), (std::vector<double>{0.5, 0.5}));
}

TEST(EigenvectorPlan, GuaranteesThePureSumOfItsPartsForAnyDelta) {
  for (const Neighbours neighbours : kRelations) {
    for (const EigenMethod method : kMethods) {
      for (const int k : {1, 4, 5}) {
        MechanismParams params = eigenParams(5, k, neighbours, 0.8, method);
        params.delta = 1e-6;
        const Plan plan = planOf(params);
        const Guarantee& g = plan.guarantee;
        EXPECT_EQ(g.epsilon, 0.8);
        EXPECT_EQ(g.delta, 0);
        EXPECT_EQ(g.numerics, Numerics::kExact);
        EXPECT_EQ(g.neighbours, neighbours);
        ASSERT_EQ(g.parts.size(), 2u);
        EXPECT_EQ(g.parts[0].what, "directions");
        EXPECT_EQ(g.parts[1].what, "values");
        EXPECT_DOUBLE_EQ(g.parts[0].epsilon + g.parts[1].epsilon, 0.8);
        // Equal draws of bounded range 0.4/m; for adaptive ones only the sum is known.
        const double m = method == EigenMethod::kAdaptive ? 1 : std::min(k, 4);
        EXPECT_NEAR(g.parts[0].zcdp, 0.16 / (8 * m), 1e-15);
        EXPECT_NEAR(g.parts[1].zcdp, 0.08, 1e-15);
        EXPECT_NEAR(g.zcdp, 0.16 / (8 * m) + 0.08, 1e-15);
        EXPECT_LE(g.gdp, gdpOfPure(0.8));
        EXPECT_LE(g.gdp, std::hypot(g.parts[0].gdp, g.parts[1].gdp) * (1 + 1e-15));
        EXPECT_EQ(plan.content, Content::kComponents);
        EXPECT_EQ(plan.length, std::size_t(k) * 6);
      }
    }
  }
}

TEST(EigenvectorPlan, SpendsEverythingOnTheValueOfASingleFeature) {
  for (const Neighbours neighbours : kRelations) {
    const Plan plan = planOf(eigenParams(1, 1, neighbours));
    ASSERT_EQ(plan.guarantee.parts.size(), 1u);
    EXPECT_EQ(plan.guarantee.parts[0].what, "values");
    EXPECT_EQ(plan.guarantee.parts[0].epsilon, 1);
    const double scale = std::ldexp(16 * double(plan.own<EigenvectorNoise>().w), -2 * plan.bits);
    EXPECT_GE(scale, 1);
    EXPECT_LT(scale, 1 + 0x1.02p-16);
  }
}

TEST(EigenvectorPlan, RejectsTooManyComponentsAndInvalidBudgets) {
  const auto code = [](const MechanismParams& params) {
    return planEigenvectorSampling(params).error().code;
  };
  for (const int k : {-1, 0, 6}) {
    EXPECT_EQ(code(eigenParams(5, k, Neighbours::kReplaceOne)), Code::kInvalidComponents);
  }
  EXPECT_EQ(code(eigenParams(5, 2, Neighbours::kReplaceOne, 0)), Code::kInvalidEpsilon);
  EXPECT_EQ(code(eigenParams(5, 2, Neighbours::kReplaceOne, 1e-17)), Code::kNoiseTooLarge);
  EXPECT_EQ(code(eigenParams(0, 1, Neighbours::kReplaceOne)), Code::kInvalidDimension);
}

TEST(EigenvectorPlan, CanBeNamedInAStudyAndReleasesDirections) {
  const Mechanism* mechanism = findMechanism("eigenvector-sampling");
  ASSERT_NE(mechanism, nullptr);
  EXPECT_EQ(mechanism->content(), Content::kComponents);
  EXPECT_EQ(mechanism->budget, Budget::kPure);
  EXPECT_FALSE(mechanism->additive);
}

// A scatter with at most `bits` fractional bits, truncated towards zero, of trace at most 1.
Eigen::MatrixXd truncatedAverage(int d, int bits, UnsafeTestRandom& random) {
  const int rows = 1 + int(random.below(4));
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(d, d);
  for (int r = 0; r < rows; ++r) {
    Eigen::VectorXd x(d);
    for (double& entry : x) entry = random.symmetric();
    sum += x * x.transpose() / x.squaredNorm() / rows;
  }
  for (double& entry : sum.reshaped()) {
    entry = std::ldexp(std::trunc(std::ldexp(entry, 2 * bits)), -2 * bits);
  }
  return sum;
}

TEST(EigenvectorBudget, CoversTheLargestChangeByARowOrParticipant) {
  // kappa times the spread of u^T (C - C') u bounds a draw, the two sums bound the values.
  UnsafeTestRandom random(7);
  for (const Neighbours neighbours : kRelations) {
    double closest = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      const Unit unit = trial % 2 == 0 ? Unit::kRow : Unit::kParticipant;
      const int d = 2 + int(random.below(4)), k = 1 + int(random.below(std::uint64_t(d)));
      const int bits = unit == Unit::kRow ? 26 : 2;  // coarse, so that truncation matters
      const EigenBudget budget =
          eigenBudget(eigenParams(d, k, neighbours, 1, EigenMethod::kRayleigh, unit), bits);
      Eigen::VectorXd x(d), y(d);
      for (double& entry : x) entry = random.symmetric();
      for (double& entry : y) entry = random.symmetric();
      Eigen::MatrixXd first = x * x.transpose() / x.squaredNorm();
      Eigen::MatrixXd second = y * y.transpose() / y.squaredNorm();
      if (unit == Unit::kParticipant) {
        first = truncatedAverage(d, bits, random);
        second = truncatedAverage(d, bits, random);
      }
      if (neighbours == Neighbours::kAddRemove) second.setZero();
      const Eigen::MatrixXd common = unit == Unit::kRow ? steppedScatter(d, random.next64(), 0.1)
                                                        : Eigen::MatrixXd::Zero(d, d);
      const Spectrum change = spectrum(first - second);
      const double spread = change.values[0] - change.values[d - 1];
      EXPECT_LE(budget.kappa * spread, 1 + 1e-12);
      closest = std::max(closest, budget.kappa * spread);

      const double scale_covers = budget.valueScale() * 0.5 + 1e-12;
      const Eigen::VectorXd values = spectrum(common + first).values;
      const Eigen::VectorXd others = spectrum(common + second).values;
      EXPECT_LE((values - others).head(k).cwiseAbs().sum(), scale_covers);
      const Eigen::MatrixXd basis = spectrum(steppedScatter(d, random.next64())).vectors;
      double quotients = 0;
      for (int i = 0; i < k; ++i) {
        quotients += std::fabs(basis.col(i).dot((first - second) * basis.col(i)));
      }
      EXPECT_LE(quotients, scale_covers);
    }
    EXPECT_GT(closest, 0.99);  // and is not larger than necessary
  }
}

// Directions of D multiples of 2^-kDirectionBits as columns of unit length, nearly.
Eigen::MatrixXd columnsOf(const std::vector<double>& directions, int d) {
  const Eigen::Map<const Eigen::MatrixXd> columns(directions.data(), d,
                                                  Eigen::Index(directions.size()) / d);
  return columns * std::ldexp(1.0, -kDirectionBits);
}

NoisyEigenpairs drawn(const Eigen::MatrixXd& scatter, const EigenBudget& budget,
                      std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  return noisyEigenpairs(gridTotals(scatter, budget.bits), int(scatter.rows()), budget, random);
}

TEST(NoisyEigenpairs, HaveOrthonormalDirectionsEvenIfEigenvaluesCoincideOrVanish) {
  for (const int d : {1, 2, 3, 20, 60}) {
    Eigen::MatrixXd few = Eigen::MatrixXd::Zero(d, d);
    few(0, 0) = 1e6;
    few(d - 1, d - 1) += 1e6;
    for (const Eigen::MatrixXd& scatter :
         {steppedScatter(d, 5), Eigen::MatrixXd(Eigen::MatrixXd::Identity(d, d)), few}) {
      for (const double epsilon : {1e-3, 1.0, 1e4}) {
        const EigenBudget budget = eigenBudget(eigenParams(d, d, kRelations[0], epsilon), 22);
        const Eigen::MatrixXd vectors = columnsOf(drawn(scatter, budget, 1).directions, d);
        ASSERT_EQ(vectors.cols(), d);
        // Each entry is rounded to 2^-16.
        EXPECT_LT(largestOverlapError(vectors), 4e-5 * std::sqrt(d)) << d;
      }
    }
  }
}

TEST(NoisyEigenpairs, AreTheEigenpairsForALargeBudget) {
  const int d = 6;
  const Eigen::MatrixXd scatter = steppedScatter(d, 8);
  const Spectrum exact = spectrum(scatter);
  for (const EigenMethod method : kMethods) {
    for (const int k : {1, 3, d}) {
      const EigenBudget budget =
          eigenBudget(eigenParams(d, k, Neighbours::kReplaceOne, 1e9, method), 22);
      const NoisyEigenpairs noisy = drawn(scatter, budget, 3);
      const Eigen::MatrixXd vectors = columnsOf(noisy.directions, d);
      ASSERT_EQ(noisy.values.size(), std::size_t(k));
      for (int i = 0; i < k; ++i) {
        const double value = std::ldexp(double(noisy.values[std::size_t(i)]), -2 * budget.bits);
        // The noise pays for an error of 2^16 (D + 8)^2 grid units of each eigenvalue.
        EXPECT_NEAR(value, exact.values[i], 1e-4);
        EXPECT_NEAR(std::fabs(vectors.col(i).dot(exact.vectors.col(i))), 1, 1e-4);
      }
    }
  }
}

TEST(NoisyEigenpairs, KeepValueAndDirectionTogetherWhenTheyAreSorted) {
  // Weak draws, almost no noise on the values: each value is the Rayleigh quotient of its
  // direction.
  const Eigen::MatrixXd scatter = steppedScatter(9, 4);
  const EigenBudget budget{EigenMethod::kRayleigh, 9, 22, 1e-3, 1, 1, 0};
  const NoisyEigenpairs noisy = drawn(scatter, budget, 5);
  EXPECT_TRUE(std::is_sorted(noisy.values.begin(), noisy.values.end(), std::greater<>()));
  const Eigen::MatrixXd vectors = columnsOf(noisy.directions, 9);
  for (int i = 0; i < 9; ++i) {
    const Eigen::VectorXd v = vectors.col(i);
    EXPECT_NEAR(v.dot(scatter * v), std::ldexp(double(noisy.values[std::size_t(i)]), -44), 1e-2);
  }
}

TEST(NoisyEigenpairs, EigenvaluesAreWithinTheErrorThatTheNoisePaysFor) {
  // Ties, gaps of all sizes and rank deficiency; with the most rows that a release may have.
  UnsafeTestRandom random(31);
  for (const int d : {1, 2, 5, 30, 100}) {
    for (const int rank : {1, d / 2 + 1, d}) {
      Eigen::MatrixXd rows(rank, d);
      for (double& entry : rows.reshaped()) entry = std::pow(random.symmetric(), 5);
      rows.rowwise().normalize();
      const Eigen::MatrixXd scatter =
          rows.transpose() * rows * (double(kMaxRowsOfEigenvalues) / rank);
      const EigenBudget budget =
          eigenBudget(eigenParams(d, 1, kRelations[0], 1, EigenMethod::kUniform), 22);
      const Eigenbasis basis(gridTriangle(scatter, 22), d, 22);
      EXPECT_LT(std::ldexp(basis.valueError(), 44), budget.eigenvalue_error / 2)
          << d << ' ' << rank;
    }
  }
}

TEST(EigenvectorRelease, IsOrthonormalDirectionsWithValuesLargestFirstInPublicUnits) {
  const int d = 4;
  const std::vector<double> rows = {0.9, 0.1, 0, 0, -0.8, 0, 0.1, 0, 0.2, 0.7, 0.1, 0.3};
  for (const EigenMethod method : kMethods) {
    for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
      const Plan plan = planOf(eigenParams(d, d, Neighbours::kAddRemove, 2, method, unit));
      const std::vector<Int128> totals = exactTotals(plan, rows);
      std::vector<double> out(plan.length), again(plan.length);
      Drbg random(unsafeTestSeed(6)), same(unsafeTestSeed(6));
      plan.release(plan, totals, random, out);
      plan.release(plan, totals, same, again);
      EXPECT_EQ(out, again);
      Eigen::MatrixXd vectors(d, d);
      for (int i = 0; i < d; ++i) {
        const double* component = &out[std::size_t(i) * (d + 1)];
        if (i > 0) {
          EXPECT_LE(component[0], component[-(d + 1)]);
        }
        for (int r = 0; r < d; ++r) vectors(r, i) = std::ldexp(component[1 + r], -kDirectionBits);
      }
      EXPECT_LT(largestOverlapError(vectors), 2 * d * std::ldexp(1.0, -kDirectionBits));
      for (const double value : out) EXPECT_EQ(value, std::nearbyint(value));
      // The grid of the values keeps 2^12 steps in their standard deviation.
      EXPECT_GE(std::sqrt(2) * 16 * double(plan.own<EigenvectorNoise>().w),
                std::ldexp(1.0, plan.release_shift + 12));
    }
  }
}

TEST(EigenvectorRelease, HasValuesOfTheDataPlusTheNoiseOfThePlan) {
  // One feature, one unit row: Laplace around 1 with scale 1/epsilon. The mean of 4000 has standard
  // error 0.022; six of them: false alarm below 1e-8.
  const Plan plan = planOf(eigenParams(1, 1, Neighbours::kAddRemove));
  const std::vector<Int128> totals = exactTotals(plan, std::vector<double>{1});
  Drbg random(unsafeTestSeed(8));
  double mean = 0, size = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<double> out(2);
    plan.release(plan, totals, random, out);
    const double value = std::ldexp(out[0], plan.release_shift - 2 * plan.bits);
    mean += value / 4000;
    size += std::fabs(value - 1) / 4000;
    EXPECT_EQ(std::fabs(out[1]), std::ldexp(1.0, kDirectionBits));
  }
  EXPECT_NEAR(mean, 1, 6 * std::sqrt(2.0 / 4000));
  EXPECT_NEAR(size, 1, 6 * std::sqrt(1.0 / 4000));
}

PublishedParams publishedParams(Neighbours neighbours, double epsilon, int k) {
  PublishedParams params{};
  params.epsilon = epsilon;
  params.neighbours = neighbours;
  params.rows = 1000;
  params.components = k;
  return params;
}

TEST(PublishedEigenvectors, SpendTheReferenceBudgets) {
  const auto vectors = readVectors("eigenvectors.json")["kt_budgets"];
  ASSERT_EQ(vectors.size(), 2u);
  for (const auto& v : vectors) {
    for (const Neighbours neighbours : kRelations) {
      const auto step = kapralovTalwarStep(
          publishedParams(neighbours, v["eps"].get<double>(), v["k"].get<int>()));
      const char* key =
          neighbours == Neighbours::kReplaceOne ? "kappa_replace_one" : "kappa_add_remove";
      EXPECT_DOUBLE_EQ(step.epsilon, v["eps_step"].get<double>());
      EXPECT_DOUBLE_EQ(step.kappa, v[key].get<double>());
      EXPECT_DOUBLE_EQ(step.value_scale, v["laplace_scale"].get<double>());
    }
  }
}

TEST(PublishedEigenvectors, StateTheirTrueGuarantees) {
  const auto guarantee = [](const char* name, Neighbours neighbours) {
    return *findPublished(name)->guarantee(publishedParams(neighbours, 1, 3));
  };
  for (const Neighbours neighbours : kRelations) {
    EXPECT_EQ(guarantee("kapralov-talwar", neighbours).epsilon, 1);
    for (const char* name : {"kapralov-talwar", "amin-iterative"}) {
      const Guarantee g = guarantee(name, neighbours);
      EXPECT_EQ(g.delta, 0);
      EXPECT_NEAR(g.parts[0].epsilon + g.parts[1].epsilon, g.epsilon, 1e-15);
      EXPECT_NEAR(g.parts[0].zcdp + g.parts[1].zcdp, g.zcdp, 1e-15);
      EXPECT_LE(g.gdp, gdpOfPure(g.epsilon));
    }
  }
  EXPECT_EQ(guarantee("amin-iterative", Neighbours::kReplaceOne).epsilon, 0.75);
  EXPECT_EQ(guarantee("amin-iterative", Neighbours::kAddRemove).epsilon, 0.375);
}

TEST(PublishedEigenvectors, EstimateTheMatrixForALargeBudget) {
  const Eigen::MatrixXd scatter = steppedScatter(5, 9);
  for (const char* name : {"kapralov-talwar", "amin-iterative"}) {
    Drbg random(unsafeTestSeed(11));
    const Eigen::MatrixXd estimate =
        findPublished(name)->run(scatter, publishedParams(Neighbours::kReplaceOne, 1e8, 5), random);
    EXPECT_LT((estimate - scatter).norm(), 1e-2) << name;
  }
  // If the largest possible value is known, the subtracted value is clamped to it.
  PublishedParams tight = publishedParams(Neighbours::kReplaceOne, 1e8, 5);
  tight.rows = 2;
  Drbg random(unsafeTestSeed(12));
  EXPECT_LT(spectrum(kapralovTalwar(scatter, tight, random)).values[0], 10.0 + 1e-9);
  Drbg same(unsafeTestSeed(12));
  tight.neighbours = Neighbours::kAddRemove;
  EXPECT_GT(spectrum(kapralovTalwar(scatter, tight, same)).values[0], 10.9);
}

}  // namespace eigenvector_sampling_test
}  // namespace pm
