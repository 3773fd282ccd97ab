#include "core/analysis/noise/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace moments_test {

using fixtures::Deterministic;
using fixtures::matrixOf;
using fixtures::pack;
using fixtures::readVectors;
using fixtures::sumsOf;
using fixtures::vectorOf;

constexpr double kTolerance = 1e-12;

MomentSums unitSums(const Eigen::MatrixXd& matrix, double constant) {
  MomentSums sums;
  sums.packed = pack(matrix);
  sums.dimension = static_cast<int>(matrix.rows()) - 1;
  sums.constant = constant;
  sums.mid = Eigen::VectorXd::Zero(sums.dimension);
  sums.half = Eigen::VectorXd::Ones(sums.dimension);
  return sums;
}

TEST(AssembleMoments, CentresAfterTheSumAsTheReferenceVectorsDo) {
  const auto vectors = readVectors("analysis.json")["augmented"]["assembled"];
  for (const auto& vector : vectors) {
    const MomentSums sums = unitSums(matrixOf(vector["M"]), vector["a"].get<double>());
    const auto moments = assembleMoments(sums);
    ASSERT_TRUE(moments.ok());
    EXPECT_NEAR(moments.value().rows, vector["n"].get<double>(), kTolerance);
    EXPECT_TRUE(moments.value().mean.isApprox(vectorOf(vector["mean"]), kTolerance));
    EXPECT_TRUE(moments.value().covariance.isApprox(matrixOf(vector["cov"]), kTolerance));
  }
}

TEST(AssembleMoments, GivesMeanAndCovarianceInOriginalUnits) {
  const auto sample = readVectors("linnerud.json");
  const Eigen::MatrixXd rows = matrixOf(sample["rows"]);
  const Eigen::VectorXd mean = rows.colwise().mean();
  const Eigen::MatrixXd centred = rows.rowwise() - mean.transpose();
  const Eigen::MatrixXd covariance = centred.transpose() * centred / 20;

  const auto moments = assembleMoments(sumsOf(rows));
  ASSERT_TRUE(moments.ok());
  EXPECT_TRUE(moments.value().mean.isApprox(mean, kTolerance));
  EXPECT_TRUE(moments.value().covariance.isApprox(covariance, kTolerance));
  EXPECT_EQ(moments.value().rows, 20);
}

TEST(AssembleMoments, OfTheSumOfTwoSitesIsThatOfAllRowsTogether) {
  Deterministic random(31);
  const Eigen::MatrixXd rows = random.normals(30, 3) + Eigen::MatrixXd::Constant(30, 3, 2);
  const MomentSums all = sumsOf(rows);
  MomentSums first = all;
  MomentSums second = all;
  for (double& value : first.packed) value *= 0.25;
  for (std::size_t i = 0; i < all.packed.size(); ++i) {
    second.packed[i] = all.packed[i] - first.packed[i];
  }
  MomentSums together = first;
  for (std::size_t i = 0; i < all.packed.size(); ++i) together.packed[i] += second.packed[i];
  EXPECT_TRUE(assembleMoments(together).value().covariance.isApprox(
      assembleMoments(all).value().covariance, kTolerance));
}

TEST(AssembleMoments, OverwritesTheCountIfRowsArePublic) {
  MomentSums sums =
      unitSums(matrixOf(readVectors("analysis.json")["augmented"]["assembled"][0]["M"]), 1);
  sums.packed[0] = -77;
  sums.rows = 4;
  const auto moments = assembleMoments(sums);
  ASSERT_TRUE(moments.ok());
  EXPECT_EQ(moments.value().rows, 4);
  EXPECT_EQ(moments.value().second_moments(0, 0), 4);
  EXPECT_NEAR(moments.value().mean[0], 0.225, kTolerance);
}

TEST(AssembleMoments, EstimatesPrivateRowsAsAtLeastOne) {
  MomentSums sums = unitSums(Eigen::MatrixXd::Identity(2, 2), 0.5);
  EXPECT_NEAR(assembleMoments(sums).value().rows, 4, kTolerance);
  sums.packed[0] = -3;
  EXPECT_EQ(assembleMoments(sums).value().rows, 1);
}

TEST(AssembleMoments, UnpacksASymmetricMatrixConstantFirst) {
  MomentSums sums = unitSums(Eigen::MatrixXd::Identity(3, 3), 1);
  sums.packed = {9, 1, 2, 3, 4, 5};
  Eigen::Matrix3d expected;
  expected << 9, 1, 2, 1, 3, 4, 2, 4, 5;
  EXPECT_EQ(assembleMoments(sums).value().second_moments, expected);
}

TEST(AssembleMoments, HasNoNoiseIfNoneWasAdded) {
  const NoiseLaw noise =
      assembleMoments(sumsOf(Deterministic(32).normals(9, 2))).value().covariance_noise;
  EXPECT_TRUE(isNoiseless(noise));
}

/// Root mean square errors of the covariance over many releases of fixed sums, beside the law that
/// assembleMoments states.
struct Spread {
  NoiseLaw measured;
  NoiseLaw stated;
};

