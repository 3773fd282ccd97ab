#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/research/published/registry.hpp"

namespace pm {

/// Published noise added to the entries of C: symmetric d x d estimates, in real arithmetic.

/// `laplace-2d`: independent Laplace noise of scale 2 d/epsilon in every entry of the upper
/// triangle, mirrored (the baseline of Amin et al. 2019). Claimed: pure epsilon. Holds, with a
/// margin: the upper triangle moves by at most sqrt(d (d + 3)/2) under replace-one and (d + 1)/2
/// under add-remove, not 2 d.
Eigen::MatrixXd laplace2d(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                          Drbg& random);

/// The largest epsilon over every d >= 2: sqrt(5)/4 of the claim under replace-one, 3/8 under
/// add-remove.
std::optional<Guarantee> laplace2dGuarantee(const PublishedParams& params);

/// `analyze-gauss-classical`: the Gaussian mechanism of Dwork et al. 2014 on C/n, as later papers
/// use it: independent normal noise in the upper triangle with deviation sqrt(2)/n sqrt(2
/// ln(1.25/delta))/epsilon, times n. Claimed: (epsilon, delta). Holds for epsilon up to 1, where
/// the formula is proved; the noise is too small for epsilon above 8.4 (delta = 10^-5). Infinite
/// noise at delta = 0.
Eigen::MatrixXd classicalGauss(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                               Drbg& random);
std::optional<Guarantee> classicalGaussGuarantee(const PublishedParams& params);

/// `analyze-gauss-one-over-n`: the same with the sensitivity taken as 1/n (Imtiaz, Sarwate 2019).
/// Claimed: (epsilon, delta) for one record replaced. Does not hold: that is the sensitivity for
/// replacing a record by zero; between two records it is sqrt(2)/n, and the true epsilon is larger.
Eigen::MatrixXd classicalGaussOneOverN(const Eigen::MatrixXd& scatter,
                                       const PublishedParams& params, Drbg& random);
std::optional<Guarantee> classicalGaussOneOverNGuarantee(const PublishedParams& params);

/// sqrt(2 ln(1.25/delta))/epsilon, the classical deviation for sensitivity 1 (Dwork, Roth 2014,
/// appendix A; proved for epsilon below 1).
double classicalDeviation(double epsilon, double delta);

}  // namespace pm
