// Counts, sums and second moments of classes from one query, and the model built from them.
#include "core/synthesis/fit/joint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/random/continuous.hpp"
#include "core/synthesis/fit/projection.hpp"
#include "core/synthesis/fit/synthesis.hpp"
#include "tests/support/synthesis_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace synthesis_joint_test {

using namespace testing_support;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rounding to the row grid, with a margin.
constexpr double kGrid = 2e-6;

SynthesisTerms jointly(SynthesisTerms terms) {
  terms.sums = SumsForm::kJoint;
  terms.noise = SynthesisNoise::kTwoSidedWishart;
  terms.row_norm = 1;
  terms.radius = 1;
  return terms;
}

Synthesis made(const SynthesisTerms& terms, const std::vector<double>& cells, GivenNoise& noise) {
  SynthesisTable table = tableOf(terms, cells);
  return synthesise(table, noise).value();
}

// Four rows per class, far from collinear; small noise.
const std::vector<double> kRows = {0.6,  0.1, 0, 0.2,  0.3, 0, 0.5,  -0.2, 0, 0.1, -0.6, 0,
                                   -0.6, 0,   1, -0.1, 0.4, 1, -0.4, 0.5,  1, 0.2, 0.2,  1};

TEST(JointSums, AreTheRowsTheirSumAndTheirSecondMomentsOfEachClass) {
  GivenNoise noise;
  made(jointly(synthesisTerms(2, 2)), kRows, noise);
  ASSERT_EQ(noise.steps.size(), 1u);
  const std::vector<double> expected = {4, 1.4,  -0.4, 0.66, -0.04, 0.5,
                                        4, -0.9, 1.1,  0.57, -0.2,  0.45};
  const std::vector<double>& sums = noise.sums.at("moments");
  ASSERT_EQ(sums.size(), expected.size());
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums[i], expected[i], kGrid) << i;
}

TEST(JointSums, OfOneGaussianHaveTheConstantHalfAsLong) {
  GivenNoise noise;
  made(jointly(synthesisTerms(2)), {0.6, 0.1, 0.2, 0.3}, noise);
  const std::vector<double> expected = {0.5, 0.4, 0.2, 0.4, 0.12, 0.1};
  const std::vector<double>& sums = noise.sums.at("moments");
  ASSERT_EQ(sums.size(), expected.size());
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums[i], expected[i], kGrid) << i;
}

TEST(JointSums, SpendTheWholeBudget) {
  for (const double delta : {0.0, 1e-5}) {
    SynthesisTerms terms = jointly(synthesisTerms(2, 2, 0.7, delta));
    if (delta > 0) terms.noise = SynthesisNoise::kGaussian;
    const SynthesisPlan plan = planSynthesis(terms).value();
    ASSERT_EQ(plan.steps().size(), 1u);
    EXPECT_NEAR(plan.guarantee.epsilon, 0.7, 1e-9);
    EXPECT_LE(plan.guarantee.delta, delta);
    terms.covariance = CovarianceChoice::kChosen;
    EXPECT_NEAR(planSynthesis(terms).value().choice_epsilon, 0.07, 1e-9);
  }
}

TEST(JointSums, CannotBeUsedForASpectrum) {
  SynthesisTerms terms = jointly(synthesisTerms(2));
  terms.task = SynthesisTask::kSpectrum;
  const auto plan = planSynthesis(terms);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, Code::kInvalidSynthesis);
  EXPECT_STREQ(plan.error().field.c_str(), "sums");
}

// Moments of rows, class by class, with noise of these standard deviations.
NoisyMoments momentsOf(const std::vector<MatrixXd>& classes, double sd, Drbg* random) {
  NoisyMoments moments;
  moments.off_diagonal = sd;
  moments.diagonal = std::sqrt(2.0) * sd;
  for (const MatrixXd& rows : classes) {
    MatrixXd augmented(rows.rows(), rows.cols() + 1);
    augmented << VectorXd::Ones(rows.rows()), rows;
    MatrixXd sums = augmented.transpose() * augmented;
    for (Eigen::Index i = 0; random && i < sums.rows(); ++i) {
      sums(i, i) += moments.diagonal * standardNormal(*random);
      for (Eigen::Index j = 0; j < i; ++j) {
        sums(i, j) = sums(j, i) += sd * standardNormal(*random);
      }
    }
    moments.sums.push_back(sums);
  }
  return moments;
}

// Rows about a mean with these standard deviations, well within the unit ball.
MatrixXd normalRows(int count, const VectorXd& mean, const VectorXd& sd, std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  MatrixXd rows(count, mean.size());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (Eigen::Index j = 0; j < rows.cols(); ++j) {
      rows(i, j) = mean[j] + sd[j] * standardNormal(random);
    }
  }
  return rows;
}

