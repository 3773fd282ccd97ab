#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/research/synthesizers/synthesizers.hpp"

namespace pm {

/// Johnson-Lindenstrauss sketches (Blocki, Blum, Datta, Sheffet 2012), adapted to rows: r normal
/// vectors whose covariance is the rows' scatter S plus w^2 I. Rows are (1, x/sqrt m), with a
/// number label if there is one, so that one sketch per class gives counts, means and covariances;
/// their squared length is at most B^2 = 2, with a number label 3.

/// `blocki-published`: w by their formula, for rows at distance at most 1.
PublishedSynthesis publishedBlocki(const SynthesisData& data, const SynthesisParams& params,
                                   Drbg& random);
std::optional<Guarantee> publishedBlockiGuarantee(const SynthesisParams& params, Eigen::Index n,
                                                  Eigen::Index m);
/// `blocki`: the smallest w that epsilon and delta need, by `sketchEpsilon`.
PublishedSynthesis blocki(const SynthesisData& data, const SynthesisParams& params, Drbg& random);
std::optional<Guarantee> blockiGuarantee(const SynthesisParams& params, Eigen::Index n,
                                         Eigen::Index m);
/// `blocki-features`: the projection is of the columns instead, by a random public matrix; the
/// second moments of the projected rows get Gaussian noise.
PublishedSynthesis blockiFeatures(const SynthesisData& data, const SynthesisParams& params,
                                  Drbg& random);
std::optional<Guarantee> blockiFeaturesGuarantee(const SynthesisParams& params, Eigen::Index n,
                                                 Eigen::Index m);
/// Its noisy scatters of (1, z) and a number label, one per class: deviation sqrt 2 B^2/mu in every
/// entry of the upper triangle, with the largest mu for which mu-GDP implies (epsilon, delta).
/// @param z rows of length at most 1
std::vector<Eigen::MatrixXd> noisyFeatureScatters(const Eigen::MatrixXd& z,
                                                  const Eigen::VectorXd& labels,
                                                  const SynthesisParams& params, Drbg& random);

/// w = 16 sqrt(r ln(2/delta)) ln(16 r/delta)/epsilon, and r = ceil(8 ln(2/nu)/eta^2) for estimates
/// within a factor 1 +- eta with probability 1 - nu.
double publishedSketchNoise(int r, double epsilon, double delta);
int publishedSketchRows(double eta, double nu);

/// The epsilon, at `delta`, of r normal vectors of covariance S + w^2 I, S the scatter of rows of
/// length at most 1, if one row is replaced or moved to the sketch of another class; `w_squared` is
/// (w/B)^2 for other lengths B. The change has at most one eigenvalue 1 + 1/w^2 and one
/// 1 - 1/(1 + w^2) relative to S + w^2 I; Renyi divergences of normal laws add up; the result is
/// the smallest epsilon over a list of orders (Canonne, Kamath, Steinke 2020, proposition 12).
/// Proof: docs/research.md.
double sketchEpsilon(double w_squared, int r, double delta);

/// The smallest w^2 for which that is at most epsilon.
double sketchNoiseSquared(int r, double epsilon, double delta);

/// r normal vectors (r x q) of covariance S + w^2 I, from r standard ones.
/// @param scatter S, q x q, positive semidefinite
/// @param normals r x q
Eigen::MatrixXd sketchOf(const Eigen::MatrixXd& scatter, double w_squared,
                         const Eigen::MatrixXd& normals);

/// The estimate H^T H/r - w^2 I of S.
Eigen::MatrixXd scatterOf(const Eigen::MatrixXd& sketch, double w_squared);

}  // namespace pm
