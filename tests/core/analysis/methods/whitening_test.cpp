#include "core/analysis/methods/whitening.hpp"

#include <gtest/gtest.h>

#include "core/analysis/noise/denoise.hpp"
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

TEST(FlooredWhitener, LeavesOutDirectionsWithoutVarianceIfThereIsNoNoise) {
  EXPECT_EQ(flooredWhitener(Eigen::Vector3d(1, 1e-13, 0).asDiagonal(), 0).cols(), 1);
  EXPECT_EQ(flooredWhitener(Eigen::Vector3d(1, 1e-11, 0).asDiagonal(), 0).cols(), 2);
  EXPECT_EQ(flooredWhitener(Eigen::Vector2d(1e-15, 0).asDiagonal(), 0).cols(), 0);
}

TEST(FlooredWhitener, GivesTheSameSingularValuesInAnyBasis) {
  fixtures::Deterministic random(35);
  const Eigen::MatrixXd factor = random.normals(44, 90);
  const Eigen::MatrixXd covariance = factor * factor.transpose() / 90;
  const Eigen::MatrixXd x = covariance.topLeftCorner(24, 24);
  const Eigen::MatrixXd y = covariance.bottomRightCorner(20, 20);
  const Eigen::MatrixXd between = covariance.bottomLeftCorner(20, 24);
  const Eigen::VectorXd values = eigenvalues(x);
  const auto between_values = [&](int i) { return (values[i] + values[i + 1]) / 2; };
  // All directions above the floor, all but one, half, three, one, none.
  for (const double floor : {0.0, 0.9 * values[23], between_values(22), between_values(11),
                             between_values(2), between_values(0), 2 * values[0]}) {
    Eigen::MatrixXd cheap = between;
    multiplyByFlooredWhitener(x, floor, cheap);
    cheap.transposeInPlace();
    multiplyByFlooredWhitener(y, floor, cheap);
    const Eigen::MatrixXd slow =
        flooredWhitener(y, floor).transpose() * between * flooredWhitener(x, floor);
    EXPECT_TRUE(singularPairs(cheap).values.isApprox(singularPairs(slow).values.head(20), 1e-10))
        << floor;
  }
}

TEST(FlooredWhitener, HandlesEqualVariancesAboveTheFloor) {
  // One matrix whose two largest eigenvalues are the same, and one that is diagonal.
  fixtures::Deterministic random(38);
  Spectrum twice = spectrum(random.noise(16, fixtures::rotationInvariant(1)));
  twice.values = Eigen::VectorXd::Constant(16, 0.1);
  twice.values.head(2).setConstant(4);
  for (const Eigen::MatrixXd& block :
       {compose(twice), Eigen::MatrixXd(twice.values.asDiagonal())}) {
    Eigen::MatrixXd result = Eigen::MatrixXd::Identity(16, 16);
    multiplyByFlooredWhitener(block, 0.25, result);
    const Eigen::MatrixXd slow = flooredWhitener(block, 0.25);
    EXPECT_TRUE((result * result.transpose()).isApprox(slow * slow.transpose(), 1e-10));
  }
}

TEST(FlooredWhitener, LeavesOutTheSameDirectionsInAnyBasis) {
  for (const double least : {1e-11, 1e-13, 0.0, -1.0}) {
    const Eigen::MatrixXd block = Eigen::Vector3d(1, 0.5, least).asDiagonal();
    Eigen::MatrixXd result = Eigen::MatrixXd::Identity(3, 3);
    multiplyByFlooredWhitener(block, 0, result);
    const Eigen::MatrixXd slow = flooredWhitener(block, 0);
    EXPECT_TRUE((result * result.transpose()).isApprox(slow * slow.transpose(), kTolerance))
        << least;
  }
}

}  // namespace whitening_test
}  // namespace pm
