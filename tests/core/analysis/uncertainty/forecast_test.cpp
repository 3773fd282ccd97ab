#include "core/analysis/uncertainty/forecast.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/analysis/uncertainty/bootstrap.hpp"
#include "core/analysis/uncertainty/pair_tests.hpp"
#include "core/random/continuous.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/support/effort.hpp"

namespace pm {
namespace forecast_test {

using fixtures::Deterministic;
using fixtures::indices;
using fixtures::rotationInvariant;
using testing_support::draws;

/// Number of standard deviations of a simulated figure that a test allows; 4e-8 of all fail by
/// chance.
constexpr double kDoubt = 5.5;

Drbg seeded(std::uint8_t number) {
  Seed seed{};
  seed[0] = number;
  return Drbg(seed);
}

/// n rows of d numbers with bounds two standard deviations from the midpoint; half of the columns
/// are one view, half the other.
ForecastInput question(int d, double rows, const SumNoise& noise) {
  ForecastInput input;
  input.rows = rows;
  input.constant = std::sqrt(0.5 * d);
  input.noise = noise;
  input.radii = {{std::sqrt(static_cast<double>(d)), 1}};
  input.trace_bound = d;
  input.mean = Eigen::VectorXd::Zero(d);
  input.covariance = Eigen::MatrixXd::Identity(d, d) * 0.25;
  input.columns = indices(0, d);
  return input;
}

ForecastInput withViews(ForecastInput input, const std::vector<double>& correlations) {
  const int d = static_cast<int>(input.mean.size());
  input.x = indices(0, d / 2);
  input.y = indices(d / 2, d - d / 2);
  input.correlations = correlations;
  return input;
}

Forecast of(const ForecastInput& input) {
  const Result<Forecast> result = forecast(input);
  EXPECT_TRUE(result.ok());
  return result.ok() ? result.value() : Forecast{};
}

/// Root mean squares over simulated releases.
struct Simulated {
  double noise = 0;
  double sampling = 0;
  double denoised = 0;
  std::vector<double> errors;
  std::vector<double> below;
  std::vector<double> kept;  ///< share above the floor and within `margins` of the truth
};

MomentSums sumsFor(const ForecastInput& input) {
  MomentSums sums;
  sums.dimension = static_cast<int>(input.mean.size());
  const int d = sums.dimension;
  sums.packed.assign(static_cast<std::size_t>((d + 1) * (d + 2) / 2), 0.0);
  sums.constant = input.constant;
  sums.rows = input.rows;
  sums.mid = Eigen::VectorXd::Zero(d);
  sums.half = Eigen::VectorXd::Ones(d);
  return sums;
}

/// What `cca` and its tests are asked about a release, but for its covariance and noise.
CcaInput problemOf(const ForecastInput& input) {
  CcaInput problem;
  problem.trace_bound = input.trace_bound;
  problem.half = Eigen::VectorXd::Ones(input.mean.size());
  problem.x = input.x;
  problem.y = input.y;
  problem.components = static_cast<int>(input.correlations.size());
  problem.centre_spread = input.centre_spread;
  return problem;
}

/// The assumed covariance with the correlations planted in directions of the test's own.
Eigen::MatrixXd planted(const ForecastInput& input) {
  Eigen::MatrixXd covariance = input.covariance;
  if (input.correlations.empty()) return covariance;
  const auto dx = static_cast<int>(input.x.size());
  const auto dy = static_cast<int>(input.y.size());
  Deterministic random(7);
  const Eigen::MatrixXd left = random.orthogonal(dx);
  const Eigen::MatrixXd right = random.orthogonal(dy);
  for (std::size_t j = 0; j < input.correlations.size(); ++j) {
    const int k = static_cast<int>(j);
    covariance.topRightCorner(dx, dy) +=
        0.25 * input.correlations[j] * left.col(k) * right.col(k).transpose();
  }
  covariance.bottomLeftCorner(dy, dx) = covariance.topRightCorner(dx, dy).transpose();
  return covariance;
}

Simulated simulate(const ForecastInput& input, std::uint64_t runs, bool take_off_noise = false,
                   const std::vector<double>& margins = {}) {
  const Eigen::MatrixXd covariance = planted(input);
  const Population population(sumsFor(input), input.rows, input.mean, covariance);
  MomentSums sums = sumsFor(input);
  sums.noise = input.noise;
  if (!input.rows_are_public) sums.rows.reset();
  const NoiseDraw noise(input.noise, sums.dimension);
  const auto k = input.correlations.size();
  Simulated result;
  result.errors.resize(k);
  result.below.resize(k);
  result.kept.resize(k);
  Drbg random = seeded(99);
  const double weight = 1 / static_cast<double>(runs);
  for (std::uint64_t run = 0; run < runs; ++run) {
    const AssembledMoments exact = population.draw(random);
    sums.packed = fixtures::pack(exact.second_moments + noise.draw(random));
    const AssembledMoments released = assembleMoments(sums).value();
    result.noise += weight * (released.scaled_covariance - exact.scaled_covariance).squaredNorm();
    result.sampling += weight * (exact.scaled_covariance - covariance).squaredNorm();
    if (take_off_noise) {
      result.denoised += weight * (denoised(released.scaled_covariance, released.covariance_noise,
                                            input.trace_bound) -
                                   exact.scaled_covariance)
                                      .squaredNorm();
    }
    if (k == 0) continue;
    CcaInput problem = problemOf(input);
    problem.covariance = released.scaled_covariance;
    problem.noise = released.covariance_noise;
    const Cca found = cca(problem).value();
    for (std::size_t j = 0; j < k; ++j) {
      result.errors[j] += weight * std::pow(found.correlations[j].value - input.correlations[j], 2);
      result.below[j] += weight * static_cast<double>(found.correlations[j].below_noise_floor);
      if (j < margins.size() && !found.correlations[j].below_noise_floor &&
          std::abs(found.correlations[j].value - input.correlations[j]) <= margins[j]) {
        result.kept[j] += weight;
      }
    }
  }
  result.noise = std::sqrt(result.noise);
  result.sampling = std::sqrt(result.sampling);
  result.denoised = std::sqrt(result.denoised);
  for (double& error : result.errors) error = std::sqrt(error);
  return result;
}

/// |forecast / simulated - 1| is at most `bar` plus the uncertainty of a root mean square over
/// `figures` independent normal variates.
void expectNear(double forecast, double simulated, double bar, double figures) {
  const double allowed = bar + kDoubt / std::sqrt(2 * figures);
  EXPECT_NEAR(forecast / simulated, 1, allowed) << forecast << " instead of " << simulated;
}

SumNoise laplace(double sd) {
  SumNoise noise = SumNoise::everywhere({sd, sd});
  noise.family = NoiseFamily::kLaplace;
  return noise;
}

TEST(Forecast, ErrorOfTheCovarianceIsThatOfSimulatedReleases) {
  const std::uint64_t runs = draws(400);
  const double figures = static_cast<double>(runs) * 10;
  for (const double sd : {1.0, 30.0, 200.0}) {
    const auto noise = SumNoise::everywhere(rotationInvariant(sd));
    const ForecastInput input = question(4, 500, noise);
    expectNear(of(input).noise, simulate(input, runs).noise, 0.02, figures);
  }
  // Heavier tails count as fewer independent figures.
  const ForecastInput input = question(6, 1000, laplace(20));
  expectNear(of(input).noise, simulate(input, runs).noise, 0.02, figures / 2.5);
}

TEST(Forecast, IncludesTheNoiseOfMeansFarFromTheCentreAndOfAPrivateCount) {
  const std::uint64_t runs = draws(600);
  ForecastInput input = question(3, 500, SumNoise::everywhere(rotationInvariant(15), false));
  input.rows_are_public = false;
  input.mean = Eigen::Vector3d(0.8, -0.6, 0.3);
  const double private_count = of(input).noise;
  // Few numbers, among them the count, determine the error: at least two of them are independent.
  expectNear(private_count, simulate(input, runs).noise, 0.02, 2.0 * static_cast<double>(runs));

  input.rows_are_public = true;
  input.noise.count = 0;
  const double public_count = of(input).noise;
  expectNear(public_count, simulate(input, runs).noise, 0.02, 2.0 * static_cast<double>(runs));
  EXPECT_GT(private_count, 1.02 * public_count);
  input.mean.setZero();
  EXPECT_LT(of(input).noise, 0.9 * public_count);
}

TEST(Forecast, SamplingErrorIsThatOfNormalRows) {
  const std::uint64_t runs = draws(400);
  ForecastInput input = question(5, 200, SumNoise{});
  input.covariance.diagonal() << 0.5, 0.25, 0.25, 0.1, 0.01;
  input.covariance(0, 1) = input.covariance(1, 0) = 0.2;
  expectNear(of(input).sampling, simulate(input, runs).sampling, 0.02,
             4 * static_cast<double>(runs));
}

TEST(Forecast, ErrorOfTheDenoisedCovarianceIsThatOfSimulatedReleases) {
  const std::uint64_t runs = draws(200);
  for (const double sd : {5.0, 40.0}) {
    ForecastInput input = question(8, 1000, SumNoise::everywhere(rotationInvariant(sd)));
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < 8; ++j) input.covariance(i, j) = 0.25 * std::pow(0.8, std::abs(i - j));
    }
    expectNear(of(input).denoised, simulate(input, runs, true).denoised, 0.1,
               10 * static_cast<double>(runs));
  }
}

