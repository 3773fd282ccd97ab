#include "core/moments/within_sites.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <span>
#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace within_sites_test {

using namespace fixtures;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kFeatures = 3;
constexpr double kUnit = 1.0 / 1024;

/// One site's rows, and the coordinates of its release.
struct Site {
  MatrixXd rows;  ///< n x D, scaled units
  VectorXd centre = VectorXd::Zero(kFeatures);
  VectorXd scale = VectorXd::Ones(kFeatures);
  double constant = 1.5;
};

/// Packed sums over (constant, z) in units of kUnit; `noise` is added to them, in scaled units.
std::vector<double> releaseOf(const Site& site, const MatrixXd& noise = {}) {
  const Eigen::Index n = site.rows.rows();
  MatrixXd augmented(n, kFeatures + 1);
  augmented << VectorXd::Constant(n, site.constant),
      (site.rows.rowwise() - site.centre.transpose()) * site.scale.cwiseInverse().asDiagonal();
  MatrixXd sums = augmented.transpose() * augmented;
  if (noise.size() != 0) sums += noise;
  return pack(sums / kUnit);
}

CentredScale scaleOf(const Site& site, double sd = 0) {
  CentredScale scale;
  scale.radius = 2;
  scale.unit = kUnit;
  scale.constant = site.constant;
  scale.diagonal = std::sqrt(2.0) * sd;
  scale.off_diagonal = sd;
  scale.centre = {site.centre.data(), kFeatures};
  scale.scale = {site.scale.data(), kFeatures};
  return scale;
}

/// Three sites of different sizes whose means differ by more than their rows.
std::vector<Site> someSites() {
  Deterministic random(301);
  std::vector<Site> sites;
  for (const int n : {40, 25, 90}) {
    const VectorXd mean = 0.4 * random.normals(kFeatures, 1);
    MatrixXd rows = 0.1 * random.normals(n, kFeatures);
    rows.col(1) += 0.5 * rows.col(0);
    rows.rowwise() += mean.transpose();
    sites.push_back({rows});
  }
  return sites;
}

/// The divisor is the number of rows.
MatrixXd withinCovariance(const std::vector<Site>& sites) {
  MatrixXd sum = MatrixXd::Zero(kFeatures, kFeatures);
  double n = 0;
  for (const Site& site : sites) {
    const MatrixXd own = site.rows.rowwise() - site.rows.colwise().mean();
    sum += own.transpose() * own;
    n += double(site.rows.rows());
  }
  return sum / n;
}

WithinSums sumOf(const std::vector<Site>& sites) {
  WithinSites within = WithinSites::create(kFeatures).value();
  for (const Site& site : sites) {
    const auto rows = static_cast<std::uint64_t>(site.rows.rows());
    EXPECT_FALSE(within.add(releaseOf(site), scaleOf(site), rows));
  }
  return within.sum().value();
}

MomentSums momentsOf(const WithinSums& sums) {
  MomentSums moments;
  moments.packed = sums.packed;
  moments.dimension = kFeatures;
  moments.constant = 1;
  if (sums.rows) moments.rows = double(*sums.rows);
  moments.noise = {sums.diagonal, sums.off_diagonal, sums.linear, sums.count};
  moments.frame.centre = Eigen::Map<const VectorXd>(sums.centre.data(), kFeatures);
  moments.frame.units = Eigen::Map<const VectorXd>(sums.units.data(), kFeatures);
  moments.mid = moments.frame.centre;
  moments.half = moments.frame.units;
  moments.noise_centres = sums.noise_centres;
  return moments;
}

