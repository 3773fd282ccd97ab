// Degenerate tables: results are defined, with noise and without.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/methods/pca.hpp"
#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace degenerate_test {

using fixtures::Deterministic;
using fixtures::indices;
using fixtures::rotationInvariant;
using fixtures::sumsOf;

constexpr double kTolerance = 1e-9;

NoisyCovariance covarianceOf(const Eigen::MatrixXd& rows) {
  const MomentSums sums = sumsOf(rows);
  return {assembleMoments(sums).value().scaled_covariance,
          {},
          static_cast<double>(rows.cols()),
          sums.half,
          {}};
}

NoisyCovariance noisy(NoisyCovariance data, double sd) {
  Deterministic random(91);
  data.noise = rotationInvariant(sd);
  data.covariance += random.noise(static_cast<int>(data.covariance.rows()), data.noise);
  return data;
}

Pca pcaOf(const NoisyCovariance& data) {
  return pca({data, static_cast<int>(data.covariance.rows())}).value();
}

Cca ccaOf(const NoisyCovariance& data, int dx) {
  const int dy = static_cast<int>(data.covariance.rows()) - dx;
  CcaInput input;
  static_cast<NoisyCovariance&>(input) = data;
  input.x = indices(0, dx);
  input.y = indices(dx, dy);
  input.components = std::min(dx, dy);
  return cca(input).value();
}

Gcca gccaOf(const NoisyCovariance& data, const std::vector<int>& sizes) {
  GccaInput input;
  static_cast<NoisyCovariance&>(input) = data;
  int start = 0;
  input.components = sizes.front();
  for (const int size : sizes) {
    input.views.push_back(indices(start, size));
    input.components = std::min(input.components, size);
    start += size;
  }
  return gcca(input).value();
}

/// Nothing is NaN or outside its range.
void expectSound(const NoisyCovariance& data) {
  const int d = static_cast<int>(data.covariance.rows());
  const Pca components = pcaOf(data);
  EXPECT_TRUE(components.weights.allFinite() && components.loadings.allFinite());
  EXPECT_LE(components.correlations.cwiseAbs().maxCoeff(), 1);
  double share = 0;
  for (const Explained& part : components.explained) {
    EXPECT_GE(part.value, 0);
    EXPECT_FALSE(std::signbit(part.value));
    share += part.share;
  }
  EXPECT_LE(share, 1 + kTolerance);
  if (d < 3) return;
  const Cca pairs = ccaOf(data, d / 3);
  EXPECT_TRUE(pairs.x.weights.allFinite() && pairs.y.weights.allFinite());
  for (const CcaView* view : {&pairs.x, &pairs.y}) {
    EXPECT_LE(view->loadings.cwiseAbs().maxCoeff(), 1);
    EXPECT_LE(view->redundancy.maxCoeff(), view->variance_extracted.maxCoeff() + kTolerance);
  }
  for (const CanonicalCorrelation& pair : pairs.correlations) {
    EXPECT_GE(pair.value, 0);
    EXPECT_LE(pair.value, 1);
  }
  const Gcca shared = gccaOf(data, {d / 3, d / 3, d - 2 * (d / 3)});
  for (const SharedComponent& component : shared.components) {
    EXPECT_GE(component.value, 0);
    EXPECT_LE(component.value, 1);
    EXPECT_LE(component.correlations.cwiseAbs().maxCoeff(), 1);
  }
  for (const CanonicalView& view : shared.views) EXPECT_TRUE(view.weights.allFinite());
}

