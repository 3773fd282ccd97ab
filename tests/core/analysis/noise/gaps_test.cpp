#include "core/analysis/noise/gaps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "tests/core/analysis/gap_rows.hpp"

namespace pm {
namespace gaps_test {

using namespace gap_rows;

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
