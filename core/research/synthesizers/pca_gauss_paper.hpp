#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/research/synthesizers/synthesizers.hpp"
#include "core/synthesis/rows/model.hpp"

namespace pm {

/// PCA-Gauss as published (Chanyaswad, Liu, Mittal 2017): second moments of p projected columns,
/// independent noise in all p^2 entries, and rows from the normal law with that covariance.
/// Rows are n x m with entries in [-1, 1]; projected ones z = P^T x / sqrt(m) have length at
/// most 1. Corrected forms: core/synthesis.

/// The L1 sensitivity of the matrix that the paper assumes, for entries in [-a, a]: epsilon times
/// the scale of the noise.
double claimedSpectrumSensitivity(double p, double n, double a = 1);  ///< p a^2/n, theorem 4
double claimedMeanSensitivity(double p, double n, double a = 1);      ///< 2 p a/n, theorem 6
/// (p^2 a^2 + 4 p a b + b^2)/n, theorem 5, with a label in [-b, b].
double claimedLabelledSensitivity(double p, double n, double a = 1, double b = 1);

/// The exclusive limit on p below which the paper's proposition 4 claims less noise than without a
/// projection, for a basis of the data's own: p < (m^2 + 4 m)/(4 n + 1).
double ownBasisLimit(double m, double n);

/// `pca-gauss-1`: the rows' own principal directions; C~ = diag(eigenvalues)/m + noise of scale
/// p/(n epsilon). Claimed: pure epsilon. About a public centre the spectrum has min(p, 2)/p of
/// epsilon, since one row moves the eigenvalues by at most min(p, 2)/n in L1 norm (Lidskii; Mirsky
/// 1960); the directions are not protected and must not be released. About the data's mean a row
/// moves all rows, and the claim fails for few directions (p = 1: by a factor 4 (n - 1)/n).
PublishedSynthesis pcaGauss1(const SynthesisData& data, const SynthesisParams& params,
                             Drbg& random);
std::optional<Guarantee> pcaGauss1Guarantee(const SynthesisParams& params, Eigen::Index n,
                                            Eigen::Index m);
/// The noisy matrix before the repair.
Eigen::MatrixXd noisySpectrum(const Eigen::MatrixXd& rows, const SynthesisParams& params,
                              Drbg& random);

/// `pca-gauss-2`: a number label next to the projected columns; noise of scale
/// (p^2 + 4 p + 1)/(n epsilon). About a public centre one row moves the matrix by at most min((p +
/// 1)^2, 2 sqrt 2 (p + 1))/n in L1 norm. About the data's means the true sensitivity is 4 (sqrt p +
/// 1)^2 (n - 1)/n^2, more than the claim for p up to 4.
PublishedSynthesis pcaGauss2(const SynthesisData& data, const SynthesisParams& params,
                             Drbg& random);
std::optional<Guarantee> pcaGauss2Guarantee(const SynthesisParams& params, Eigen::Index n,
                                            Eigen::Index m);
/// Noisy second moments of the columns of `z`, the last of which is the label.
Eigen::MatrixXd noisyLabelledMoments(const Eigen::MatrixXd& z, double epsilon, Drbg& random);

/// `pca-gauss-3`: for each class c of n_c rows, the mean with noise of scale 2 p/(n_c 0.1 epsilon)
/// and the covariance about its own mean with noise of scale p^2/(n_c 0.9 epsilon). Equally many
/// rows are drawn for each class that occurs. Claimed: pure epsilon by parallel composition over
/// classes. There is no guarantee: the size of the noise depends on the private n_c, so it reveals
/// a changed label; a changed label affects two classes, not one; and about the class's own mean
/// p^2 is too small for p up to 3.
PublishedSynthesis pcaGauss3(const SynthesisData& data, const SynthesisParams& params,
                             Drbg& random);

/// The result of algorithm 3 for one class.
struct NoisyGaussian {
  Eigen::RowVectorXd mean;
  Eigen::MatrixXd covariance;  ///< before the repair, not symmetric
};
/// @param z at least one row
/// @param centre if public: second moments about 0 minus the square of the noisy mean instead
NoisyGaussian publishedGaussian(const Eigen::MatrixXd& z, Centre centre, double epsilon,
                                Drbg& random);

/// Its normal law after the repair.
RowComponent componentOf(const NoisyGaussian& noisy, Repair repair);

/// One component of equal weight for each class that occurs, from `publishedGaussian`.
std::vector<RowComponent> publishedClasses(const LabelledRows& z, const SynthesisParams& params,
                                           double epsilon, Drbg& random);

}  // namespace pm
