#include "core/analysis/methods/variates.hpp"

#include <algorithm>
#include <cmath>

#include "core/analysis/methods/indicators.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

/// Ridge as a share of a view's edge.
constexpr double kRidge = 0.5;

/// The correction for floored variances multiplies correlations by at most 1 over this.
constexpr double kLeastAttenuation = 0.5;

/// Shares of a norm's Lipschitz constant added to its mean in a floor.
constexpr double kFloorLift = 0.5;
constexpr double kLaplaceLift = 0.5;

/// Relative difference of squared lengths that counts as rounding.
constexpr double kRoundingOfLengths = 1e-9;

/// Least variance of a standardised feature, in standard deviations of the noise.
constexpr double kLeastVarianceInNoise = 2;

/// Rounds of the iteration for the best lengths; for two views one is exact.
constexpr int kRounds = 30;

/// Some rows and columns. Explicit loops, as an interval does this in every draw.
Eigen::MatrixXd entriesOf(const Eigen::MatrixXd& matrix, const std::vector<int>& rows,
                          const std::vector<int>& columns) {
  Eigen::MatrixXd result(static_cast<Eigen::Index>(rows.size()),
                         static_cast<Eigen::Index>(columns.size()));
  double* next = result.data();
  for (const int j : columns) {
    const double* column = matrix.data() + j * matrix.rows();
    for (const int i : rows) *next++ = column[i];
  }
  return result;
}

double marginOf(const NoiseLaw& noise) {
  return noise.family == NoiseFamily::kLaplace ? kFloorLift + kLaplaceLift / noise.releases
                                               : kFloorLift;
}

}  // namespace

Views::Views(const NoisyCovariance& data, const std::vector<std::vector<int>>& views)
    : noise_(data.noise) {
  const NoiseParts parts = noiseParts(data);
  product_noise_ = data.between_views * parts.products;
  Eigen::Index total = 0;
  std::vector<bool> plain;  // whether the basis is the identity: no indicators in the view
  for (const std::vector<int>& view : views) {
    bases_.push_back(varyingDirections(view, data.columns, data.frame));
    plain.push_back(bases_.back().isIdentity(0));
    axes_.push_back(bases_.back());
    weights_.push_back(bases_.back());
    if (data.frame.isMixed()) {
      axes_.back() = multiply(data.frame.mix(view, view), bases_.back());
      weights_.back() = multiply(data.frame.unmix(view, view), bases_.back());
    }
    centreWeights(view, data.columns, data.frame, weights_.back());
    direct_.push_back(plain.back() && !data.frame.isMixed());
    mean_noise_.push_back(multiplyTransposed(bases_.back(), parts.means(view, Eigen::all)));
    halves_.push_back(data.half(view));
    starts_.push_back(total);
    total += bases_.back().cols();
  }
  covariance_.resize(total, total);
  for (std::size_t v = 0; v < views.size(); ++v) {
    for (std::size_t w = v; w < views.size(); ++w) {
      Eigen::MatrixXd block = entriesOf(data.covariance, views[v], views[w]);
      if (!plain[v]) block = multiplyTransposed(bases_[v], block);
      if (!plain[w]) block = multiply(block, bases_[w]);
      covariance_.block(starts_[v], starts_[w], block.rows(), block.cols()) = block;
      covariance_.block(starts_[w], starts_[v], block.cols(), block.rows()) = block.transpose();
    }
  }
  if (data.centre_spread.size() != 0) {
    centre_spread_.resize(total, total);
    for (std::size_t v = 0; v < views.size(); ++v) {
      for (std::size_t w = 0; w < views.size(); ++w) {
        const Eigen::MatrixXd all = data.centre_spread(views[v], views[w]);
        const Eigen::MatrixXd block = multiply(multiplyTransposed(bases_[v], all), bases_[w]);
        centre_spread_.block(starts_[v], starts_[w], block.rows(), block.cols()) = block;
      }
    }
  }
  clean_ = isNoiseless(noise_) ? covariance_ : denoised(covariance_, noise_, data.trace_bound);
  for (int v = 0; v < count(); ++v) {
    const Eigen::MatrixXd& axes = axes_[index(v)];
    const Eigen::MatrixXd own = block(clean_, v, v);
    Eigen::VectorXd variances = own.diagonal();
    if (!direct_[index(v)]) {
      variances = multiply(axes, own).cwiseProduct(axes).rowwise().sum();
    }
    sds_.emplace_back(
        (variances.array() > kNoVariance).select(variances.cwiseMax(0.0).cwiseSqrt(), 0.0));
  }
}

