#include "core/analysis/uncertainty/shared_values.hpp"

#include <algorithm>
#include <cmath>

#include "core/analysis/methods/indicators.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/matrix/multiply.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Minimum variance of a direction in the family, relative to the edge of the noise.
constexpr double kLeastOfEdge = 0.01;

/// Values up to this are 0 with rounding errors. Their directions, those of a view without a
/// partner among them, are arbitrary, and nothing can be shifted along them.
constexpr double kLeastShared = 1e-9;

/// The k largest singular values, largest first, without singular vectors.
VectorXd singularValues(const MatrixXd& matrix, int k) {
  if (matrix.rows() > matrix.cols()) return singularValues(transposed(matrix), k);
  VectorXd values = VectorXd::Zero(k);
  const Index found = std::min<Index>(k, matrix.rows());
  values.head(found) =
      eigenvalues(multiplyByTranspose(matrix)).head(found).cwiseMax(0.0).cwiseSqrt();
  return values;
}

/// V f(l)^(-1/2) for each block, f(l) = max(l, floor).
std::vector<MatrixXd> whitenersOf(const std::vector<Spectrum>& blocks, double floor) {
  std::vector<MatrixXd> whiteners;
  for (const Spectrum& own : blocks) {
    const double least = leastVariance(own.values[0]);
    MatrixXd& whitener = whiteners.emplace_back(own.vectors);
    for (Index j = 0; j < whitener.cols(); ++j) {
      const double floored = std::max(own.values[j], floor);
      whitener.col(j) *= floored > least ? 1 / std::sqrt(floored) : 0.0;
    }
  }
  return whiteners;
}

/// Denoised variances along the eigenvectors of a block.
VectorXd cleanVariances(const Spectrum& block, const NoisyCovariance& data) {
  if (isNoiseless(data.noise)) return block.values;
  const MatrixXd clean = denoised(block, data.noise, data.trace_bound);
  return block.vectors.cwiseProduct(multiply(clean, block.vectors)).colwise().sum().transpose();
}

}  // namespace

MatrixXd spreadBetween(MatrixXd centre_spread, const std::vector<std::vector<int>>& views) {
  if (centre_spread.size() == 0) return centre_spread;
  for (const std::vector<int>& view : views) {
    for (const int i : view) {
      for (const int j : view) centre_spread(i, j) = 0;
    }
  }
  return centre_spread;
}

SharedValues::SharedValues(const NoisyCovariance& data, const std::vector<std::vector<int>>& views,
                           int k)
    : views_(views), components_(k) {
  for (const std::vector<int>& view : views) {
    bases_.push_back(varyingDirections(view, data.columns, data.frame));
    starts_.push_back(total_);
    plain_.push_back(bases_.back().isIdentity(0));
    total_ += bases_.back().cols();
  }
  const double edge = edgeOf(data.noise);
  const std::vector<Spectrum> blocks = blocksOf(data.covariance);
  whitened_ = whitened(data.covariance, whitenersOf(blocks, edge));
  directions_ = spectrum(whitened_);
  root_ = MatrixXd::Zero(data.covariance.rows(), total_);
  clean_root_ = root_;
  columns_ = data.columns;
  frame_ = data.frame;
  for (std::size_t v = 0; v < views_.size(); ++v) {
    const VectorXd& values = blocks[v].values;
    const auto d = static_cast<int>(values.size());
    const MatrixXd axes = multiply(bases_[v], blocks[v].vectors);
    const VectorXd lengths = values.cwiseMax(kLeastOfEdge * edge).cwiseSqrt();
    const VectorXd clean = cleanVariances(blocks[v], data).cwiseMax(kLeastOfEdge * edge);
    const VectorXd clean_lengths = clean.cwiseSqrt();
    for (Index i = 0; i < axes.rows(); ++i) {
      const int feature = views_[v][static_cast<std::size_t>(i)];
      root_.row(feature).segment(starts_[v], d) = axes.row(i).cwiseProduct(lengths.transpose());
      clean_root_.row(feature).segment(starts_[v], d) =
          axes.row(i).cwiseProduct(clean_lengths.transpose());
    }
  }
}

VectorXd SharedValues::mostWeights(std::size_t v) const {
  const auto d = static_cast<Index>(views_[v].size());
  VectorXd squares = VectorXd::Zero(d);
  const double least = leastVariance(root_.squaredNorm());
  for (Index j = starts_[v]; j < starts_[v] + bases_[v].cols(); ++j) {
    const double variance = root_.col(j).squaredNorm();
    if (variance <= least) continue;
    MatrixXd along(d, 1);
    for (Index i = 0; i < d; ++i) {
      along.data()[i] = root_(views_[v][static_cast<std::size_t>(i)], j) / variance;
    }
    if (frame_.isMixed()) along = multiply(frame_.unmix(views_[v], views_[v]), along);
    centreWeights(views_[v], columns_, frame_, along);
    squares += along.cwiseAbs2();
  }
  return squares.cwiseSqrt();
}

