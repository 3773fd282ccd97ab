#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/research/synthesizers/synthesizers.hpp"

namespace pm {

/// Identity queries: every row is released separately, projected to q columns, with Laplace noise.
/// Rows are not combined, so the sensitivity is how far one row can move, `moves` in L1 norm. A
/// number label gets the same noise together with the row (it adds 2 to the sensitivity), a class
/// label K-ary randomised response with its share of epsilon (Warner 1965; Kairouz, Oh, Viswanath
/// 2014). The papers do not discuss labels; with `labels_public` they are released unchanged.

/// `jiang-pca`: directions of public rows or noisy ones, then the identity query on z = P^T x /
/// sqrt(m), which moves by at most 2 sqrt p (Jiang et al. 2013, whose box gives 2 p).
PublishedSynthesis jiangPca(const SynthesisData& data, const SynthesisParams& params, Drbg& random);
std::optional<Guarantee> jiangPcaGuarantee(const SynthesisParams& params, Eigen::Index n,
                                           Eigen::Index m);

/// `jiang-lda`: the same on Fisher's direction of public rows of two classes. Moves by at most 2.
PublishedSynthesis jiangLda(const SynthesisData& data, const SynthesisParams& params, Drbg& random);
std::optional<Guarantee> jiangLdaGuarantee(const SynthesisParams& params, Eigen::Index n,
                                           Eigen::Index m);

/// `li-bernoulli`: a public matrix with entries +-1/sqrt p in place of directions (Li et al. 2011,
/// compressive mechanism), with the L1 sensitivity computed from it.
PublishedSynthesis liBernoulli(const SynthesisData& data, const SynthesisParams& params,
                               Drbg& random);
std::optional<Guarantee> liBernoulliGuarantee(const SynthesisParams& params, Eigen::Index n,
                                              Eigen::Index m);

/// The projection (m x p) of `liBernoulli`, before the factor 1/sqrt m.
Eigen::MatrixXd bernoulliProjection(Eigen::Index m, int p, std::uint64_t public_seed);

/// How far Phi^T x can move in L1 norm, x in [-1, 1]^m: the smallest of max over signs s of 2 |Phi
/// s|_1, which is exact (only for p up to 10), 2 sum |entries|, and 2 sqrt(m p) |Phi|_2.
/// @param phi m x p
double projectedMoves(const Eigen::MatrixXd& phi);

/// The sensitivity for the noise: `moves`, plus 2 with a private number label.
double movesWithLabel(double moves, const SynthesisParams& params);

/// Rows and labels with noise.
/// @param z n x q, projected
LabelledRows identityQuery(const Eigen::MatrixXd& z, const Eigen::VectorXd& labels, double moves,
                           const SynthesisParams& params, double epsilon, Drbg& random);

/// The probability e^epsilon/(e^epsilon + K - 1) with which randomised response keeps a label.
double keepProbability(int classes, double epsilon);

/// The label with that probability, otherwise one of the others with equal probabilities.
int randomisedResponse(int label, int classes, double epsilon, Drbg& random);

}  // namespace pm
