#include "core/analysis/methods/pls.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/analysis/methods/variates.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/checks.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Share of the first singular value that counts as rounding.
constexpr double kRoundingOfPls = 1e-10;

/// Share of a norm's Lipschitz constant added to its mean, as in `Views::sampled`.
constexpr double kLiftOfPls = 0.5;

double largestVariance(const MatrixXd& block) { return std::max(0.0, eigenvalues(block)[0]); }

/// Two views in standard deviations.
class StandardisedPair {
 public:
  StandardisedPair(const NoisyCovariance& data, const std::vector<int>& x,
                   const std::vector<int>& y)
      : views_(data, {x, y}), x_(views_.standardised(0)), y_(views_.standardised(1)) {}

  const StandardisedView& x() const { return x_; }
  const StandardisedView& y() const { return y_; }
  const Views& views() const { return views_; }
  std::vector<int> hidden() const { return {x_.raised, y_.raised}; }

  MatrixXd noisyCross() const { return cross(views_.noisy()); }
  MatrixXd cleanCross() const { return cross(views_.clean()); }
  MatrixXd within(int v) const {
    const MatrixXd& axes = v == 0 ? x_.axes : y_.axes;
    return multiply(multiplyTransposed(axes, views_.block(views_.clean(), v, v)), axes);
  }

  /// Weights in original units, from those in standard deviations.
  MatrixXd inOriginalUnits(int v, const MatrixXd& weights) const {
    return views_.inOriginalUnits(v, multiply(v == 0 ? x_.axes : y_.axes, weights));
  }

  /// The first singular value in n = `rows` rows of unrelated views with these correlations.
  static double sampled(const MatrixXd& x, const MatrixXd& y, double rows) {
    if (rows <= 0) return 0;
    const double of_x = largestVariance(x);
    const double of_y = largestVariance(y);
    const double norm = std::sqrt(of_x * std::max(0.0, y.trace())) +
                        std::sqrt(of_y * std::max(0.0, x.trace())) +
                        kLiftOfPls * std::sqrt(of_x * of_y);
    return norm / std::sqrt(rows);
  }

 private:
  MatrixXd cross(const MatrixXd& covariance) const {
    return multiply(multiplyTransposed(x_.axes, views_.block(covariance, 0, 1)), y_.axes);
  }

  Views views_;
  StandardisedView x_;
  StandardisedView y_;
};

/// Sets a score's weights and loadings from its weights in standard deviations.
/// @param within correlations of view v
void fillScore(const StandardisedPair& pair, int v, const MatrixXd& within, const VectorXd& weights,
               Index component, PlsView& view) {
  view.weights.col(component) = pair.inOriginalUnits(v, weights);
  const VectorXd along = within * weights;
  const double sd = std::sqrt(std::max(0.0, weights.dot(along)));
  for (Index i = 0; i < weights.size(); ++i) {
    const double size = sd * std::sqrt(std::max(0.0, within(i, i)));
    if (size > 0) view.loadings(i, component) = std::clamp(along[i] / size, -1.0, 1.0);
  }
}

bool isLargestNegative(const VectorXd& entries) {
  Index largest = 0;
  entries.cwiseAbs().maxCoeff(&largest);
  return entries[largest] < 0;
}

Status checkPlsCorrelation(const PlsCorrelationInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return wrong;
  std::vector<bool> taken(static_cast<std::size_t>(input.covariance.rows()), false);
  if (const Status wrong = checkView(input.x, "x", taken)) return wrong;
  if (const Status wrong = checkView(input.y, "y", taken)) return wrong;
  return checkComponents(input.components,
                         static_cast<Index>(std::min(input.x.size(), input.y.size())));
}

Status checkPlsRegression(const PlsRegressionInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return wrong;
  const Index d = input.covariance.rows();
  if (input.mean.size() != d || !input.mean.allFinite()) {
    return Error{Code::kWrongLength, "There must be one finite mean for each feature.", "mean"};
  }
  std::vector<bool> taken(static_cast<std::size_t>(d), false);
  if (const Status wrong = checkView(input.targets, "targets", taken)) return wrong;
  if (const Status wrong = checkView(input.features, "features", taken)) return wrong;
  return checkComponents(input.components, static_cast<Index>(input.features.size()));
}

/// The state of SIMPLS, in standard deviations.
class Simpls {
 public:
  explicit Simpls(const PlsRegressionInput& input)
      : pair_(input, input.features, input.targets),
        rows_(input.rows),
        within_(pair_.within(0)),
        within_targets_(pair_.within(1)),
        cross_(pair_.cleanCross()),
        left_(cross_),
        free_(MatrixXd::Identity(within_.rows(), within_.rows())),
        fitted_(zeros(within_.rows(), cross_.cols())),
        explained_(VectorXd::Zero(cross_.cols())) {}

