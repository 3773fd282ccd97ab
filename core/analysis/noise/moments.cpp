#include "core/analysis/noise/moments.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "core/analysis/noise/checks.hpp"
#include "core/matrix/cholesky.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/packed.hpp"

namespace pm {
namespace {

Status checkSums(const MomentSums& sums) {
  const int d = sums.dimension;
  if (d < 1) {
    return Error{Code::kInvalidDimension, "There are no features to assemble.", "dimension"};
  }
  const std::size_t expected = (static_cast<std::size_t>(d) + 1) * (d + 2) / 2;
  if (sums.packed.size() != expected) {
    return Error{Code::kWrongLength,
                 "There must be " + std::to_string(expected) + " sums for " + std::to_string(d) +
                     " features, but there are " + std::to_string(sums.packed.size()) + ".",
                 "sums"};
  }
  if (!std::all_of(sums.packed.begin(), sums.packed.end(),
                   [](double v) { return std::isfinite(v); })) {
    return Error{Code::kNotFinite, "The sums contain a number that is not finite.", "sums"};
  }
  if (!std::isfinite(sums.constant) || sums.constant <= 0) {
    return Error{Code::kInvalidRowNorm, "The constant coordinate must be finite and positive.",
                 "constant"};
  }
  if (sums.rows && !(std::isfinite(*sums.rows) && *sums.rows >= 1)) {
    return Error{Code::kNoRows, "There must be at least one row.", "rows"};
  }
  if (sums.mid.size() != d) {
    return Error{Code::kWrongLength,
                 "There must be one midpoint for each of " + std::to_string(d) +
                     " features, but there are " + std::to_string(sums.mid.size()) + ".",
                 "mid"};
  }
  if (!sums.mid.allFinite()) {
    return Error{Code::kInvalidBounds, "A midpoint is not finite.", "mid"};
  }
  if (!sums.noise_centres.empty() && sums.noise_centres.size() != expected) {
    return Error{Code::kWrongLength,
                 "The centres of the noise must be as many numbers as the sums.", "noiseCentres"};
  }
  if (sums.noise_map.size() != 0 && (sums.noise_map.rows() != d + 1 || sums.noise_map.cols() < 2 ||
                                     !sums.noise_map.allFinite())) {
    return Error{Code::kWrongLength, "The map of the noise must have a row for each coordinate.",
                 "noiseMap"};
  }
  const Eigen::VectorXd& excess = sums.gaps.excess;
  if (excess.size() > 0 && !(excess.size() == d && excess.allFinite() && excess.minCoeff() >= 0 &&
                             sums.gaps.rows >= 2)) {
    return Error{Code::kWrongLength, "Gaps need two rows and one excess for each feature.", "gaps"};
  }
  if (const Status wrong = checkNoise(sums.noise)) return wrong;
  if (const Status wrong = checkHalf(sums.half, d)) return wrong;
  return checkFrame(sums.frame, d);
}

void copyLower(Eigen::MatrixXd& matrix) {
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < i; ++j) matrix(j, i) = matrix(i, j);
  }
}

/// Mean square of the diagonal and of the off-diagonal entries.
struct MeanSquares {
  double diagonal;
  double off_diagonal;
};

MeanSquares meanSquares(const Eigen::MatrixXd& matrix) {
  const double d = static_cast<double>(matrix.rows());
  const double diagonal = matrix.diagonal().squaredNorm();
  const double rest = matrix.squaredNorm() - diagonal;
  return {diagonal / d, d > 1 ? std::max(0.0, rest) / (d * (d - 1)) : 0.0};
}

NoiseLaw noiseOfCovariance(const MomentSums& sums, const ScaledMoments& moments) {
  const double d = sums.dimension;
  const double n = moments.rows;
  const double mean_variance = std::pow(sums.noise.linear / (sums.constant * n), 2);
  double squares = moments.scaled_mean.squaredNorm();
  if (!sums.noise_centres.empty()) {
    const Eigen::Map<const Eigen::VectorXd> centre(sums.noise_centres.data() + 1, sums.dimension);
    squares = std::max(0.0, squares - 2 * moments.scaled_mean.dot(centre));
  }
  const double mean_square = squares / d;

  double diagonal = std::pow(sums.noise.diagonal / n, 2) + 4 * mean_square * mean_variance;
  double off_diagonal = std::pow(sums.noise.off_diagonal / n, 2) + 2 * mean_square * mean_variance;
  if (!sums.rows) {
    const double count_variance =
        std::pow(sums.noise.count / (sums.constant * sums.constant * n), 2);
    const MeanSquares slope = meanSquares(moments.scaled_mean * moments.scaled_mean.transpose() -
                                          moments.scaled_covariance);
    diagonal += count_variance * slope.diagonal;
    off_diagonal += count_variance * slope.off_diagonal;
  }
  return {std::sqrt(diagonal), std::sqrt(off_diagonal), sums.noise.family, sums.noise.releases,
          sums.noise.freedom};
}

