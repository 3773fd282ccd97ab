#include "core/federation/cape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/federation/collusion.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace federation_cape_test {

using namespace testing_support;

std::vector<std::vector<double>> zeros(std::size_t sites, std::size_t entries) {
  return std::vector<std::vector<double>>(sites, std::vector<double>(entries));
}

CapeRun runOf(const CapeParams& params, std::size_t entries, std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  return runCape(params, zeros(params.rows.size(), entries), random).value();
}

double squares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

// Two-sided p-value of values being independent normal variates with this deviation.
double normalWith(const std::vector<double>& values, double sd) {
  const double upper = chiSquareTail(squares(values) / (sd * sd), double(values.size()));
  return 2 * std::min(upper, 1 - upper);
}

TEST(ZeroSumCovariance, IsThePublishedOneForEqualDeviations) {
  for (const std::size_t sites : {2, 3, 10, 50}) {
    const double tau = 0.3, s = double(sites);
    const std::vector<double> deviations(sites, tau * std::sqrt(1 - 1 / s));
    const std::vector<double> covariance = zeroSumCovariance(deviations).value();
    for (std::size_t i = 0; i < sites; ++i) {
      for (std::size_t j = 0; j < sites; ++j) {
        EXPECT_NEAR(covariance[i * sites + j], tau * tau * ((i == j ? 1 : 0) - 1 / s), 1e-14);
      }
    }
  }
}

TEST(ZeroSumCovariance, HasTheRequestedDeviationsAndSumZeroWheneverPossible) {
  const std::vector<std::vector<double>> cases = {
      {1, 2, 2.5},   {3, 1, 1, 1, 1, 1}, {1, 1, std::sqrt(2.0)}, {1, 2, 3},      {1, 1, 1.999},
      {5, 5, 0.001}, {1, 2, 3, 4, 5, 6}, {7, 2, 2, 2, 2},        {1, 1, 1.4142}, {1, 1, 1.4143},
      {2, 2},
  };
  for (const std::vector<double>& deviations : cases) {
    const std::size_t n = deviations.size();
    const auto covariance = zeroSumCovariance(deviations);
    ASSERT_TRUE(covariance.ok()) << deviations[0];
    for (std::size_t i = 0; i < n; ++i) {
      const double variance = deviations[i] * deviations[i];
      EXPECT_NEAR(covariance.value()[i * n + i] / variance, 1, 1e-6) << i << " of " << n;
      double row = 0;
      for (std::size_t j = 0; j < n; ++j) {
        row += covariance.value()[i * n + j];
        EXPECT_LE(std::fabs(covariance.value()[i * n + j]),
                  deviations[i] * deviations[j] * (1 + 1e-6))
            << "a correlation";
      }
      EXPECT_NEAR(row, 0, 1e-5);
    }
  }
}

TEST(ZeroSumCovariance, RefusesADeviationThatExceedsAllOthersTogether) {
  for (const std::vector<double>& deviations :
       {std::vector<double>{1, 1, 2.001}, {0.1, 0.001, 0.001}, {1, 1.01}, {1}}) {
    EXPECT_EQ(zeroSumCovariance(deviations).error().code, Code::kInvalidFederation);
  }
}

TEST(ZeroSumMasks, AddUpToExactlyZeroAndHaveTheirCovariance) {
  // Six variances and fifteen covariances in each case, z-scores below 5.6: total false-alarm rate
  // below 1e-6.
  const std::size_t entries = draws(40'000);
  for (const std::vector<double>& deviations :
       {std::vector<double>(6, 0.7), {1, 2, 3, 4, 5, 6}, {5, 2, 1, 1, 1, 1}}) {
    Drbg random(unsafeTestSeed(3));
    const auto masks = zeroSumMasks(deviations, entries, random).value();
    const std::vector<double> covariance = zeroSumCovariance(deviations).value();
    for (std::size_t e = 0; e < entries; ++e) {
      double sum = 0;
      for (const auto& site : masks) sum += site[e];
      ASSERT_EQ(sum, 0);
    }
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double product = 0;
        for (std::size_t e = 0; e < entries; ++e) product += masks[i][e] * masks[j][e];
        const double cij = covariance[i * 6 + j];
        const double error = std::sqrt((covariance[i * 6 + i] * covariance[j * 6 + j] + cij * cij) /
                                       double(entries));
        EXPECT_NEAR(product / double(entries), cij, 5.6 * error) << i << ", " << j;
      }
    }
  }
}