Eigen::MatrixXd Views::block(const Eigen::MatrixXd& covariance, int v, int w) const {
  return covariance.block(starts_[index(v)], starts_[index(w)], dimension(v), dimension(w));
}

std::vector<Eigen::MatrixXd> Views::flooredWhiteners() const {
  std::vector<Eigen::MatrixXd> whiteners;
  whiteners.reserve(index(count()));
  const double floor = spectralEdge(noise_, dimension());
  for (int v = 0; v < count(); ++v) {
    whiteners.push_back(flooredWhitener(block(covariance_, v, v), floor));
  }
  return whiteners;
}

std::vector<int> Views::hidden(const std::vector<Eigen::MatrixXd>& whiteners) const {
  // The column of a raised direction has the inverse root of the floor as its length.
  const double raised = (1 - kRoundingOfLengths) / spectralEdge(noise_, dimension());
  std::vector<int> counts;
  for (const Eigen::MatrixXd& whitener : whiteners) {
    int& count = counts.emplace_back(0);
    for (Eigen::Index j = 0; j < whitener.cols(); ++j) {
      count += whitener.col(j).squaredNorm() >= raised ? 1 : 0;
    }
  }
  return counts;
}

double Views::sampled(double rows) const {
  double most = 0;
  for (int v = 0; rows > 0 && v < count(); ++v) {
    for (int w = v + 1; w < count(); ++w) {
      const double roots = std::sqrt(double(dimension(v))) + std::sqrt(double(dimension(w)));
      most = std::max(most, (roots + kFloorLift) / std::sqrt(rows));
    }
  }
  return most;
}

std::vector<Eigen::MatrixXd> Views::ridgedWhiteners() const {
  std::vector<Eigen::MatrixXd> whiteners;
  whiteners.reserve(index(count()));
  for (int v = 0; v < count(); ++v) {
    whiteners.push_back(
        ridgedWhitener(block(clean_, v, v), kRidge * spectralEdge(noise_, dimension(v))));
  }
  return whiteners;
}

StandardisedView Views::standardised(int v) const {
  const Eigen::MatrixXd& axes = axes_[index(v)];
  StandardisedView result{axes.transpose(), Eigen::VectorXd::Zero(axes.rows())};
  for (Eigen::Index i = 0; i < axes.rows(); ++i) {
    const double least = std::sqrt(kLeastVarianceInNoise * noise_.diagonal) * axes.row(i).norm();
    const double sd = std::max(sds_[index(v)][i], least);
    result.raised += sds_[index(v)][i] < least ? 1 : 0;
    result.axes.col(i) *= sd > 0 ? 1 / sd : 0.0;
    result.units[i] = sd * halves_[index(v)][i];
  }
  return result;
}

Eigen::MatrixXd Views::inOriginalUnits(int v, const Eigen::MatrixXd& directions) const {
  return halves_[index(v)].cwiseInverse().asDiagonal() * multiply(weights_[index(v)], directions);
}

double Views::varyingFeatures(int v) const {
  return static_cast<double>((sds_[index(v)].array() > 0).count());
}

Eigen::MatrixXd Views::covariances(int v, const CanonicalView& view) const {
  Eigen::MatrixXd result = view.loadings;
  for (Eigen::Index j = 0; j < result.cols(); ++j) {
    for (Eigen::Index i = 0; i < result.rows(); ++i) result(i, j) *= sds_[index(v)][i];
  }
  return result;
}

CanonicalView Views::empty(int v, int components) const {
  const Eigen::Index features = bases_[index(v)].rows();
  return {Eigen::MatrixXd::Zero(features, components), Eigen::MatrixXd::Zero(features, components)};
}