VectorXd SharedValues::of(const MatrixXd& covariance, const NoiseLaw& noise) const {
  if (views_.size() == 2) {
    MatrixXd between = block(covariance, 1, 0);
    multiplyByFlooredWhitener(block(covariance, 0, 0), edgeOf(noise), between);
    between = transposed(between);
    multiplyByFlooredWhitener(block(covariance, 1, 1), edgeOf(noise), between);
    return singularValues(between, components_);
  }
  const std::vector<MatrixXd> whiteners = whitenersOf(blocksOf(covariance), edgeOf(noise));
  const MatrixXd all = whitened(covariance, whiteners);
  VectorXd values = VectorXd::Zero(components_);
  const Index found = std::min<Index>(components_, total_);
  values.head(found) = eigenvalues(all).head(found).cwiseMax(0.0) / others();
  return values;
}

MatrixXd SharedValues::covariance(const VectorXd& shift) const { return composed(shift, root_); }

MatrixXd SharedValues::composed(const VectorXd& shift, const MatrixXd& root) const {
  // One product: one after another, the steps took a fifth of the time of an interval.
  const Index moved = std::min<Index>(shift.size(), total_);
  MatrixXd along = zeros(total_, moved);
  for (Index j = 0; j < moved; ++j) {
    const VectorXd direction = directions_.vectors.col(j);
    double within = 0;
    for (std::size_t v = 0; v < views_.size(); ++v) {
      within += std::pow(part(direction, v).squaredNorm(), 2);
    }
    // Removing the diagonal blocks below reduces the shift of the eigenvalue by this factor.
    const bool is_shared =
        std::abs(directions_.values[j]) > kLeastShared && 1 - within > kLeastShared;
    const double step = is_shared ? shift[j] * others() / (1 - within) : 0;
    for (Index i = 0; i < total_; ++i) along(i, j) = step * direction[i];
  }
  MatrixXd inner = whitened_ + multiply(along, directions_.vectors.leftCols(moved).transpose());
  for (std::size_t v = 0; v < views_.size(); ++v) {
    const Index d = bases_[v].cols();
    inner.block(starts_[v], starts_[v], d, d).setIdentity();
  }
  return multiply(multiply(root, inner), root.transpose());
}

MatrixXd SharedValues::allMoved(const VectorXd& shift) const {
  Index positive = 0;
  while (positive < total_ && directions_.values[positive] > kLeastShared) ++positive;
  const Index k = std::min<Index>(shift.size(), positive);
  VectorXd all(positive);
  for (Index j = 0; j < positive; ++j) {
    all[j] =
        j < k ? shift[j] : std::max(-directions_.values[j] / others(), shift[shift.size() - 1]);
  }
  return covariance(all);
}

MatrixXd SharedValues::onlyFirst(int kept) const {
  VectorXd shift = VectorXd::Zero(total_);
  for (Index j = kept; j < total_; ++j) {
    shift[j] = -std::max(0.0, directions_.values[j]) / others();
  }
  return composed(shift, clean_root_);
}

double SharedValues::edgeOf(const NoiseLaw& noise) const {
  return spectralEdge(noise, static_cast<int>(total_));
}

VectorXd SharedValues::part(const VectorXd& direction, std::size_t v) const {
  return direction.segment(starts_[v], bases_[v].cols());
}

MatrixXd SharedValues::block(const MatrixXd& covariance, std::size_t v, std::size_t w) const {
  // Explicit loops: Eigen's indexed view took a tenth of the total time.
  const auto rows = static_cast<Index>(views_[v].size());
  const auto columns = static_cast<Index>(views_[w].size());
  MatrixXd own(rows, columns);
  double* next = own.data();
  const int* features = views_[v].data();
  for (Index j = 0; j < columns; ++j) {
    const double* column = covariance.data() + views_[w].data()[j] * covariance.rows();
    for (Index i = 0; i < rows; ++i) *next++ = column[features[i]];
  }
  const MatrixXd left = plain_[v] ? own : multiplyTransposed(bases_[v], own);
  return plain_[w] ? left : multiply(left, bases_[w]);
}

std::vector<Spectrum> SharedValues::blocksOf(const MatrixXd& covariance) const {
  std::vector<Spectrum> blocks;
  for (std::size_t v = 0; v < views_.size(); ++v) {
    blocks.push_back(spectrum(block(covariance, v, v)));
  }
  return blocks;
}

MatrixXd SharedValues::cross(const MatrixXd& covariance, const std::vector<MatrixXd>& whiteners,
                             std::size_t v, std::size_t w) const {
  return multiply(multiplyTransposed(whiteners[v], block(covariance, v, w)), whiteners[w]);
}

MatrixXd SharedValues::whitened(const MatrixXd& covariance,
                                const std::vector<MatrixXd>& whiteners) const {
  MatrixXd result = MatrixXd::Zero(total_, total_);
  for (std::size_t v = 0; v < views_.size(); ++v) {
    for (std::size_t w = v + 1; w < views_.size(); ++w) {
      const MatrixXd scaled = cross(covariance, whiteners, v, w);
      result.block(starts_[v], starts_[w], scaled.rows(), scaled.cols()) = scaled;
      result.block(starts_[w], starts_[v], scaled.cols(), scaled.rows()) = scaled.transpose();
    }
  }
  return result;
}

}  // namespace pm
