#include "core/analysis/regression.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/checks.hpp"
#include "core/analysis/denoise.hpp"
#include "core/analysis/indicators.hpp"
#include "core/analysis/normal.hpp"
#include "core/analysis/whitening.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Standard deviations of noise that a figure above its floor exceeds.
constexpr double kFloorSds = 2;

/// An R^2 nearer to 0 or 1 than this has no interval of its own on the scale of asin sqrt R^2.
constexpr double kNearlyZero = 1e-6;

Status checkInput(const RegressionInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return wrong;
  const Index d = input.covariance.rows();
  if (input.mean.size() != d) {
    return Error{Code::kWrongLength, "Expected one mean for each feature.", "mean"};
  }
  if (!input.mean.allFinite()) return Error{Code::kNotFinite, "A mean is not finite.", "mean"};
  if (!std::isfinite(input.alpha) || input.alpha < 0) {
    return Error{Code::kInvalidAlpha, "alpha must be finite and not negative.", "alpha"};
  }
  if (!(input.level >= 0 && input.level < 1)) {
    return Error{Code::kInvalidInterval, "The level must lie between 0 and 1.", "level"};
  }
  if (input.level > 0 && !(std::isfinite(input.rows) && input.rows >= 1)) {
    return Error{Code::kNoRows, "There must be at least one row.", "rows"};
  }
  std::vector<bool> taken(static_cast<std::size_t>(d), false);
  if (const Status wrong = checkView({input.target}, "target", taken)) return wrong;
  return checkView(input.features, "features", taken);
}

/// tr(A B) of symmetric matrices.
double traceOfProduct(const MatrixXd& a, const MatrixXd& b) { return a.cwiseProduct(b).sum(); }

/// The fit in the directions in which the predictors can vary, k of them, target last; scaled
/// units. Regularised inverse of the predictors' block, V diag(inverse) V^T.
class Fit {
 public:
  /// @param joint (k+1) x (k+1), noisy
  /// @param parts of its noise
  Fit(const MatrixXd& joint, const NoiseLaw& noise, NoiseParts parts, double alpha, double rows)
      : noise_(noise),
        parts_(std::move(parts)),
        rows_(rows),
        k_(joint.rows() - 1),
        variance_(joint(k_, k_)) {
    Spectrum decomposed = spectrum(joint.topLeftCorner(k_, k_));
    directions_ = std::move(decomposed.vectors);
    eigenvalues_ = std::move(decomposed.values);
    edge_ = spectralEdge(noise, static_cast<int>(k_));
    invert(alpha);

    means_ = multiplyTransposed(directions_, parts_.means.topRows(k_));
    along_ = multiplyTransposed(directions_, joint.topRightCorner(k_, 1));
    amounts_ = inverse_.cwiseProduct(along_);
    weights_ = directions_ * amounts_;
    explain();
  }

  const VectorXd& weights() const { return weights_; }
  const MatrixXd& directions() const { return directions_; }
  double explained() const { return explained_; }
  double variance() const { return std::max(0.0, variance_); }
  double r2() const { return variance_ > 0 ? explained_ / variance_ : 0; }

  /// What is explained of an unrelated target: its mean, of which noise in hidden directions and
  /// few rows were left in, and two sds; relative to the target's variance.
  double floorOfR2() const {
    if (isNoiseless(noise_)) return 0;
    if (variance_ <= kFloorSds * noise_.diagonal) return 1;
    // The covariance of `along_` is diag(own) + cross means means'.
    const double cross = noiseInCross();
    double left = 0;
    double squares = 0;
    double mixed = 0;
    double lever = 0;
    for (Index i = 0; i < k_; ++i) {
      const double sampled = rows_ > 0 ? std::max(0.0, eigenvalues_[i]) * variance_ / rows_ : 0;
      const double own = gains_[i] * (cross + sampled);
      const double mean = gains_[i] * cross * means_[i] * means_[i];
      left += gains_[i] * sampled + (hidden(i) ? gains_[i] * cross + mean : 0);
      squares += own * own;
      mixed += own * mean;
      lever += mean;
    }
    const double sd = std::sqrt(2 * (squares + lever * lever) + 4 * mixed);
    return std::min(1.0, (left + kFloorSds * sd) / variance_);
  }