TEST(Forecast, ErrorOfCorrelationsIsThatOfTheEstimatorOnSimulatedReleases) {
  struct Case {
    int features;
    double rows;
    double sd;
    std::uint64_t runs;
  };
  for (const Case& c : {Case{4, 2000, 20, 3000}, Case{4, 500, 15, 3000}, Case{12, 20000, 200, 1500},
                        Case{30, 50000, 300, 300}}) {
    const std::uint64_t runs = draws(c.runs);
    const ForecastInput input = withViews(
        question(c.features, c.rows, SumNoise::everywhere(rotationInvariant(c.sd))), {0.7, 0.4});
    const Simulated simulated = simulate(input, runs);
    const Forecast expected = of(input);
    ASSERT_EQ(expected.correlations.size(), 2u);
    for (std::size_t j = 0; j < 2; ++j) {
      const CorrelationForecast& forecast = expected.correlations[j];
      EXPECT_EQ(forecast.truth, input.correlations[j]);
      expectNear(forecast.error, simulated.errors[j], 0.1, static_cast<double>(runs));
      EXPECT_NEAR(forecast.error, std::hypot(forecast.expected - forecast.truth, forecast.sd),
                  1e-12);
      EXPECT_NEAR(forecast.chance_below_floor, simulated.below[j],
                  0.1 + kDoubt * 0.5 / std::sqrt(static_cast<double>(runs)));
    }
  }
}