void Views::fill(int v, const Eigen::VectorXd& direction, Eigen::Index component,
                 CanonicalView& view) const {
  const Eigen::Index start = starts_[index(v)], size = direction.size();
  const Eigen::VectorXd covariances = clean_.block(start, start, size, size) * direction;
  const double variance = direction.dot(covariances);
  if (variance <= kNoVariance * direction.squaredNorm()) return;

  const double sd = std::sqrt(variance);
  const bool direct = direct_[index(v)];
  Eigen::VectorXd weights = direction;
  if (!direct) weights = weights_[index(v)] * direction;
  view.weights.col(component) = weights.cwiseQuotient(halves_[index(v)]) / sd;
  Eigen::VectorXd with_features = covariances;
  if (!direct) with_features = axes_[index(v)] * covariances;
  with_features /= sd;
  for (Eigen::Index i = 0; i < with_features.size(); ++i) {
    const double feature_sd = sds_[index(v)][i];
    if (feature_sd == 0) continue;
    view.loadings(i, component) = std::clamp(with_features[i] / feature_sd, -1.0, 1.0);
  }
}

SharedNoise::SharedNoise(const Views& views, const std::vector<Eigen::MatrixXd>& whiteners)
    : views_(views), whiteners_(whiteners) {
  const Eigen::Index count = views.count();
  Eigen::VectorXd norms = Eigen::VectorXd::Zero(count);
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(count);
  for (Eigen::Index v = 0; v < count; ++v) {
    const Eigen::MatrixXd& whitener = whiteners[static_cast<std::size_t>(v)];
    if (whitener.cols() == 0) continue;
    const Eigen::MatrixXd means =
        multiplyTransposed(whitener, views.meanNoise(static_cast<int>(v)));
    Eigen::MatrixXd squares = multiplyByTranspose(means);
    squares += multiplyTransposed(whitener, whitener);
    norms[v] = std::sqrt(eigenvalues(squares)[0]);
    sizes[v] = std::hypot(whitener.norm(), means.norm());
  }

  Eigen::VectorXd t = Eigen::VectorXd::Constant(count, 1 / std::sqrt(static_cast<double>(count)));
  double mean = 0;
  double lipschitz = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Eigen::VectorXd lengths = t.cwiseProduct(norms);
    const Eigen::VectorXd others =
        (lengths.squaredNorm() - lengths.array().square()).max(0.0).sqrt();
    const double next = 2 * t.cwiseProduct(sizes).dot(others);
    if (next <= mean) break;
    mean = next;
    lipschitz = std::sqrt(2 * lengths.cwiseProduct(others).squaredNorm());
    // Follow the gradient, which exists if all `others` are positive.
    if (others.minCoeff() <= 0) break;
    const Eigen::VectorXd ratios = t.cwiseProduct(sizes).cwiseQuotient(others);
    t = sizes.cwiseProduct(others) +
        ((ratios.sum() - ratios.array()) * norms.array().square() * t.array()).matrix();
    t /= t.norm();
  }
  const NoiseLaw& noise = views.noise();
  const double norm = mean + marginOf(noise) * lipschitz;
  const double reach = spectralReach(noise, std::max(1, views.dimension()));
  const double clipped = largestSpread();
  floor_ = (views.productNoise() * reach * norm + clipped) / static_cast<double>(count - 1);
}

double SharedNoise::largestSpread() const {
  const Eigen::MatrixXd& spread = views_.centreSpread();
  if (spread.size() == 0) return 0;
  Eigen::Index total = 0;
  for (const Eigen::MatrixXd& whitener : whiteners_) total += whitener.cols();
  Eigen::MatrixXd whitened = Eigen::MatrixXd::Zero(total, total);
  Eigen::Index row = 0;
  for (std::size_t v = 0; v < whiteners_.size(); ++v) {
    Eigen::Index column = 0;
    for (std::size_t w = 0; w < whiteners_.size(); ++w) {
      const Eigen::MatrixXd block = views_.block(spread, static_cast<int>(v), static_cast<int>(w));
      const Eigen::MatrixXd own = multiply(multiplyTransposed(whiteners_[v], block), whiteners_[w]);
      if (v != w) whitened.block(row, column, own.rows(), own.cols()) = own;
      column += own.cols();
    }
    row += whiteners_[v].cols();
  }
  return total == 0 ? 0 : std::max(0.0, eigenvalues(whitened)[0]);
}

double SharedNoise::spreadAlong(const std::vector<Eigen::VectorXd>& directions) const {
  const Eigen::MatrixXd& spread = views_.centreSpread();
  if (spread.size() == 0) return 0;
  double sum = 0;
  for (std::size_t v = 0; v < directions.size(); ++v) {
    for (std::size_t w = 0; w < directions.size(); ++w) {
      if (v == w) continue;
      const Eigen::MatrixXd block = views_.block(spread, static_cast<int>(v), static_cast<int>(w));
      sum += std::abs(directions[v].dot(block * directions[w]));
    }
  }
  return sum;
}

