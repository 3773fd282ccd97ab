#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/research/synthesizers.hpp"
#include "core/synthesis/model.hpp"

namespace pm {

/// PCA-Gauss as published (Chanyaswad, Liu, Mittal 2017): second moments of p projected columns,
/// independent noise in all p^2 entries, and rows of the normal law with that covariance.
/// Rows are n x m with entries in [-1, 1]; projected ones z = P^T x / sqrt(m) have length at
/// most 1. Corrected forms: core/synthesis.

/// What the paper takes for the sum by which one row moves the matrix, entries in [-a, a]; epsilon
/// times the scale of the noise.
double claimedSpectrumSensitivity(double p, double n, double a = 1);  ///< p a^2/n, theorem 4
double claimedMeanSensitivity(double p, double n, double a = 1);      ///< 2 p a/n, theorem 6
/// (p^2 a^2 + 4 p a b + b^2)/n, theorem 5: with a label in [-b, b].
double claimedLabelledSensitivity(double p, double n, double a = 1, double b = 1);

/// The largest p for which the paper's proposition 4 promises less noise than without a projection
/// when the basis is the data's own: p < (m^2 + 4 m)/(4 n + 1).
double ownBasisLimit(double m, double n);

/// `pca-gauss-1`: the rows' own principal directions; C~ = diag(eigenvalues)/m + noise of scale
/// p/(n epsilon). Claimed: pure epsilon. About a public centre the noise of the spectrum is enough
/// for min(p, 2)/p of it, since one row moves the eigenvalues by no more than min(p, 2)/n in sum
/// (Lidskii; Mirsky 1960); the directions are covered by nothing and do not leave. About the data's
/// mean a row moves all rows, and the claim fails for few directions (p = 1: by a factor
/// 4 (n - 1)/n).
PublishedSynthesis pcaGauss1(const SynthesisData& data, const SynthesisParams& params,
                             Drbg& random);
std::optional<Guarantee> pcaGauss1Guarantee(const SynthesisParams& params, Eigen::Index n,
                                            Eigen::Index m);
/// The matrix before the repair.
Eigen::MatrixXd noisySpectrum(const Eigen::MatrixXd& rows, const SynthesisParams& params,
                              Drbg& random);

/// `pca-gauss-2`: a number label next to the projected columns; noise of scale
/// (p^2 + 4 p + 1)/(n epsilon). About a public centre one row moves the matrix by no more than
/// min((p + 1)^2, 2 sqrt 2 (p + 1))/n in sum. About the data's means the true value is
/// 4 (sqrt p + 1)^2 (n - 1)/n^2, more than the claim for p up to 4.
PublishedSynthesis pcaGauss2(const SynthesisData& data, const SynthesisParams& params,
                             Drbg& random);
std::optional<Guarantee> pcaGauss2Guarantee(const SynthesisParams& params, Eigen::Index n,
                                            Eigen::Index m);
/// Second moments of the columns of `z`, the last of which is the label, with the noise.
Eigen::MatrixXd noisyLabelledMoments(const Eigen::MatrixXd& z, double epsilon, Drbg& random);

/// `pca-gauss-3`: per class c of n_c rows their mean with noise of scale 2 p/(n_c 0.1 epsilon) and
/// their covariance about their own mean with noise of scale p^2/(n_c 0.9 epsilon). As many rows
/// are drawn for each class that is there. Claimed: pure epsilon, the classes side by side. There
/// is no guarantee: the size of the noise follows the private n_c, so that a label changed is told
/// by how large the noise is; it touches two classes, not one; and about the class's own mean p^2
/// is too small for p up to 3.
PublishedSynthesis pcaGauss3(const SynthesisData& data, const SynthesisParams& params,
                             Drbg& random);

/// What algorithm 3 makes of one class.
struct NoisyGaussian {
  Eigen::RowVectorXd mean;
  Eigen::MatrixXd covariance;  ///< before the repair: not symmetric
};
/// @param z at least one row
/// @param centre the public one: second moments about 0, less the noisy mean's square, instead
NoisyGaussian publishedGaussian(const Eigen::MatrixXd& z, Centre centre, double epsilon,
                                Drbg& random);

/// Its normal law after the repair.
RowComponent componentOf(const NoisyGaussian& noisy, Repair repair);

/// One component for each class that is there, of equal weight, from `publishedGaussian`.
std::vector<RowComponent> publishedClasses(const LabelledRows& z, const SynthesisParams& params,
                                           double epsilon, Drbg& random);

}  // namespace pm
