#include "core/synthesis/rows/row_law.hpp"

#include <algorithm>
#include <cmath>

#include "core/matrix/cholesky.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/random/continuous.hpp"
#include "core/synthesis/rows/censored.hpp"
#include "core/synthesis/rows/number_fit.hpp"
#include "core/synthesis/rows/repair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Maximum scenarios times numbers: 64 MB of series terms.
constexpr Index kMostEntries = 1 << 17;
constexpr Index kFewestScenarios = 128;
constexpr Index kMostScenarios = 2048;
/// A sample of scenarios is stratified, so this many have less error than the rows themselves.
constexpr Index kScenariosPerRow = 4;
/// Negative eigenvalues below minus this are not rounding.
constexpr double kRounding = 1e-10;
/// A mean square that is missed by more than this is reported. A number that is always at a bound
/// misses half as much at `kMostLatentDeviation`.
constexpr double kNarrow = 1e-3;
/// Covariances of residuals that hardly vary are rounding.
constexpr double kLeastCovariance = 1e-9;
constexpr Index kDrawnAtOnce = 256;

/// The power of a positive semidefinite matrix on its positive eigenvalues; 0 on the others.
MatrixXd powerOf(const MatrixXd& matrix, double power) {
  Spectrum decomposed = spectrum(matrix);
  const double least = kRounding * std::max(1e-6, decomposed.values[0]);
  for (double& value : decomposed.values) value = value > least ? std::pow(value, power) : 0;
  return compose(decomposed);
}

/// Sets negative eigenvalues to 0, then restores each diagonal block by a congruence.
void repair(const std::vector<Index>& blocks, MatrixXd& covariance) {
  if (choleskyAbove(covariance, -kRounding)) return;
  const MatrixXd clipped = nearestCovariance(covariance);
  MatrixXd turn = zeros(covariance.rows(), covariance.cols());
  Index at = 0;
  for (const Index size : blocks) {
    const MatrixXd own = covariance.block(at, at, size, size);
    turn.block(at, at, size, size) =
        multiply(powerOf(own, 0.5), powerOf(clipped.block(at, at, size, size), -0.5));
    at += size;
  }
  covariance = multiply(multiply(turn, clipped), transposed(turn));
  covariance = (covariance + transposed(covariance)) / 2;
}

/// The coefficients L_xz with L_xz root^T = C_xz, 0 where the root has no variance.
MatrixXd regressionOn(const MatrixXd& root, MatrixXd across) {
  const Index q = root.rows();
  for (Index j = 0; j < q; ++j) {
    if (root(j, j) == 0) {
      across.col(j).setZero();
      continue;
    }
    for (Index k = 0; k < j; ++k) across.col(j) -= root(j, k) * across.col(k);
    across.col(j) /= root(j, j);
  }
  return across;
}

/// Terms of a number's series in each scenario times the root of the scenario's weight: k x terms.
MatrixXd seriesOf(const Scenarios& scenarios, const VectorXd& latent, double deviation,
                  bool moved) {
  MatrixXd terms = zeros(latent.size(), moved ? kSeriesTerms : 1);
  double own[kSeriesTerms];
  for (Index s = 0; s < latent.size(); ++s) {
    const double weight = std::sqrt(scenarios.weights[s]);
    if (!moved) {
      terms(s, 0) = weight * deviation;
      continue;
    }
    censoredSeries({latent[s], deviation}, own);
    for (int i = 0; i < kSeriesTerms; ++i) terms(s, i) = weight * own[i];
  }
  return terms;
}

}  // namespace

void makePossible(const RowLayout& layout, VectorXd& mean, MatrixXd& covariance) {
  std::vector<Index> order;
  std::vector<Index> blocks;
  for (const RowLayout::Category& category : layout.categories) {
    for (int level = 0; level < category.levels; ++level) order.push_back(category.feature + level);
    blocks.push_back(category.levels);
  }
  const auto indicators = Index(order.size());
  order.insert(order.end(), layout.numbers.begin(), layout.numbers.end());
  blocks.resize(blocks.size() + layout.numbers.size(), 1);

  const auto d = Index(order.size());
  VectorXd ordered(d);
  MatrixXd between = zeros(d, d);
  for (Index i = 0; i < d; ++i) {
    ordered[i] = mean[order[std::size_t(i)]];
    for (Index j = 0; j < d; ++j) {
      between(i, j) = covariance(order[std::size_t(i)], order[std::size_t(j)]);
    }
  }
  Index at = 0;
  for (const RowLayout::Category& category : layout.categories) {
    const Index count = category.levels;
    auto own = ordered.segment(at, count);
    own = sharesOf(own);
    // The sum of the indicators is constant.
    const Eigen::RowVectorXd excess = between.middleRows(at, count).colwise().mean();
    between.middleRows(at, count).rowwise() -= excess;
    const VectorXd same = between.middleCols(at, count).rowwise().mean();
    between.middleCols(at, count).colwise() -= same;
    for (Index i = 0; i < count; ++i) {
      for (Index j = 0; j < count; ++j) {
        between(at + i, at + j) = (i == j ? own[i] : 0) - own[i] * own[j];
      }
      if (own[i] > 0) continue;
      between.row(at + i).setZero();
      between.col(at + i).setZero();
    }
    at += count;
  }
  for (Index i = indicators; i < d; ++i) {
    ordered[i] = std::clamp(ordered[i], -1.0, 1.0);
    between(i, i) = std::max(0.0, between(i, i));
  }
  repair(blocks, between);
  mean = ordered;
  covariance = between;
}

