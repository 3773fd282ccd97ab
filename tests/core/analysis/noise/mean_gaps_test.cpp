#include "core/analysis/noise/mean_gaps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/cholesky.hpp"
#include "core/moments/centred_assembly.hpp"
#include "core/random/continuous.hpp"
#include "core/square.hpp"

namespace pm {
namespace mean_gaps_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSteps = 1 << 20;  // of a released integer, per unit of z z

MatrixXd normalRows(Index count, const MatrixXd& covariance, Drbg& random) {
  const MatrixXd root = lowerRoot(covariance);
  MatrixXd rows(count, covariance.rows());
  VectorXd normals(covariance.rows());
  for (Index r = 0; r < count; ++r) {
    simulateNormals({normals.data(), std::size_t(normals.size())}, random);
    rows.row(r) = root * normals;
  }
  return rows;
}

/// Sums of augmented rows (1, z) as a release has them.
std::vector<double> released(const MatrixXd& rows) {
  std::vector<double> values;
  MatrixXd all(rows.rows(), rows.cols() + 1);
  all << VectorXd::Ones(rows.rows()), rows;
  const MatrixXd sums = all.transpose() * all;
  for (Index i = 0; i < sums.rows(); ++i) {
    for (Index j = i; j < sums.cols(); ++j) {
      values.push_back(std::nearbyint(sums(i, j) * kSteps));
    }
  }
  return values;
}

struct Site {
  std::vector<double> values;
  std::vector<double> centre, scale;
  CountedGaps counted;
};

/// Every row once with each set of missing columns: gaps of columns, half of the cells of each,
/// that are exactly independent of each other and of values.
Site siteOf(const MatrixXd& rows, const std::vector<int>& of, const VectorXd& centre, double scale,
            double sd) {
  const int columns = of.back() + 1;
  const Index patterns = Index(1) << columns;
  MatrixXd all(rows.rows() * patterns, rows.cols());
  for (Index p = 0; p < patterns; ++p) {
    MatrixXd part = (rows.rowwise() - centre.transpose()) / scale;
    for (Index j = 0; j < rows.cols(); ++j) {
      if ((p >> of[std::size_t(j)]) % 2 == 1) part.col(j).setZero();
    }
    all.middleRows(p * rows.rows(), rows.rows()) = part;
  }
  const double n = double(all.rows());
  return {released(all),
          {centre.begin(), centre.end()},
          std::vector<double>(std::size_t(rows.cols()), scale),
          {n, std::vector<double>(std::size_t(columns), n / 2), sd}};
}

MeanGapSums sumOf(const std::vector<Site>& sites, const std::vector<int>& of, double noise = 0) {
  MeanGapSums data;
  data.columns = of;
  data.trace_bound = 10;
  for (const Site& site : sites) data.releases.push_back(site.counted);
  data.shares = presentShares(data.releases).value();
  const int d = int(of.size());
  CentredAssembly assembly = CentredAssembly::create(d, noise).value();
  for (std::size_t s = 0; s < sites.size(); ++s) {
    std::vector<double> present;
    for (const int column : of) present.push_back(data.shares[s][std::size_t(column)]);
    CentredScale scale;
    scale.radius = 4;
    scale.unit = 1 / kSteps;
    scale.constant = 1;
    scale.diagonal = scale.off_diagonal = noise;
    scale.centre = sites[s].centre;
    scale.scale = sites[s].scale;
    scale.present = present;
    scale.columns = of;
    const auto rows = std::uint64_t(sites[s].counted.rows);
    EXPECT_FALSE(assembly.add(sites[s].values, scale, rows));
  }
  const CentredSums sums = assembly.sum().value();
  data.sums.packed = sums.packed;
  data.sums.dimension = d;
  data.sums.constant = 1;
  data.sums.rows = double(*sums.rows);
  data.sums.noise.diagonal = sums.diagonal;
  data.sums.noise.off_diagonal = sums.off_diagonal;
  data.sums.noise.linear = sums.linear;
  data.sums.frame = {Eigen::Map<const VectorXd>(sums.centre.data(), d),
                     Eigen::Map<const VectorXd>(sums.units.data(), d)};
  data.sums.mid = data.sums.frame.centre;
  data.sums.half = data.sums.frame.units;
  return data;
}

MatrixXd correlated() {
  MatrixXd covariance = MatrixXd::Constant(3, 3, 0.02);
  covariance.diagonal() << 0.04, 0.03, 0.05;
  return covariance;
}

const std::vector<int> kOwn = {0, 1, 2};

MatrixXd covarianceOf(const MatrixXd& rows) {
  const MatrixXd centred = rows.rowwise() - rows.colwise().mean();
  return centred.transpose() * centred / double(rows.rows());
}

TEST(MeanGaps, ThatAreIndependentLeaveMeansAndCovarianceAsTheyAre) {
  Drbg random = simulationDrbg(1);
  const MatrixXd rows = normalRows(50, correlated(), random).array() + 0.25;
  // The centre is a little off the mean, as a released one is; binary, as centres are.
  const VectorXd centre = VectorXd::Constant(3, 0.3125);
  // Features one and two are of one column.
  for (const std::vector<int>& of : {kOwn, std::vector<int>{0, 1, 1}}) {
    const WithoutGaps found = withMeans(sumOf({siteOf(rows, of, centre, 0.25, 0)}, of)).value();
    const AssembledMoments moments = assembleMoments(found.sums).value();
    EXPECT_LT((moments.covariance - covarianceOf(rows)).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((moments.mean - rows.colwise().mean().transpose()).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_NEAR(found.gaps.cells[0], found.gaps.rows / 2, 1e-9);
    EXPECT_NEAR(found.gaps.fewest, found.gaps.rows / 4, 1e-9);
    EXPECT_TRUE(found.sums.gaps.excess.isOnes(1e-12));
    EXPECT_NEAR(found.sums.gaps.rows, found.gaps.rows, 1e-9);
  }
}

TEST(MeanGaps, MayBeOfReleasesWithOtherCentresAndScales) {
  Drbg random = simulationDrbg(2);
  const MatrixXd first = normalRows(40, correlated(), random).array() + 0.25;
  const MatrixXd second = normalRows(80, 2 * correlated(), random).array() - 0.125;
  MatrixXd both(120, 3);
  both << first, second;
  const std::vector<Site> sites = {siteOf(first, kOwn, VectorXd::Constant(3, 0.1875), 0.25, 0),
                                   siteOf(second, kOwn, VectorXd::Constant(3, -0.0625), 0.5, 0)};
  const WithoutGaps found = withMeans(sumOf(sites, kOwn)).value();
  const AssembledMoments moments = assembleMoments(found.sums).value();
  EXPECT_LT((moments.covariance - covarianceOf(both)).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((moments.mean - both.colwise().mean().transpose()).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(MeanGaps, CostAsMuchNoiseAsRowsThatAreNotThere) {
  Drbg random = simulationDrbg(3);
  const MatrixXd rows = normalRows(50, correlated(), random);
  const double noise = 2;
  const WithoutGaps found =
      withMeans(sumOf({siteOf(rows, kOwn, VectorXd::Zero(3), 0.25, 0)}, kOwn, noise)).value();
  // Half of the cells of each column are missing, so a quarter of the rows have a pair.
  const double quarter = 100;
  EXPECT_NEAR(*found.sums.rows, quarter, 1e-9);
  const AssembledMoments moments = assembleMoments(found.sums).value();
  const double pair = square(0.25) * noise / quarter;
  const double correlation_noise = 0.02 * std::sqrt(1.0 / 400);
  EXPECT_GT(moments.covariance_sd(0, 1), pair);
  EXPECT_LT(moments.covariance_sd(0, 1), std::hypot(pair, correlation_noise) * 1.3);
  // Half as much on the diagonal: a half of the rows has each column.
  EXPECT_NEAR(moments.covariance_sd(0, 0) / pair, 0.5, 0.1);
}

TEST(MeanGaps, AddTheNoiseInTheirNumberToThatOfTheCovariance) {
  Drbg random = simulationDrbg(4);
  const MatrixXd rows = normalRows(50, correlated(), random);
  const auto momentsWith = [&](double sd) {
    const Site site = siteOf(rows, kOwn, VectorXd::Zero(3), 0.25, sd);
    return scaledMoments(withMeans(sumOf({site}, kOwn)).value().sums);
  };
  EXPECT_EQ(momentsWith(0).covariance_noise.diagonal, 0);
  // A half of the 400 rows has the column, so an sd of 4 is one of 2 % of the variance.
  const ScaledMoments moments = momentsWith(4);
  const double mean_square = std::sqrt(moments.scaled_covariance.diagonal().squaredNorm() / 3);
  EXPECT_NEAR(moments.covariance_noise.diagonal, 0.02 * mean_square, 1e-9 * mean_square);
}

TEST(PresentShares, OfOneReleaseAreItsOwn) {
  const auto shares = presentShares(std::vector<CountedGaps>{{1000, {200, -30, 0}, 20}}).value();
  EXPECT_EQ(shares[0], (std::vector<double>{0.8, 1, 1}));
}

TEST(PresentShares, OfReleasesThatDifferByNoiseAreThatOfAll) {
  const std::vector<CountedGaps> releases = {
      {1000, {190}, 30}, {1000, {215}, 30}, {2000, {395}, 30}};
  const auto shares = presentShares(releases).value();
  for (const auto& share : shares) EXPECT_NEAR(share[0], 0.8, 1e-12);
}

TEST(PresentShares, OfReleasesThatDifferByMuchAreTheirOwn) {
  const std::vector<CountedGaps> releases = {{1000, {100}, 1}, {1000, {600}, 1}};
  const auto shares = presentShares(releases).value();
  EXPECT_NEAR(shares[0][0], 0.9, 1e-3);
  EXPECT_NEAR(shares[1][0], 0.4, 1e-3);
}

TEST(PresentShares, RefuseAReleaseThatHardlyHasAColumn) {
  const std::vector<CountedGaps> releases = {{1000, {0, 10}, 1}, {1000, {0, 990}, 1}};
  const Error error = presentShares(releases).error();
  EXPECT_EQ(error.code, Code::kNoRows);
  EXPECT_EQ(error.row, 1);
  EXPECT_EQ(error.column, 1);
}

TEST(PresentShares, RefuseOtherNumbersOfColumnsAndNoRows) {
  const std::vector<CountedGaps> uneven = {{1000, {0, 10}, 1}, {1000, {0}, 1}};
  EXPECT_EQ(presentShares(uneven).error().code, Code::kWrongLength);
  const std::vector<CountedGaps> empty = {{0, {0}, 1}};
  EXPECT_EQ(presentShares(empty).error().code, Code::kInvalidNoise);
}

TEST(MeanGaps, NeedOneColumnForEachFeatureInOrder) {
  Drbg random = simulationDrbg(5);
  MeanGapSums data =
      sumOf({siteOf(normalRows(20, correlated(), random), kOwn, VectorXd::Zero(3), 0.25, 0)}, kOwn);
  data.columns = {0, 2, 1};
  EXPECT_EQ(withMeans(data).error().code, Code::kWrongLength);
  data.columns = {0, 1, 3};
  EXPECT_EQ(withMeans(data).error().code, Code::kWrongLength);
}

}  // namespace mean_gaps_test
}  // namespace pm
