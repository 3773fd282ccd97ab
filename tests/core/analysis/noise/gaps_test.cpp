#include "core/analysis/noise/gaps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/analysis/methods/regression.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/analysis/noise/population.hpp"
#include "core/analysis/uncertainty/intervals.hpp"
#include "core/matrix/cholesky.hpp"
#include "core/random/continuous.hpp"

namespace pm {
namespace gaps_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kConstant = 0.7;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Rows of numbers, NaN where one is missing, one row per row; `of` is the column of each feature.
GapSums sumsOf(const MatrixXd& rows, const std::vector<int>& of) {
  const Index d = rows.cols();
  const int columns = of.back() + 1;
  GapSums data;
  data.columns = of;
  data.trace_bound = double(columns);
  data.sums.dimension = int(d);
  data.sums.constant = kConstant;
  data.sums.rows = double(rows.rows());
  data.sums.mid = VectorXd::Zero(d);
  data.sums.half = VectorXd::Ones(d);
  MatrixXd whole = MatrixXd::Zero(d + columns + 1, d + columns + 1);
  for (Index r = 0; r < rows.rows(); ++r) {
    VectorXd row = VectorXd::Zero(whole.rows());
    row[0] = kConstant;
    for (Index j = 0; j < d; ++j) {
      if (std::isnan(rows(r, j))) {
        row[1 + d + of[std::size_t(j)]] = 1;
      } else {
        row[1 + j] = rows(r, j);
      }
    }
    whole += row * row.transpose();
  }
  for (Index i = 0; i < whole.rows(); ++i) {
    for (Index j = i; j < whole.rows(); ++j) data.sums.packed.push_back(whole(i, j));
  }
  return data;
}

MatrixXd covarianceIn(const WithoutGaps& complete) {
  const ScaledMoments moments = scaledMoments(complete.sums);
  return complete.sums.frame.covariance(moments.scaled_covariance);
}

VectorXd meanIn(const WithoutGaps& complete) {
  return complete.sums.frame.mean(scaledMoments(complete.sums).scaled_mean);
}

std::vector<int> ownColumns(Index d) {
  std::vector<int> columns;
  for (Index j = 0; j < d; ++j) columns.push_back(int(j));
  return columns;
}

/// Normal rows with the given covariance and means, where cells of column j are missing with chance
/// `missing[j]`, independently.
MatrixXd rowsWithGaps(const MatrixXd& covariance, double mean, const VectorXd& missing, Index count,
                      Drbg& random) {
  const MatrixXd root = lowerRoot(covariance);
  const Index d = covariance.rows();
  MatrixXd rows(count, d);
  VectorXd normals(d);
  for (Index r = 0; r < count; ++r) {
    simulateNormals({normals.data(), std::size_t(d)}, random);
    rows.row(r) = (root * normals).array() + mean;
    for (Index j = 0; j < d; ++j) {
      if (double(random.next64() >> 11) * 0x1p-53 < missing[j]) rows(r, j) = kNan;
    }
  }
  return rows;
}

MatrixXd correlated(Index d, double variance, double correlation) {
  return variance *
         (MatrixXd::Constant(d, d, correlation) + (1 - correlation) * MatrixXd::Identity(d, d));
}

// What R's cov(x, use = "pairwise.complete.obs") gives, times (n - 1) / n of each pair.
TEST(Gaps, CovarianceIsThatOfTheRowsThatHaveThePair) {
  Drbg random = simulationDrbg(3);
  const VectorXd missing = (VectorXd(4) << 0, 0.1, 0.3, 0.5).finished();
  const MatrixXd rows = rowsWithGaps(correlated(4, 0.04, 0.6), 0.4, missing, 400, random);
  const WithoutGaps complete = withoutGaps(sumsOf(rows, ownColumns(4))).value();
  const MatrixXd found = covarianceIn(complete);
  double fewest = 400;
  double inverse = 0;
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 4; ++j) {
      double count = 0, x = 0, y = 0, xy = 0;
      for (Index r = 0; r < rows.rows(); ++r) {
        if (std::isnan(rows(r, i)) || std::isnan(rows(r, j))) continue;
        count += 1;
        x += rows(r, i);
        y += rows(r, j);
        xy += rows(r, i) * rows(r, j);
      }
      EXPECT_NEAR(found(i, j), xy / count - x / count * y / count, 1e-12) << i << " " << j;
      if (i == j) {
        EXPECT_NEAR(meanIn(complete)[i], x / count, 1e-12);
        EXPECT_NEAR(complete.gaps.cells[i], 400 - count, 1e-9);
      }
      if (i < j) {
        fewest = std::min(fewest, count);
        inverse += 1 / count / 6;
      }
    }
  }
  EXPECT_EQ(complete.gaps.first, 2);
  EXPECT_EQ(complete.gaps.second, 3);
  EXPECT_NEAR(complete.gaps.fewest, fewest, 1e-9);
  EXPECT_NEAR(*complete.sums.rows, 1 / inverse, 1e-9);
}