  /// For each row of `features`, the part of it (k) that lies in hidden directions: its length.
  VectorXd hiddenPart(const MatrixXd& features) const {
    const MatrixXd loadings = multiply(features, directions_);
    VectorXd squares = VectorXd::Zero(features.rows());
    for (Index i = 0; i < k_; ++i) {
      if (hidden(i)) squares += loadings.col(i).cwiseAbs2();
    }
    return squares.cwiseSqrt();
  }

  /// Most that a hidden direction of variance `edge` can weigh.
  double mostHidden() const {
    return edge_ > 0 ? std::sqrt(std::max(noise_.diagonal, variance_ - explained_) / edge_) : 0;
  }

  /// Mean square weight of the directions that are not hidden.
  double usualSquare() const {
    double sum = 0;
    int count = 0;
    for (Index i = 0; i < k_; ++i) {
      if (hidden(i) || inverse_[i] == 0) continue;
      sum += amounts_[i] * amounts_[i];
      ++count;
    }
    return count > 0 ? sum / count : mostHidden() * mostHidden();
  }

  /// V diag(inverse) V^T.
  MatrixXd inverse() const {
    return multiply(directions_ * inverse_.asDiagonal(), directions_.transpose());
  }

  /// Covariance of (E u)_A for the noise E, u = (-w, 1). With the means' noise as a row more,
  /// E u = s T N T^T u, T = (-t, I).
  MatrixXd noiseOfResidual() const {
    const double means = std::sqrt(noiseInCross());
    const double lever = leverOfResidual();
    MatrixXd root(k_, 2);
    for (Index i = 0; i < k_; ++i) {
      root(i, 0) = parts_.products * (lever * parts_.means[i] - weights_[i]);
      root(i, 1) = means * parts_.means[i];
    }
    MatrixXd covariance = multiplyByTranspose(root);
    const double excess = std::pow(noise_.diagonal, 2) - 2 * std::pow(noise_.offDiagonal, 2);
    covariance.diagonal().array() += noiseInCross() + excess * weights_.array().square();
    return covariance;
  }

  /// The same for the sampling error of n normal rows with the joint covariance `sigma`.
  MatrixXd samplingOfResidual(const MatrixXd& sigma, double n) const {
    VectorXd u(k_ + 1);
    u << -weights_, 1;
    const VectorXd su = sigma * u;
    return (u.dot(su) * sigma.topLeftCorner(k_, k_) + su.head(k_) * su.head(k_).transpose()) / n;
  }

  /// Gradient G of R^2: it changes by tr(G E) when the joint covariance changes by E.
  MatrixXd gradientOfR2() const {
    VectorXd pull = VectorXd::Zero(k_);  // a ridge is not where more weight would explain no more
    for (Index i = 0; i < k_; ++i) {
      if (!hidden(i)) pull[i] = inverse_[i] * (along_[i] - eigenvalues_[i] * amounts_[i]);
    }
    pull = directions_ * pull;
    const VectorXd q = weights_ + 2 * pull;
    MatrixXd gradient(k_ + 1, k_ + 1);
    gradient.topLeftCorner(k_, k_) = -0.5 * (weights_ * q.transpose() + q * weights_.transpose());
    gradient.topRightCorner(k_, 1) = weights_ + pull;
    gradient.bottomLeftCorner(1, k_) = (weights_ + pull).transpose();
    gradient(k_, k_) = -r2();
    return gradient / variance_;
  }

  /// Variance of tr(G E) for the noise E.
  double noiseAlong(const MatrixXd& gradient) const {
    const double diagonal = gradient.diagonal().squaredNorm();
    return std::pow(noise_.diagonal, 2) * diagonal +
           2 * std::pow(noise_.offDiagonal, 2) * (gradient.squaredNorm() - diagonal);
  }

  /// Share of the target's variance that hidden directions explain if they weigh as much as others.
  double hiddenShare(const MatrixXd& sigma) const {
    double trace = 0;
    for (Index i = 0; i < k_; ++i) {
      const VectorXd direction = directions_.col(i);
      if (hidden(i)) trace += direction.dot(sigma.topLeftCorner(k_, k_) * direction);
    }
    return std::min(1 - r2(), usualSquare() * trace / variance_);
  }

  /// Effective number of predictors.
  double freedom() const {
    double sum = 0;
    for (Index i = 0; i < k_; ++i) {
      if (!hidden(i)) sum += std::max(0.0, eigenvalues_[i]) * inverse_[i];
    }
    return sum;
  }

 private:
  bool hidden(Index i) const { return hidden_[static_cast<std::size_t>(i)]; }