/// A root of the mean of (m - d)(m - d)^T, m the mean and d the centre of a release.
Eigen::MatrixXd distancesFromCentres(const Eigen::VectorXd& mean, const MomentSums& sums) {
  if (sums.noise_centres.empty()) return mean;
  const Eigen::MatrixXd root =
      thinRoot(unpacked(std::span<const double>(sums.noise_centres), mean.size() + 1));
  return mean * root.row(0) - root.bottomRows(mean.size());
}

Eigen::MatrixXd inOriginalUnits(const Eigen::MatrixXd& scaled, const Eigen::VectorXd& half) {
  // In this order the result is exactly as symmetric as `scaled`.
  return scaled.cwiseProduct(half * half.transpose());
}

/// Standard deviations of the entries of mix E mix, E of this law.
Eigen::MatrixXd errorsOf(const NoiseLaw& noise, const Frame& frame, Eigen::Index d) {
  if (!frame.isMixed()) {
    Eigen::MatrixXd sd = Eigen::MatrixXd::Constant(d, d, noise.off_diagonal);
    sd.diagonal().setConstant(noise.diagonal);
    return sd;
  }
  const Eigen::MatrixXd metric = multiplyByTranspose(frame.mix);
  const Eigen::VectorXd own = metric.diagonal();
  return noise.off_diagonal * (own * own.transpose() + metric.cwiseAbs2()).cwiseSqrt();
}

}  // namespace

ScaledMoments scaledMoments(const MomentSums& sums) {
  const int d = sums.dimension;
  const double c = sums.constant;
  ScaledMoments moments;
  moments.rows = sums.rows ? *sums.rows : std::max(1.0, sums.packed[0] / (c * c));
  const double n = moments.rows;
  moments.scaled_mean = Eigen::Map<const Eigen::VectorXd>(sums.packed.data() + 1, d) / (c * n);
  moments.scaled_covariance.resize(d, d);
  const double* mean = moments.scaled_mean.data();
  const double* sum = sums.packed.data() + d + 1;
  for (int i = 0; i < d; ++i) {
    for (int j = i; j < d; ++j) {
      moments.scaled_covariance(j, i) = *sum++ / n - mean[i] * mean[j];
    }
  }
  copyLower(moments.scaled_covariance);
  moments.covariance_noise = noiseOfCovariance(sums, moments);
  return moments;
}

Result<AssembledMoments> assembleMoments(const MomentSums& sums) {
  if (const Status wrong = checkSums(sums)) return *wrong;
  const int d = sums.dimension;
  AssembledMoments moments{scaledMoments(sums), {}, {}, {}, {}, {}};
  const Frame& frame = sums.frame;
  moments.second_moments = unpacked(std::span<const double>(sums.packed), d + 1);
  if (sums.rows) moments.second_moments(0, 0) = sums.constant * sums.constant * moments.rows;
  if (!frame.isMixed()) {
    moments.second_moments = frame.secondMoments(moments.second_moments, sums.constant);
  }
  moments.mean = sums.mid + sums.half.cwiseProduct(frame.mixedMean(moments.scaled_mean));
  moments.covariance = inOriginalUnits(frame.mixed(moments.scaled_covariance), sums.half);
  moments.covariance_sd = inOriginalUnits(errorsOf(moments.covariance_noise, frame, d), sums.half);
  moments.mean_noise = distancesFromCentres(moments.scaled_mean, sums) *
                       (sums.noise.linear / (sums.constant * moments.rows));
  return moments;
}

void setScaledCovariance(AssembledMoments& moments, const Eigen::MatrixXd& scaled_covariance,
                         const MomentSums& sums) {
  const Eigen::Index d = scaled_covariance.rows();
  moments.scaled_covariance = scaled_covariance;
  moments.covariance = inOriginalUnits(sums.frame.mixed(scaled_covariance), sums.half);
  const Eigen::VectorXd mean = sums.frame.mean(moments.scaled_mean);
  moments.second_moments.bottomRightCorner(d, d) =
      moments.rows * (sums.frame.covariance(scaled_covariance) + mean * mean.transpose());
}

}  // namespace pm