TEST(Degenerate, EveryAnalysisOfOddTablesIsFiniteAndInRange) {
  Deterministic random(92);
  Eigen::MatrixXd constant = random.normals(30, 6);
  constant.col(0).setConstant(3);
  Eigen::MatrixXd duplicate = random.normals(30, 6);
  duplicate.col(1) = duplicate.col(0);
  duplicate.col(5) = -duplicate.col(0);
  const std::vector<Eigen::MatrixXd> tables{
      constant,
      duplicate,
      random.normals(4, 12),
      random.normals(1, 6),
      Eigen::MatrixXd::Zero(20, 6),
      random.normals(2, 6),
      random.normals(20, 3),
      random.normals(20, 1),
  };
  for (const Eigen::MatrixXd& table : tables) {
    const NoisyCovariance data = covarianceOf(table);
    expectSound(data);
    for (const double sd : {1e-6, 1e-2, 10.0}) expectSound(noisy(data, sd));
  }
}

TEST(Degenerate, AConstantColumnHasNoPartInAnything) {
  Eigen::MatrixXd rows = Deterministic(93).normals(40, 6);
  rows.col(0).setConstant(2);
  const NoisyCovariance data = covarianceOf(rows);
  const Pca components = pcaOf(data);
  EXPECT_EQ(components.explained[5].value, 0);
  EXPECT_TRUE(components.correlations.row(0).isZero());
  const Gcca shared = gccaOf(data, {2, 2, 2});
  EXPECT_TRUE(shared.views[0].weights.row(0).isZero());
  EXPECT_TRUE(shared.views[0].loadings.row(0).isZero());
}

TEST(Degenerate, AConstantColumnDoesNotCountInTheShareOfVarianceExplained) {
  Eigen::MatrixXd rows = Deterministic(94).normals(40, 4);
  Eigen::MatrixXd with(40, 5);
  with << Eigen::VectorXd::Constant(40, 2), rows;
  const Cca result = ccaOf(covarianceOf(with), 3);
  const Cca without = ccaOf(covarianceOf(rows), 2);
  EXPECT_TRUE(result.x.redundancy.isApprox(without.x.redundancy, kTolerance));
  EXPECT_TRUE(result.x.variance_extracted.isApprox(without.x.variance_extracted, kTolerance));
}

TEST(Degenerate, ADuplicateColumnDoesNotChangeSharedValuesAndLoadings) {
  const Eigen::MatrixXd rows = Deterministic(95).normals(40, 6);
  Eigen::MatrixXd with(40, 7);
  with << rows.leftCols(2), rows.col(1), rows.rightCols(4);
  const Gcca result = gccaOf(covarianceOf(with), {3, 2, 2});
  const Gcca without = gccaOf(covarianceOf(rows), {2, 2, 2});
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(result.components[j].eigenvalue, without.components[j].eigenvalue, kTolerance);
  }
  EXPECT_TRUE(result.views[1].loadings.isApprox(without.views[1].loadings, 1e-8));
  EXPECT_TRUE(result.views[0].loadings.row(1).isApprox(result.views[0].loadings.row(2), 1e-8));
  const Pca components = pcaOf(covarianceOf(with));
  EXPECT_LT(components.explained[6].value, 1e-14);
}

TEST(Degenerate, WithMoreColumnsThanRowsAllViewsShareEverything) {
  const Gcca result = gccaOf(covarianceOf(Deterministic(96).normals(5, 24)), {8, 8, 8});
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(result.components[j].value, 1, 1e-6);
  for (std::size_t j = 4; j < 8; ++j) EXPECT_LT(result.components[j].value, 1e-6);
}

TEST(Degenerate, ASingleRowAndATableOfZerosHaveNoVarianceAndShareNothing) {
  for (const Eigen::MatrixXd& rows :
       {Deterministic(97).normals(1, 6), Eigen::MatrixXd(Eigen::MatrixXd::Zero(10, 6))}) {
    const NoisyCovariance data = covarianceOf(rows);
    for (const Explained& part : pcaOf(data).explained) {
      EXPECT_LT(part.value, 1e-14);
    }
    for (const CanonicalCorrelation& pair : ccaOf(data, 3).correlations) {
      EXPECT_EQ(pair.value, 0);
      EXPECT_TRUE(pair.below_noise_floor);
    }
    const Gcca shared = gccaOf(data, {2, 2, 2});
    for (const SharedComponent& component : shared.components) EXPECT_EQ(component.value, 0);
    for (const CanonicalView& view : shared.views) EXPECT_TRUE(view.weights.isZero());
  }
}