  void invert(double alpha) {
    const double least = leastVariance(eigenvalues_[0]);
    inverse_.resize(k_);
    for (Index i = 0; i < k_; ++i) {
      const double penalised = eigenvalues_[i] + 2 * alpha;
      hidden_.push_back(edge_ > 0 && penalised <= edge_);
      if (hidden(i)) {
        inverse_[i] = 1 / (2 * edge_);
      } else {
        inverse_[i] = edge_ == 0 && eigenvalues_[i] <= least ? 0 : 1 / penalised;
      }
    }
  }

  /// t^T u: the entry of u for the means.
  double leverOfResidual() const {
    double lever = parts_.means[k_];
    for (Index i = 0; i < k_; ++i) lever -= parts_.means[i] * weights_[i];
    return lever;
  }

  /// Variance v of an entry of (E u)_A but for its own diagonal entry: s^2 |u|^2, where |u|^2 is
  /// without what noise adds to it, v sum inverse^2, and has the entry for the means.
  double noiseInCross() const {
    const double square = std::pow(parts_.products, 2);
    double added = 0;
    for (Index i = 0; i < k_; ++i) {
      if (!hidden(i)) added += square * inverse_[i] * inverse_[i] * (1 + means_[i] * means_[i]);
    }
    const double length = 1 + weights_.squaredNorm() + std::pow(leverOfResidual(), 2);
    return square * std::max(1.0, length / (1 + added));
  }

  void explain() {
    gains_.resize(k_);
    double sum = 0;
    gainsInSight_ = 0;
    for (Index i = 0; i < k_; ++i) {
      const double f = inverse_[i];
      gains_[i] = f * (2 - f * std::max(0.0, eigenvalues_[i]));
      sum += gains_[i] * along_[i] * along_[i];
      if (!hidden(i)) gainsInSight_ += gains_[i] * (1 + means_[i] * means_[i]);
    }
    explained_ = std::clamp(sum - noiseInCross() * gainsInSight_, 0.0, variance());
  }

  NoiseLaw noise_;
  NoiseParts parts_;
  double rows_;
  Index k_;
  double variance_;
  double edge_ = 0;
  MatrixXd directions_;
  VectorXd eigenvalues_;
  std::vector<bool> hidden_;
  VectorXd inverse_;
  VectorXd means_;    ///< t of each direction
  VectorXd along_;    ///< covariance of each direction with the target
  VectorXd amounts_;  ///< weight of each direction
  VectorXd weights_;
  VectorXd gains_;  ///< explained = sum gains along^2
  double gainsInSight_ = 0;
  double explained_ = 0;
};

/// What one scaled unit of the i-th predictor's weight is in original units.
double unitOf(const RegressionInput& input, std::size_t i) {
  return input.half[input.target] / input.half[input.features[i]];
}

/// Covariance of predictors and target in the varying directions of the predictors.
MatrixXd jointOf(const RegressionInput& input, const MatrixXd& basis) {
  const Index k = basis.cols();
  const std::vector<int> target = {input.target};
  MatrixXd joint(k + 1, k + 1);
  joint.topLeftCorner(k, k) =
      multiply(multiplyTransposed(basis, input.covariance(input.features, input.features)), basis);
  joint.topRightCorner(k, 1) = multiplyTransposed(basis, input.covariance(input.features, target));
  joint.bottomLeftCorner(1, k) = joint.topRightCorner(k, 1).transpose();
  joint(k, k) = input.covariance(input.target, input.target);
  return joint;
}

/// Variance of each predictor's weight when (E u)_A has the given covariance.
VectorXd variancesOfWeights(const MatrixXd& solver, const MatrixXd& ofResidual) {
  return multiply(solver, ofResidual).cwiseProduct(solver).rowwise().sum();
}