TEST(Forecast, NineOfTenSimulatedReleasesAreWithinTheirMarginAndAboveTheirFloor) {
  const std::uint64_t runs = draws(1000);
  for (const double sd : {2.0, 8.0}) {
    const ForecastInput input =
        withViews(question(6, 2000, SumNoise::everywhere(rotationInvariant(sd))), {0.7, 0.4});
    const Forecast expected = of(input);
    std::vector<double> margins;
    for (const CorrelationForecast& forecast : expected.correlations) {
      ASSERT_TRUE(std::isfinite(forecast.margin));
      EXPECT_GT(forecast.margin, forecast.error);
      margins.push_back(forecast.margin);
    }
    const Simulated simulated = simulate(input, runs, false, margins);
    for (const double kept : simulated.kept) {
      EXPECT_GT(kept, 0.9 - kDoubt * 0.3 / std::sqrt(static_cast<double>(runs)));
    }
  }
  const Forecast drowned =
      of(withViews(question(6, 2000, SumNoise::everywhere(rotationInvariant(200))), {0.4}));
  EXPECT_EQ(drowned.correlations[0].margin, std::numeric_limits<double>::infinity());
}

/// Shares of simulated releases in which the test at level 5 % counts each pair.
std::vector<double> counted(const ForecastInput& input, std::uint64_t runs) {
  const Population population(sumsFor(input), input.rows, input.mean, planted(input));
  MomentSums sums = sumsFor(input);
  sums.noise = input.noise;
  const NoiseDraw noise(input.noise, sums.dimension);
  const CcaInput problem = problemOf(input);
  std::vector<double> shares(input.correlations.size());
  Drbg random = seeded(98);
  for (std::uint64_t run = 0; run < runs; ++run) {
    sums.packed = fixtures::pack(population.draw(random).second_moments + noise.draw(random));
    const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, 99, run + 1}).value();
    const std::vector<double> p = ccaTests(bootstrap, problem).value();
    for (std::size_t j = 0; j < p.size(); ++j) {
      shares[j] += static_cast<double>(p[j] <= 0.05) / static_cast<double>(runs);
    }
  }
  return shares;
}

TEST(Forecast, PowerIsHowOftenTheTestCountsThePair) {
  const std::uint64_t runs = draws(300);
  struct Case {
    int features;
    double rows;
    double sd;
    std::vector<double> correlations;
  };
  for (const Case& c : {Case{2, 2000, 0, {0.05}}, Case{4, 500, 15, {0.5, 0.3}},
                        Case{4, 2000, 80, {0.5, 0.3}}, Case{8, 2000, 30, {0.5, 0.3, 0.1}}}) {
    const auto noise = c.sd == 0 ? SumNoise{} : SumNoise::everywhere(rotationInvariant(c.sd));
    const ForecastInput input = withViews(question(c.features, c.rows, noise), c.correlations);
    const std::vector<double> shares = counted(input, runs);
    const Forecast expected = of(input);
    for (std::size_t j = 0; j < shares.size(); ++j) {
      EXPECT_NEAR(expected.correlations[j].power, shares[j],
                  0.1 + kDoubt * 0.5 / std::sqrt(static_cast<double>(runs)));
    }
  }
}

