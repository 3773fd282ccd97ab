#include "core/analysis/whitening.hpp"

#include <gtest/gtest.h>

#include "core/analysis/denoise.hpp"
#include "core/matrix/spectrum.hpp"
#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace whitening_test {

using fixtures::matrixOf;
using fixtures::readVectors;
using fixtures::vectorOf;

constexpr double kTolerance = 1e-12;

Eigen::VectorXd ridgedCorrelations(const Eigen::Matrix4d& covariance, double x, double y) {
  const Eigen::MatrixXd a = ridgedWhitener(covariance.topLeftCorner(2, 2), x);
  const Eigen::MatrixXd b = ridgedWhitener(covariance.bottomRightCorner(2, 2), y);
  return singularPairs(a.transpose() * covariance.topRightCorner(2, 2) * b).values;
}

TEST(RidgedWhitener, GivesTheReferenceCorrelations) {
  const auto vectors = readVectors("analysis.json")["cca"];
  const Eigen::VectorXd ridge = vectorOf(vectors["ridge_rx_ry"]);
  EXPECT_TRUE(ridgedCorrelations(matrixOf(vectors["C"]), ridge[0], ridge[1])
                  .isApprox(vectorOf(vectors["rho_ridge"]), kTolerance));
}

TEST(RidgedWhitener, GivesTheReferenceCorrelationsOfAnIndefiniteMatrixAfterProjection) {
  const auto vectors = readVectors("analysis.json")["cca"]["indefinite"];
  Spectrum decomposed = spectrum(matrixOf(vectors["C"]));
  decomposed.values = projectOntoCappedSimplex(decomposed.values, 100);
  const Eigen::MatrixXd projected = compose(decomposed);
  EXPECT_TRUE(projected.isApprox(matrixOf(vectors["psd_projected"]), kTolerance));
  const double ridge = vectors["ridge"].get<double>();
  EXPECT_TRUE(
      ridgedCorrelations(projected, ridge, ridge).isApprox(vectorOf(vectors["rho"]), kTolerance));
}

TEST(FlooredWhitener, TurnsABlockAboveTheEdgeIntoTheIdentity) {
  Eigen::Matrix2d block;
  block << 2, 0.5, 0.5, 1;
  const Eigen::MatrixXd whitener = flooredWhitener(block, 0.5);
  EXPECT_TRUE((whitener.transpose() * block * whitener).isIdentity(kTolerance));
}

TEST(FlooredWhitener, TreatsWhatIsBelowTheFloorAsTheFloor) {
  const Eigen::MatrixXd whitener =
      flooredWhitener(Eigen::Vector3d(4, 0.1, -0.2).asDiagonal(), 0.25);
  EXPECT_TRUE(whitener.colwise().norm().isApprox(Eigen::RowVector3d(0.5, 2, 2), kTolerance));
}

TEST(FlooredWhitener, LeavesOutDirectionsWithoutVarianceWhereThereIsNoNoise) {
  EXPECT_EQ(flooredWhitener(Eigen::Vector3d(1, 1e-13, 0).asDiagonal(), 0).cols(), 1);
  EXPECT_EQ(flooredWhitener(Eigen::Vector3d(1, 1e-11, 0).asDiagonal(), 0).cols(), 2);
  EXPECT_EQ(flooredWhitener(Eigen::Vector2d(1e-15, 0).asDiagonal(), 0).cols(), 0);
}

}  // namespace whitening_test
}  // namespace pm