TEST(WithinSites, SumsProductsAboutTheMeanOfEachSite) {
  const std::vector<Site> sites = someSites();
  const AssembledMoments moments = assembleMoments(momentsOf(sumOf(sites))).value();
  EXPECT_EQ(moments.rows, 155);
  EXPECT_LT((moments.covariance - withinCovariance(sites)).cwiseAbs().maxCoeff(), 1e-12);
  VectorXd mean = VectorXd::Zero(kFeatures);
  for (const Site& site : sites) mean += site.rows.colwise().sum().transpose() / 155;
  EXPECT_LT((moments.mean - mean).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(WithinSites, DoesNotDependOnWhereTheMeansOfSitesAre) {
  std::vector<Site> sites = someSites();
  const WithinSums before = sumOf(sites);
  for (Site& site : sites) site.rows.rowwise() += Eigen::RowVector3d(0.3, -0.2, 0.1);
  sites[1].rows.rowwise() += Eigen::RowVector3d(0.1, 0.4, -0.3);
  const WithinSums after = sumOf(sites);
  for (std::size_t i = 4; i < before.packed.size(); ++i) {
    EXPECT_NEAR(before.packed[i], after.packed[i], 1e-9);
  }
}

TEST(WithinSites, TakesReleasesInCoordinatesOfTheirOwn) {
  std::vector<Site> sites = someSites();
  const MatrixXd expected = withinCovariance(sites);
  sites[0].centre << 0.25, -0.5, 0;
  sites[0].scale << 0.5, 0.25, 1;
  sites[2].centre << -0.125, 0.5, 0.25;
  sites[2].scale << 0.125, 0.5, 0.75;
  sites[2].constant = 0.7;
  const AssembledMoments moments = assembleMoments(momentsOf(sumOf(sites))).value();
  EXPECT_LT((moments.covariance - expected).cwiseAbs().maxCoeff(), 1e-12);
}

/// Errors of the covariance of z over simulated releases of the same rows.
struct Errors {
  MatrixXd mean;
  double diagonal = 0;  ///< root mean squares
  double off_diagonal = 0;
  NoiseLaw stated;
};

Errors simulate(const std::vector<Site>& sites, double sd, bool rows_are_public, int trials) {
  Errors errors;
  errors.mean = MatrixXd::Zero(kFeatures, kFeatures);
  const MatrixXd truth = withinCovariance(sites);
  for (int trial = 0; trial < trials; ++trial) {
    Drbg random = simulationDrbg(303, static_cast<std::uint64_t>(trial));
    WithinSites within = WithinSites::create(kFeatures).value();
    for (const Site& site : sites) {
      const NoiseLaw law{std::sqrt(2.0) * sd, sd};
      const MatrixXd noise = NoiseDraw(SumNoise::everywhere(law, false), kFeatures).draw(random);
      std::optional<std::uint64_t> rows;
      if (rows_are_public) rows = static_cast<std::uint64_t>(site.rows.rows());
      EXPECT_FALSE(within.add(releaseOf(site, noise), scaleOf(site, sd), rows));
    }
    const MomentSums sums = momentsOf(within.sum().value());
    const ScaledMoments moments = scaledMoments(sums);
    const MatrixXd error = moments.scaled_covariance - sums.frame.covarianceOfZ(truth);
    errors.mean += error / trials;
    errors.diagonal += error.diagonal().squaredNorm() / kFeatures / trials;
    const double rest = error.squaredNorm() - error.diagonal().squaredNorm();
    errors.off_diagonal += rest / (kFeatures * (kFeatures - 1)) / trials;
    errors.stated = moments.covariance_noise;
  }
  errors.diagonal = std::sqrt(errors.diagonal);
  errors.off_diagonal = std::sqrt(errors.off_diagonal);
  return errors;
}

TEST(WithinSites, StatesTheNoiseOfTheCovarianceAndHasNoBias) {
  // 4000 trials: root mean squares have a standard error below 1 %, means one of sd / 63.
  std::vector<Site> sites = someSites();
  for (const bool own : {false, true}) {
    if (own) {
      sites[0].centre << 0.25, -0.5, 0;
      sites[0].scale << 0.75, 0.5, 1;
    }
    const Errors errors = simulate(sites, 1.5, true, 4000);
    EXPECT_NEAR(errors.off_diagonal / errors.stated.off_diagonal, 1, 0.06);
    EXPECT_NEAR(errors.diagonal / errors.stated.diagonal, 1, 0.06);
    EXPECT_LT(errors.mean.cwiseAbs().maxCoeff(), 6 * errors.diagonal / std::sqrt(4000.0));
  }
}

TEST(WithinSites, OfManySmallSitesIsCorrectedForTheMeansThatFollowTheNoise) {
  Deterministic random(305);
  std::vector<Site> sites(40);
  for (Site& site : sites) site.rows = 0.3 * random.normals(5, kFeatures);
  const double sd = 1.5;
  double added = 0;
  for (const Site& site : sites) added += std::pow(sd / site.constant, 2) / 5 / 200;
  const Errors errors = simulate(sites, sd, true, 1000);
  const double error = 6 * errors.diagonal / std::sqrt(1000.0);
  EXPECT_LT(errors.mean.cwiseAbs().maxCoeff(), error);
  EXPECT_GT(added, 2 * error);
}

TEST(WithinSites, CountsTheNoiseOfPrivateNumbersOfRows) {
  const Errors errors = simulate(someSites(), 1.5, false, 4000);
  EXPECT_NEAR(errors.off_diagonal / errors.stated.off_diagonal, 1, 0.08);
  EXPECT_NEAR(errors.diagonal / errors.stated.diagonal, 1, 0.08);
}

TEST(WithinSites, RefusesASiteWithoutAMeanOfItsOwn) {
  WithinSites within = WithinSites::create(kFeatures).value();
  const Site site = someSites()[0];
  EXPECT_EQ(within.add(releaseOf(site), scaleOf(site), 1)->code, Code::kNoRows);
  // 40 rows, and a standard deviation of their number of 28.
  const Status noisy = within.add(releaseOf(site), scaleOf(site, 45), {});
  EXPECT_EQ(noisy->code, Code::kNoRows);
  EXPECT_EQ(noisy->field, "rows");
  EXPECT_EQ(within.sum().error().code, Code::kNoRows);
  EXPECT_FALSE(within.add(releaseOf(site), scaleOf(site, 25), {}));
}

TEST(WithinSites, RefusesWrongShapesAndNumbers) {
  EXPECT_EQ(WithinSites::create(0).error().code, Code::kInvalidDimension);
  WithinSites within = WithinSites::create(kFeatures).value();
  const Site site = someSites()[0];
  std::vector<double> values = releaseOf(site);
  values[5] = std::nan("");
  EXPECT_EQ(within.add(values, scaleOf(site), 40)->code, Code::kNotFinite);
  values.pop_back();
  EXPECT_EQ(within.add(values, scaleOf(site), 40)->code, Code::kWrongLength);
  CentredScale scale = scaleOf(site);
  scale.scale = {};
  EXPECT_EQ(within.add(releaseOf(site), scale, 40)->field, "centring");
  scale = scaleOf(site);
  scale.unit = 0;
  EXPECT_EQ(within.add(releaseOf(site), scale, 40)->code, Code::kNotFinite);
}

}  // namespace within_sites_test
}  // namespace pm