TEST(Forecast, PowerAllowsForWhatClippingMayHaveMovedBetweenSites) {
  const std::uint64_t runs = draws(300);
  ForecastInput input =
      withViews(question(4, 500, SumNoise::everywhere(rotationInvariant(15))), {0.5});
  const Forecast without = of(input);
  // The first columns of the views move together.
  input.centre_spread = Eigen::MatrixXd::Zero(4, 4);
  input.centre_spread({0, 2}, {0, 2}).setConstant(0.08);
  const Forecast with = of(input);
  EXPECT_NEAR(with.correlations[0].power, counted(input, runs)[0],
              0.1 + kDoubt * 0.5 / std::sqrt(static_cast<double>(runs)));
  EXPECT_LT(with.correlations[0].power, without.correlations[0].power / 2);
  EXPECT_GT(with.correlations[0].noise_floor, without.correlations[0].noise_floor + 0.1);
  EXPECT_EQ(with.noise, without.noise);
}

TEST(Forecast, OfClippedRowsIsThatOfTheEstimatorOnSuchRows) {
  // Rows that are nearly all longer than the radius, clipped one by one.
  constexpr int kFeatures = 6, kRows = 1500;
  constexpr double kRadius = 0.5, kSd = 6, kPlanted = 0.6;
  ForecastInput input = withViews(
      question(kFeatures, kRows, SumNoise::everywhere(rotationInvariant(kSd))), {kPlanted});
  input.radii = {{kRadius, 1}};
  input.constant = kRadius;
  input.trace_bound = kRadius * kRadius;
  const Eigen::MatrixXd root = Eigen::LLT<Eigen::MatrixXd>(planted(input)).matrixL();
  MomentSums sums = sumsFor(input);
  sums.noise = input.noise;
  const NoiseDraw noise(input.noise, kFeatures);
  CcaInput problem = problemOf(input);
  const std::uint64_t runs = draws(200);
  Drbg random = seeded(5);
  Eigen::VectorXd values(static_cast<Eigen::Index>(runs)), floors(values.size());
  for (Eigen::Index run = 0; run < values.size(); ++run) {
    Eigen::MatrixXd normals(kFeatures, kRows);
    simulateNormals({normals.data(), static_cast<std::size_t>(normals.size())}, random);
    Eigen::MatrixXd z(1 + kFeatures, kRows);
    z.row(0).setConstant(input.constant);
    z.bottomRows(kFeatures) = root * normals;
    for (Eigen::Index i = 0; i < kRows; ++i) {
      auto row = z.col(i).tail(kFeatures);
      row *= std::min(1.0, kRadius / row.norm());
    }
    sums.packed = fixtures::pack(z * z.transpose() + noise.draw(random));
    const AssembledMoments released = assembleMoments(sums).value();
    problem.covariance = released.scaled_covariance;
    problem.noise = released.covariance_noise;
    const Cca found = cca(problem).value();
    values[run] = found.correlations[0].value;
    floors[run] = found.noise_floor;
  }
  const double error = std::sqrt((values.array() - kPlanted).square().mean());
  const CorrelationForecast expected = of(input).correlations[0];
  expectNear(expected.error, error, 0.15, static_cast<double>(runs));
  EXPECT_NEAR(expected.noise_floor, floors.mean(), 0.1);
  // As if no row was clipped, the noise would be less than half of that beside them.
  input.radii = {{10, 1}};
  EXPECT_LT(of(input).correlations[0].noise_floor, 0.6 * expected.noise_floor);
}

TEST(Forecast, CorrelationsInSmallDirectionsOfCorrelatedColumnsAreHiddenFirst) {
  ForecastInput input =
      withViews(question(8, 20000, SumNoise::everywhere(rotationInvariant(30))), {0.5});
  const auto error = [&](Planting planting) {
    input.planting = planting;
    return of(input).correlations[0].error;
  };
  // If all directions have equal variance, the choice does not matter.
  EXPECT_NEAR(error(Planting::kTrailing) / error(Planting::kLeading), 1, 0.35);
  const double uncorrelated = error(Planting::kAlike);
  for (const std::vector<int>* view : {&input.x, &input.y}) {
    for (const int i : *view) {
      for (const int j : *view) {
        if (i != j) input.covariance(i, j) = 0.8 * 0.25;
      }
    }
  }
  EXPECT_LT(error(Planting::kLeading), error(Planting::kAlike));
  EXPECT_LT(error(Planting::kAlike), 1.1 * error(Planting::kTrailing));
  EXPECT_GT(error(Planting::kTrailing), 2 * uncorrelated);
}