SharedNoise::Level SharedNoise::level(const std::vector<Eigen::VectorXd>& parts,
                                      double excess) const {
  const NoiseLaw& noise = views_.noise();
  const double others = views_.count() - 1;
  const double margin = marginOf(noise);
  std::vector<Eigen::VectorXd> directions;
  std::vector<double> lengths;
  std::vector<double> lifted;  // lengths including the noise of the means
  std::vector<double> roots;
  Level level;
  level.shown = excess / others;
  level.kept = Eigen::VectorXd::Ones(views_.count());
  double squares = 0;
  for (std::size_t v = 0; v < parts.size(); ++v) {
    const Eigen::VectorXd& direction = directions.emplace_back(whiteners_[v] * parts[v]);
    lengths.push_back(direction.norm());
    roots.push_back(std::sqrt(static_cast<double>(direction.size())));
    squares += direction.squaredNorm();
    const auto view = static_cast<int>(v);
    const Eigen::MatrixXd means = multiplyTransposed(views_.meanNoise(view), direction);
    lifted.push_back(std::hypot(lengths.back(), means.norm()));
    const double there = direction.dot(views_.block(views_.clean(), view, view) * direction);
    const double taken = parts[v].squaredNorm();
    if (taken > 0) level.kept[view] = std::clamp(there / taken, 0.0, 1.0);
  }

  double bound = 0;
  double variance = 0;
  double weight = 0;
  double attenuated = 0;
  for (std::size_t v = 0; v < parts.size(); ++v) {
    variance += whiteners_[v].squaredNorm() * (squares - lengths[v] * lengths[v]);
    for (std::size_t w = 0; w < parts.size(); ++w) {
      if (v == w) continue;
      bound += lifted[v] * lifted[w] * (roots[v] + roots[w] + margin);
      const double share = parts[v].norm() * parts[w].norm();
      weight += share;
      attenuated += share * attenuation(level.kept[static_cast<Eigen::Index>(v)],
                                        level.kept[static_cast<Eigen::Index>(w)]);
    }
  }
  const double reach = spectralReach(noise, views_.dimension());
  const double added = views_.productNoise() * reach * bound + spreadAlong(directions);
  level.floor = std::min(floor_, added / others);

  const double ratio = 4 * noise.off_diagonal * noise.off_diagonal * variance / (excess * excess);
  level.denoised = ratio < 1 ? (1 + std::sqrt(1 - ratio)) / 2 : 0.5;
  level.value = std::min(1.0, level.shown * level.denoised * weight / attenuated);
  return level;
}

double SharedNoise::attenuation(double kept_v, double kept_w) {
  return std::clamp(std::sqrt(kept_v * kept_w), kLeastAttenuation, 1.0);
}

Ranked ranked(const SharedNoise::Level& level, double before, double sampled) {
  const double value = std::min(level.value, before);
  return {value, std::min(1.0, std::hypot(value * level.floor / level.shown, sampled))};
}

bool hasVariates(const std::vector<CanonicalView>& views, Eigen::Index component) {
  int count = 0;
  for (const CanonicalView& view : views) count += view.weights.col(component).squaredNorm() > 0;
  return count > 1;
}

void turn(CanonicalView& view, Eigen::Index component) {
  for (Eigen::MatrixXd* figures : {&view.weights, &view.loadings}) {
    for (Eigen::Index i = 0; i < figures->rows(); ++i) (*figures)(i, component) *= -1;
  }
}

void orient(std::vector<CanonicalView>& views) {
  const Eigen::Index components = views.front().loadings.cols();
  for (Eigen::Index j = 0; j < components; ++j) {
    const auto leading = std::find_if(views.begin(), views.end(), [&](const CanonicalView& view) {
      return !view.loadings.col(j).isZero(0);
    });
    if (leading == views.end()) continue;
    Eigen::Index largest = 0;
    leading->loadings.col(j).cwiseAbs().maxCoeff(&largest);
    if (leading->loadings(largest, j) > 0) continue;
    for (CanonicalView& view : views) turn(view, j);
  }
}

}  // namespace pm
