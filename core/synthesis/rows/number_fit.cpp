#include "core/synthesis/rows/number_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/synthesis/rows/censored.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kClose = 1e-11;
constexpr double kLeastDeviation = 1e-4;
constexpr int kFitSteps = 100;
constexpr int kNewtonSteps = 50;
constexpr int kHalvings = 12;
/// Steps that reduce the mismatch by less than this share are idle: the regression cannot be
/// matched more closely.
constexpr double kIdle = 1e-3;
constexpr int kIdleSteps = 3;
/// Maximum step of the logarithm of the deviation; latent means move by at most one deviation.
constexpr double kLargestStep = 0.5;
constexpr int kMostDirections = 30;
/// Penalty on moving the coefficients, relative to the mean slope: negligible, but without it they
/// would diverge if a scenario requires a mean outside the bounds.
constexpr double kTether = 1e-10;

/// a x. `multiply` packs a for a product with many columns, which is several times the work for
/// one.
VectorXd times(const MatrixXd& a, const VectorXd& x) {
  VectorXd result = VectorXd::Zero(a.rows());
  for (Index j = 0; j < a.cols(); ++j) {
    if (x[j] != 0) result += x[j] * a.col(j);
  }
  return result;
}

/// a^T x.
VectorXd transposedTimes(const MatrixXd& a, const VectorXd& x) {
  VectorXd result(a.cols());
  for (Index j = 0; j < a.cols(); ++j) result[j] = a.col(j).dot(x);
  return result;
}

}  // namespace

NumberFitter::NumberFitter(const VectorXd& weights, const MatrixXd& design)
    : weights_(weights), design_(design) {}

NumberFit NumberFitter::fit(const VectorXd& linear, double residual) {
  linear_ = linear;
  target_ = times(design_, linear);
  const double square = weights_.dot(target_.cwiseAbs2()) + residual * residual;
  NumberFit found{linear, std::max(residual, kLeastDeviation), 0};
  double low = std::log(kLeastDeviation);
  double high = std::log(kMostLatentDeviation);
  for (int step = 0; step < kFitSteps; ++step) {
    solve(found);
    found.missing = square - weights_.dot(square_);
    if (std::abs(found.missing) < kClose) break;
    const double at = std::log(found.deviation);
    (found.missing > 0 ? low : high) = at;
    if (high - low < kClose) break;
    // To keep the means, the coefficients must decrease by `lag` per unit of deviation.
    const VectorXd lag = divided(gather(mean_by_deviation_));
    const double slope =
        found.deviation * (weights_.dot(square_by_deviation_) - gather(square_by_mean_).dot(lag));
    const double newton = at + found.missing / slope;
    const double wanted = newton > low && newton < high ? newton : (low + high) / 2;
    const double next = std::clamp(wanted, at - kLargestStep, at + kLargestStep);
    // Keep the means nearly constant, as Newton's method does not recover once all of the law lies
    // outside one bound.
    found.coefficients -= found.deviation * std::expm1(next - at) * lag;
    found.deviation = std::exp(next);
  }
  return found;
}

void NumberFitter::measure(const VectorXd& coefficients, double deviation) {
  const VectorXd latent = times(design_, coefficients);
  const Index k = latent.size();
  for (VectorXd* each :
       {&mean_, &square_, &inside_, &mean_by_deviation_, &square_by_mean_, &square_by_deviation_}) {
    each->resize(k);
  }
  for (Index s = 0; s < k; ++s) {
    const CensoredMoments now = censoredMoments({latent[s], deviation});
    mean_[s] = now.mean;
    square_[s] = now.square;
    inside_[s] = now.inside;
    mean_by_deviation_[s] = now.mean_by_deviation;
    square_by_mean_[s] = now.square_by_mean;
    square_by_deviation_[s] = now.square_by_deviation;
  }
}

void NumberFitter::solve(NumberFit& fit) {
  measure(fit.coefficients, fit.deviation);
  double before = std::numeric_limits<double>::infinity();
  int idle = 0;
  for (int step = 0; step < kNewtonSteps; ++step) {
    const VectorXd missing = score(fit.coefficients);
    const double norm = missing.norm();
    idle = norm > (1 - kIdle) * before ? idle + 1 : 0;
    if (norm < kClose || idle == kIdleSteps) return;
    before = norm;
    VectorXd move = divided(missing);
    const double farthest = times(design_, move).cwiseAbs().maxCoeff();
    if (farthest > fit.deviation) move *= fit.deviation / farthest;
    for (int i = 0;; ++i) {
      measure(fit.coefficients + move, fit.deviation);
      if (score(fit.coefficients + move).norm() < norm) break;
      if (i == kHalvings) {
        measure(fit.coefficients, fit.deviation);
        return;
      }
      move /= 2;
    }
    fit.coefficients += move;
  }
}

double NumberFitter::tether() const { return kTether * std::max(1e-9, weights_.dot(inside_)); }

VectorXd NumberFitter::gather(const VectorXd& values) const {
  return transposedTimes(design_, values.cwiseProduct(weights_));
}

VectorXd NumberFitter::score(const VectorXd& coefficients) const {
  return gather(target_ - mean_) - tether() * (coefficients - linear_);
}

/// The inverse of the curvature times a vector.
VectorXd NumberFitter::divided(const VectorXd& by) const {
  const VectorXd slopes = weights_.cwiseProduct(inside_);
  VectorXd result = VectorXd::Zero(by.size());
  VectorXd rest = by;
  VectorXd direction = rest;
  double squares = rest.squaredNorm();
  const double enough = 1e-20 * squares;
  for (int i = 0; i < kMostDirections && squares > enough; ++i) {
    const VectorXd along =
        transposedTimes(design_, slopes.cwiseProduct(times(design_, direction))) +
        tether() * direction;
    const double step = squares / direction.dot(along);
    result += step * direction;
    rest -= step * along;
    const double before = squares;
    squares = rest.squaredNorm();
    direction = rest + squares / before * direction;
  }
  return result;
}

}  // namespace pm