TEST(Degenerate, NearlyEqualCorrelationsKeepTheirValuesAndTheSpanOfTheirWeights) {
  // Any rotation within the two pairs is equally good: only the span is defined.
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Identity(6, 6);
  covariance(0, 3) = covariance(3, 0) = 0.6;
  covariance(1, 4) = covariance(4, 1) = 0.6 - 1e-13;
  covariance(2, 5) = covariance(5, 2) = 0.1;
  const NoisyCovariance data{covariance, {}, 10, Eigen::VectorXd::Ones(6), {}};
  const Cca pairs = ccaOf(data, 3);
  const Gcca shared = gccaOf(data, {3, 3});
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(pairs.correlations[j].value, 0.6, kTolerance);
    EXPECT_NEAR(shared.components[j].value, 0.6, kTolerance);
  }
  for (const Eigen::MatrixXd& weights : {pairs.x.weights, shared.views[0].weights}) {
    const Eigen::MatrixXd two = weights.leftCols(2);
    EXPECT_LT(two.row(2).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_TRUE((two.transpose() * two).isIdentity(1e-6));
  }
  // A pair's own two variates still belong together.
  const Eigen::VectorXd inner = (pairs.x.weights.leftCols(2).transpose() *
                                 covariance.topRightCorner(3, 3) * pairs.y.weights.leftCols(2))
                                    .diagonal();
  EXPECT_NEAR(inner[0], 0.6, kTolerance);
  EXPECT_NEAR(inner[1], 0.6, kTolerance);
}

TEST(Degenerate, TwoViewsOfOneColumnGiveTheirCorrelation) {
  Eigen::Matrix2d covariance;
  covariance << 4, -3, -3, 9;
  const NoisyCovariance data{covariance, {}, 100, Eigen::Vector2d(2, 5), {}};
  const Cca pair = ccaOf(data, 1);
  EXPECT_NEAR(pair.correlations[0].value, 0.5, kTolerance);
  EXPECT_NEAR(pair.x.weights(0, 0), 1 / (2.0 * 2), kTolerance);
  EXPECT_NEAR(pair.y.weights(0, 0), -1 / (3.0 * 5), kTolerance);
  EXPECT_NEAR(pair.x.loadings(0, 0), 1, kTolerance);
  EXPECT_NEAR(pair.x.cross_loadings(0, 0), 0.5, kTolerance);
  EXPECT_NEAR(pair.x.redundancy[0], 0.25, kTolerance);
  EXPECT_NEAR(gccaOf(data, {1, 1}).components[0].eigenvalue, 1.5, kTolerance);
}

TEST(Degenerate, OneColumnIsItsOwnComponent) {
  const NoisyCovariance data{
      Eigen::MatrixXd::Constant(1, 1, 0.25), {}, 1, Eigen::VectorXd::Constant(1, 4), {}};
  const Pca result = pcaOf(data);
  EXPECT_NEAR(result.explained[0].value, 0.25, kTolerance);
  EXPECT_EQ(result.explained[0].share, 1);
  EXPECT_EQ(result.loadings(0, 0), 1);
  EXPECT_EQ(result.weights(0, 0), 0.25);
  EXPECT_EQ(result.correlations(0, 0), 1);
}

TEST(Degenerate, AMatrixWithoutFeaturesIsRejected) {
  PcaInput nothing;
  nothing.components = 1;
  nothing.trace_bound = 1;
  EXPECT_EQ(pca(nothing).error().code, Code::kInvalidDimension);
  CcaInput empty;
  empty.trace_bound = 1;
  EXPECT_EQ(cca(empty).error().code, Code::kInvalidDimension);
  GccaInput none;
  none.trace_bound = 1;
  EXPECT_EQ(gcca(none).error().code, Code::kInvalidDimension);
}

}  // namespace degenerate_test
}  // namespace pm
