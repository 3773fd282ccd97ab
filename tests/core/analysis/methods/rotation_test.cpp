// Rotations, compared with R's (tests/vectors/rotation_reference.R), and of components that noise
// hides.
#include "core/analysis/methods/rotation.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <string>
#include <vector>

#include "core/analysis/methods/pca.hpp"
#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace rotation_test {

using fixtures::Deterministic;
using fixtures::matrixOf;
using fixtures::readVectors;
using fixtures::vectorOf;

constexpr double kTolerance = 1e-6;

/// The columns of `found` in the order and with the signs of `expected`, and how they got there.
struct Matched {
  Eigen::MatrixXd columns;
  Eigen::MatrixXd moves;  ///< columns = found moves
};

Matched matched(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected) {
  const Eigen::MatrixXd products = expected.transpose() * found;
  Eigen::MatrixXd moves = Eigen::MatrixXd::Zero(found.cols(), found.cols());
  for (Eigen::Index j = 0; j < expected.cols(); ++j) {
    Eigen::Index best = 0;
    products.row(j).cwiseAbs().maxCoeff(&best);
    moves(best, j) = products(j, best) < 0 ? -1 : 1;
  }
  return {found * moves, moves};
}

double distanceBetween(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

PcaInput inputOf(const Eigen::MatrixXd& covariance, int components, Rotation rotation) {
  PcaInput input;
  input.covariance = covariance;
  input.trace_bound = static_cast<double>(covariance.rows());
  input.half = Eigen::VectorXd::Ones(covariance.rows());
  input.components = components;
  input.rotation = rotation;
  return input;
}

Eigen::MatrixXd correlationsOf(const Eigen::MatrixXd& covariance) {
  const Eigen::VectorXd unit = covariance.diagonal().cwiseSqrt().cwiseInverse();
  return unit.asDiagonal() * covariance * unit.asDiagonal();
}

/// The scaled covariance of a table of analysis_reference.json.
Eigen::MatrixXd covarianceOf(const nlohmann::json& table) {
  MomentSums sums;
  sums.packed = table["sums"].get<std::vector<double>>();
  sums.mid = vectorOf(table["mid"]);
  sums.half = vectorOf(table["half"]);
  sums.dimension = static_cast<int>(sums.half.size());
  sums.constant = table["constant"].get<double>();
  sums.rows = table["rows"].get<double>();
  return assembleMoments(sums).value().scaled_covariance;
}

TEST(RotationOfRealTables, IsThatOfR) {
  const nlohmann::json tables = readVectors("analysis_reference.json");
  const nlohmann::json answers = readVectors("rotation.json");
  ASSERT_GE(answers.size(), 4U);
  for (const auto& [name, expected] : answers.items()) {
    const Eigen::MatrixXd covariance = covarianceOf(tables[name]);
    const Eigen::MatrixXd varimax = matrixOf(expected["varimax"]);
    const auto k = static_cast<int>(varimax.cols());
    const Pca orthogonal = pca(inputOf(covariance, k, Rotation::kVarimax)).value();
    EXPECT_LT(
        distanceBetween(matched(orthogonal.correlations, matrixOf(expected["structure"])).columns,
                        matrixOf(expected["structure"])),
        kTolerance)
        << name;
    EXPECT_LT(distanceBetween(matched(orthogonal.rotated->structure, varimax).columns, varimax),
              kTolerance)
        << name;
    EXPECT_EQ(orthogonal.rotated->phi, Eigen::MatrixXd::Identity(k, k)) << name;

    const Pca oblique = pca(inputOf(covariance, k, Rotation::kPromax)).value();
    const Eigen::MatrixXd promax = matrixOf(expected["promax"]);
    const Matched found = matched(oblique.rotated->pattern, promax);
    EXPECT_LT(distanceBetween(found.columns, promax), kTolerance) << name;
    const Eigen::MatrixXd phi = matrixOf(expected["phi"]);
    EXPECT_LT(distanceBetween(found.moves.transpose() * oblique.rotated->phi * found.moves, phi),
              kTolerance)
        << name;
    EXPECT_LT(distanceBetween(oblique.rotated->structure * found.moves, promax * phi), kTolerance)
        << name;

    const Pca standard = pca(inputOf(correlationsOf(covariance), k, Rotation::kVarimax)).value();
    const Eigen::MatrixXd principal = matrixOf(expected["principal"]);
    EXPECT_LT(distanceBetween(matched(standard.rotated->pattern, principal).columns, principal),
              kTolerance)
        << name;
  }
}

/// Loadings of nine features, three on each of three factors.
Eigen::MatrixXd simpleLoadings() {
  Eigen::MatrixXd loadings = Eigen::MatrixXd::Zero(9, 3);
  for (Eigen::Index i = 0; i < 9; ++i) {
    loadings(i, i / 3) = 0.9 - 0.05 * static_cast<double>(i);
  }
  return loadings;
}

TEST(Varimax, FindsSimpleLoadingsBehindAnyRotation) {
  const Eigen::MatrixXd simple = simpleLoadings();
  Deterministic random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const RotatedLoadings found = rotated(simple * random.orthogonal(3), Rotation::kVarimax);
    EXPECT_LT(distanceBetween(matched(found.pattern, simple).columns, simple), 1e-9);
    EXPECT_LT(distanceBetween(found.transform.transpose() * found.transform,
                              Eigen::MatrixXd::Identity(3, 3)),
              1e-12);
  }
}

