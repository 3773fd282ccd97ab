#include "core/analysis/methods/regression.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/methods/indicators.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/checks.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/normal.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Standard deviations of noise in a floor.
constexpr double kFloorSds = 2;

/// R^2 is kept this far from 0 and 1 on the scale of asin sqrt R^2.
constexpr double kNearlyZero = 1e-6;

Status checkInput(const RegressionInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return wrong;
  const Index d = input.covariance.rows();
  if (input.mean.size() != d) {
    return Error{Code::kWrongLength, "There must be one mean for each feature.", "mean"};
  }
  if (!input.mean.allFinite()) return Error{Code::kNotFinite, "A mean is not finite.", "mean"};
  if (!std::isfinite(input.alpha) || input.alpha < 0) {
    return Error{Code::kInvalidAlpha, "alpha must be finite and not negative.", "alpha"};
  }
  if (!(input.level >= 0 && input.level < 1)) {
    return Error{Code::kInvalidInterval, "The level must be between 0 and 1.", "level"};
  }
  if (input.gaps.excess.size() != 0 && input.gaps.excess.size() != d) {
    return Error{Code::kWrongLength, "There must be one excess for each feature.", "gaps"};
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

/// The fit in the k directions in which the predictors can vary, target last; units of z. V
/// diag(inverse) V^T is the regularised inverse of the predictors' block.
class Fit {
 public:
  /// @param joint   (k+1) x (k+1), noisy
  /// @param parts   the parts of its noise
  /// @param lengths w_x = lengths w, k columns; empty if |w_x| = |w|
  /// @param clipped what clipping may have added to the covariances with the target, k
  Fit(const MatrixXd& joint, const NoiseLaw& noise, NoiseParts parts, double alpha, double rows,
      const MatrixXd& lengths, const VectorXd& clipped)
      : noise_(noise),
        parts_(std::move(parts)),
        rows_(rows),
        k_(joint.rows() - 1),
        variance_(joint(k_, k_)) {
    edge_ = spectralEdge(noise, static_cast<int>(k_));
    if (lengths.size() == 0 || alpha == 0) {
      Spectrum decomposed = spectrum(joint.topLeftCorner(k_, k_));
      directions_ = std::move(decomposed.vectors);
      eigenvalues_ = std::move(decomposed.values);
      invert(VectorXd::Constant(k_, 2 * alpha));
    } else {
      penaliseUnequally(joint.topLeftCorner(k_, k_),
                        2 * alpha * multiplyTransposed(lengths, lengths));
    }

    means_ = multiplyTransposed(directions_, parts_.means.topRows(k_));
    along_ = multiplyTransposed(directions_, joint.topRightCorner(k_, 1));
    amounts_ = inverse_.cwiseProduct(along_);
    weights_ = directions_ * amounts_;
    clipped_ = directions_.transpose() * clipped;
    explain();
  }

  const VectorXd& weights() const { return weights_; }
  const MatrixXd& directions() const { return directions_; }
  double explained() const { return explained_; }
  double variance() const { return std::max(0.0, variance_); }
  double r2() const { return variance_ > 0 ? explained_ / variance_ : 0; }

  /// The share of an unrelated target's variance that is explained: the part of the mean that is
  /// not subtracted from R^2 (noise in hidden directions, sampling), plus two sds. What clipping
  /// may have added to the covariances counts besides, at worst along the noise.
  double floorOfR2() const {
    if (isNoiseless(noise_)) return 0;
    if (variance_ <= kFloorSds * noise_.diagonal) return 1;
    // The covariance of `along_` is diag(own) + cross means means'.
    const double cross = noiseInCross();
    double left = 0;
    double squares = 0;
    double mixed = 0;
    MatrixXd levers = MatrixXd::Zero(means_.cols(), means_.cols());
    for (Index i = 0; i < k_; ++i) {
      const double sampled = rows_ > 0 ? std::max(0.0, eigenvalues_[i]) * variance_ / rows_ : 0;
      const double own = gains_[i] * (cross + sampled);
      const double mean = gains_[i] * cross * means_.row(i).squaredNorm();
      left += gains_[i] * sampled + (hidden(i) ? gains_[i] * cross + mean : 0);
      squares += own * own;
      mixed += own * mean;
      levers += gains_[i] * cross * means_.row(i).transpose() * means_.row(i);
    }
    const double sd = std::sqrt(2 * (squares + levers.squaredNorm()) + 4 * mixed);
    const double clipped = gains_.dot(clipped_.cwiseAbs2());
    const double roots = std::sqrt(left + kFloorSds * sd) + std::sqrt(std::max(0.0, clipped));
    return std::min(1.0, roots * roots / variance_);
  }

  /// The length of the part of each row of `features` (k) in hidden directions.
  VectorXd hiddenPart(const MatrixXd& features) const {
    const MatrixXd loadings = multiply(features, directions_);
    VectorXd squares = VectorXd::Zero(features.rows());
    for (Index i = 0; i < k_; ++i) {
      if (hidden(i)) squares += loadings.col(i).cwiseAbs2();
    }
    return squares.cwiseSqrt();
  }

  /// The largest possible weight of a hidden direction of variance `edge`.
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

  /// Covariance of (E u)_A for the noise E, u = (-w, 1). With the noise of the means as other rows,
  /// E u = s T N T^T u, T = (-t, I).
  MatrixXd noiseOfResidual() const {
    const double means = std::sqrt(noiseInCross());
    const MatrixXd t = parts_.means.topRows(k_);
    MatrixXd root(k_, 1 + t.cols());
    root.col(0) = parts_.products * (t * leverOfResidual() - weights_);
    root.rightCols(t.cols()) = means * t;
    MatrixXd covariance = multiplyByTranspose(root);
    const double excess = std::pow(noise_.diagonal, 2) - 2 * std::pow(noise_.off_diagonal, 2);
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

  /// Gradient G of R^2: R^2 changes by tr(G E) if the joint covariance changes by E.
  MatrixXd gradientOfR2() const {
    VectorXd pull = VectorXd::Zero(k_);  // nonzero with a ridge, which is not at the maximum
    for (Index i = 0; i < k_; ++i) {
      if (hidden(i)) continue;
      pull[i] = inverse_[i] * (along_[i] - eigenvalues_[i] * amounts_[i]);
      if (mixed_.size() != 0) pull[i] += inverse_[i] * mixed_.col(i).dot(amounts_);
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
           2 * std::pow(noise_.off_diagonal, 2) * (gradient.squaredNorm() - diagonal);
  }

  /// Share of the target's variance that hidden directions explain if their weights are as large as
  /// others.
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

  /// The block B with a penalty that is not the same in all directions: eigenvectors are those of B
  /// + penalty, where neither of the two is diagonal. Of the penalty the diagonal is taken off the
  /// eigenvalues, and what is mixed only counts where directions meet.
  void penaliseUnequally(const MatrixXd& block, const MatrixXd& penalty) {
    Spectrum decomposed = spectrum(block + penalty);
    directions_ = std::move(decomposed.vectors);
    mixed_ = multiply(multiplyTransposed(directions_, penalty), directions_);
    const VectorXd own = mixed_.diagonal();
    mixed_.diagonal().setZero();
    eigenvalues_ = decomposed.values - own;
    invert(own);
  }

  /// @param penalties k
  void invert(const VectorXd& penalties) {
    const double least = leastVariance(eigenvalues_[0]);
    inverse_.resize(k_);
    for (Index i = 0; i < k_; ++i) {
      const double penalised = eigenvalues_[i] + penalties[i];
      hidden_.push_back(edge_ > 0 && penalised <= edge_);
      if (hidden(i)) {
        inverse_[i] = 1 / (2 * edge_);
      } else {
        inverse_[i] = edge_ == 0 && eigenvalues_[i] <= least ? 0 : 1 / penalised;
      }
    }
  }

  /// t^T u: the entries of u for the means.
  VectorXd leverOfResidual() const {
    const MatrixXd& t = parts_.means;
    return t.row(k_).transpose() - t.topRows(k_).transpose() * weights_;
  }

  /// Variance v of an entry of (E u)_A without its own diagonal entry: s^2 |u|^2, where |u|^2
  /// includes the entry for the means and excludes the contribution of noise, v sum inverse^2.
  double noiseInCross() const {
    const double square = std::pow(parts_.products, 2);
    double added = 0;
    for (Index i = 0; i < k_; ++i) {
      if (hidden(i)) continue;
      added += square * inverse_[i] * inverse_[i] * (1 + means_.row(i).squaredNorm());
    }
    const double length = 1 + weights_.squaredNorm() + leverOfResidual().squaredNorm();
    return square * std::max(1.0, length / (1 + added));
  }

  void explain() {
    gains_.resize(k_);
    double sum = 0;
    gains_in_sight_ = 0;
    for (Index i = 0; i < k_; ++i) {
      const double f = inverse_[i];
      gains_[i] = f * (2 - f * std::max(0.0, eigenvalues_[i]));
      sum += gains_[i] * along_[i] * along_[i];
      if (!hidden(i)) gains_in_sight_ += gains_[i] * (1 + means_.row(i).squaredNorm());
    }
    if (mixed_.size() != 0) sum += amounts_.dot(mixed_ * amounts_);
    explained_ = std::clamp(sum - noiseInCross() * gains_in_sight_, 0.0, variance());
  }

  NoiseLaw noise_;
  NoiseParts parts_;
  double rows_;
  Index k_;
  double variance_;
  double edge_ = 0;
  MatrixXd directions_;
  VectorXd eigenvalues_;  ///< variances of the directions
  MatrixXd mixed_;        ///< k x k: a penalty's entries between directions; empty if it has none
  std::vector<bool> hidden_;
  VectorXd inverse_;
  MatrixXd means_;    ///< the columns t in each direction
  VectorXd along_;    ///< covariance of each direction with the target
  VectorXd clipped_;  ///< what clipping may have added to that
  VectorXd amounts_;  ///< weight of each direction
  VectorXd weights_;
  VectorXd gains_;  ///< explained = sum gains along^2
  double gains_in_sight_ = 0;
  double explained_ = 0;
};

/// What gaps add to the sampling error E of a covariance (`GapSampling`), to first order in it.
class GapErrors {
 public:
  /// @param covariance d x d, of the features
  /// @param excess     d
  GapErrors(MatrixXd covariance, VectorXd excess, double rows)
      : c_(std::move(covariance)), excess_(std::move(excess)), rows_(rows) {}

  /// d x d, the covariance of E u.
  MatrixXd ofProduct(const VectorXd& u) const {
    const Index d = c_.rows();
    MatrixXd result = MatrixXd::Zero(d, d);
    const VectorXd cu = multiply(c_, u).col(0);
    for (Index i = 0; i < d; ++i) {
      // E is w in row and column i, w of the covariance q_i (C_ii C + c_i c_i^T).
      const VectorXd own = c_.col(i);
      const VectorXd with = excess_[i] * (own[i] * cu + cu[i] * own);
      const double square = u[i] * u[i] * excess_[i];
      for (Index b = 0; b < d; ++b) {
        if (b == i) continue;
        for (Index a = 0; a < d; ++a) {
          if (a != i) result(a, b) += square * (own[i] * c_(a, b) + own[a] * own[b]);
        }
        result(b, i) += u[i] * with[b];
        result(i, b) += u[i] * with[b];
        const double pair = ofPair(i, b);
        result(i, i) += pair * u[b] * u[b];
        result(i, b) += pair * u[i] * u[b];
      }
      result(i, i) += u.dot(with);
    }
    return result / rows_;
  }

  /// The variance of tr(G E), G symmetric.
  double along(const MatrixXd& gradient) const {
    double variance = 0;
    for (Index i = 0; i < c_.rows(); ++i) {
      VectorXd pull = 2 * gradient.col(i);
      pull[i] /= 2;
      const double own = multiply(c_, pull).col(0).dot(pull);
      variance += excess_[i] * (c_(i, i) * own + std::pow(c_.col(i).dot(pull), 2));
      for (Index j = 0; j < i; ++j) variance += 4 * std::pow(gradient(i, j), 2) * ofPair(i, j);
    }
    return variance / rows_;
  }

 private:
  double ofPair(Index i, Index j) const {
    return excess_[i] * excess_[j] * (c_(i, i) * c_(j, j) + c_(i, j) * c_(i, j));
  }

  MatrixXd c_;
  VectorXd excess_;
  double rows_;
};

/// One unit of the i-th predictor's weight for z in original units.
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

/// From weights of the directions to those of the predictors in scaled units per unit of the
/// target's z; empty without a frame, where that keeps lengths.
MatrixXd lengthsOf(const RegressionInput& input, const MatrixXd& spread) {
  if (input.frame.isIdentity()) return {};
  return input.frame.units(input.features).cwiseInverse().asDiagonal() * spread;
}

/// Variance of each predictor's weight if (E u)_A has this covariance.
VectorXd variancesOfWeights(const MatrixXd& solver, const MatrixXd& of_residual) {
  return multiply(solver, of_residual).cwiseProduct(solver).rowwise().sum();
}

/// For which the interval of level 1 - p ends at 0: half of it is hypot(z sd, z s) with the sd of
/// the weight and s^2 = `hidden`, or hypot(z sd, most) if `most` is not negative.
double pValueOfWeight(double weight, double variance, double hidden, double most) {
  const double size = std::sqrt(std::max(0.0, weight * weight - std::max(0.0, most) * most));
  const double sd = std::sqrt(variance + (most < 0 ? hidden : 0));
  if (sd <= 0) return size > 0 ? 0 : 1;
  return 2 * normalBelow(-size / sd);
}

/// The sampling errors of a fit, to first order: the covariance of (E u)_A, and the variance of
/// R^2.
struct SamplingErrors {
  MatrixXd of_residual;
  double of_r2 = 0;
};

/// @param basis p x k, the predictors' varying directions
/// @param sigma (k+1) x (k+1), in them
SamplingErrors samplingErrors(const RegressionInput& input, const Fit& fit, const MatrixXd& basis,
                              const MatrixXd& sigma) {
  const bool has_gaps = input.gaps.excess.size() > 0;
  const double rows = has_gaps ? input.gaps.rows : input.rows;
  const MatrixXd gradient = fit.gradientOfR2();
  const MatrixXd spread = multiply(gradient, sigma);
  SamplingErrors errors{fit.samplingOfResidual(sigma, rows),
                        2 * traceOfProduct(spread, spread.transpose()) / rows};
  if (!has_gaps) return errors;
  const Index p = basis.rows();
  const Index k = basis.cols();
  MatrixXd whole = MatrixXd::Zero(p + 1, k + 1);  // the basis, target last
  whole.topLeftCorner(p, k) = basis;
  whole(p, k) = 1;
  VectorXd excess(p + 1);
  excess << input.gaps.excess(input.features), input.gaps.excess[input.target];
  const MatrixXd back = transposed(whole);
  const GapErrors gaps(multiply(multiply(whole, sigma), back), excess, rows);
  VectorXd u(k + 1);
  u << -fit.weights(), 1;
  const MatrixXd added = gaps.ofProduct(multiply(whole, u).col(0));
  errors.of_residual += multiply(multiply(back, added), whole).topLeftCorner(k, k);
  errors.of_r2 += gaps.along(multiply(multiply(whole, gradient), back));
  return errors;
}

void findIntervals(const RegressionInput& input, const MatrixXd& joint, const Fit& fit,
                   const MatrixXd& basis, const MatrixXd& solver, const VectorXd& noise_variances,
                   const VectorXd& hidden_part, Regression& result) {
  const double z = normalReach(input.level);
  const MatrixXd sigma = denoised(joint, input.noise, input.trace_bound);
  const SamplingErrors sampling = samplingErrors(input, fit, basis, sigma);
  const VectorXd variances = noise_variances + variancesOfWeights(solver, sampling.of_residual);
  for (std::size_t i = 0; i < result.coefficients.size(); ++i) {
    RegressionFigure& figure = result.coefficients[i];
    const auto j = static_cast<Index>(i);
    const double hidden =
        figure.below_noise_floor ? fit.mostHidden() : z * std::sqrt(fit.usualSquare());
    const double reach =
        unitOf(input, i) * std::hypot(z * std::sqrt(variances[j]), hidden * hidden_part[j]);
    figure.low = figure.value - reach;
    figure.high = figure.value + reach;
    figure.p = pValueOfWeight(figure.value / unitOf(input, i), variances[j],
                              fit.usualSquare() * hidden_part[j] * hidden_part[j],
                              figure.below_noise_floor ? fit.mostHidden() * hidden_part[j] : -1);
  }
  // A target whose variance is lost in the noise may be explained altogether.
  if (result.r2.noise_floor >= 1) result.r2.high = 1;
  if (fit.variance() <= 0) return;

  const double hidden = fit.hiddenShare(sigma);
  const double variance = fit.noiseAlong(fit.gradientOfR2()) + hidden * hidden + sampling.of_r2;
  const double optimism = (1 - fit.r2()) * fit.freedom() / input.rows;
  const double centre = std::clamp(fit.r2() - optimism + hidden, kNearlyZero, 1 - kNearlyZero);
  const double angle = std::asin(std::sqrt(centre));
  const double reach = z * std::sqrt(variance / (4 * centre * (1 - centre)));
  const auto share = [](double a) { return std::pow(std::sin(a), 2); };
  result.r2.low = std::min(fit.r2(), share(std::max(0.0, angle - reach)));
  const double high = share(std::min(std::asin(1.0), angle + reach));
  result.r2.high = std::max({fit.r2(), result.r2.high, high});
}

/// Predicts the mean of the target for all rows, and extends intervals to include 0.
void shrinkToMean(const RegressionInput& input, const Fit& fit, Regression& result) {
  const auto none = [](RegressionFigure& figure) {
    figure.value = 0;
    figure.below_noise_floor = true;
    figure.low = std::min(figure.low, 0.0);
    figure.high = std::max(figure.high, 0.0);
  };
  for (RegressionFigure& figure : result.coefficients) none(figure);
  none(result.r2);
  result.intercept = input.mean[input.target];
  result.residual_sd = std::sqrt(fit.variance()) * input.half[input.target];
}

}  // namespace

Result<Regression> regress(const RegressionInput& input) {
  if (const Status wrong = checkInput(input)) return *wrong;
  if (hasNeedlessFrame(input)) return regress(withoutFrame(input));
  const auto p = static_cast<Index>(input.features.size());
  const MatrixXd basis = varyingDirections(input.features, input.columns, input.frame);
  MatrixXd spread = basis;  // from weights of the directions to those of the predictors
  centreWeights(input.features, input.columns, input.frame, spread);
  const MatrixXd joint = jointOf(input, basis);
  NoiseParts parts = noiseParts(input);
  const MatrixXd along = multiplyTransposed(basis, parts.means(input.features, Eigen::all));
  MatrixXd varying(along.rows() + 1, along.cols());
  varying << along, parts.means.row(input.target);
  parts.means = std::move(varying);
  VectorXd clipped = VectorXd::Zero(basis.cols());
  if (input.centre_spread.size() != 0) {
    clipped = basis.transpose() * input.centre_spread(input.features, input.target);
  }
  const Fit fit(joint, input.noise, std::move(parts), input.alpha, input.rows,
                lengthsOf(input, spread), clipped);
  const MatrixXd solver = multiply(spread, fit.inverse());
  const VectorXd weights = spread * fit.weights();
  const VectorXd noise_variances = variancesOfWeights(solver, fit.noiseOfResidual());
  const VectorXd hidden_part = fit.hiddenPart(spread);

  Regression result;
  result.intercept = input.mean[input.target];
  for (Index i = 0; i < p; ++i) {
    const double unit = unitOf(input, static_cast<std::size_t>(i));
    RegressionFigure figure;
    figure.value = unit * weights[i];
    figure.noise_floor =
        unit * (kFloorSds * std::sqrt(noise_variances[i]) + fit.mostHidden() * hidden_part[i]);
    figure.below_noise_floor = std::fabs(figure.value) <= figure.noise_floor;
    result.coefficients.push_back(figure);
    result.intercept -= figure.value * input.mean[input.features[static_cast<std::size_t>(i)]];
  }
  result.r2.value = fit.r2();
  result.r2.noise_floor = fit.floorOfR2();
  result.r2.below_noise_floor = result.r2.value <= result.r2.noise_floor;
  result.residual_sd = std::sqrt(fit.variance() - fit.explained()) * input.half[input.target];
  if (input.level > 0) {
    findIntervals(input, joint, fit, basis, solver, noise_variances, hidden_part, result);
  }
  if (result.r2.below_noise_floor && !isNoiseless(input.noise)) shrinkToMean(input, fit, result);
  return result;
}

}  // namespace pm
