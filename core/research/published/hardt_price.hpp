#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/research/published/registry.hpp"

namespace pm {

/// `hardt-price`: the noisy power method of Hardt and Price 2014 with their scale,
/// sigma = sqrt(4 k L ln(1/delta))/epsilon, in every entry of each of L rounds; their factor
/// |V|_max^2 on the variance of a round is set to 1. Claimed: (epsilon, delta) for matrices that
/// differ in one entry by at most 1. That does not cover a row: a row of length 1 moves C V by 1,
/// or by sqrt 2 if it is replaced and k > 1. This version is mu-GDP for rows and satisfies the
/// claim for epsilon up to 2.3 ln(1/delta); with their factor mu would be 1/|V|_max times as large,
/// about sqrt(d/(2 ln d)) for directions that are not concentrated. Returns d x k directions; at
/// delta = 0, where the noise is infinite, random ones.
Eigen::MatrixXd hardtPrice(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                           Drbg& random);
/// The mu of the L rounds, and its epsilon at delta; nothing at delta = 0.
std::optional<Guarantee> hardtPriceGuarantee(const PublishedParams& params);
double hardtPriceDeviation(const PublishedParams& params);

/// L rounds of Y = C V + sigma G, V = orth(Y), from a random V (d x k), in real arithmetic. With
/// sigma = sensitivity sqrt(L)/mu it is `power-method` without rounding to integers.
Eigen::MatrixXd noisyPowerMethod(const Eigen::MatrixXd& scatter, int components, int rounds,
                                 double sigma, Drbg& random);

}  // namespace pm
