#pragma once

#include <Eigen/Core>

#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noise_law.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/result.hpp"

namespace pm {

/// Euclidean projection of `values` onto {w >= 0, sum w <= cap}: max(values, 0) if that sum is
/// within the cap, otherwise max(values - theta, 0) with theta such that the sum equals the cap
/// (Held, Wolfe & Crowder 1974). The order of values is preserved.
/// @param values finite, any order
/// @param cap    not negative
Eigen::VectorXd projectOntoCappedSimplex(const Eigen::VectorXd& values, double cap);

/// Projects noisy eigenvalues onto those that a covariance can have: `projectOntoCappedSimplex`
/// with the cap min(bound, max(0, sum values)). The trace has far less relative noise than any
/// eigenvalue, so the excess of the sum of positive eigenvalues over it is noise.
Eigen::VectorXd projectEigenvalues(const Eigen::VectorXd& values, double bound);

/// Trace projection: the symmetric positive semidefinite matrix of trace at most
/// min(bound, max(0, tr M)) that is nearest to M in Frobenius norm. Eigenvectors are kept,
/// eigenvalues go through `projectEigenvalues`. Post-processing: it cannot weaken a guarantee.
/// @param matrix D x D symmetric, any unit
/// @param bound  public bound on the trace of the noise-free matrix, same unit (rows of scaled norm
///               at most R: R^2 for a covariance)
/// @returns D x D; kInvalidDimension, kWrongLength, kNotFinite, kInvalidRowNorm
Result<Eigen::MatrixXd> projectTrace(const Eigen::MatrixXd& matrix, double bound);

/// The descending sequence nearest to `values` in least squares: adjacent violators are pooled into
/// their mean (Ayer et al. 1955).
Eigen::VectorXd nearestDescending(const Eigen::VectorXd& values);

/// The shape of the spectrum of noise of variance 1 (s sqrt D = 1) in many dimensions: its
/// R-transform (Voiculescu 1986) is R(g) = g / (1 - skew g - tail g^2). If both are 0, the
/// semicircle.
struct SpectralShape {
  double skew = 0;
  double tail = 0;
};

/// The shape for the noise in a block of `dimension` D features. Centred Wishart matrices with f
/// degrees of freedom in all: skew sqrt(D/f) (Marchenko & Pastur 1967). The difference of two such
/// sums: tail D/(2f). Independent entries, and noise radial about 0: the semicircle.
SpectralShape spectralShape(const NoiseLaw& noise, int dimension);

/// Rotation-invariant estimator (Bun, Allez, Bouchaud & Potters 2016): among all estimates with the
/// noisy eigenvectors v_i, the best in many dimensions replaces the eigenvalue l_i by v_i^T C v_i,
/// which is Im((z - R(G)) G) / Im G with G(z) = (1/D) sum_j 1/(z - l_j), z close to l_i and R the
/// R-transform of the noise. Here z = l_i - i s, s the off-diagonal sd, and in z - R(G), z is
/// replaced by l_i:
///   x_i = l_i - Im(R(G) G) / Im G,        which for the semicircle is l_i - 2 s^2 D Re G.
/// As the limit preserves the order of the l_i, the x_i are then replaced by the nearest descending
/// sequence in least squares.
/// @param values eigenvalues, largest first
/// @returns estimates, largest first; `values` if s = 0
Eigen::VectorXd rotationInvariantEstimate(const Eigen::VectorXd& values, const NoiseLaw& noise);

struct DenoisedCovariance {
  Eigen::MatrixXd covariance;  ///< D x D, scaled units, positive semidefinite, trace <= bound
  /// Squared Frobenius norm of the input, minus its mean for noise alone, in units of its standard
  /// deviation for normal noise; infinite without noise. Below about 4, little except the trace can
  /// be distinguished from noise.
  double signal_energy = 0;
  double trace_kept = 1;  ///< in [0, 1]: share of the (possible) trace that is kept
  double shape_kept = 1;  ///< in [0, 1]: share of the differences between directions that is kept
};

/// The denoised covariance. Eigenvectors are kept; eigenvalues change in four steps:
/// 1. trace: t = tr Y clamped to [0, bound], then T = t^3 / (t^2 + u^2), u the sd of tr E;
/// 2. x = `rotationInvariantEstimate`, and x0 = x minus its mean;
/// 3. shape: k = S / (S + V), S = |x0|^2 - V clamped to [0, T^2 (1 - 1/D)], the range for a
///    positive semidefinite matrix of that trace. V = (2 + 3 skew + 4 tail) s^2 (D - 1): a bound
///    that |x0|^2 rarely exceeds for noise alone, so k is the James-Stein factor of x0;
/// 4. T/D + k x0, projected onto {w >= 0, sum w = T}.
/// With much noise the estimate tends to zero, with little noise to the rotation-invariant
/// estimator, and in between to a multiple of I, given by the trace, the most precise of all
/// figures. Error compared to the best of five other estimates: docs/analysis.md. Without noise:
/// negative eigenvalues become 0. Post-processing: it cannot weaken a guarantee.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half)
Result<DenoisedCovariance> denoise(const NoisyCovariance& data);

/// `denoise` for analyses, on a matrix that has been checked: symmetric, finite, D x D, D >= 0.
/// @param noise law of the matrix's entries
/// @param bound positive: public bound on the trace of the noise-free matrix
Eigen::MatrixXd denoised(const Eigen::MatrixXd& matrix, const NoiseLaw& noise, double bound);

/// The same for a matrix that is already decomposed, which at D = 1000 is most of the time.
Eigen::MatrixXd denoised(const Spectrum& decomposed, const NoiseLaw& noise, double bound);

struct DenoisedMoments {
  AssembledMoments moments;
  double signal_energy = 0;  ///< this and the next two: see DenoisedCovariance
  double trace_kept = 1;
  double shape_kept = 1;
};

/// `assembleMoments`, then `denoise` for the scaled covariance; covariance and second moments
/// change accordingly. Count, means and the law of the noise are unchanged (it is no longer the law
/// of the error).
/// @param bound R^2, positive: rows of norm at most R, units of z
/// @returns errors of both
Result<DenoisedMoments> denoiseMoments(const MomentSums& sums, double bound);

}  // namespace pm
