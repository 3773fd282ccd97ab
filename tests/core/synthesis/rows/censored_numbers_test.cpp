// Numbers clamped to their bounds, compared with quadrature.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/synthesis/rows/censored.hpp"
#include "core/synthesis/rows/number_fit.hpp"

namespace pm::censored_numbers_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

double moved(double x) { return std::clamp(x, -1.0, 1.0); }

/// Simpson's rule between the kinks of the integrand.
double integral(const std::function<double(double)>& f, std::vector<double> places) {
  constexpr int kSteps = 2000;
  double sum = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const double step = (places[i + 1] - places[i]) / kSteps;
    for (int j = 0; j < kSteps; ++j) {
      const double from = places[i] + j * step;
      sum += step / 6 * (f(from) + 4 * f(from + step / 2) + f(from + step));
    }
  }
  return sum;
}

/// E f(clip(mean + deviation g)).
double expected(const Censored& latent, const std::function<double(double)>& f) {
  std::vector<double> places{-12};
  for (const double bound : {-1.0, 1.0}) {
    const double at = (bound - latent.mean) / latent.deviation;
    if (at > places.back() && at < 12) places.push_back(at);
  }
  places.push_back(12);
  return integral(
      [&](double g) { return density(g) * f(moved(latent.mean + latent.deviation * g)); }, places);
}

const std::vector<Censored> kNumbers{{0, 0.1}, {0.9, 0.3},  {-1.4, 0.8}, {0, 5},
                                     {3, 2},   {-0.2, 0.7}, {-9.9, 3.8}, {20, 50}};

TEST(CensoredNumbers, HaveTheMeansAndSquaresOfQuadrature) {
  for (const Censored& latent : kNumbers) {
    const CensoredMoments moments = censoredMoments(latent);
    EXPECT_NEAR(moments.mean, expected(latent, [](double x) { return x; }), 1e-8);
    EXPECT_NEAR(moments.square, expected(latent, [](double x) { return x * x; }), 1e-8);
  }
}

TEST(CensoredNumbers, HaveTheStatedDerivatives) {
  constexpr double kStep = 1e-5;
  for (const Censored& latent : kNumbers) {
    const CensoredMoments moments = censoredMoments(latent);
    const CensoredMoments right = censoredMoments({latent.mean + kStep, latent.deviation});
    const CensoredMoments left = censoredMoments({latent.mean - kStep, latent.deviation});
    EXPECT_NEAR(moments.inside, (right.mean - left.mean) / (2 * kStep), 1e-8);
    EXPECT_NEAR(moments.square_by_mean, (right.square - left.square) / (2 * kStep), 1e-8);
    const CensoredMoments wide = censoredMoments({latent.mean, latent.deviation + kStep});
    const CensoredMoments slim = censoredMoments({latent.mean, latent.deviation - kStep});
    EXPECT_NEAR(moments.mean_by_deviation, (wide.mean - slim.mean) / (2 * kStep), 1e-8);
    EXPECT_NEAR(moments.square_by_deviation, (wide.square - slim.square) / (2 * kStep), 1e-8);
  }
}

TEST(CensoredNumbers, WithoutDeviationEqualTheirMeanOrABound) {
  EXPECT_EQ(censoredMoments({0.3, 0}).mean, 0.3);
  EXPECT_EQ(censoredMoments({-4, 0}).mean, -1);
  EXPECT_EQ(censoredMoments({-4, 0}).square, 1);
}

TEST(CensoredNumbers, AreFittedToAMeanAndVarianceThatQuadratureConfirms) {
  const VectorXd weights = VectorXd::Ones(1);
  const MatrixXd design = MatrixXd::Ones(1, 1);
  for (const double mean : {-0.99, -0.5, 0.0, 0.3, 0.9, 0.999, 0.99999}) {
    // As a share of the variance of a number that is always at a bound.
    for (const double part : {1e-6, 0.01, 0.3, 0.7, 0.97}) {
      const double variance = part * (1 - mean * mean);
      const NumberFit fit =
          NumberFitter(weights, design).fit(VectorXd::Constant(1, mean), std::sqrt(variance));
      const Censored latent{fit.coefficients[0], fit.deviation};
      const double found = expected(latent, [](double x) { return x; });
      EXPECT_NEAR(found, mean, 1e-8) << mean << " " << part;
      EXPECT_NEAR(expected(latent, [&](double x) { return (x - mean) * (x - mean); }), variance,
                  1e-8)
          << mean << " " << part;
    }
  }
}

TEST(CensoredNumbers, KeepTheirRegressionOnTheRegressors) {
  VectorXd weights(3);
  weights << 0.5, 0.3, 0.2;
  MatrixXd design(3, 3);
  design << 1, -1, 0.2, 1, 0.4, -1, 1, 1.5, 1;
  VectorXd linear(3);
  linear << -0.5, 0.4, 0.1;
  NumberFitter fitter(weights, design);
  const NumberFit fit = fitter.fit(linear, 0.4);
  const VectorXd target = design * linear;
  const VectorXd latent = design * fit.coefficients;
  VectorXd means(3);
  double square = 0;
  for (int s = 0; s < 3; ++s) {
    const Censored number{latent[s], fit.deviation};
    means[s] = expected(number, [](double x) { return x; });
    square += weights[s] * expected(number, [](double x) { return x * x; });
  }
  const VectorXd score = design.transpose() * weights.cwiseProduct(target - means);
  EXPECT_LT(score.cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_NEAR(square, weights.dot(target.cwiseAbs2()) + 0.16, 1e-8);
  EXPECT_LT((fitter.moved() - means).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(CensoredNumbers, HaveTheCovarianceOfTheSeries) {
  for (std::size_t i = 0; i < kNumbers.size(); ++i) {
    const Censored& a = kNumbers[i];
    const Censored& b = kNumbers[(i + 3) % kNumbers.size()];
    double terms_a[kSeriesTerms], terms_b[kSeriesTerms], products[kSeriesTerms];
    censoredSeries(a, terms_a);
    censoredSeries(b, terms_b);
    for (int k = 0; k < kSeriesTerms; ++k) products[k] = terms_a[k] * terms_b[k];
    for (const double correlation : {-0.7, -0.2, 0.5, 0.8}) {
      // E(b | g) in closed form, g the standardised latent number of a.
      const double rest = b.deviation * std::sqrt(1 - correlation * correlation);
      std::vector<double> places{-12};
      for (const double bound : {-1.0, 1.0}) {
        const double at = (bound - a.mean) / a.deviation;
        if (at > places.back() && at < 12) places.push_back(at);
      }
      places.push_back(12);
      const double both = integral(
          [&](double g) {
            const Censored conditional{b.mean + b.deviation * correlation * g, rest};
            return density(g) * moved(a.mean + a.deviation * g) * censoredMoments(conditional).mean;
          },
          places);
      const double covariance = both - censoredMoments(a).mean * censoredMoments(b).mean;
      double series = 0;
      for (int k = kSeriesTerms - 1; k >= 0; --k) series = (series + products[k]) * correlation;
      EXPECT_NEAR(series, covariance, 1e-7);
      EXPECT_NEAR(latentCorrelation(products, kSeriesTerms, series), correlation, 1e-6);
    }
    EXPECT_EQ(latentCorrelation(products, kSeriesTerms, 10), 1);
    EXPECT_EQ(latentCorrelation(products, kSeriesTerms, -10), -1);
  }
}

}  // namespace pm::censored_numbers_test
