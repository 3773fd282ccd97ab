#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/analysis/noise/frame.hpp"
#include "core/analysis/noise/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

/// The sampling error of moments that are from different rows in each entry (see `withoutGaps`).
/// That of an entry of the covariance of `rows` normal rows, times a factor of (1 + q_i)(1 + q_j)
/// on its variance, 1 + q_i on the diagonal and in means, as if the cells of each column were
/// missing by chance, independently of all others.
struct GapSampling {
  double rows = 0;         ///< at least 2
  Eigen::VectorXd excess;  ///< D, q, not negative; empty for no gaps
};

/// The sum of all releases of a study, with the public figures that define its units.
struct MomentSums {
  /// Packed upper triangle, row-major, of the sum of r r^T over the augmented rows r = (constant,
  /// z), z the D features in the coordinates of `frame`, by default scaled units: (D+1)(D+2)/2
  /// numbers, (0,0) first.
  std::vector<double> packed;
  int dimension = 0;           ///< D, at least 1
  double constant = 0;         ///< c, the constant coordinate, units of z, positive
  std::optional<double> rows;  ///< n if public (replace-one); absent if private (add-remove)
  SumNoise noise;              ///< noise in the entries of the sum
  Eigen::VectorXd mid;         ///< D, original units at z = 0 (0 for an indicator in scaled units)
  Eigen::VectorXd half;        ///< D, original units per z, positive (1 for an indicator there)
  Frame frame = {};            ///< of z; by default z is in scaled units
  /// Where the releases have centres of their own: the packed mean of (1, d)(1, d)^T over them, d
  /// the centre in z, weighted by the variance of their linear noise (CentredSums). Its distance
  /// from z = 0 counts in `noise`. Empty if all are at z = 0.
  std::vector<double> noise_centres = {};
  /// (D+1) x (m+1), or empty: the noise is T E T^T with this T and E of the law `noise` on m
  /// features, as the sums are those of T times other rows. Rows of T are orthonormal within the
  /// constant and within each view, so that this law is that of E within each.
  Eigen::MatrixXd noise_map = {};
  GapSampling gaps = {};
};

/// Moments in the form that analyses use, in the units of z (`MomentSums::frame`), in which the
/// noise has its law. Under add-remove `rows` is an estimate.
struct ScaledMoments {
  double rows = 0;                    ///< at least 1
  Eigen::VectorXd scaled_mean;        ///< D, units of z
  Eigen::MatrixXd scaled_covariance;  ///< D x D, units of z; symmetric, indefinite if noisy
  NoiseLaw covariance_noise;          ///< root mean square sd of scaled_covariance's entries
};

/// Moments in the form that analysts expect.
struct AssembledMoments : ScaledMoments {
  Eigen::VectorXd mean;           ///< D, original units
  Eigen::MatrixXd covariance;     ///< D x D, original units, divisor n
  Eigen::MatrixXd covariance_sd;  ///< D x D, original units: sd of the noise, from covariance_noise
  /// (D+1) x (D+1) sums over (constant, x), constant first; x the features in the study's scaled
  /// units, whatever the frame; in z if that is mixed.
  Eigen::MatrixXd second_moments;
  Eigen::MatrixXd mean_noise;  ///< D x k, units of z, see NoisyCovariance
};

/// Centres the sum of all releases. Centring earlier would cost privacy, as the mean of one site's
/// rows is data.
///   n = M_00 / c^2, at least 1 (or the public n, which sets M_00 := c^2 n),
///   m = M_0z / (c n),  Cov = M_zz / n - m m^T,
///   original units: mean = mid + half m, Cov_ij half_i half_j,
/// and `second_moments` as `Frame::secondMoments` has them.
/// Noise: to first order the error of Cov is
///   E_zz/n - (m e^T + e m^T) + (E_00 / (c^2 n)) (m m^T - Cov),  e = E_0z / (c n),
/// E the noise in the sums (E_00 = 0 if n is public). The variance of its entries depends on m, so
/// `covariance_noise` holds the root mean square over the diagonal and over the rest. The term in e
/// has rank two and raises the spectral edge by at most 6 % if |m| <= R and c^2 = R^2/2. Source:
/// augmented second moments, Dwork, Talwar, Thakurta & Zhang 2014, with a constant column.
/// With `noise_centres` m - d_s replaces m in that term, and only what the distance of d_s from z =
/// 0 has not added to `noise` is added.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidRowNorm (constant), kNoRows,
///          kInvalidNoise, kInvalidBounds (mid, half, frame)
Result<AssembledMoments> assembleMoments(const MomentSums& sums);

/// The scaled part alone, bit for bit the same, for sums that are valid for `assembleMoments`:
/// simulations call it many times.
ScaledMoments scaledMoments(const MomentSums& sums);

/// Replaces the scaled covariance and updates `covariance` and the feature block of
/// `second_moments`. Count, means and `covariance_noise` are unchanged.
/// @param scaled_covariance D x D, units of z
/// @param sums              those that `moments` are from
void setScaledCovariance(AssembledMoments& moments, const Eigen::MatrixXd& scaled_covariance,
                         const MomentSums& sums);

}  // namespace pm
