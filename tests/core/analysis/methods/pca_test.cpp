#include "core/analysis/methods/pca.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/matrix/spectrum.hpp"
#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace pca_test {

using fixtures::Deterministic;
using fixtures::matrixOf;
using fixtures::readVectors;
using fixtures::rotationInvariant;
using fixtures::vectorOf;

constexpr double kTolerance = 1e-12;

PcaInput exact(const Eigen::MatrixXd& covariance, int components) {
  return {{covariance, {}, 1e6, Eigen::VectorXd::Ones(covariance.rows()), {}}, components};
}

TEST(Pca, GivesTheReferenceEigenvectorsWithTheirLargestEntryPositive) {
  const auto vectors = readVectors("analysis.json")["pca"];
  const auto result = pca(exact(matrixOf(vectors["C"]), 3));
  ASSERT_TRUE(result.ok());
  const Eigen::VectorXd eigenvalues = vectorOf(vectors["eigenvalues"]);
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(result.value().explained[static_cast<std::size_t>(j)].value, eigenvalues[j],
                kTolerance);
    EXPECT_NEAR(result.value().explained[static_cast<std::size_t>(j)].share, eigenvalues[j] / 9,
                kTolerance);
  }
  EXPECT_TRUE(result.value().loadings.isApprox(matrixOf(vectors["eigenvectors_columns"]), 1e-10));
  EXPECT_EQ(result.value().noise_floor, 0);
}

TEST(Pca, DividesWeightsByTheHalfRange) {
  PcaInput input = exact(Eigen::Vector2d(3, 1).asDiagonal(), 2);
  input.half = Eigen::Vector2d(10, 0.5);
  const Pca result = pca(input).value();
  EXPECT_TRUE(result.loadings.isApprox(Eigen::Matrix2d::Identity(), kTolerance));
  EXPECT_TRUE(
      result.weights.isApprox(Eigen::Matrix2d(Eigen::Vector2d(0.1, 2).asDiagonal()), kTolerance));
}

TEST(Pca, CorrelationsAreThoseOfFeaturesWithScores) {
  Deterministic random(44);
  const Eigen::MatrixXd root = random.normals(4, 4);
  PcaInput input = exact(root * root.transpose(), 4);
  input.half = Eigen::Vector4d(1, 10, 0.1, 3);
  const Pca result = pca(input).value();
  const Eigen::MatrixXd original =
      input.half.asDiagonal() * input.covariance * input.half.asDiagonal();
  for (int j = 0; j < 4; ++j) {
    const Eigen::VectorXd w = result.weights.col(j);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(result.correlations(i, j),
                  original.row(i).dot(w) / std::sqrt(original(i, i) * w.dot(original * w)), 1e-10);
    }
  }
  // All components together explain every feature.
  EXPECT_TRUE(result.correlations.rowwise().squaredNorm().isApprox(Eigen::Vector4d::Ones(), 1e-10));
}

TEST(CapturedEnergy, IsOneForTheLeadingComponentsInAnyBasisOfTheirSpan) {
  Deterministic random(45);
  const Eigen::MatrixXd root = random.normals(6, 6);
  const Eigen::MatrixXd reference = root * root.transpose();
  const Eigen::MatrixXd loadings = pca(exact(reference, 2)).value().loadings;
  EXPECT_NEAR(capturedEnergy(loadings, reference).value(), 1, 1e-10);
  EXPECT_NEAR(capturedEnergy(1e5 * loadings * random.normals(2, 2), reference).value(), 1, 1e-9);
}

TEST(CapturedEnergy, IsRelativeToTheMaximumForAsManyDirections) {
  const Eigen::Matrix3d reference = Eigen::Vector3d(5, 3, 2).asDiagonal();
  EXPECT_NEAR(capturedEnergy(Eigen::Vector3d(0, 0, 1), reference).value(), 0.4, kTolerance);
  Eigen::MatrixXd two(3, 2);
  two << 1, 0, 0, 0, 0, 1;
  EXPECT_NEAR(capturedEnergy(two, reference).value(), 7.0 / 8, kTolerance);
  EXPECT_EQ(capturedEnergy(two, Eigen::Matrix3d::Zero()).value(), 1);
}

TEST(CapturedEnergy, RejectsInconsistentOrDependentDirections) {
  const Eigen::Matrix3d reference = Eigen::Matrix3d::Identity();
  EXPECT_EQ(capturedEnergy(Eigen::Vector2d(1, 0), reference).error().code, Code::kWrongLength);
  EXPECT_EQ(capturedEnergy(Eigen::MatrixXd(3, 0), reference).error().code,
            Code::kInvalidComponents);
  EXPECT_EQ(capturedEnergy(Eigen::MatrixXd::Ones(3, 2), reference).error().code,
            Code::kInvalidComponents);
  EXPECT_EQ(capturedEnergy(Eigen::Vector3d(0, 0, 0), reference).error().code,
            Code::kInvalidComponents);
  EXPECT_EQ(capturedEnergy(Eigen::MatrixXd::Identity(3, 4), reference).error().code,
            Code::kInvalidComponents);
  Eigen::Vector3d broken(1, std::numeric_limits<double>::quiet_NaN(), 0);
  EXPECT_EQ(capturedEnergy(broken, reference).error().code, Code::kNotFinite);
}

