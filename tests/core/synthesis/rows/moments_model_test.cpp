// The model of synthetic rows built from moments alone.
#include "core/synthesis/rows/moments_model.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>

namespace pm::moments_model_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Moments of rows (number, three levels of a class, number) with these class sizes and means.
ScaledMoments momentsOf(const VectorXd& shares, const MatrixXd& means, const MatrixXd& within,
                        double rows = 1000) {
  const VectorXd centre = means * shares;
  ScaledMoments moments;
  moments.rows = rows;
  moments.scaled_mean.resize(5);
  moments.scaled_mean << centre[0], shares, centre[1];
  MatrixXd& covariance = moments.scaled_covariance;
  covariance = MatrixXd::Zero(5, 5);
  covariance.block(1, 1, 3, 3) = MatrixXd(shares.asDiagonal()) - shares * shares.transpose();
  MatrixXd between = within;
  for (int c = 0; c < 3; ++c) {
    const VectorXd apart = means.col(c) - centre;
    between += shares[c] * apart * apart.transpose();
    for (int j = 0; j < 2; ++j) {
      covariance(4 * j, 1 + c) = covariance(1 + c, 4 * j) = shares[c] * apart[j];
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) covariance(4 * i, 4 * j) = between(i, j);
  }
  return moments;
}

const LabelFeatures kLabel{1, 3};

MatrixXd someMeans() {
  MatrixXd means(2, 3);
  means << -0.5, 0, 0.4, 0.1, 0.2, -0.3;
  return means;
}

MatrixXd someWithin() {
  MatrixXd within(2, 2);
  within << 0.04, 0.01, 0.01, 0.02;
  return within;
}

TEST(ModelOfMoments, WithoutALabelIsOneGaussianWithTheseMoments) {
  const ScaledMoments moments =
      momentsOf(VectorXd::Constant(3, 1.0 / 3), someMeans(), someWithin());
  const RowModel model = modelOfMoments(moments);
  ASSERT_EQ(model.components.size(), 1u);
  EXPECT_EQ(model.components[0].weight, 1);
  EXPECT_EQ(model.components[0].level, -1);
  EXPECT_EQ(model.components[0].mean, moments.scaled_mean);
  EXPECT_EQ(model.components[0].covariance, moments.scaled_covariance);
}

TEST(ModelOfMoments, WithoutNoiseHasTheSharesMeansAndCommonCovarianceOfTheClasses) {
  VectorXd shares(3);
  shares << 0.2, 0.5, 0.3;
  const RowModel model = modelOfMoments(momentsOf(shares, someMeans(), someWithin()), kLabel);
  ASSERT_EQ(model.components.size(), 3u);
  for (int c = 0; c < 3; ++c) {
    const RowComponent& component = model.components[std::size_t(c)];
    EXPECT_EQ(component.level, c);
    EXPECT_NEAR(component.weight, shares[c], 1e-12);
    EXPECT_LT((component.mean - someMeans().col(c)).norm(), 1e-12);
    EXPECT_LT((component.covariance - someWithin()).norm(), 1e-12);
  }
}

TEST(ModelOfMoments, GivesAClassIndistinguishableFromNoiseTheCommonMean) {
  VectorXd shares(3);
  shares << 0.49, 0.5, 0.01;
  ScaledMoments moments = momentsOf(shares, someMeans(), someWithin());
  // As if noise had made its covariance with the first number what it may be.
  moments.scaled_covariance(0, 3) = moments.scaled_covariance(3, 0) = 0.05;
  const RowModel sure = modelOfMoments(moments, kLabel, 0);
  const RowModel unsure = modelOfMoments(moments, kLabel, 0.05);
  const double overall = moments.scaled_mean[0];
  const double far = std::abs(sure.components[2].mean[0] - overall);
  EXPECT_LT(std::abs(unsure.components[2].mean[0] - overall), far / 5);
}

TEST(ModelOfMoments, IsValidForInvalidCounts) {
  VectorXd shares(3);
  shares << -0.2, 0, 0.9;
  ScaledMoments moments = momentsOf(shares, someMeans(), someWithin(), 50);
  moments.scaled_covariance(0, 0) = -0.1;
  moments.scaled_covariance(4, 4) = 1e-4;
  for (const double sd : {0.0, 0.1}) {
    const RowModel model = modelOfMoments(moments, kLabel, sd);
    double sum = 0;
    for (const RowComponent& component : model.components) {
      sum += component.weight;
      EXPECT_GE(component.weight, 0.9 / 50);
      EXPECT_TRUE(component.mean.allFinite());
      const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(component.covariance);
      EXPECT_GT(solver.eigenvalues().minCoeff(), -1e-12);
      // The means differ by at most the feature's total spread.
      const double apart = component.mean[1] - moments.scaled_mean[4];
      EXPECT_LE(component.weight * apart * apart, 1e-4 + 1e-12);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

}  // namespace pm::moments_model_test
