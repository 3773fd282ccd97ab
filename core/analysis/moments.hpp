#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/analysis/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

/// The sum of all releases of a study, with everything public that is needed to read it.
struct MomentSums {
  /// Packed upper triangle, row-major, of sum x x^T over the augmented rows x = (constant, z), z
  /// the D scaled features: (D+1)(D+2)/2 numbers, (0,0) first.
  std::vector<double> packed;
  int dimension = 0;           ///< D, at least 1
  double constant = 0;         ///< c, the constant coordinate, scaled units, positive
  std::optional<double> rows;  ///< n where public (replace-one), none where private (add-remove)
  SumNoise noise;              ///< of the entries of the sum
  Eigen::VectorXd mid;         ///< D, original units (0 for an indicator)
  Eigen::VectorXd half;        ///< D, original units, positive (1 for an indicator)
};

/// Moments as analyses need them. Under add-remove `rows` is an estimate.
struct ScaledMoments {
  double rows = 0;                   ///< at least 1
  Eigen::VectorXd scaledMean;        ///< D, scaled units
  Eigen::MatrixXd scaledCovariance;  ///< D x D, scaled units; symmetric, indefinite if noisy
  NoiseLaw covarianceNoise;          ///< root mean square sd of scaledCovariance's entries
};

/// Moments as an analyst reads them.
struct AssembledMoments : ScaledMoments {
  Eigen::VectorXd mean;           ///< D, original units
  Eigen::MatrixXd covariance;     ///< D x D, original units, divisor n
  Eigen::MatrixXd covarianceSd;   ///< D x D, original units: sd of the noise, as covarianceNoise
  Eigen::MatrixXd secondMoments;  ///< (D+1) x (D+1) sums, scaled units, constant first
  Eigen::VectorXd meanNoise;      ///< D: see NoisyCovariance
};

/// Centres after the sum, which is the only place it is free: a mean of one site's rows is data.
///   n = M_00 / c^2, at least 1 (or the public n, and then M_00 := c^2 n),
///   m = M_0z / (c n),  Cov = M_zz / n - m m^T,
///   original units: mean = mid + half m, Cov_ij half_i half_j.
/// Noise: to first order the error of Cov is
///   E_zz/n - (m e^T + e m^T) + (E_00 / (c^2 n)) (m m^T - Cov),  e = E_0z / (c n),
/// E the noise in the sums (E_00 = 0 where n is public). Its entries differ in variance with m, so
/// `covarianceNoise` holds the root mean square over the diagonal and over the rest. The term in e
/// is of rank two and lifts the spectral edge by at most 6 % when |m| <= R and c^2 = R^2/2. Source:
/// augmented second moments, Dwork, Talwar, Thakurta & Zhang 2014, with a constant column.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidRowNorm (constant), kNoRows,
///          kInvalidNoise, kInvalidBounds
Result<AssembledMoments> assembleMoments(const MomentSums& sums);

/// The scaled part alone, the same to the last bit, of sums that `assembleMoments` takes: what a
/// simulation needs many times.
ScaledMoments scaledMoments(const MomentSums& sums);

/// Puts another scaled covariance in place: `covariance` and the feature block of `secondMoments`
/// follow it, count, means and `covarianceNoise` stay.
/// @param half as in the MomentSums
void setScaledCovariance(AssembledMoments& moments, const Eigen::MatrixXd& scaledCovariance,
                         const Eigen::VectorXd& half);

}  // namespace pm