TEST(Forecast, RowsOffCentreThatCorrelateVaryMoreInLength) {
  ForecastInput input = question(4, 1000, SumNoise{});
  input.mean.setConstant(0.3);
  const std::vector<double> radius{1.3};
  const double apart = forecastLengths(input, radius).value()[0];
  input.covariance.setConstant(0.8 * 0.25);
  input.covariance.diagonal().setConstant(0.25);
  EXPECT_GT(forecastLengths(input, radius).value()[0], apart);
}

TEST(Forecast, ThinnedProblemsApproximateManyFeatures) {
  const std::uint64_t runs = std::max<std::uint64_t>(20, draws(40));
  const ForecastInput input =
      withViews(question(80, 100000, SumNoise::everywhere(rotationInvariant(500))), {0.7, 0.4});
  const Simulated simulated = simulate(input, runs, true);
  const Forecast expected = of(input);
  expectNear(expected.denoised, simulated.denoised, 0.1, 100 * static_cast<double>(runs));
  for (std::size_t j = 0; j < 2; ++j) {
    expectNear(expected.correlations[j].error, simulated.errors[j], 0.15,
               static_cast<double>(runs));
  }
}

TEST(Forecast, WithoutNoiseHasSamplingErrorOnly) {
  const Forecast expected = of(withViews(question(6, 1e6, SumNoise{}), {0.5, 0.2}));
  EXPECT_EQ(expected.noise, 0);
  EXPECT_EQ(expected.clipping, 0);
  EXPECT_EQ(expected.total, expected.sampling);
  EXPECT_NEAR(expected.denoised, 0, 1e-9);
  for (const CorrelationForecast& correlation : expected.correlations) {
    EXPECT_NEAR(correlation.expected, correlation.truth, 2e-4);
    EXPECT_NEAR(correlation.error / correlation.sampling, 1, 0.1);
    EXPECT_EQ(correlation.chance_below_floor, 0);
  }
}

TEST(Forecast, ReportsCorrelationsBelowTheFloor) {
  const Forecast expected = of(
      withViews(question(10, 500, SumNoise::everywhere(rotationInvariant(400))), {0.5, 0.3, 0.1}));
  EXPECT_GT(expected.noise, expected.zero);
  for (const CorrelationForecast& correlation : expected.correlations) {
    EXPECT_GT(correlation.chance_below_floor, 0.8);
  }
  EXPECT_GT(expected.noise_floor, 0.5);
}

TEST(Forecast, ErrorsFallWithRowsAndRiseWithNoise) {
  double more_rows = std::numeric_limits<double>::infinity();
  double correlation = more_rows;
  for (const double rows : {500.0, 1000.0, 4000.0, 50000.0, 1e6}) {
    const Forecast expected =
        of(withViews(question(8, rows, SumNoise::everywhere(rotationInvariant(30))), {0.6}));
    EXPECT_LT(expected.total, more_rows);
    EXPECT_LT(expected.correlations[0].error, correlation);
    more_rows = expected.total;
    correlation = expected.correlations[0].error;
  }
  double more_noise = 0;
  correlation = 0;
  for (const double sd : {1.0, 5.0, 25.0, 50.0}) {
    const Forecast expected =
        of(withViews(question(8, 2000, SumNoise::everywhere(rotationInvariant(sd))), {0.6}));
    EXPECT_GT(expected.noise, more_noise);
    EXPECT_GT(expected.correlations[0].error, correlation);
    more_noise = expected.noise;
    correlation = expected.correlations[0].error;
  }
}

TEST(Forecast, IsSmoothAndReproducible) {
  const auto at = [](double rows) {
    return of(withViews(question(6, rows, SumNoise::everywhere(rotationInvariant(30))), {0.5}));
  };
  EXPECT_EQ(at(5000).correlations[0].error, at(5000).correlations[0].error);
  EXPECT_EQ(at(5000).denoised, at(5000).denoised);
  EXPECT_NEAR(at(5005).correlations[0].error / at(5000).correlations[0].error, 1, 0.01);
}

TEST(Forecast, RowsForIsWhereTheTotalErrorReachesTheTarget) {
  ForecastInput input = question(6, 500, SumNoise::everywhere(rotationInvariant(100)));
  input.target = 0.3;
  input.rows = of(input).rows_for;
  Forecast expected = of(input);
  EXPECT_NEAR(expected.total, 0.3 * expected.zero, 0.001 * expected.zero);
  EXPECT_LE(expected.total, 0.3 * expected.zero);

  // Twice the rows in twice the releases have 2 / sqrt 2 times less noise.
  input.noise = SumNoise::everywhere(rotationInvariant(1000));
  input.noise_grows = true;
  const double needed = of(input).rows_for;
  const double growth = needed / input.rows;
  input.noise = SumNoise::everywhere(rotationInvariant(1000 * std::sqrt(growth)));
  input.rows = needed;
  expected = of(input);
  EXPECT_NEAR(expected.total, 0.3 * expected.zero, 0.001 * expected.zero);

  // Rows clipped to half their length stay clipped.
  input.radii = {{0.5 * std::sqrt(6 * 0.25), 1}};
  EXPECT_EQ(of(input).rows_for, std::numeric_limits<double>::infinity());
}

