#include "core/analysis/methods/factors.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/checks.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostNewtonSteps = 200;
constexpr int kMostHalvings = 40;

/// Newton's method ends where no uniqueness could lower the residual by a steeper slope.
constexpr double kLeastSlope = 1e-10;

/// Share of the promised decrease that a step must achieve.
constexpr double kAchieved = 1e-4;

/// Least curvature, relative to the largest, and least distance of eigenvalues for the curvature.
constexpr double kLeastCurvature = 1e-8;
constexpr double kLeastDistance = 1e-8;

/// For the first uniquenesses: least eigenvalue of the correlations that are inverted.
constexpr double kLeastForStart = 0.05;

/// Uniquenesses closer than this to their bound are at it.
constexpr double kAtBound = 1e-9;

/// The least-squares fit of factors at given uniquenesses.
class FactorFit {
 public:
  FactorFit(const MatrixXd& correlations, const VectorXd& uniquenesses, int factors)
      : reduced_(spectrum(reduce(correlations, uniquenesses))) {
    while (kept_ < factors && reduced_.values[kept_] > 0) ++kept_;
  }

  /// Half of the sum of squares of the residual.
  double residual() const { return rest().squaredNorm() / 2; }

  VectorXd slope() const { return -multiply(restVectors().cwiseAbs2(), MatrixXd(rest())).col(0); }

  MatrixXd curvature() const {
    const MatrixXd vectors = restVectors();
    MatrixXd result = multiplyByTranspose(vectors).cwiseAbs2();
    for (Index m = 0; m < kept_; ++m) {
      MatrixXd scaled = vectors;
      for (Index j = 0; j < vectors.cols(); ++j) {
        const double distance = rest()[j] - reduced_.values[m];
        scaled.col(j) *= distance < -kLeastDistance ? 2 * rest()[j] / distance : 0.0;
      }
      const VectorXd own = reduced_.vectors.col(m);
      result += own.asDiagonal() * multiply(scaled, transposed(vectors)) * own.asDiagonal();
    }
    return result;
  }

  /// p x factors; columns of zeros for factors without a positive eigenvalue.
  MatrixXd loadings(int factors) const {
    MatrixXd result = zeros(reduced_.vectors.rows(), factors);
    for (Index j = 0; j < kept_; ++j) {
      result.col(j) = std::sqrt(reduced_.values[j]) * reduced_.vectors.col(j);
    }
    return result;
  }

 private:
  static MatrixXd reduce(MatrixXd correlations, const VectorXd& uniquenesses) {
    correlations.diagonal() -= uniquenesses;
    return correlations;
  }

  VectorXd rest() const { return reduced_.values.tail(reduced_.values.size() - kept_); }
  MatrixXd restVectors() const {
    return reduced_.vectors.rightCols(reduced_.values.size() - kept_);
  }

  Spectrum reduced_;
  Index kept_ = 0;
};

/// The step of Newton's method for the features that are free to move.
VectorXd newtonStep(const FactorFit& fit, const VectorXd& slope,
                    const std::vector<Index>& movable) {
  const auto count = static_cast<Index>(movable.size());
  const MatrixXd curvature = fit.curvature();
  MatrixXd own(count, count);
  MatrixXd down(count, 1);
  for (Index i = 0; i < count; ++i) {
    const Index row = movable[static_cast<std::size_t>(i)];
    down(i, 0) = -slope[row];
    for (Index j = 0; j < count; ++j) {
      own(i, j) = curvature(row, movable[static_cast<std::size_t>(j)]);
    }
  }
  const Spectrum found = spectrum(own);
  const double least = kLeastCurvature * std::max(found.values.cwiseAbs().maxCoeff(), 1e-8);
  MatrixXd along = multiplyTransposed(found.vectors, down);
  for (Index j = 0; j < count; ++j) along(j, 0) /= std::max(std::abs(found.values[j]), least);
  const MatrixXd step = multiply(found.vectors, along);
  VectorXd result = VectorXd::Zero(slope.size());
  for (Index i = 0; i < count; ++i) result[movable[static_cast<std::size_t>(i)]] = step(i, 0);
  return result;
}

