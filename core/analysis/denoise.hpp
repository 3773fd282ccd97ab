#pragma once

#include <Eigen/Core>

#include "core/analysis/moments.hpp"
#include "core/analysis/noise_law.hpp"
#include "core/analysis/noisy_covariance.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/result.hpp"

namespace pm {

/// Euclidean projection of `values` onto {w >= 0, sum w <= cap}: max(values, 0) where that sum is
/// within the cap, otherwise max(values - theta, 0) with theta such that the sum is the cap (Held,
/// Wolfe & Crowder 1974). Order is kept: a larger value never ends below a smaller one.
/// @param values finite, any order
/// @param cap    not negative
Eigen::VectorXd projectOntoCappedSimplex(const Eigen::VectorXd& values, double cap);

/// The eigenvalues a covariance can have given noisy ones: `projectOntoCappedSimplex` with the cap
/// min(bound, max(0, sum values)). The trace has far less relative noise than any eigenvalue, so
/// the sum of positive eigenvalues beyond it is noise.
Eigen::VectorXd projectEigenvalues(const Eigen::VectorXd& values, double bound);

/// Trace projection: the symmetric positive semidefinite matrix of trace at most
/// min(bound, max(0, tr M)) that is nearest to M in Frobenius norm. Same eigenvectors, eigenvalues
/// by `projectEigenvalues`. Post-processing: it cannot weaken a guarantee.
/// @param matrix D x D symmetric, any unit
/// @param bound  public bound on the trace of the noise-free matrix, same unit (rows of scaled norm
///               at most R: R^2 for a covariance)
/// @returns D x D; kInvalidDimension, kWrongLength, kNotFinite, kInvalidRowNorm
Result<Eigen::MatrixXd> projectTrace(const Eigen::MatrixXd& matrix, double bound);

/// The descending sequence nearest to `values` in least squares: neighbours in the wrong order are
/// pooled into their mean (Ayer et al. 1955).
Eigen::VectorXd nearestDescending(const Eigen::VectorXd& values);

/// The shape of the spectrum that noise of variance 1 (s sqrt D = 1) has in many dimensions: its
/// R-transform (Voiculescu 1986) is R(g) = g / (1 - skew g - tail g^2). Both 0: the semicircle.
struct SpectralShape {
  double skew = 0;
  double tail = 0;
};

/// Of the noise in a block of `dimension` D features. Wishart matrices with f degrees of freedom in
/// all, less their mean: skew sqrt(D/f) (Marchenko & Pastur 1967); as many less as many others:
/// tail D/(2f). Entries that are independent, and noise radial about 0, have the semicircle.
SpectralShape spectralShape(const NoiseLaw& noise, int dimension);

/// Rotation-invariant estimator (Bun, Allez, Bouchaud & Potters 2016): of all estimates with the
/// noisy eigenvectors v_i the best in many dimensions puts v_i^T C v_i for the eigenvalue l_i, and
/// that is Im((z - R(G)) G) / Im G with G(z) = (1/D) sum_j 1/(z - l_j), z next to l_i and R the
/// R-transform of the noise. Here z = l_i - i s, s the off-diagonal sd, and z - R(G) has l_i for z:
///   x_i = l_i - Im(R(G) G) / Im G,        which for the semicircle is l_i - 2 s^2 D Re G.
/// Then, as the limit keeps the order of the l_i, the x_i nearest in least squares that do.
/// @param values eigenvalues, largest first
/// @returns estimates, largest first; values themselves where s = 0
Eigen::VectorXd rotationInvariantEstimate(const Eigen::VectorXd& values, const NoiseLaw& noise);

struct DenoisedCovariance {
  Eigen::MatrixXd covariance;  ///< D x D, scaled units, positive semidefinite, trace <= bound
  /// Squared Frobenius norm of what came in, beyond the mean of the noise's and in units of its
  /// standard deviation (of normal noise); infinite without noise. Below about 4 little but the
  /// trace can be told from noise.
  double signalEnergy = 0;
  double traceKept = 1;  ///< in [0, 1]: the share of the (possible) trace that was kept
  double shapeKept = 1;  ///< in [0, 1]: the share kept of what tells directions apart
};

/// The covariance with the noise taken off. Same eigenvectors; eigenvalues in four steps:
/// 1. trace: t = tr Y moved into [0, bound], then T = t^3 / (t^2 + u^2), u the sd of tr E;
/// 2. x = `rotationInvariantEstimate`, and x0 = x less its mean;
/// 3. shape: k = S / (S + V), S = |x0|^2 - V moved into [0, T^2 (1 - 1/D)], the squares that a
///    positive semidefinite matrix of that trace can have. V = (2 + 3 skew + 4 tail) s^2 (D - 1):
///    about what |x0|^2 rarely exceeds for noise alone, so k is the James-Stein factor of x0;
/// 4. T/D + k x0, projected onto {w >= 0, sum w = T}.
/// With much noise it tends to zero, with little to the rotation-invariant estimator, and in
/// between to the multiple of I that the trace, the best known number of all, allows. Error against
/// the best of five other estimates: docs/analysis.md. Without noise: negative eigenvalues become
/// 0. Post-processing: it cannot weaken a guarantee.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half)
Result<DenoisedCovariance> denoise(const NoisyCovariance& data);

/// `denoise` for analyses, on a matrix they have checked: symmetric, finite, D x D, D >= 0.
/// @param noise law of the matrix's entries
/// @param bound positive: public bound on the trace of the noise-free matrix
Eigen::MatrixXd denoised(const Eigen::MatrixXd& matrix, const NoiseLaw& noise, double bound);

/// The same of a matrix that is decomposed already: at D = 1000 that is most of the time.
Eigen::MatrixXd denoised(const Spectrum& decomposed, const NoiseLaw& noise, double bound);

struct DenoisedMoments {
  AssembledMoments moments;
  double signalEnergy = 0;  ///< these three as in DenoisedCovariance
  double traceKept = 1;
  double shapeKept = 1;
};

/// `assembleMoments`, then `denoise` of the scaled covariance; covariance and second moments follow
/// it, count, means and the law of the noise stay (it is no longer the law of the error).
/// @param bound R^2, positive: rows of scaled norm at most R
/// @returns errors as of both
Result<DenoisedMoments> denoiseMoments(const MomentSums& sums, double bound);

}  // namespace pm
