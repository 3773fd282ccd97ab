#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/research/published/registry.hpp"

namespace pm {

/// Imtiaz and Sarwate 2016, *symmetric noise* (SN): C + W, W ~ Wishart_d(d + 1, I / (2 epsilon)).
/// Claimed: pure epsilon. False: C + W cannot be below C, so the support of the output tells
/// neighbours apart. For a release Y without a row x of length 1, Y - (C + x x^T) is not positive
/// semidefinite with probability 1 - e^-epsilon; with the row, never. So no (epsilon', delta) holds
/// with a smaller delta, for any epsilon'. docs/mechanisms/symmetric-noise.md
Eigen::MatrixXd symmetricNoise(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                               Drbg& random);

/// Jiang, Xie and Zhang 2016, *Wishart mechanism*: the same with scale 3 / (2 epsilon) in place of
/// 1 / (2 epsilon). Claimed: pure epsilon. False for the same reason, with probability 1 -
/// e^(-epsilon/3). docs/mechanisms/jiang-wishart.md
Eigen::MatrixXd jiangWishart(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                             Drbg& random);

/// Sheffet 2019, *additive Wishart noise*: C + W - k I, W ~ Wishart_d(k, I),
/// k = floor(d + 28 ln(4/delta) / epsilon^2). Claimed: (epsilon, delta) for replacing a row by
/// zero. Holds with a large margin: the guarantee computed here is the exact profile at that k (for
/// replace-one, the bound of privacy/wishart.hpp). At delta = 0 no k is enough: every entry is NaN,
/// and there is no guarantee. docs/mechanisms/wishart.md
Eigen::MatrixXd sheffetWishart(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                               Drbg& random);
std::optional<Guarantee> sheffetWishartGuarantee(const PublishedParams& params);

/// k - d + 1: degrees of freedom of the chi-square law that determines the privacy of Sheffet's
/// form.
double sheffetShape(double epsilon, double delta);

}  // namespace pm