/// Communalities begin at a share of the squared multiple correlations, as in R's factanal.
VectorXd firstUniquenesses(const MatrixXd& correlations, int factors) {
  Spectrum found = spectrum(correlations);
  found.values = found.values.cwiseMax(kLeastForStart).cwiseInverse();
  const double part = 1 - 0.5 * factors / static_cast<double>(correlations.rows());
  return (part * compose(found).diagonal().cwiseInverse().array()).max(kLeastUniqueness).min(1.0);
}

VectorXd fittedUniquenesses(const MatrixXd& correlations, int factors) {
  VectorXd now = firstUniquenesses(correlations, factors);
  FactorFit fit(correlations, now, factors);
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    const VectorXd slope = fit.slope();
    std::vector<Index> movable;
    double steepest = 0;
    for (Index i = 0; i < now.size(); ++i) {
      const bool is_held =
          (now[i] <= kLeastUniqueness && slope[i] >= 0) || (now[i] >= 1 && slope[i] <= 0);
      if (is_held) continue;
      movable.push_back(i);
      steepest = std::max(steepest, std::abs(slope[i]));
    }
    if (steepest <= kLeastSlope) break;
    const VectorXd direction = newtonStep(fit, slope, movable);
    const double before = fit.residual();
    bool has_moved = false;
    for (int halving = 0; halving < kMostHalvings && !has_moved; ++halving) {
      const double length = std::ldexp(1.0, -halving);
      const VectorXd next = (now + length * direction).array().max(kLeastUniqueness).min(1.0);
      FactorFit there(correlations, next, factors);
      if (there.residual() > before + kAchieved * slope.dot(next - now)) continue;
      has_moved = next != now;
      now = next;
      fit = std::move(there);
      if (!has_moved) break;
    }
    if (!has_moved) break;
  }
  return now;
}

/// The standard deviations of features, 0 for those without variance, and their correlations, with
/// 0 for these.
struct Standardised {
  VectorXd deviations;
  MatrixXd correlations;
};

Standardised standardised(const MatrixXd& covariance) {
  const Index p = covariance.rows();
  Standardised result{VectorXd::Zero(p), MatrixXd::Identity(p, p)};
  for (Index i = 0; i < p; ++i) {
    if (covariance(i, i) > kNoVariance) result.deviations[i] = std::sqrt(covariance(i, i));
  }
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double scale = result.deviations[i] * result.deviations[j];
      const double correlation = scale > 0 ? covariance(i, j) / scale : 0;
      result.correlations(i, j) = result.correlations(j, i) = std::clamp(correlation, -1.0, 1.0);
    }
  }
  return result;
}

/// The largest eigenvalue of correlations of unrelated features with these standard deviations; 0
/// without noise.
double eigenvalueFloor(const FactorInput& input, const VectorXd& deviations) {
  if (isNoiseless(input.noise)) return 0;
  const double per_row = static_cast<double>(deviations.size()) / input.rows;
  const double sampled = input.rows > 0 ? 2 * std::sqrt(per_row) + per_row : 0;
  const double most = deviations.maxCoeff();
  if (most <= 0) return 1 + sampled;
  NoisyCovariance standard = input;
  // Features without variance have no correlations that noise could change.
  const double without = 1e-6 / most;
  standard.frame.centre = VectorXd::Zero(deviations.size());
  standard.frame.units = deviations.unaryExpr(
      [&](double deviation) { return deviation > 0 ? 1 / deviation : without; });
  return 1 + std::hypot(varianceFloor(standard), sampled);
}

/// Puts the columns of `left` and `right` side by side.
MatrixXd beside(const MatrixXd& left, const MatrixXd& right) {
  MatrixXd result(left.rows(), left.cols() + right.cols());
  result << left, right;
  return result;
}

/// Variances that factors explain.
VectorXd explainedBy(const RotatedLoadings& loadings) {
  return loadings.pattern.cwiseProduct(loadings.structure).colwise().sum().transpose();
}

RotatedLoadings inOrder(const MatrixXd& loadings, Rotation rotation, const MatrixXd& reported) {
  RotatedLoadings found = rotated(loadings, rotation);
  if (reported.size() > 0) {
    alignWith(reported, found);
  } else if (loadings.cols() > 0) {
    arrange(explainedBy(found), found);
  }
  return found;
}