TEST(Pca, ShareIsOfTheTotalVarianceNotOfTheRequestedComponents) {
  const Pca result = pca(exact(Eigen::Vector3d(3, 2, 1).asDiagonal(), 1)).value();
  EXPECT_EQ(result.explained.size(), 1U);
  EXPECT_NEAR(result.explained[0].share, 0.5, kTolerance);
}

TEST(Pca, OfAConstantTableExplainsNothing) {
  const Pca result = pca(exact(Eigen::MatrixXd::Zero(3, 3), 2)).value();
  EXPECT_EQ(result.explained[0].value, 0);
  EXPECT_EQ(result.explained[0].share, 0);
  EXPECT_TRUE(result.loadings.allFinite());
}

TEST(Pca, NoiseFloorIsTheEdgeOfTheNoisePlusAMargin) {
  const auto vector = readVectors("analysis.json")["edge"];
  const int d = vector["dimension"].get<int>();
  const double diagonal = vector["diagonal"].get<double>();
  EXPECT_NEAR(spectralEdge(rotationInvariant(diagonal / std::sqrt(2)), d),
              vector["rotationInvariant"].get<double>(), kTolerance);
  EXPECT_NEAR(spectralEdge({diagonal, diagonal}, d), vector["upperTriangle"].get<double>(),
              kTolerance);

  PcaInput input = exact(Eigen::MatrixXd::Identity(4, 4), 1);
  input.noise = rotationInvariant(0.1);
  EXPECT_NEAR(pca(input).value().noise_floor, 0.4 + 0.8 * 0.1, kTolerance);
}

TEST(SpectralEdge, IsWhereTheSpectrumOfEitherNoiseShapeEnds) {
  for (const NoiseLaw& law : {rotationInvariant(1), NoiseLaw{1, 1}}) {
    const Spectrum noise = spectrum(Deterministic(41).noise(200, law));
    EXPECT_NEAR(noise.values[0] / spectralEdge(law, 200), 1, 0.05);
  }
}

TEST(Pca, OfNoiseAloneStaysBelowTheNoiseFloor) {
  Deterministic random(42);
  int below = 0;
  for (int round = 0; round < 200; ++round) {
    PcaInput input = exact(random.noise(15, rotationInvariant(0.02)), 1);
    input.noise = rotationInvariant(0.02);
    below += pca(input).value().explained[0].below_noise_floor ? 1 : 0;
  }
  EXPECT_GE(below, 190);
}

TEST(Pca, FindsASignalAboveTheNoiseFloorAndItsDirection) {
  Deterministic random(43);
  Eigen::VectorXd direction = Eigen::VectorXd::Ones(15) / std::sqrt(15.0);
  const Eigen::MatrixXd truth = 0.6 * direction * direction.transpose();
  PcaInput input = exact(truth + random.noise(15, rotationInvariant(0.02)), 2);
  input.noise = rotationInvariant(0.02);
  input.trace_bound = 15;
  const Pca result = pca(input).value();
  EXPECT_FALSE(result.explained[0].below_noise_floor);
  EXPECT_TRUE(result.explained[1].below_noise_floor);
  EXPECT_NEAR(result.explained[0].value, 0.6, 0.08);
  EXPECT_GT(result.loadings.col(0).dot(direction), 0.98);
}

TEST(Pca, NeverExplainsMoreThanThePublicBound) {
  PcaInput input = exact(5 * Eigen::MatrixXd::Identity(3, 3), 3);
  input.noise = rotationInvariant(0.1);
  input.trace_bound = 2;
  double total = 0;
  const Pca result = pca(input).value();
  for (const Explained& part : result.explained) total += part.value;
  EXPECT_LE(total, 2 + kTolerance);
  EXPECT_GT(total, 1.9);
}

TEST(Pca, AcceptsFromOneToAllComponents) {
  EXPECT_EQ(pca(exact(Eigen::MatrixXd::Identity(2, 2), 0)).error().code, Code::kInvalidComponents);
  EXPECT_TRUE(pca(exact(Eigen::MatrixXd::Identity(2, 2), 2)).ok());
  EXPECT_EQ(pca(exact(Eigen::MatrixXd::Identity(2, 2), 3)).error().code, Code::kInvalidComponents);
}

TEST(Pca, RejectsInconsistentInput) {
  const PcaInput good = exact(Eigen::MatrixXd::Identity(2, 2), 1);
  PcaInput input = good;
  input.half = Eigen::VectorXd::Ones(3);
  EXPECT_EQ(pca(input).error().code, Code::kWrongLength);
  input = good;
  input.half[0] = -1;
  EXPECT_EQ(pca(input).error().code, Code::kInvalidBounds);
  input = good;
  input.noise.off_diagonal = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(pca(input).error().code, Code::kInvalidNoise);
  input = good;
  input.trace_bound = 0;
  EXPECT_EQ(pca(input).error().code, Code::kInvalidRowNorm);
  input = good;
  input.covariance(1, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(pca(input).error().code, Code::kNotFinite);
}

}  // namespace pca_test
}  // namespace pm
