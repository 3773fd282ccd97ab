#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/research/synthesizers.hpp"

namespace pm {

/// Identity queries: every row is released by itself, projected to q columns, with Laplace noise.
/// As rows do not meet, what counts is how far one row can move: by `moves` in sum of absolute
/// values. A number label gets the same noise together with the row (it moves by 2 more), a class
/// label k-ary randomised response with its share of epsilon (Warner 1965; Kairouz, Oh, Viswanath
/// 2014). The papers are silent on labels; `labels_public` lets them go as they are.

/// Public rows' directions or noisy ones, then the identity query on z = P^T x / sqrt(m), which
/// moves by at most 2 sqrt p: `jiang-pca` (Jiang et al. 2013, whose box gives 2 p).
PublishedSynthesis jiangPca(const SynthesisData& data, const SynthesisParams& params, Drbg& random);
std::optional<Guarantee> jiangPcaGuarantee(const SynthesisParams& params, Eigen::Index n,
                                           Eigen::Index m);

/// The same on Fisher's direction of public rows of two classes: `jiang-lda`. Moves by at most 2.
PublishedSynthesis jiangLda(const SynthesisData& data, const SynthesisParams& params, Drbg& random);
std::optional<Guarantee> jiangLdaGuarantee(const SynthesisParams& params, Eigen::Index n,
                                           Eigen::Index m);

/// Entries +-1/sqrt p, public, in place of directions: `li-bernoulli` (Li et al. 2011, compressive
/// mechanism), with the sum by which a row moves computed from them.
PublishedSynthesis liBernoulli(const SynthesisData& data, const SynthesisParams& params,
                               Drbg& random);
std::optional<Guarantee> liBernoulliGuarantee(const SynthesisParams& params, Eigen::Index n,
                                              Eigen::Index m);

/// The projection (m x p) of `liBernoulli`, before the factor 1/sqrt m.
Eigen::MatrixXd bernoulliProjection(Eigen::Index m, int p, std::uint64_t public_seed);

/// The largest sum of absolute values by which Phi^T x can move, x in [-1, 1]^m: the smallest of
/// max over signs s of 2 |Phi s|_1, which is exact (p up to 10 only), 2 sum |entries|, and
/// 2 sqrt(m p) |Phi|_2.
/// @param phi m x p
double projectedMoves(const Eigen::MatrixXd& phi);

/// What the noise is for: `moves`, and 2 more with a private number label.
double movesWithLabel(double moves, const SynthesisParams& params);

/// Rows and labels with their noise.
/// @param z n x q, projected
LabelledRows identityQuery(const Eigen::MatrixXd& z, const Eigen::VectorXd& labels, double moves,
                           const SynthesisParams& params, double epsilon, Drbg& random);

/// e^epsilon/(e^epsilon + K - 1), with which randomised response keeps a label.
double keepProbability(int classes, double epsilon);

/// The label with that probability, else any of the others, all alike.
int randomisedResponse(int label, int classes, double epsilon, Drbg& random);

}  // namespace pm
