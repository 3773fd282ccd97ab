#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/methods/regression.hpp"
#include "core/analysis/noise/gaps.hpp"
#include "core/analysis/noise/population.hpp"
#include "core/analysis/uncertainty/intervals.hpp"
#include "tests/core/analysis/gap_rows.hpp"

namespace pm {
namespace gap_errors_test {

using namespace gap_rows;

struct Deviations {
  MatrixXd covariance;
  VectorXd mean;
  double correlation;  // of columns 2 and 3
};

double correlationOf(const MatrixXd& covariance) {
  return covariance(2, 3) / std::sqrt(covariance(2, 2) * covariance(3, 3));
}

template <class Draw>
Deviations deviationsOf(int draws, Index d, Draw draw) {
  MatrixXd sum = MatrixXd::Zero(d, d), squares = sum;
  VectorXd means = VectorXd::Zero(d), mean_squares = means;
  double r = 0, r_squares = 0;
  for (int t = 0; t < draws; ++t) {
    const auto [covariance, mean] = draw();
    sum += covariance / draws;
    squares += covariance.cwiseAbs2() / draws;
    means += mean / draws;
    mean_squares += mean.cwiseAbs2() / draws;
    r += correlationOf(covariance) / draws;
    r_squares += std::pow(correlationOf(covariance), 2) / draws;
  }
  return {(squares - sum.cwiseAbs2()).cwiseSqrt(), (mean_squares - means.cwiseAbs2()).cwiseSqrt(),
          std::sqrt(r_squares - r * r)};
}

// Sampling errors of rows that are drawn and lose cells, against those that `Population` simulates
// and `momentErrors` states. 2000 draws tell a standard deviation to 1.6 %; 5.5 of these of each.
TEST(GapErrors, OfSamplingAreThoseOfRowsWithGaps) {
  constexpr Index kRows = 400;
  const MatrixXd covariance = correlated(4, 0.04, 0.9);
  const VectorXd missing = (VectorXd(4) << 0, 0.1, 0.3, 0.5).finished();
  Drbg random = simulationDrbg(8);
  const Deviations actual = deviationsOf(2000, 4, [&] {
    const MatrixXd rows = rowsWithGaps(covariance, 0, missing, kRows, random);
    const WithoutGaps complete = withoutGaps(sumsOf(rows, ownColumns(4))).value();
    return std::pair(covarianceIn(complete), meanIn(complete));
  });
  const MatrixXd rows = rowsWithGaps(covariance, 0, missing, 40'000, random);
  WithoutGaps complete = withoutGaps(sumsOf(rows, ownColumns(4))).value();
  // The same shares of fewer rows.
  const double fewer = double(kRows) / 40'000;
  for (double& sum : complete.sums.packed) sum *= fewer;
  *complete.sums.rows *= fewer;
  complete.sums.gaps.rows *= fewer;
  const AssembledMoments moments = assembleMoments(complete.sums).value();
  const Population population(complete.sums, moments.rows, moments.scaled_mean,
                              moments.scaled_covariance, ownColumns(4));
  const Frame& frame = complete.sums.frame;
  const Deviations simulated = deviationsOf(2000, 4, [&] {
    const ScaledMoments drawn = population.drawScaled(random);
    return std::pair(frame.covariance(drawn.scaled_covariance), frame.mean(drawn.scaled_mean));
  });
  const MomentErrors stated = momentErrors(complete.sums, moments);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(simulated.mean[i] / actual.mean[i], 1, 0.13) << i;
    EXPECT_NEAR(stated.mean[i] / actual.mean[i], 1, 0.09) << i;
    for (Index j = 0; j < 4; ++j) {
      EXPECT_NEAR(simulated.covariance(i, j) / actual.covariance(i, j), 1, 0.13) << i << " " << j;
      EXPECT_NEAR(stated.covariance(i, j) / actual.covariance(i, j), 1, 0.09) << i << " " << j;
    }
  }
  // Numerator and denominator come from different rows, so their errors do not cancel: complete
  // rows of the smallest number would have .014.
  EXPECT_GT(actual.correlation, 0.03);
  EXPECT_NEAR(simulated.correlation / actual.correlation, 1, 0.13);
}

TEST(GapErrors, AreInThoseOfARegression) {
  constexpr Index kRows = 1000;
  const MatrixXd covariance = correlated(3, 0.04, 0.8);
  const VectorXd missing = VectorXd::Constant(3, 0.3);
  Drbg random = simulationDrbg(9);
  double sum = 0, squares = 0, width = 0;
  constexpr int kTrials = 1000;
  for (int t = 0; t < kTrials; ++t) {
    const MatrixXd rows = rowsWithGaps(covariance, 0, missing, kRows, random);
    const WithoutGaps complete = withoutGaps(sumsOf(rows, ownColumns(3))).value();
    const AssembledMoments moments = assembleMoments(complete.sums).value();
    RegressionInput input;
    input.covariance = moments.scaled_covariance;
    input.trace_bound = complete.trace_bound;
    input.half = complete.sums.half;
    input.frame = complete.sums.frame;
    input.mean = moments.mean;
    input.target = 2;
    input.features = {0, 1};
    input.rows = moments.rows;
    input.gaps = complete.sums.gaps;
    input.level = 0.95;
    const Regression found = regress(input).value();
    sum += found.coefficients[0].value / kTrials;
    squares += std::pow(found.coefficients[0].value, 2) / kTrials;
    width += (found.coefficients[0].high - found.coefficients[0].low) / (2 * 1.95996) / kTrials;
  }
  // 1000 trials tell a standard deviation to 2.2 %. Without gaps in the law it would be .6 of it.
  EXPECT_NEAR(width / std::sqrt(squares - sum * sum), 1, 0.13);
}

}  // namespace gap_errors_test
}  // namespace pm