  const StandardisedPair& pair() const { return pair_; }
  const MatrixXd& within() const { return within_; }

  /// Coefficients of the components that were used, and the share of each target they explain.
  const MatrixXd& fitted() const { return fitted_; }
  const VectorXd& explained() const { return explained_; }

  struct Step {
    VectorXd weights;  ///< of a score of variance 1; 0 if nothing is left
    VectorXd targets;  ///< covariances of the targets with the score
    double value = 0;
    double floor = 0;
  };

  Step next() {
    Step step{VectorXd::Zero(within_.rows()), VectorXd::Zero(cross_.cols())};
    if (!isNoiseless(pair_.views().noise())) step.floor = floor();
    const SingularPairs found = singularPairs(left_);
    if (first_ == 0) first_ = found.values[0];
    if (found.values[0] <= kRoundingOfPls * first_) return step;
    const VectorXd direction = isLargestNegative(found.left.col(0)) ? VectorXd(-found.left.col(0))
                                                                    : VectorXd(found.left.col(0));
    const VectorXd along = within_ * direction;
    const double variance = direction.dot(along);
    if (variance <= kNoVariance) return step;
    step.value = found.values[0];
    step.weights = direction / std::sqrt(variance);
    step.targets = cross_.transpose() * step.weights;
    deflate(along);
    return step;
  }

  void use(const Step& step) {
    fitted_ += step.weights * step.targets.transpose();
    for (Index j = 0; j < explained_.size(); ++j) {
      if (within_targets_(j, j) <= 0) continue;
      explained_[j] += step.targets[j] * step.targets[j] / within_targets_(j, j);
    }
    explained_ = explained_.cwiseMin(1.0);
  }

  /// The standard deviations left of standard deviations that may have been raised.
  double deviation(int v, Index i) const {
    return std::sqrt(std::max(0.0, v == 0 ? within_(i, i) : within_targets_(i, i)));
  }

 private:
  /// Takes the span of another vector of loadings out of what is left.
  void deflate(const VectorXd& loadings) {
    VectorXd unit = free_ * loadings;
    if (unit.squaredNorm() <= kNoVariance * loadings.squaredNorm()) return;
    unit.normalize();
    unit = (free_ * unit).normalized();
    free_ -= unit * unit.transpose();
    left_ -= unit * (unit.transpose() * left_);
  }

  double floor() const {
    const MatrixXd axes = multiply(pair_.x().axes, free_);
    const MatrixXd coefficients = multiply(pair_.x().axes, fitted_);
    double most = 0;
    for (Index j = 0; j < coefficients.cols(); ++j) {
      const double own = pair_.y().axes.col(j).squaredNorm();
      if (own > 0) most = std::max(most, coefficients.col(j).squaredNorm() / own);
    }
    const NoiseLaw& noise = pair_.views().noise();
    const double ratio = noise.off_diagonal > 0 ? noise.diagonal / noise.off_diagonal : 1;
    const double times = std::sqrt(1 + std::max(1.0, ratio * ratio) * most);
    const std::vector<MatrixXd> whiteners{axes, times * pair_.y().axes};
    const double of_noise = SharedNoise(pair_.views(), whiteners).floorOfLeading();
    MatrixXd residuals = within_targets_;
    const VectorXd rest = (1 - explained_.array()).sqrt();
    residuals = rest.asDiagonal() * residuals * rest.asDiagonal();
    const MatrixXd block = multiply(multiply(free_, within_), free_);
    return std::hypot(of_noise, StandardisedPair::sampled(block, residuals, rows_));
  }

  StandardisedPair pair_;
  double rows_;
  MatrixXd within_;
  MatrixXd within_targets_;
  MatrixXd cross_;
  MatrixXd left_;  ///< of `cross_`, after deflation
  MatrixXd free_;  ///< projection onto the space without the loadings so far
  MatrixXd fitted_;
  VectorXd explained_;
  double first_ = 0;
};

/// The mean of squared loadings over features with variance.
double meanSquare(const VectorXd& loadings, double features) {
  return std::min(1.0, loadings.squaredNorm() / std::max(1.0, features));
}

/// Fills in coefficients and what they explain.
void predict(const PlsRegressionInput& input, const Simpls& fit, PlsRegression& result) {
  const VectorXd& units = fit.pair().y().units;
  result.coefficients = fit.pair().inOriginalUnits(0, fit.fitted()) * units.asDiagonal();
  result.intercepts =
      input.mean(input.targets) - result.coefficients.transpose() * input.mean(input.features);
  result.r2 = fit.explained();
  result.residual_sd.resize(units.size());
  for (Index j = 0; j < units.size(); ++j) {
    result.residual_sd[j] = units[j] * fit.deviation(1, j) * std::sqrt(1 - result.r2[j]);
  }
}

}  // namespace