TEST(Cape, HasThePublishedVariancesInEveryMessageAndThePooledNoiseInTheAggregate) {
  const std::size_t entries = draws(40'000), sites = 5;
  const CapeParams params = {{3}, std::vector<double>(sites, 200)};
  const CapeRun run = runOf(params, entries, 5);
  const double tau = 3.0 / 200, keep = std::sqrt(1 - 1.0 / sites);
  // 5 x 2 + 1 p-values.
  for (std::size_t s = 0; s < sites; ++s) {
    EXPECT_GT(normalWith(run.masks[s], tau * keep), kAlarm / 11);
    // Mask, F and G: (1 - 1/S) + (1 - 1/S) + 1/S.
    EXPECT_GT(normalWith(run.messages[s], tau * std::sqrt(2 - 1.0 / sites)), kAlarm / 11);
  }
  EXPECT_DOUBLE_EQ(run.pooled_sd, 3.0 / 1000);
  EXPECT_NEAR(run.sd / run.pooled_sd, 1, 1e-9) << "as if one party held all rows";
  EXPECT_NEAR(run.conventional_sd / run.pooled_sd, std::sqrt(double(sites)), 1e-9);
  EXPECT_GT(normalWith(run.aggregate, run.sd), kAlarm / 11);
}

TEST(Cape, AggregatesTheMeanOfSitesAsPublishedOrTheMeanOfRows) {
  const std::vector<std::vector<double>> matrices = {{1, 0, 0.5}, {0, 1, 0.25}};
  Drbg random(unsafeTestSeed(1));
  CapeParams params = {{1e-9}, {100, 300}};
  // Two masks of different size cannot cancel.
  EXPECT_EQ(runCape(params, matrices, random).error().code, Code::kInvalidFederation);
  params.weights = CapeWeights::kRows;
  const CapeRun by_rows = runCape(params, matrices, random).value();
  const std::vector<double> expected = {0.25, 0.75, 0.3125};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(by_rows.aggregate[i], expected[i], 1e-9);
  params = {{1e-9}, {200, 200}};
  const CapeRun by_sites = runCape(params, matrices, random).value();
  EXPECT_NEAR(by_sites.aggregate[2], 0.375, 1e-9);
}

TEST(Cape, HasThePooledNoiseForUnequalSitesWeightedByTheirRows) {
  const std::size_t entries = draws(40'000);
  CapeParams params = {{2}, {10, 1000, 1000}};
  Drbg random(unsafeTestSeed(8));
  EXPECT_EQ(runCape(params, zeros(3, 1), random).error().field, "rows")
      << "deviations in proportion 100 : 1 : 1";
  params.weights = CapeWeights::kRows;
  const CapeRun run = runOf(params, entries, 9);
  EXPECT_NEAR(run.sd / run.pooled_sd, 1, 1e-9);
  EXPECT_GT(normalWith(run.aggregate, run.sd), kAlarm);
  // Feasible sizes, weighted as published: each site's variance is the published one, but the
  // aggregate is not the pooled mean and has more noise.
  const CapeRun published = runOf({{2}, {50, 60, 70}}, entries, 10);
  EXPECT_GT(normalWith(published.masks[0], 2.0 / 50 * std::sqrt(2.0 / 3)), kAlarm);
  EXPECT_GT(published.sd, published.pooled_sd);
}

TEST(Cape, IsStillBetterThanConventionalNoiseWhenSitesDropOut) {
  const std::size_t entries = draws(40'000);
  for (const int dropped : {1, 4, 9}) {
    CapeParams params = {{1}, std::vector<double>(10, 50)};
    for (int site = 0; site < dropped; ++site) params.dropped.push_back(2 * site % 9 + site / 9);
    const CapeRun run = runOf(params, entries, 20 + std::uint64_t(dropped));
    const double left = 10 - dropped, own = 1.0 / 50 / std::sqrt(10 * left);
    EXPECT_NEAR(run.sd, own * std::sqrt(1 + dropped), 1e-9) << dropped;
    EXPECT_LE(run.sd, run.conventional_sd * (1 + 1e-9)) << dropped;
    EXPECT_GT(normalWith(run.aggregate, run.sd), kAlarm / 3) << dropped;
  }
}

TEST(Cape, GivesEverySiteTheNoiseOfItsOwnEpsilon) {
  const std::size_t entries = draws(40'000), sites = 4;
  const std::vector<double> sigma = {3, 1, 2, 1.5};
  for (const CapeWeights weights : {CapeWeights::kSites, CapeWeights::kRows}) {
    const CapeRun run =
        runOf({sigma, std::vector<double>(sites, 100), weights}, entries, 30 + int(weights));
    double squared = 0;
    for (std::size_t s = 0; s < sites; ++s) {
      const double tau = sigma[s] / 100;
      squared += tau * tau / double(sites);
      EXPECT_GT(normalWith(run.masks[s], tau * std::sqrt(1 - 1.0 / double(sites))), kAlarm / 18);
      EXPECT_GT(normalWith(run.messages[s], tau * std::sqrt(2 - 1.0 / double(sites))), kAlarm / 18);
    }
    EXPECT_GT(normalWith(run.aggregate, run.sd), kAlarm / 18);
    EXPECT_NEAR(run.sd, std::sqrt(squared) / double(sites), 1e-12)
        << "the mean variance, not that of the strictest site";
    EXPECT_DOUBLE_EQ(run.pooled_sd, 3.0 / 400);
  }
  // Unequal rows, too: masks cancel in sums, so only the sigmas count.
  const CapeRun run = runOf({sigma, {10, 500, 20, 900}, CapeWeights::kRows}, 1, 33);
  EXPECT_NEAR(run.sd, std::sqrt((9 + 1 + 4 + 2.25) / 4) / 1430, 1e-12);
  EXPECT_NEAR(run.pooled_sd, 3.0 / 1430, 1e-12);
}

TEST(Cape, ExposesRowsOfEqualSitesAsTheClosedFormSays) {
  for (const std::size_t sites : {2, 5, 10, 50}) {
    const double known = kappa(View::kGeneratedMasks, int(sites), int(sites), 1);
    for (const double each : runOf({{2}, std::vector<double>(sites, 30)}, 1, 1).exposure) {
      EXPECT_NEAR(each, known, 1e-9);
    }
    std::vector<double> rows(sites, 30);
    rows[0] = 3;
    for (const double each : runOf({{2}, rows, CapeWeights::kRows}, 1, 1).exposure) {
      EXPECT_NEAR(each, known, 1e-9) << "whatever the numbers of rows";
    }
  }
}

TEST(Cape, ExposesTheStrictestSiteMostWhereEpsilonsDiffer) {
  const CapeRun run = runOf({{3, 1, 2, 1.5}, std::vector<double>(4, 100)}, 1, 1);
  for (const double each : run.exposure) EXPECT_LE(each, run.exposure[0]);
  EXPECT_GT(run.exposure[0], 9 / (16.25 / 4)) << "at least what the published sum reveals";
}

TEST(Cape, RejectsInvalidInput) {
  const auto field = [](const CapeParams& params, std::vector<std::vector<double>> matrices) {
    Drbg random(unsafeTestSeed(1));
    const auto run = runCape(params, matrices, random);
    return run.ok() ? std::string() : run.error().field;
  };
  EXPECT_EQ(field({{1}, {5, 5}}, zeros(2, 3)), "");
  EXPECT_EQ(field({{0}, {5, 5}}, zeros(2, 3)), "sigma");
  EXPECT_EQ(field({{1, 1}, {5, 5}}, zeros(2, 3)), "");
  EXPECT_EQ(field({{1, INFINITY}, {5, 5}}, zeros(2, 3)), "sigma");
  EXPECT_EQ(field({{}, {5, 5}}, zeros(2, 3)), "sigma");
  EXPECT_EQ(field({{1, 1, 1}, {5, 5}}, zeros(2, 3)), "sigma");
  EXPECT_EQ(field({{9, 1}, {5, 5}, CapeWeights::kRows}, zeros(2, 3)), "sigma")
      << "masks cannot cancel";
  EXPECT_EQ(field({{1}, {5}}, zeros(1, 3)), "rows");
  EXPECT_EQ(field({{1}, {5, 0}}, zeros(2, 3)), "rows");
  EXPECT_EQ(field({{1}, {5, 5}}, zeros(3, 3)), "matrices");
  EXPECT_EQ(field({{1}, {5, 5}}, {{1, 2}, {1}}), "matrices");
  for (const std::vector<int>& dropped : std::vector<std::vector<int>>{{0, 1}, {2}, {-1}, {0, 0}}) {
    EXPECT_EQ(field({{1}, {5, 5}, CapeWeights::kSites, dropped}, zeros(2, 3)), "dropped");
  }
}

}  // namespace federation_cape_test
}  // namespace pm