TEST(Gaps, OfNoRowChangeNothing) {
  Drbg random = simulationDrbg(4);
  const MatrixXd covariance = correlated(3, 0.04, 0.6);
  const MatrixXd rows = rowsWithGaps(covariance, 0.4, VectorXd::Zero(3), 100, random);
  GapSums data = sumsOf(rows, ownColumns(3));
  const WithoutGaps complete = withoutGaps(data).value();
  EXPECT_EQ(*complete.sums.rows, 100);
  EXPECT_TRUE(complete.sums.frame.units.isOnes(0));
  EXPECT_EQ(complete.sums.gaps.excess.size(), 0);
  EXPECT_EQ(complete.trace_bound, data.trace_bound);
  EXPECT_EQ(complete.inflation, 1);
  EXPECT_TRUE(complete.gaps.cells.isZero(1e-12));
}

TEST(Gaps, LevelsOfACategoryShareAMarkAndSumToOne) {
  MatrixXd rows(6, 3);
  rows << 0.5, 1, 0, -0.5, 0, 1, kNan, 1, 0, 0.25, kNan, kNan, 0.75, 0, 1, -0.25, 1, 0;
  const MatrixXd found = covarianceIn(withoutGaps(sumsOf(rows, {0, 1, 1})).value());
  EXPECT_NEAR(found(0, 1) + found(0, 2), 0, 1e-15);
  EXPECT_NEAR(found(1, 1) + found(1, 2), 0, 1e-15);
  EXPECT_NEAR(found(1, 1), 0.24, 1e-15);
}

/// Noise on all entries of the sums.
void addNoise(GapSums& data, const SumNoise& noise, Drbg& random) {
  const auto size =
      static_cast<int>((std::sqrt(8.0 * double(data.sums.packed.size()) + 1) - 1) / 2);
  const std::vector<double> drawn = NoiseDraw(noise, size - 1).drawPacked(random);
  for (std::size_t i = 1; i < drawn.size(); ++i) data.sums.packed[i] += drawn[i];
  data.sums.noise = noise;
}

// The stated law against the noise of many releases of the same rows; 3000 draws tell a standard
// deviation to 1.3 %, the root mean square of several to less.
TEST(Gaps, NoiseIsThatOfTheEntriesOfTheCovariance) {
  Drbg random = simulationDrbg(6);
  const VectorXd missing = (VectorXd(5) << 0, 0.2, 0.2, 0.5, 0.5).finished();
  const MatrixXd rows = rowsWithGaps(correlated(5, 0.04, 0.5), 0.4, missing, 2000, random);
  GapSums clean = sumsOf(rows, ownColumns(5));
  clean.sums.noise = {5, 5, 5 * kConstant, 0};
  const WithoutGaps stated = withoutGaps(clean).value();
  const MatrixXd centre = scaledMoments(stated.sums).scaled_covariance;
  const VectorXd means = scaledMoments(stated.sums).scaled_mean;
  double diagonal = 0, rest = 0, mean = 0;
  for (int draw = 0; draw < 3000; ++draw) {
    GapSums noisy = clean;
    addNoise(noisy, clean.sums.noise, random);
    const WithoutGaps found = withoutGaps(noisy).value();
    // In the units of the sums without noise.
    const VectorXd ratio = found.sums.frame.units.cwiseQuotient(stated.sums.frame.units);
    const ScaledMoments moments = scaledMoments(found.sums);
    const MatrixXd off = moments.scaled_covariance.cwiseProduct(ratio * ratio.transpose()) - centre;
    diagonal += off.diagonal().squaredNorm() / 5 / 3000;
    rest += (off.squaredNorm() - off.diagonal().squaredNorm()) / 20 / 3000;
    mean += (moments.scaled_mean.cwiseProduct(ratio) - means).squaredNorm() / 5 / 3000;
  }
  const NoiseLaw law = scaledMoments(stated.sums).covariance_noise;
  EXPECT_NEAR(std::sqrt(diagonal) / law.diagonal, 1, 0.04);
  EXPECT_NEAR(std::sqrt(rest) / law.off_diagonal, 1, 0.04);
  const double linear = stated.sums.noise.linear / (kConstant * *stated.sums.rows);
  EXPECT_NEAR(std::sqrt(mean) / linear, 1, 0.04);
}

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
TEST(Gaps, SamplingErrorIsThatOfRowsWithGaps) {
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

TEST(Gaps, RegressionCountsThem) {
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

TEST(Gaps, KeepCountsAwayFromZero) {
  GapSums data = sumsOf(MatrixXd::Constant(50, 2, 0.5), {0, 1});
  data.sums.noise = {20, 20, 20 * kConstant, 0};
  // Noise has put the gaps of both columns above the number of rows.
  for (const std::size_t mark : {3, 4}) data.sums.packed[mark] = 80 * kConstant;
  const WithoutGaps complete = withoutGaps(data).value();
  EXPECT_TRUE(scaledMoments(complete.sums).scaled_covariance.allFinite());
  EXPECT_EQ(complete.gaps.cells[0], 50);
  EXPECT_EQ(complete.gaps.fewest, 50);
}

TEST(Gaps, RefuseSumsWithoutMarks) {
  const MatrixXd rows = MatrixXd::Constant(5, 2, 0.5);
  GapSums data = sumsOf(rows, {0, 1});
  data.columns = {0, 2};
  EXPECT_EQ(withoutGaps(data).error().code, Code::kWrongLength);
  data.columns = {0, 1};
  data.sums.packed.pop_back();
  EXPECT_EQ(withoutGaps(data).error().code, Code::kWrongLength);
  data = sumsOf(rows, {0, 1});
  data.trace_bound = 0;
  EXPECT_EQ(withoutGaps(data).error().code, Code::kInvalidRowNorm);
}

}  // namespace gaps_test
}  // namespace pm