Result<PlsCorrelation> plsCorrelation(const PlsCorrelationInput& input) {
  if (const Status wrong = checkPlsCorrelation(input)) return *wrong;
  if (hasNeedlessFrame(input)) return plsCorrelation(withoutFrame(input));
  const StandardisedPair pair(input, input.x, input.y);
  const Views& views = pair.views();
  const std::vector<MatrixXd> axes{pair.x().axes, pair.y().axes};
  const SharedNoise noise(views, axes);
  const MatrixXd cross = pair.noisyCross();
  const MatrixXd of_x = pair.within(0);
  const MatrixXd of_y = pair.within(1);
  const SingularPairs found = singularPairs(cross);
  const double sampled = StandardisedPair::sampled(of_x, of_y, input.rows);
  const int k = input.components;

  PlsCorrelation result;
  result.hidden = pair.hidden();
  result.noise_floor = std::hypot(noise.floorOfLeading(), sampled);
  result.saliences_x = zeros(cross.rows(), k);
  result.saliences_y = zeros(cross.cols(), k);
  result.x = {result.saliences_x, result.saliences_x};
  result.y = {result.saliences_y, result.saliences_y};
  double before = std::sqrt(static_cast<double>(cross.size()));
  double squares = 0;
  for (Index j = 0; j < k; ++j) {
    PlsPair& own = result.pairs.emplace_back();
    own.below_noise_floor = true;
    if (j >= found.values.size() || found.values[j] <= kRoundingOfPls * found.values[0]) continue;
    const double sign = isLargestNegative(found.left.col(j)) ? -1 : 1;
    const VectorXd left = sign * found.left.col(j);
    const VectorXd right = sign * found.right.col(j);
    const SharedNoise::Level level =
        noise.level({left / std::numbers::sqrt2, right / std::numbers::sqrt2}, found.values[j]);
    own.value = std::min(before, found.values[j] * level.denoised);
    own.noise_floor = std::hypot(own.value * level.floor / level.shown, sampled);
    own.below_noise_floor = own.value <= own.noise_floor;
    before = own.value;
    squares += own.value * own.value;
    result.noise_floor = std::max(result.noise_floor, own.noise_floor);
    const double variances = left.dot(of_x * left) * right.dot(of_y * right);
    if (variances > 0) own.correlation = std::min(1.0, own.value / std::sqrt(variances));
    result.saliences_x.col(j) = left;
    result.saliences_y.col(j) = right;
    fillScore(pair, 0, of_x, left, j, result.x);
    fillScore(pair, 1, of_y, right, j, result.y);
  }
  const double noisy = views.productNoise() * axes[0].norm() * axes[1].norm();
  const double total = std::max(squares, cross.squaredNorm() - noisy * noisy);
  for (PlsPair& own : result.pairs) own.share = total > 0 ? own.value * own.value / total : 0;
  return result;
}

Result<PlsRegression> plsRegression(const PlsRegressionInput& input) {
  if (const Status wrong = checkPlsRegression(input)) return *wrong;
  if (hasNeedlessFrame(input)) return plsRegression(withoutFrame(input));
  Simpls fit(input);
  const auto p = static_cast<Index>(input.features.size());
  const auto m = static_cast<Index>(input.targets.size());
  PlsRegression result;
  result.hidden = fit.pair().hidden();
  result.features = {zeros(p, input.components), zeros(p, input.components)};
  result.target_loadings = zeros(m, input.components);
  for (Index j = 0; j < input.components; ++j) {
    const Simpls::Step step = fit.next();
    if (j == 0) result.noise_floor = step.floor;
    fillScore(fit.pair(), 0, fit.within(), step.weights, j, result.features);
    for (Index i = 0; i < m; ++i) {
      const double sd = fit.deviation(1, i);
      if (sd > 0) result.target_loadings(i, j) = std::clamp(step.targets[i] / sd, -1.0, 1.0);
    }
    PlsComponent& own = result.components.emplace_back();
    own.value = step.value;
    own.noise_floor = step.floor;
    own.below_noise_floor = result.used < j || step.value <= step.floor;
    own.share_features =
        meanSquare(result.features.loadings.col(j), fit.pair().views().varyingFeatures(0));
    own.share_targets =
        meanSquare(result.target_loadings.col(j), fit.pair().views().varyingFeatures(1));
    if (own.below_noise_floor) continue;
    fit.use(step);
    ++result.used;
  }
  predict(input, fit, result);
  return result;
}

}  // namespace pm