/// Gives each column the sign with which it agrees with the reported one.
void signAs(const MatrixXd& reported, MatrixXd& loadings) {
  for (Index j = 0; j < loadings.cols(); ++j) {
    if (loadings.col(j).dot(reported.col(j)) < 0) loadings.col(j) *= -1;
  }
}

}  // namespace

int mostFactors(int features) {
  int k = 0;
  const auto spare = [features](int factors) {
    const int rest = features - factors;
    return rest * rest - features - factors;
  };
  while (k + 1 < features && spare(k + 1) >= 0) ++k;
  return k;
}

Status checkFactors(const FactorInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return wrong;
  const int most = mostFactors(static_cast<int>(input.covariance.rows()));
  if (input.factors >= 1 && input.factors <= most) return {};
  const std::string p = std::to_string(input.covariance.rows());
  return Error{Code::kInvalidComponents,
               most == 0 ? "Factor analysis needs at least three features."
                         : "The factors of " + p + " features must be between 1 and " +
                               std::to_string(most) + ".",
               "factors"};
}

Result<FactorAnalysis> factorAnalysis(const FactorInput& input) {
  if (const Status wrong = checkFactors(input)) return *wrong;
  return findFactors(input);
}

FactorAnalysis findFactors(const FactorInput& input, const FactorAnalysis* reported) {
  const Index p = input.covariance.rows();
  const int k = input.factors;
  const MatrixXd clean = denoised(input.covariance, input.noise, input.trace_bound);
  const auto [deviations, correlations] = standardised(input.frame.mixed(clean));
  FactorAnalysis result;
  result.noise_floor = eigenvalueFloor(input, deviations);
  const VectorXd values = eigenvalues(correlations).cwiseMax(0.0);
  while (result.rotated < k && values[result.rotated] > result.noise_floor) ++result.rotated;
  if (reported != nullptr) result.rotated = reported->rotated;

  result.uniquenesses = fittedUniquenesses(correlations, k);
  const MatrixXd loadings = FactorFit(correlations, result.uniquenesses, k).loadings(k);
  const Index m = result.rotated;
  const MatrixXd none;
  RotatedLoadings above = inOrder(loadings.leftCols(m), input.rotation,
                                  reported != nullptr ? reported->structure.leftCols(m) : none);
  RotatedLoadings below = inOrder(loadings.rightCols(k - m), Rotation::kNone, none);
  if (reported != nullptr) {
    signAs(reported->structure.rightCols(k - m), below.pattern);
    below.structure = below.pattern;
  }
  result.pattern = beside(above.pattern, below.pattern);
  result.structure = beside(above.structure, below.structure);
  result.phi = MatrixXd::Identity(k, k);
  result.phi.topLeftCorner(m, m) = above.phi;
  result.communalities = result.pattern.cwiseProduct(result.structure).rowwise().sum();
  for (Index j = 0; j < k; ++j) {
    const double value = result.pattern.col(j).dot(result.structure.col(j));
    result.factors.push_back({value, value / static_cast<double>(p), values[j], j >= m});
  }
  for (Index i = 0; i < p; ++i) {
    if (result.uniquenesses[i] <= kLeastUniqueness + kAtBound) {
      result.heywood.push_back(static_cast<int>(i));
    }
  }

  // Scores: the model's correlations, L phi L^T + diag(u), inverted by way of the k factors.
  const MatrixXd model = multiply(result.structure, transposed(result.pattern));
  MatrixXd rest = correlations - model;
  rest.diagonal().setZero();
  result.residual =
      std::sqrt(rest.squaredNorm() / static_cast<double>(std::max<Index>(1, p * (p - 1))));
  MatrixXd whole = model;
  whole.diagonal() += result.uniquenesses;
  Spectrum inverse = spectrum(whole);
  inverse.values = inverse.values.cwiseMax(kLeastUniqueness).cwiseInverse();
  result.weights = multiply(compose(inverse), result.structure);
  result.deviations = deviations.cwiseProduct(input.half);
  for (Index i = 0; i < p; ++i) {
    const double unit = result.deviations[i];
    result.weights.row(i) *= unit > 0 ? 1 / unit : 0;
  }
  return result;
}

}  // namespace pm