void findIntervals(const RegressionInput& input, const MatrixXd& joint, const Fit& fit,
                   const MatrixXd& solver, const VectorXd& noiseVariances,
                   const VectorXd& hiddenPart, Regression& result) {
  const double z = normalReach(input.level);
  const MatrixXd sigma = denoised(joint, input.noise, input.traceBound);
  const VectorXd variances =
      noiseVariances + variancesOfWeights(solver, fit.samplingOfResidual(sigma, input.rows));
  for (std::size_t i = 0; i < result.coefficients.size(); ++i) {
    RegressionFigure& figure = result.coefficients[i];
    const auto j = static_cast<Index>(i);
    const double hidden =
        figure.belowNoiseFloor ? fit.mostHidden() : z * std::sqrt(fit.usualSquare());
    const double reach =
        unitOf(input, i) * std::hypot(z * std::sqrt(variances[j]), hidden * hiddenPart[j]);
    figure.low = figure.value - reach;
    figure.high = figure.value + reach;
  }
  if (fit.variance() <= 0) return;

  const double hidden = fit.hiddenShare(sigma);
  const MatrixXd gradient = fit.gradientOfR2();
  const MatrixXd spread = multiply(gradient, sigma);
  const double variance = fit.noiseAlong(gradient) + hidden * hidden +
                          2 * traceOfProduct(spread, spread.transpose()) / input.rows;
  const double optimism = (1 - fit.r2()) * fit.freedom() / input.rows;
  const double centre = std::clamp(fit.r2() - optimism + hidden, kNearlyZero, 1 - kNearlyZero);
  const double angle = std::asin(std::sqrt(centre));
  const double reach = z * std::sqrt(variance / (4 * centre * (1 - centre)));
  const auto share = [](double a) { return std::pow(std::sin(a), 2); };
  result.r2.low = std::min(fit.r2(), share(std::max(0.0, angle - reach)));
  result.r2.high = std::max(fit.r2(), share(std::min(std::asin(1.0), angle + reach)));
}

/// The mean of the target for all rows, and intervals that hold what it says.
void shrinkToMean(const RegressionInput& input, const Fit& fit, Regression& result) {
  const auto none = [](RegressionFigure& figure) {
    figure.value = 0;
    figure.belowNoiseFloor = true;
    figure.low = std::min(figure.low, 0.0);
    figure.high = std::max(figure.high, 0.0);
  };
  for (RegressionFigure& figure : result.coefficients) none(figure);
  none(result.r2);
  result.intercept = input.mean[input.target];
  result.residualSd = std::sqrt(fit.variance()) * input.half[input.target];
}

}  // namespace

Result<Regression> regress(const RegressionInput& input) {
  if (const Status wrong = checkInput(input)) return *wrong;
  const auto p = static_cast<Index>(input.features.size());
  const MatrixXd basis = varyingDirections(input.features, input.columns);
  const MatrixXd joint = jointOf(input, basis);
  NoiseParts parts = noiseParts(input);
  MatrixXd means(p, 1);
  for (Index i = 0; i < p; ++i) {
    means.data()[i] = parts.means[input.features[static_cast<std::size_t>(i)]];
  }
  const MatrixXd along = multiplyTransposed(basis, means);
  VectorXd varying(along.rows() + 1);
  std::copy_n(along.data(), along.rows(), varying.data());
  varying[along.rows()] = parts.means[input.target];
  parts.means = std::move(varying);
  const Fit fit(joint, input.noise, std::move(parts), input.alpha, input.rows);
  const MatrixXd solver = multiply(basis, fit.inverse());
  const VectorXd weights = basis * fit.weights();
  const VectorXd noiseVariances = variancesOfWeights(solver, fit.noiseOfResidual());
  const VectorXd hiddenPart = fit.hiddenPart(basis);

  Regression result;
  result.intercept = input.mean[input.target];
  for (Index i = 0; i < p; ++i) {
    const double unit = unitOf(input, static_cast<std::size_t>(i));
    RegressionFigure figure;
    figure.value = unit * weights[i];
    figure.noiseFloor =
        unit * (kFloorSds * std::sqrt(noiseVariances[i]) + fit.mostHidden() * hiddenPart[i]);
    figure.belowNoiseFloor = std::fabs(figure.value) <= figure.noiseFloor;
    result.coefficients.push_back(figure);
    result.intercept -= figure.value * input.mean[input.features[static_cast<std::size_t>(i)]];
  }
  result.r2.value = fit.r2();
  result.r2.noiseFloor = fit.floorOfR2();
  result.r2.belowNoiseFloor = result.r2.value <= result.r2.noiseFloor;
  result.residualSd = std::sqrt(fit.variance() - fit.explained()) * input.half[input.target];
  if (input.level > 0) {
    findIntervals(input, joint, fit, solver, noiseVariances, hiddenPart, result);
  }
  if (result.r2.belowNoiseFloor && !isNoiseless(input.noise)) shrinkToMean(input, fit, result);
  return result;
}

}  // namespace pm
