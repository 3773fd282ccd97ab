#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/methods/variates.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/result.hpp"

namespace pm {

/// The convex programme of sparse principal components: the X that maximises
///   tr(S X) - sum_ij P_ij |X_ij|   over X >= 0 (positive semidefinite), tr X = 1, X V = 0,
/// the Fantope projection and selection of Vu, Cho, Lei & Rohe (2013), without the span of earlier
/// directions V (Chen & Lei 2015). Solved by the alternating direction method of multipliers, from
/// X = 0, so the answer does not depend on chance.
/// @param covariance S, D x D, symmetric, may be indefinite
/// @param penalties  P, D x D, symmetric, not negative
/// @param taken      V, D x j, orthonormal columns, j < D
/// @returns X, D x D, exactly zero where the penalty makes it so
Eigen::MatrixXd sparseProjection(const Eigen::MatrixXd& covariance,
                                 const Eigen::MatrixXd& penalties, const Eigen::MatrixXd& taken);

/// That of sparse canonical correlations: the A that maximises
///   tr(C^T A) - sum_ij P_ij |A_ij|   over |X^1/2 A Y^1/2|_* <= 1, U^T X A = 0, A Y V = 0,
/// the initial estimate of Gao, Ma & Zhou (2017) for one pair at a time.
/// @param cross     C, dx x dy
/// @param penalties P, dx x dy, not negative
/// @param x         X, dx x dx, positive semidefinite
/// @param y         Y, dy x dy
/// @param taken_x   U, dx x j, columns u with u^T X u = 1, j < dx
/// @param taken_y   V, dy x j
/// @returns A, dx x dy, exactly zero where the penalty makes it so
Eigen::MatrixXd sparsePairing(const Eigen::MatrixXd& cross, const Eigen::MatrixXd& penalties,
                              const Eigen::MatrixXd& x, const Eigen::MatrixXd& y,
                              const Eigen::MatrixXd& taken_x, const Eigen::MatrixXd& taken_y);

struct SparsePcaInput : NoisyCovariance {
  int components = 0;   ///< 1 .. D
  double sparsity = 1;  ///< multiplies the penalty: 0 or more, 0 for plain components
  double rows = 0;  ///< n, or an estimate, if the penalty should include sampling; 0: noise alone
};

struct SparseComponent {
  double value = 0;                ///< variance along the component, scaled units, not negative
  double share = 0;                ///< of the estimated total variance, in [0, 1]
  double noise_floor = 0;          ///< variance that noise alone would cause along these features
  bool below_noise_floor = false;  ///< value <= noise_floor: do not interpret
  int nonzeros = 0;                ///< features with a weight
};

struct SparsePca {
  std::vector<SparseComponent> explained;  ///< k, in the order in which they were found
  Eigen::MatrixXd weights;                 ///< as in `Pca`, most of them exactly 0
  Eigen::MatrixXd loadings;
  Eigen::MatrixXd correlations;  ///< of all features, also those without a weight
  double noise_floor = 0;        ///< `varianceFloor`
};

/// Sparse principal components of the scaled features. The penalty is `sparsity` times the level
/// that no entry of the covariance's error exceeds in 19 of 20 releases (`entryLevels`). Where no
/// covariance exceeds its penalty, a component is a single feature. Features are those where
/// `sparseProjection` is not zero; the component is the leading eigenvector of their noisy
/// covariance, orthogonal to the components before it: without that second step the penalty would
/// shrink the weights that it keeps (Belloni & Chernozhukov 2013).
///
/// Floors: the noise in v^T C v is at most sum_ij l_ij |v_i v_j| if no entry exceeds its level
/// l_ij, whatever v; or `varianceFloor` if smaller.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half), kInvalidComponents, kInvalidAlpha (sparsity)
Result<SparsePca> sparsePca(const SparsePcaInput& input);

struct SparseCcaInput : NoisyCovariance {
  std::vector<int> x;   ///< feature indices of the first view: dx of them, 0 .. D-1
  std::vector<int> y;   ///< feature indices of the second view: dy of them, none in x
  int components = 0;   ///< 1 .. min(dx, dy)
  double sparsity = 1;  ///< as for `SparsePcaInput`
  double rows = 0;
};

struct SparsePair {
  double value = 0;        ///< correlation, in [0, 1]
  double noise_floor = 0;  ///< correlation that noise and sampling alone would cause, in [0, 1]
  bool below_noise_floor = false;  ///< value <= noise_floor, or no weights: do not interpret
  int nonzeros_x = 0;              ///< features with a weight
  int nonzeros_y = 0;
};

struct SparseCca {
  std::vector<SparsePair> correlations;  ///< k, in the order in which they were found
  CanonicalView x;  ///< the largest loading in absolute value is positive in each component
  CanonicalView y;
};

/// Sparse canonical correlations of two views. The penalty is as in `sparsePca`, over the dx dy
/// covariances between the views; it is in the units of covariances, so the answer does not depend
/// on the units of features. Variances are those of the denoised covariance with the ridge of
/// `cca`. Features are those where `sparsePairing` is not zero, with weights from the noisy
/// covariances of these features alone, uncorrelated with earlier variates. If nothing between the
/// views exceeds its level, a pair has no weights.
///
/// Correlations use the variances with the ridge, so noise rather lowers them. Floors: that of the
/// weights in sum_ij l_ij |a_i b_j|, l the levels of noise and sampling.
/// @returns those of `cca`, kInvalidAlpha (sparsity)
Result<SparseCca> sparseCca(const SparseCcaInput& input);

}  // namespace pm