/// The error of the covariance and the share of rows clipped at `radius`, from drawn normal rows
/// whose cells are clamped to the bounds.
std::pair<double, double> clipped(const ForecastInput& input, double radius, std::uint64_t rows) {
  Deterministic random(5);
  const auto d = input.mean.size();
  const Eigen::VectorXd sds = input.covariance.diagonal().cwiseSqrt();
  Eigen::MatrixXd change = Eigen::MatrixXd::Zero(d, d);
  double shortened = 0;
  for (std::uint64_t i = 0; i < rows; ++i) {
    Eigen::VectorXd row(d);
    for (Eigen::Index j = 0; j < d; ++j) row[j] = std::clamp(sds[j] * random.normal(), -1.0, 1.0);
    const double factor = std::min(1.0, radius * radius / row.squaredNorm());
    change += (1 - factor) * row * row.transpose();
    shortened += static_cast<double>(factor < 1);
  }
  const auto n = static_cast<double>(rows);
  return {(change / n).norm(), shortened / n};
}

TEST(Forecast, ClippingIsThatOfNormalRowsWithinTheirBounds) {
  const std::uint64_t rows = draws(40000);
  for (const int d : {3, 12}) {
    for (const double share : {0.7, 0.85, 1.0, 1.2}) {
      ForecastInput input = question(d, 1000, SumNoise{});
      const double radius = share * std::sqrt(0.25 * d);
      input.radii = {{radius, 1}};
      const auto [error, shortened] = clipped(input, radius, rows);
      const Forecast expected = of(input);
      const double doubt = kDoubt / std::sqrt(static_cast<double>(rows));
      EXPECT_NEAR(expected.shortened, shortened, 0.02 + 0.5 * doubt);
      // Clamping cells to the bounds removes 8 % of the assumed variance.
      EXPECT_NEAR(expected.clipping / error, 1.086, 0.05 + 4 * doubt);
      EXPECT_NEAR(forecastLengths(input, {radius}).value()[0], expected.shortened, 1e-12);
    }
  }
}

TEST(Forecast, ClipsNoRowWithinTheBoundsAndMixesRadii) {
  ForecastInput input = question(4, 1000, SumNoise{});
  EXPECT_EQ(of(input).shortened, 0);
  input.radii = {{1, 1}};
  const Forecast one = of(input);
  input.radii = {{1, 0.25}, {2, 0.75}};
  const Forecast mixed = of(input);
  EXPECT_GT(one.shortened, 0.3);
  EXPECT_NEAR(mixed.shortened, one.shortened / 4, 1e-12);
  EXPECT_NEAR(mixed.clipping, one.clipping / 4, 1e-12);
}

TEST(Forecast, IndicatorsHaveAConstantLengthAndNoDirectionForTheirSum) {
  ForecastInput input = question(4, 1000, SumNoise::everywhere(rotationInvariant(1)));
  // Two categories of two equally frequent levels.
  input.columns = {0, 0, 1, 1};
  input.mean.setConstant(0.5);
  input.covariance.setZero();
  for (const int first : {0, 2}) {
    input.covariance.block<2, 2>(first, first) << 0.25, -0.25, -0.25, 0.25;
  }
  EXPECT_EQ(of(input).shortened, 0);
  input.radii = {{1.4, 1}};  // every row is sqrt 2 long
  EXPECT_EQ(of(input).shortened, 1);

  const Forecast expected = of(withViews(input, {0.5}));
  EXPECT_NEAR(expected.correlations[0].expected, 0.5, 0.05);
  const Result<Forecast> two = forecast(withViews(input, {0.5, 0.3}));
  ASSERT_FALSE(two.ok());
  EXPECT_EQ(two.error().code, Code::kInvalidComponents);
}

TEST(Forecast, WorksWithoutSimulation) {
  ForecastInput input =
      withViews(question(6, 1000, SumNoise::everywhere(rotationInvariant(10))), {0.5});
  const Forecast whole = of(input);
  input.simulate_denoised = input.simulate_correlations = false;
  const Forecast quick = of(input);
  EXPECT_EQ(quick.total, whole.total);
  EXPECT_EQ(quick.zero, whole.zero);
  EXPECT_EQ(quick.denoised, 0);
  EXPECT_TRUE(quick.correlations.empty());
}