RowLaw::RowLaw(const RowLayout& layout, const VectorXd& mean, const MatrixXd& covariance,
               std::int64_t rows, std::uint64_t component)
    : category_count_(layout.categories.size()) {
  VectorXd means = mean;
  MatrixXd between = covariance;
  makePossible(layout, means, between);

  const auto n = Index(layout.numbers.size());
  const Index q = means.size() - n;
  std::vector<int> levels;
  for (const RowLayout::Category& category : layout.categories) levels.push_back(category.levels);
  const MatrixXd root = q > 0 ? lowerRoot(between.topLeftCorner(q, q)) : MatrixXd();
  const Index most =
      std::clamp(std::min<Index>(kMostEntries / std::max<Index>(1, n), kScenariosPerRow * rows),
                 kFewestScenarios, kMostScenarios);
  categories_.emplace(levels, means.head(q), root, most, 1 + component);
  const MatrixXd regression = regressionOn(root, between.bottomLeftCorner(n, q));
  fitNumbers(means.tail(n), regression,
             between.bottomRightCorner(n, n) - multiplyByTranspose(regression));
}

void RowLaw::fitNumbers(const VectorXd& mean, const MatrixXd& regression,
                        const MatrixXd& residual) {
  const Index n = mean.size();
  const Index q = regression.cols();
  const Scenarios& scenarios = categories_->scenarios();
  MatrixXd design(scenarios.weights.size(), q + 1);
  design << VectorXd::Ones(design.rows()), scenarios.innovations;
  MatrixXd linear(n, q + 1);
  linear << mean, regression;
  const MatrixXd targets = multiply(design, transposed(linear));
  NumberFitter fitter(scenarios.weights, design);
  VectorXd deviations = residual.diagonal().cwiseMax(0.0).cwiseSqrt();
  std::vector<MatrixXd> series;
  MatrixXd moved = targets;
  for (Index i = 0; i < n; ++i) {
    const bool beyond = !isUncensored(targets.col(i).cwiseAbs().maxCoeff(), deviations[i]);
    if (beyond) {
      const NumberFit fit = fitter.fit(linear.row(i).transpose(), deviations[i]);
      linear.row(i) = fit.coefficients.transpose();
      deviations[i] = fit.deviation;
      if (fit.missing > kNarrow) narrowed_.push_back(int(i));
      moved.col(i) = fitter.moved();
    }
    series.push_back(
        seriesOf(scenarios, multiply(design, linear.row(i).transpose()), deviations[i], beyond));
  }
  constant_ = linear.col(0);
  coefficients_ = linear.rightCols(q);

  // The residuals must provide what the means of the scenarios do not contribute to each
  // covariance.
  const MatrixXd by_target = scenarios.weights.cwiseSqrt().asDiagonal() * targets;
  const MatrixXd by_moved = scenarios.weights.cwiseSqrt().asDiagonal() * moved;
  const MatrixXd left =
      residual + multiplyTransposed(by_target, by_target) - multiplyTransposed(by_moved, by_moved);
  MatrixXd correlation = MatrixXd::Identity(n, n);
  double products[kSeriesTerms];
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < j; ++i) {
      const MatrixXd& a = series[std::size_t(i)];
      const MatrixXd& b = series[std::size_t(j)];
      const Index terms = std::min(a.cols(), b.cols());
      for (Index k = 0; k < terms; ++k) products[k] = a.col(k).dot(b.col(k));
      if (a.norm() * b.norm() < kLeastCovariance) continue;
      correlation(i, j) = correlation(j, i) = latentCorrelation(products, int(terms), left(i, j));
    }
  }
  repair(std::vector<Index>(std::size_t(n), 1), correlation);
  root_ = n > 0 ? MatrixXd(deviations.asDiagonal() * lowerRoot(correlation)) : MatrixXd();
}

void RowLaw::draw(Drbg& random, Index rows, int* levels, double* numbers) const {
  const Index n = constant_.size();
  MatrixXd means(n, kDrawnAtOnce);
  VectorXd innovations = VectorXd::Zero(coefficients_.cols());
  MatrixXd normals(n, kDrawnAtOnce);
  for (Index done = 0; done < rows; done += kDrawnAtOnce) {
    const Index size = std::min(kDrawnAtOnce, rows - done);
    for (Index row = 0; row < size; ++row) {
      categories_->draw(random, levels, innovations);
      levels += category_count_;
      means.col(row) = constant_;
      for (Index j = 0; j < innovations.size(); ++j) {
        if (innovations[j] != 0) means.col(row) += innovations[j] * coefficients_.col(j);
      }
    }
    if (n == 0) continue;
    simulateNormals({normals.data(), std::size_t(normals.size())}, random);
    const MatrixXd drawn = multiply(root_, normals);
    for (Index row = 0; row < size; ++row) {
      for (Index i = 0; i < n; ++i) {
        *numbers++ = std::clamp(means(i, row) + drawn(i, row), -1.0, 1.0);
      }
    }
  }
}

}  // namespace pm
