#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/methods/rotation.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/result.hpp"

namespace pm {

struct FactorInput : NoisyCovariance {
  int factors = 0;  ///< k, 1 .. mostFactors(p), p the number of features
  Rotation rotation = Rotation::kNone;
  double rows = 0;  ///< n, at least 1, or its estimate, for the floor; 0: the floor has noise alone
};

/// The largest k for which p features have at least as many correlations as a model of k factors
/// has parameters: ((p - k)^2 - p - k) / 2 >= 0. 0 for fewer than three features.
int mostFactors(int features);

/// The least uniqueness: a feature that reaches it is a Heywood case.
constexpr double kLeastUniqueness = 0.005;

struct Factor {
  double value = 0;                ///< variance of the standardised features that it explains
  double share = 0;                ///< of their total variance, `value` / p
  double eigenvalue = 0;           ///< of the denoised correlations, of the same rank; not negative
  bool below_noise_floor = false;  ///< eigenvalue <= noise_floor: do not interpret
};

/// k factors of p features; those above the floor first, rotated among themselves, then the others,
/// unrotated; both in descending order of `value`.
struct FactorAnalysis {
  std::vector<Factor> factors;
  /// p x k: the estimated score of variance below 1, sum_i weights_i (x_i - mean_i), x in original
  /// units (regression method, Thurstone 1935).
  Eigen::MatrixXd weights;
  Eigen::MatrixXd pattern;        ///< p x k, coefficients of standardised features on factors
  Eigen::MatrixXd structure;      ///< p x k, correlations of features with factors
  Eigen::MatrixXd phi;            ///< k x k, correlations of factors
  Eigen::VectorXd uniquenesses;   ///< p, in [kLeastUniqueness, 1]
  Eigen::VectorXd communalities;  ///< p, shares of variance that the factors explain together
  Eigen::VectorXd deviations;     ///< p, standard deviations, denoised, original units
  std::vector<int> heywood;       ///< features whose uniqueness is `kLeastUniqueness`
  double noise_floor = 0;  ///< largest eigenvalue of correlations of unrelated features; 0 without
  int rotated = 0;         ///< number of factors above the floor
  double residual = 0;     ///< root mean square difference of the correlations and the model's
};

/// Factor analysis of the denoised correlations R by least squares (minres, Harman & Jones 1966):
/// loadings L and uniquenesses u minimise the sum over i < j of (R_ij - (L L^T)_ij)^2, u bounded by
/// `kLeastUniqueness` and 1. It is found in u by Newton's method: of R - diag(u) the k largest
/// positive eigenvalues make the loadings, and the others are the residual. Unlike
/// the likelihood of normal rows, least squares weights errors as the privacy noise has them, alike
/// in all entries, and needs no inverse of R, which noise makes indefinite.
///
/// The floor is the largest eigenvalue of correlations of unrelated features: 1 + the root of the
/// sum of squares of `varianceFloor` in units of the features' standard deviations and, with
/// `rows`, 2 sqrt(p/n) + p/n (Marchenko & Pastur 1967), as in a parallel analysis (Horn 1965).
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm (bound),
///          kInvalidBounds (half), kInvalidComponents (factors)
Result<FactorAnalysis> factorAnalysis(const FactorInput& input);

/// Checks the input. Errors: those of `factorAnalysis`.
Status checkFactors(const FactorInput& input);

/// `factorAnalysis` for input that has been checked.
/// @param reported another analysis, with whose number of rotated factors and in whose order and
///                 signs this one is; null for its own
FactorAnalysis findFactors(const FactorInput& input, const FactorAnalysis* reported = nullptr);

}  // namespace pm