MatrixXd covarianceOf(const MatrixXd& rows) {
  const MatrixXd about = rows.rowwise() - rows.colwise().mean();
  return about.transpose() * about / double(rows.rows());
}

double distance(const MatrixXd& a, const MatrixXd& b) { return (a - b).norm(); }

TEST(JointMoments, WithoutNoiseGiveTheMomentsOfTheRows) {
  const VectorXd zero = VectorXd::Zero(3), third = VectorXd::Constant(3, 0.3);
  const MatrixXd a = normalRows(40, third, VectorXd::Constant(3, 0.1), 1),
                 b = normalRows(60, zero, Eigen::Vector3d(0.2, 0.05, 0.1), 2);
  const auto apart = gaussiansOf(momentsOf({a, b}, 0, nullptr), false);
  ASSERT_EQ(apart.size(), 2u);
  EXPECT_EQ(apart[1].level, 1);
  EXPECT_NEAR(apart[1].rows, 60, 1e-9);
  EXPECT_LT((apart[0].mean - a.colwise().mean().transpose()).norm(), 1e-12);
  EXPECT_LT(distance(apart[0].covariance, covarianceOf(a)), 1e-12);
  EXPECT_LT(distance(apart[1].covariance, covarianceOf(b)), 1e-12);
  const auto alike = gaussiansOf(momentsOf({a, b}, 0, nullptr), true);
  const MatrixXd pooled = 0.4 * covarianceOf(a) + 0.6 * covarianceOf(b);
  EXPECT_LT(distance(alike[0].covariance, pooled), 1e-12);
  EXPECT_LT(distance(alike[1].covariance, pooled), 1e-12);
}

TEST(JointMoments, OfALabelKeepItsCovariances) {
  MatrixXd rows = normalRows(50, VectorXd::Constant(3, 0.1), VectorXd::Constant(3, 0.2), 3);
  rows.col(2) += 2 * rows.col(0);
  NoisyMoments moments = momentsOf({rows}, 0, nullptr);
  moments.labelled = true;
  moments.rows = {50};
  const ReleasedGaussian gaussian = gaussiansOf(moments, true)[0];
  EXPECT_LT(distance(gaussian.covariance, covarianceOf(rows)), 1e-12);
  EXPECT_EQ(gaussian.rows, 50);
}

TEST(JointMoments, DoNotDependOnTheConstant) {
  const MatrixXd rows = normalRows(30, VectorXd::Constant(2, 0.2), VectorXd::Constant(2, 0.1), 6);
  NoisyMoments moments = momentsOf({rows}, 0, nullptr);
  moments.constant = 0.5;
  moments.sums[0].row(0) /= 2;
  moments.sums[0].col(0) /= 2;
  const ReleasedGaussian gaussian = gaussiansOf(moments, true)[0];
  EXPECT_NEAR(gaussian.rows, 30, 1e-12);
  EXPECT_LT(distance(gaussian.covariance, covarianceOf(rows)), 1e-12);
}

TEST(JointMoments, OfPureNoiseAreValidAndHaveNoDirection) {
  Drbg random(unsafeTestSeed(4));
  const MatrixXd none = MatrixXd::Zero(1, 4);
  const auto gaussians = gaussiansOf(momentsOf({none, none, none}, 1000, &random), false);
  for (const ReleasedGaussian& gaussian : gaussians) {
    EXPECT_GE(gaussian.rows, 1);
    EXPECT_LE(gaussian.mean.norm(), 1 + 1e-12);
    const VectorXd values = eigenvalues(gaussian.covariance);
    EXPECT_GE(values.minCoeff(), 0);
    EXPECT_LE(values.sum(), 1 + 1e-9);
  }
}

TEST(JointMoments, WithNoiseAreCloserToTheTruthThanTheNoisySums) {
  // Ten classes of 100 rows with different means and the same covariance.
  const VectorXd sd = Eigen::Vector4d(0.2, 0.15, 0.1, 0.1);
  std::vector<MatrixXd> classes;
  for (int c = 0; c < 10; ++c) {
    classes.push_back(normalRows(100, VectorXd::Constant(4, 0.05 * c - 0.2), sd, 10 + c));
  }
  Drbg random(unsafeTestSeed(5));
  double shrunk = 0, as_is = 0;
  for (int run = 0; run < 20; ++run) {
    const NoisyMoments moments = momentsOf(classes, 5, &random);
    const auto gaussians = gaussiansOf(moments, false);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const MatrixXd truth = covarianceOf(classes[c]);
      const MatrixXd& sums = moments.sums[c];
      const VectorXd mean = sums.col(0).tail(4) / sums(0, 0);
      const MatrixXd noisy = sums.bottomRightCorner(4, 4) / sums(0, 0) - mean * mean.transpose();
      shrunk += std::pow(distance(gaussians[c].covariance, truth), 2);
      as_is += std::pow(distance(noisy, truth), 2);
    }
  }
  // The squared error falls to about a tenth, the distance to a third. The seeds are fixed.
  EXPECT_LT(shrunk, as_is / 4);
}