TEST(Forecast, EntriesHaveTheSdsThatAssemblyStates) {
  ForecastInput input = question(3, 500, SumNoise::everywhere(rotationInvariant(15), false));
  input.rows_are_public = false;
  input.mean = Eigen::Vector3d(0.5, -0.5, 0.1);
  MomentSums sums = sumsFor(input);
  const Population population(sums, input.rows, input.mean, input.covariance);
  Eigen::MatrixXd second(4, 4);
  const double c = input.constant;
  second << c * c, c * input.mean.transpose(), c * input.mean,
      input.covariance + input.mean * input.mean.transpose();
  sums.packed = fixtures::pack(input.rows * second);
  sums.rows.reset();
  sums.noise = input.noise;
  const NoiseLaw stated = assembleMoments(sums).value().covariance_noise;
  const Forecast expected = of(input);
  EXPECT_NEAR(expected.entries.diagonal, stated.diagonal, 1e-12);
  EXPECT_NEAR(expected.entries.off_diagonal, stated.off_diagonal, 1e-12);
  EXPECT_NEAR(expected.mean_sd, 15 / (c * 500), 1e-12);
  EXPECT_NEAR(expected.count_sd, std::sqrt(2.0) * 15 / (c * c), 1e-12);
}

/// The same question about the same noise, stated in coordinates whose units are `unit` each.
ForecastInput inUnits(ForecastInput input, double unit, double centre) {
  const Eigen::Index d = input.mean.size();
  input.frame = {Eigen::VectorXd::Constant(d, centre), Eigen::VectorXd::Constant(d, unit)};
  input.mean.array() += centre;
  input.noise.diagonal /= unit * unit;
  input.noise.off_diagonal /= unit * unit;
  input.noise.linear /= unit * unit;
  input.noise.count /= unit * unit;
  input.constant /= unit;
  input.trace_bound /= unit * unit;
  for (ClipRadius& r : input.radii) r = {r.radius / unit, r.share, input.frame};
  return input;
}

TEST(Forecast, DoesNotDependOnTheUnitsInWhichTheSameNoiseIsStated) {
  ForecastInput input =
      withViews(question(6, 1000, SumNoise::everywhere(rotationInvariant(10), false)), {0.6});
  input.rows_are_public = false;
  input.mean.setConstant(0.1);
  input.radii = {{1.3, 1}};
  const Forecast stated = of(input);
  const Forecast framed = of(inUnits(input, 0.25, 0));
  const Forecast moved = of(inUnits(input, 0.25, 0.2));
  for (const Forecast& other : {framed, moved}) {
    EXPECT_NEAR(other.noise / stated.noise, 1, 1e-9);
    EXPECT_NEAR(other.sampling / stated.sampling, 1, 1e-9);
    EXPECT_NEAR(other.denoised / stated.denoised, 1, 1e-9);
    EXPECT_NEAR(other.rows_for / stated.rows_for, 1, 0.01);
    EXPECT_NEAR(other.entries.diagonal * 0.0625 / stated.entries.diagonal, 1, 1e-9);
    EXPECT_NEAR(other.mean_sd * 0.25 / stated.mean_sd, 1, 1e-9);
    EXPECT_NEAR(other.count_sd / stated.count_sd, 1, 1e-9);
  }
  EXPECT_NEAR(framed.clipping / stated.clipping, 1, 1e-9);
  EXPECT_NEAR(framed.correlations[0].error / stated.correlations[0].error, 1, 1e-6);
  // Bounds are at other distances from the centre then, so fewer cells are moved to them.
  EXPECT_NEAR(moved.clipping / stated.clipping, 1, 0.1);
  EXPECT_NEAR(moved.correlations[0].error / stated.correlations[0].error, 1, 0.02);
}

