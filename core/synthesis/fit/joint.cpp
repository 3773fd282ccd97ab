#include "core/synthesis/fit/joint.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/matrix/spectrum.hpp"
#include "core/synthesis/rows/repair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double squares(const MatrixXd& matrix) {
  double sum = 0;
  for (const double x : matrix.reshaped()) sum += x * x;
  return sum;
}

// The share of noise in a squared distance; 1 if the distance is no larger than the noise.
double shareOf(double noise, double distance) {
  return noise < distance ? noise / distance : double(noise > 0);
}

struct Pooled {
  MatrixXd covariance;
  double level;      // sd of the remaining noise in an entry
  double magnitude;  // mean eigenvalue
};

class Estimate {
 public:
  explicit Estimate(const NoisyMoments& moments)
      : moments_(moments), size_(moments.sums[0].rows() - 1), features_(size_ - moments.labelled) {}

  std::vector<ReleasedGaussian> gaussians(bool shared) {
    for (std::size_t c = 0; c < moments_.sums.size(); ++c) estimate(c);
    const Pooled pooled = pool();
    const double signal = shared ? 0 : signalAbout(pooled.covariance);
    for (std::size_t c = 0; c < result_.size(); ++c) {
      const double noise = energy(size_) / (divisors_[c] * divisors_[c]);
      const double share = shared ? 1 : shareOf(noise, noise + signal);
      MatrixXd& covariance = result_[c].covariance;
      covariance = (1 - share) * covariance + share * pooled.covariance;
      const double level =
          (1 - share) * moments_.off_diagonal / divisors_[c] + share * pooled.level;
      covariance = repaired(covariance, std::min(level, pooled.magnitude));
    }
    return std::move(result_);
  }

 private:
  // Expected sum of squares of the noise in a block of sums.
  double energy(Index size) const {
    const double d = moments_.diagonal, o = moments_.off_diagonal;
    return double(size) * (d * d + double(size - 1) * o * o);
  }

  void estimate(std::size_t c) {
    const MatrixXd& sums = moments_.sums[c];
    ReleasedGaussian gaussian;
    gaussian.level = int(c);
    const double a = moments_.constant;
    double n = 0;
    if (moments_.rows.empty()) {
      const double noisy = sums(0, 0) / (a * a);
      gaussian.rows = std::max(noisy, 1.0);
      n = std::max(gaussian.rows, moments_.diagonal / (a * a));
    } else {
      gaussian.rows = moments_.rows[c];
      n = std::max(gaussian.rows, 1.0);
    }
    VectorXd mean = sums.col(0).tail(size_) / (a * n);
    mean.head(features_) = shortened(mean.head(features_), 1);
    if (moments_.labelled) mean[features_] = std::clamp(mean[features_], -1.0, 1.0);
    const double s = moments_.off_diagonal / (a * n);
    gaussian.covariance = sums.bottomRightCorner(size_, size_) / n - mean * mean.transpose() +
                          s * s * MatrixXd::Identity(size_, size_);
    gaussian.mean = std::move(mean);
    result_.push_back(std::move(gaussian));
    divisors_.push_back(n);
  }

  Pooled pool() const {
    MatrixXd pooled = MatrixXd::Zero(size_, size_);
    double n = 0;
    for (std::size_t c = 0; c < result_.size(); ++c) {
      pooled += divisors_[c] * result_[c].covariance;
      n += divisors_[c];
    }
    pooled /= n;
    const double classes = double(result_.size());
    const MatrixXd block = pooled.topLeftCorner(features_, features_);
    const double q = double(features_), trace = block.trace();
    const double trace_noise = std::sqrt(classes * q) * moments_.diagonal / n;
    const double magnitude = std::min(std::max(trace, trace_noise), 1.0) / q;
    const MatrixXd unit = MatrixXd::Identity(features_, features_);
    const double noise = classes * energy(features_) / (n * n);
    const double share = shareOf(noise, squares(block - trace / q * unit));
    pooled.topLeftCorner(features_, features_) = (1 - share) * block + share * magnitude * unit;
    const double level = (1 - share) * std::sqrt(classes) * moments_.off_diagonal / n;
    return {pooled, level, magnitude};
  }

  double signalAbout(const MatrixXd& pooled) const {
    double beyond = 0;
    for (std::size_t c = 0; c < result_.size(); ++c) {
      beyond +=
          squares(result_[c].covariance - pooled) - energy(size_) / (divisors_[c] * divisors_[c]);
    }
    return std::max(beyond / double(result_.size()), 0.0);
  }

  MatrixXd repaired(const MatrixXd& covariance, double least) const {
    Spectrum pairs = spectrum(nearestCovariance(covariance, moments_.labelled ? 2 : 1));
    for (double& value : pairs.values) value = std::max(value, least);
    return compose(pairs);
  }

  const NoisyMoments& moments_;
  Index size_;
  Index features_;
  std::vector<ReleasedGaussian> result_;
  std::vector<double> divisors_;  // rows of each class, at least the sd of their noise
};

}  // namespace

std::vector<ReleasedGaussian> gaussiansOf(const NoisyMoments& moments, bool shared) {
  return Estimate(moments).gaussians(shared);
}

std::vector<ReleasedGaussian> gaussiansOf(const SynthesisPlan& plan, std::vector<MatrixXd> sums,
                                          std::vector<double> rows, bool shared) {
  const NoisyMoments moments{jointConstant(plan),   std::move(sums),
                             std::move(rows),       plan.moments->sd(),
                             plan.moments->sdOff(), plan.terms.task == SynthesisTask::kRegression};
  std::vector<ReleasedGaussian> result = gaussiansOf(moments, shared);
  const VectorXd units = jointUnits(plan);
  for (ReleasedGaussian& gaussian : result) {
    if (plan.classes == 0) gaussian.level = -1;
    gaussian.mean = units.cwiseProduct(gaussian.mean);
    gaussian.covariance = units.asDiagonal() * gaussian.covariance * units.asDiagonal();
  }
  return result;
}

VectorXd jointUnits(const SynthesisPlan& plan) {
  const bool labelled = plan.terms.task == SynthesisTask::kRegression;
  VectorXd units = VectorXd::Constant(plan.components + labelled, plan.terms.radius);
  if (labelled) units[plan.components] = 1;
  return units;
}

double jointConstant(const SynthesisPlan& plan) {
  return std::ldexp(double(momentsConstant(plan.classes, plan.scatter_bits)), -plan.scatter_bits);
}

}  // namespace pm