Spread spreadOf(const MomentSums& sums, const NoiseLaw& law, bool noisy_count, std::uint64_t seed) {
  constexpr int kReleases = 4000;
  const int d = sums.dimension;
  const Eigen::MatrixXd truth = assembleMoments(sums).value().scaled_covariance;
  Deterministic random(seed);
  double diagonal = 0;
  double rest = 0;
  Spread spread;
  for (int release = 0; release < kReleases; ++release) {
    MomentSums noisy = sums;
    if (noisy_count) noisy.rows.reset();
    noisy.noise = SumNoise::everywhere(law, !noisy_count);
    const std::vector<double> noise = pack(random.noise(d + 1, law));
    for (std::size_t i = 0; i < noise.size(); ++i) noisy.packed[i] += noise[i];
    const AssembledMoments moments = assembleMoments(noisy).value();
    const Eigen::MatrixXd error = moments.scaled_covariance - truth;
    diagonal += error.diagonal().squaredNorm();
    rest += error.squaredNorm() - error.diagonal().squaredNorm();
    spread.stated = moments.covariance_noise;
  }
  spread.measured = {std::sqrt(diagonal / (kReleases * d)),
                     std::sqrt(rest / (kReleases * d * (d - 1)))};
  return spread;
}

TEST(AssembleMoments, StatesTheNoiseOfTheCovarianceIncludingThatOfTheMean) {
  // Data far from the centre, where the noise of the mean matters as much as that of the products.
  Deterministic random(33);
  MomentSums sums = sumsOf(random.normals(2000, 4));
  const double shift = 0.9;
  Eigen::MatrixXd second = assembleMoments(sums).value().second_moments;
  Eigen::MatrixXd move = Eigen::MatrixXd::Identity(5, 5);
  move.col(0).tail(4).setConstant(shift / sums.constant);
  sums.packed = pack(move * second * move.transpose());

  for (const NoiseLaw& law : {fixtures::rotationInvariant(4), NoiseLaw{4, 4}}) {
    for (const bool noisy_count : {false, true}) {
      const Spread spread = spreadOf(sums, law, noisy_count, 34);
      EXPECT_NEAR(spread.stated.diagonal / spread.measured.diagonal, 1, 0.04);
      EXPECT_NEAR(spread.stated.off_diagonal / spread.measured.off_diagonal, 1, 0.04);
      EXPECT_GT(spread.measured.off_diagonal, 1.15 * 4 / 2000);
    }
  }
}

TEST(AssembleMoments, StatesTheNoiseOfReleasesAboutCentresOfTheirOwn) {
  // Two releases of as much noise in linear sums, whose centres are at d and -d, and whose rows
  // have the mean m.
  constexpr int d = 3;
  Eigen::Vector3d mean(0.4, -0.2, 0.1), centre(0.3, 0.3, 0);
  MomentSums sums = sumsOf(Deterministic(36).normals(500, d));
  Eigen::MatrixXd augmented = Eigen::MatrixXd::Zero(d + 1, d + 1);
  augmented(0, 0) = std::pow(sums.constant, 2) * 500;
  augmented.row(0).tail(d) = sums.constant * 500 * mean;
  augmented.bottomRightCorner(d, d) = 500 * (mean * mean.transpose());
  sums.packed = pack(augmented);
  sums.noise.linear = 2;
  Eigen::MatrixXd centres = Eigen::MatrixXd::Zero(d + 1, d + 1);
  centres(0, 0) = 1;
  centres.bottomRightCorner(d, d) = centre * centre.transpose();
  sums.noise_centres = pack(centres);

  const Eigen::MatrixXd columns = assembleMoments(sums).value().mean_noise;
  const Eigen::MatrixXd exact = 0.5 * (mean - centre) * (mean - centre).transpose() +
                                0.5 * (mean + centre) * (mean + centre).transpose();
  EXPECT_EQ(columns.cols(), 2);
  EXPECT_LT((columns * columns.transpose() - std::pow(2 / (sums.constant * 500), 2) * exact).norm(),
            1e-12);
  sums.noise_centres.pop_back();
  EXPECT_EQ(assembleMoments(sums).error().code, Code::kWrongLength);
}

TEST(AssembleMoments, RejectsInconsistentSums) {
  const MomentSums good = sumsOf(Deterministic(35).normals(9, 2));
  const auto code_of = [](const MomentSums& sums) { return assembleMoments(sums).error().code; };
  ASSERT_TRUE(assembleMoments(good).ok());

  MomentSums sums = good;
  sums.dimension = 0;
  EXPECT_EQ(code_of(sums), Code::kInvalidDimension);
  sums = good;
  sums.packed.pop_back();
  EXPECT_EQ(code_of(sums), Code::kWrongLength);
  sums = good;
  sums.packed[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code_of(sums), Code::kNotFinite);
  sums = good;
  sums.constant = 0;
  EXPECT_EQ(code_of(sums), Code::kInvalidRowNorm);
  sums = good;
  sums.rows = 0;
  EXPECT_EQ(code_of(sums), Code::kNoRows);
  sums = good;
  sums.noise.linear = -1;
  EXPECT_EQ(code_of(sums), Code::kInvalidNoise);
  sums = good;
  sums.mid.conservativeResize(1);
  EXPECT_EQ(code_of(sums), Code::kWrongLength);
  sums = good;
  sums.mid[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code_of(sums), Code::kInvalidBounds);
  sums = good;
  sums.half[1] = 0;
  EXPECT_EQ(code_of(sums), Code::kInvalidBounds);
  sums = good;
  sums.half.conservativeResize(3);
  EXPECT_EQ(code_of(sums), Code::kWrongLength);
}

}  // namespace moments_test
}  // namespace pm