TEST(Forecast, NoiseInUnequalUnitsIsThatOfSimulatedReleases) {
  const std::uint64_t runs = draws(600);
  ForecastInput input = question(4, 500, SumNoise::everywhere(rotationInvariant(60), false));
  input.rows_are_public = false;
  input.frame = {Eigen::Vector4d(0.3, -0.2, 0, 0.5), Eigen::Vector4d(0.05, 0.1, 0.4, 0.8)};
  input.mean = Eigen::Vector4d(0.33, -0.3, 0.2, 0.9);
  input.covariance.diagonal() = input.frame.units.cwiseAbs2();
  input.covariance(2, 3) = input.covariance(3, 2) = 0.2;

  ForecastInput of_z = input;
  of_z.mean = (input.mean - input.frame.centre).cwiseQuotient(input.frame.units);
  of_z.covariance = input.frame.covarianceOfZ(input.covariance);
  MomentSums sums = sumsFor(input);
  sums.frame = input.frame;
  const Population population(sums, input.rows, of_z.mean, of_z.covariance);
  sums.noise = input.noise;
  sums.rows.reset();
  const Population noisy(sums, input.rows, of_z.mean, of_z.covariance);
  double noise = 0, denoised_noise = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    Drbg rows = seeded(static_cast<std::uint8_t>(run % 250));
    const Chance chance = noisy.chance(rows);
    Chance silent = chance;
    std::fill(silent.noise.begin(), silent.noise.end(), 0.0);
    const ScaledMoments exact = population.drawScaled(silent);
    const ScaledMoments released = noisy.drawScaled(chance);
    noise +=
        input.frame.covariance(released.scaled_covariance - exact.scaled_covariance).squaredNorm();
    denoised_noise += input.frame
                          .covariance(denoised(released.scaled_covariance,
                                               released.covariance_noise, input.trace_bound) -
                                      exact.scaled_covariance)
                          .squaredNorm();
  }
  const auto figures = static_cast<double>(std::min<std::uint64_t>(runs, 250));
  const Forecast expected = of(input);
  expectNear(expected.noise, std::sqrt(noise / static_cast<double>(runs)), 0.02, figures);
  expectNear(expected.denoised, std::sqrt(denoised_noise / static_cast<double>(runs)), 0.1,
             figures);
}

TEST(Forecast, LengthsAboutACentreAreThoseOfTheRowsInItsUnits) {
  const int d = 5;
  ForecastInput input = question(d, 1000, SumNoise{});
  input.mean.setConstant(0.4);
  input.covariance = Eigen::MatrixXd::Identity(d, d) * 0.01;
  const Frame frame = {input.mean, Eigen::VectorXd::Constant(d, 0.1)};
  const std::vector<double> radii = {0.8, 1.5, 2.2, 3, 4, 7};
  const std::vector<double> shares = forecastLengths(input, radii, frame).value();
  // Chi-square with 5 degrees of freedom, from tables.
  const std::vector<double> expected = {0.9861, 0.8136, 0.4357, 0.1091, 0.0068, 0};
  for (std::size_t i = 0; i < radii.size(); ++i) EXPECT_NEAR(shares[i], expected[i], 0.01);
}

TEST(Forecast, RareLevelsAreLongAboutTheCentreOfACategory) {
  ForecastInput input = question(3, 1000, SumNoise{});
  input.columns = {0, 0, 0};
  input.mean << 0.5, 0.45, 0.05;
  input.covariance = Eigen::MatrixXd(input.mean.asDiagonal()) - input.mean * input.mean.transpose();
  const Frame frame = {input.mean, input.covariance.diagonal().cwiseSqrt()};
  // A row with the rare level is 4.6 long, the others 1.4 and 1.5.
  const std::vector<double> shares = forecastLengths(input, {0.5, 2.5, 5}, frame).value();
  EXPECT_GT(shares[0], 0.9);
  EXPECT_NEAR(shares[1], 0.05, 0.08);
  EXPECT_LT(shares[2], 0.02);
}

TEST(Forecast, RejectsInvalidInput) {
  const auto code_of = [](const ForecastInput& input) { return forecast(input).error().code; };
  const ForecastInput good = question(4, 1000, SumNoise::everywhere(rotationInvariant(1)));
  ForecastInput bad = good;
  bad.rows = 1;
  EXPECT_EQ(code_of(bad), Code::kNoRows);
  bad = good;
  bad.noise.linear = -1;
  EXPECT_EQ(code_of(bad), Code::kInvalidNoise);
  bad = good;
  bad.mean.resize(3);
  EXPECT_EQ(code_of(bad), Code::kWrongLength);
  bad = good;
  bad.mean[0] = std::nan("");
  EXPECT_EQ(code_of(bad), Code::kNotFinite);
  bad = good;
  bad.radii.clear();
  EXPECT_EQ(code_of(bad), Code::kInvalidRowNorm);
  bad = good;
  bad.trace_bound = 0;
  EXPECT_EQ(code_of(bad), Code::kInvalidRowNorm);
  bad = withViews(good, {1.0});
  EXPECT_EQ(code_of(bad), Code::kInvalidComponents);
  bad = good;
  bad.centre_spread = Eigen::MatrixXd::Zero(3, 3);
  EXPECT_EQ(code_of(bad), Code::kWrongLength);
  bad = withViews(good, {0.5});
  bad.y = bad.x;
  EXPECT_EQ(code_of(bad), Code::kInvalidView);
  EXPECT_EQ(forecastLengths(good, {-1}).error().code, Code::kInvalidRowNorm);
}

}  // namespace forecast_test
}  // namespace pm