TEST(Promax, FindsCorrelatedFactorsThatVarimaxDoesNot) {
  const Eigen::MatrixXd simple = simpleLoadings();
  Eigen::Matrix3d phi;
  phi << 1, 0.5, 0.3, 0.5, 1, 0.4, 0.3, 0.4, 1;
  const Eigen::MatrixXd uncorrelated = simple * phi.llt().matrixL().toDenseMatrix();
  const RotatedLoadings promax = rotated(uncorrelated, Rotation::kPromax);
  const RotatedLoadings varimax = rotated(uncorrelated, Rotation::kVarimax);
  const Matched found = matched(promax.pattern, simple);
  EXPECT_LT(distanceBetween(found.columns, simple), 0.1);
  EXPECT_GT(distanceBetween(matched(varimax.pattern, simple).columns, simple), 0.2);
  EXPECT_LT(distanceBetween(found.moves.transpose() * promax.phi * found.moves, phi), 0.12);
}

TEST(Rotation, ChangesNeitherCommunalitiesNorWhatLoadingsReproduce) {
  Deterministic random(3);
  const Eigen::MatrixXd loadings = 0.4 * random.normals(12, 4);
  for (const Rotation rotation : {Rotation::kVarimax, Rotation::kPromax}) {
    const RotatedLoadings found = rotated(loadings, rotation);
    EXPECT_LT(distanceBetween(found.pattern * found.phi * found.pattern.transpose(),
                              loadings * loadings.transpose()),
              1e-12);
    EXPECT_LT(distanceBetween(found.pattern, loadings * found.transform), 1e-12);
    EXPECT_LT(distanceBetween(found.structure, loadings * found.transform.inverse().transpose()),
              1e-12);
  }
}

TEST(Rotation, OfOneColumnOrNoneChangesNothing) {
  const Eigen::MatrixXd one = Eigen::Vector3d(0.5, -0.2, 0.1);
  EXPECT_EQ(rotated(one, Rotation::kPromax).pattern, one);
  EXPECT_EQ(rotated(Eigen::MatrixXd(3, 0), Rotation::kVarimax).pattern.cols(), 0);
}

TEST(Rotation, OfLoadingsThatDependOnEachOtherIsFinite) {
  Eigen::MatrixXd twice(4, 2);
  twice.col(0) << 0.5, 0.4, 0, 0.3;
  twice.col(1) = twice.col(0);
  Eigen::MatrixXd hidden = twice;
  hidden.col(1).setZero();
  for (const Eigen::MatrixXd& loadings :
       {twice, hidden, Eigen::MatrixXd(Eigen::MatrixXd::Zero(4, 2))}) {
    const RotatedLoadings found = rotated(loadings, Rotation::kPromax);
    EXPECT_TRUE(found.pattern.allFinite() && found.structure.allFinite() && found.phi.allFinite());
    EXPECT_NEAR(found.structure.norm(), loadings.norm(), 1e-9);
  }
}