TEST(JointMoments, WithoutNoiseDrawClassesThatAreTheRows) {
  GivenNoise noise;
  SynthesisTerms terms = jointly(synthesisTerms(2, 2, 1e6));
  const Synthesis synthesis = made(terms, kRows, noise);
  ASSERT_EQ(synthesis.gaussians.size(), 2u);
  EXPECT_NEAR(synthesis.gaussians[0].mean[0], 0.35, 1e-4);
  EXPECT_NEAR(synthesis.gaussians[0].covariance(0, 0), 0.66 / 4 - 0.35 * 0.35, 1e-3);
  EXPECT_NEAR(synthesis.gaussians[1].covariance(0, 1), -0.05 + 0.9 * 1.1 / 16, 1e-3);
  EXPECT_EQ(synthesis.model.components.size(), 2u);
}

TEST(JointMoments, ClipRowsToTheRadiusAndNotTheLabel) {
  GivenNoise noise;
  SynthesisTerms terms = jointly(regressionTerms(3, 1e6));
  terms.radius = 0.25;
  const Synthesis synthesis =
      made(terms, {0.6, 0, 0.5, 0, -0.1, -0.5, 0.2, 0, 0.25, 0, 0.6, 1}, noise);
  const ReleasedGaussian& gaussian = synthesis.gaussians.at(0);
  // 0.6 is clipped to 0.25, twice; the labels 0.5, -0.5, 0.25 and 1 are unchanged.
  EXPECT_NEAR(gaussian.mean[0], 0.45 / 4, 1e-4);
  EXPECT_NEAR(gaussian.mean[1], 0.15 / 4, 1e-4);
  EXPECT_NEAR(gaussian.mean[2], 1.25 / 4, 1e-4);
  const double label = (0.25 + 0.25 + 0.0625 + 1) / 4 - std::pow(1.25 / 4, 2);
  EXPECT_NEAR(gaussian.covariance(2, 2), label, 1e-3);
  EXPECT_EQ(gaussian.level, -1);
}

TEST(JointMoments, OfPublicLabelsHaveTheRowsOfTheClasses) {
  GivenNoise noise;
  SynthesisTerms terms = jointly(synthesisTerms(2, 2));
  terms.labels_public = true;
  noise.noise["moments"] = {7, 0, 0, 0, 0, 0, 7};
  const Synthesis synthesis = made(terms, kRows, noise);
  EXPECT_EQ(synthesis.gaussians[0].rows, 4);
  EXPECT_EQ(synthesis.gaussians[1].rows, 4);
}

TEST(RandomDirections, AreOrthonormalRoundedAndDeterminedByTheSeed) {
  const MatrixXd directions = randomDirections(12, 5, 7);
  EXPECT_LT(distance(directions.transpose() * directions, MatrixXd::Identity(5, 5)), 1e-4);
  for (const double entry : directions.reshaped()) {
    EXPECT_EQ(std::ldexp(entry, kDirectionBits), std::round(std::ldexp(entry, kDirectionBits)));
  }
  EXPECT_EQ(directions, randomDirections(12, 5, 7));
  EXPECT_GT(distance(directions, randomDirections(12, 5, 8)), 1);
}

TEST(RandomDirections, NeedNoBudgetAndNoPublicRows) {
  SynthesisTerms terms = jointly(synthesisTerms(4, 2));
  terms.components = 1;
  terms.radius = 0.8;
  terms.projection.source = ProjectionSource::kRandom;
  terms.projection.seed = 3;
  const SynthesisPlan plan = planSynthesis(terms).value();
  EXPECT_EQ(plan.steps().size(), 1u);
  EXPECT_EQ(plan.moments->budget, 1);
  // Rows are half as long in one direction of four.
  EXPECT_NEAR(plan.terms.radius, 0.4, 1e-12);
  EXPECT_NEAR(plan.guarantee.epsilon, 1, 1e-9);

  GivenNoise noise;
  const Synthesis synthesis =
      made(terms, {0.5, 0, 0.1, 0, 0, 0, 0.3, 0, 0.2, 1, -0.5, 0, 0, 0.1, 1}, noise);
  EXPECT_EQ(synthesis.projection, randomDirections(4, 1, 3));
  EXPECT_EQ(synthesis.model.components.at(0).mean.size(), 4);
}

}  // namespace synthesis_joint_test
}  // namespace pm
