#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/frame.hpp"
#include "core/analysis/noise/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

/// An assembled covariance with the public facts about it: the input of every analysis. All units
/// are those of `frame`, by default scaled units.
struct NoisyCovariance {
  Eigen::MatrixXd covariance;  ///< D x D, as assembled (noisy, not denoised)
  NoiseLaw noise;              ///< noise of the covariance's entries
  double trace_bound = 0;      ///< R^2, positive: a bound for rows of norm at most R
  Eigen::VectorXd half;        ///< D, original units per unit, see MomentSums
  /// Study column of each of the D features, or empty. Features of one column are the indicators of
  /// a category: their sum is constant, so analyses may leave out that direction.
  std::vector<int> columns = {};
  /// D x k, columns a, or empty for none. With s E the noise of the second moments and for each
  /// column an independent u of variance 1, the error of the covariance is s E - sum (a u^T + u
  /// a^T); `noise` is its root mean square. For releases with one centre the only column is the
  /// mean times the standard deviation of its noise. With centres of their own, the columns are a
  /// root of the sum over the releases of l_s^2 (m - d_s)(m - d_s)^T, m the mean, d_s the centre of
  /// release s, l_s the standard deviation of what its linear sums add to the mean. If rows are far
  /// from a centre, this part of the error is large in the few directions near these columns.
  Eigen::MatrixXd mean_noise = {};
  Frame frame = {};
  /// At least 1: the standard deviation of the noise between two views over that within one.
  /// Residuals of different views contain the same covariates.
  double between_views = 1;
  /// D x D, symmetric, or empty for none: what clipping may add to the covariance of several
  /// releases with private centring. Clipped rows move towards the centre of their own release,
  /// which has the noise of its survey, and all rows of that release move together. With d_s the
  /// centre of release s in z, n_s its rows and p_s the share of them that was clipped, means move
  /// by at most about p_s of the distance from d_s: sum_s (n_s / n) p_s^2 d_s d_s^T.
  Eigen::MatrixXd centre_spread = {};
  /// An estimate, from above, of what clipping took from the trace of the rows' covariance, scaled
  /// units; 0 for nothing. Along any direction the variance may be larger by that much.
  double trace_lost = 0;
};

/// Whether there is a frame but no noise, whose law it keeps. Analyses then drop it, so that their
/// results do not depend on it, not even in which directions count as dependent and which of
/// several solutions is the shortest.
bool hasNeedlessFrame(const NoisyCovariance& data);

/// Converts the data to scaled units, the noise as if its law were the same there.
void dropFrame(NoisyCovariance& data);

template <class Input>
Input withoutFrame(Input input) {
  dropFrame(input);
  return input;
}

/// The two parts of that error: s, and the ratios t = a / s.
struct NoiseParts {
  double products = 0;    ///< s, the standard deviation of an off-diagonal entry
  Eigen::MatrixXd means;  ///< D x k, t; a column of zeros if the means have no noise
};
NoiseParts noiseParts(const NoisyCovariance& data);

/// A level that the largest eigenvalue of the noise alone, in scaled units, exceeds in at most
/// about one release in twenty: `spectralFloor`, or more due to the noise of the means. In many
/// dimensions a u^T + u a^T has the eigenvalues +-s |t| sqrt(D), and one that exceeds s sqrt(D)
/// moves out of the semicircle to s sqrt(D) (|t| + 1/|t|) (Benaych-Georges & Nadakuditi 2011). With
/// a frame: the same from `edgeInUnits`. Of several columns t the longest combination counts.
double varianceFloor(const NoisyCovariance& data);

/// Checks the data. Errors: kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise,
/// kInvalidRowNorm (bound), kInvalidBounds (half, frame).
Status checkNoisyCovariance(const NoisyCovariance& data);

}  // namespace pm