TEST(Rotation, AlignsColumnsWithReportedOnesByTheLargestCosine) {
  RotatedLoadings loadings = rotated(simpleLoadings(), Rotation::kVarimax);
  const Eigen::MatrixXd reported = loadings.structure;
  const std::vector<int> order = {2, 0, 1};
  RotatedLoadings moved = loadings;
  for (int j = 0; j < 3; ++j) {
    const double sign = j == 1 ? -1 : 1;
    moved.pattern.col(j) = sign * loadings.pattern.col(order[static_cast<std::size_t>(j)]);
    moved.structure.col(j) = sign * loadings.structure.col(order[static_cast<std::size_t>(j)]);
  }
  alignWith(reported, moved);
  EXPECT_EQ(moved.structure, reported);
  EXPECT_EQ(moved.pattern, loadings.pattern);
}

/// Two pairs of correlated features, and noise of this size.
PcaInput pairs(double noise) {
  Eigen::MatrixXd covariance = 0.1 * Eigen::MatrixXd::Identity(6, 6);
  covariance.topLeftCorner(2, 2).array() += 0.3;
  covariance.block(2, 2, 2, 2).array() += 0.2;
  PcaInput input = inputOf(covariance, 6, Rotation::kVarimax);
  input.noise = {noise * std::sqrt(2.0), noise};
  return input;
}

TEST(RotatedComponents, AreThoseAboveTheNoiseFloor) {
  const Pca found = pca(pairs(0.03)).value();
  ASSERT_EQ(rotatable(found), 2);
  EXPECT_EQ(found.rotated->components, 2);
  EXPECT_EQ(found.rotated->structure.cols(), 2);
  EXPECT_EQ(found.loadings.cols(), 6);
  const Pca hidden = pca(pairs(0.3)).value();
  EXPECT_EQ(hidden.rotated->components, rotatable(hidden));
  EXPECT_LT(rotatable(hidden), 2);
  EXPECT_EQ(hidden.rotated->structure, hidden.correlations.leftCols(rotatable(hidden)));
}

TEST(RotatedComponents, HaveScoresOfVarianceOneThatPhiCorrelates) {
  const nlohmann::json table = readVectors("analysis_reference.json")["wine"];
  const Eigen::MatrixXd covariance = covarianceOf(table);
  const Eigen::VectorXd half = vectorOf(table["half"]);
  for (const Rotation rotation : {Rotation::kVarimax, Rotation::kPromax}) {
    PcaInput input = inputOf(covariance, 4, rotation);
    input.half = half;
    const Pca found = pca(input).value();
    const Eigen::MatrixXd weights = half.asDiagonal() * found.rotated->weights;
    EXPECT_LT(distanceBetween(weights.transpose() * covariance * weights, found.rotated->phi),
              1e-9);
    const Eigen::VectorXd unit = covariance.diagonal().cwiseSqrt().cwiseInverse();
    EXPECT_LT(distanceBetween(unit.asDiagonal() * covariance * weights, found.rotated->structure),
              1e-9);
    double shares = 0;
    for (const Explained& component : found.explained) shares += component.share;
    EXPECT_NEAR(found.rotated->shares.sum(), shares, 1e-12);
    for (Eigen::Index j = 1; j < 4; ++j) {
      EXPECT_LE(found.rotated->shares[j], found.rotated->shares[j - 1]);
    }
    for (Eigen::Index j = 0; j < 4; ++j) {
      EXPECT_EQ(found.rotated->pattern.col(j).maxCoeff(),
                found.rotated->pattern.col(j).cwiseAbs().maxCoeff());
    }
  }
}

}  // namespace rotation_test
}  // namespace pm
