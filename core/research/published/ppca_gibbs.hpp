#pragma once

#include <Eigen/Core>

#include "core/research/published/registry.hpp"

namespace pm {

/// `ppca-gibbs`: the subspace of mechanism `ppca` by a Markov chain instead of an exact draw, as
/// published (Chaudhuri, Sarwate, Sinha 2013, with the sampler of Hoff 2009).
/// Claimed: epsilon-DP. Does not hold as stated: the proof is for a draw from the stationary law,
/// and for no chain length is a bound on the distance from it known that covers every data set.
/// docs/mechanisms/ppca-gibbs.md

/// Number of sweeps of `ppca-gibbs`.
constexpr int kGibbsSweeps = 200;

/// k orthonormal columns (d x k) after `sweeps` sweeps of Hoff's column-wise chain for the density
/// proportional to exp(kappa tr X^T C X): conditional on the others, each column has Bingham's law
/// on the unit sphere orthogonal to them, from which it is drawn exactly. Starts at a uniformly
/// random frame. Precondition: 1 <= k <= d, scatter symmetric.
Eigen::MatrixXd gibbsFrame(const Eigen::MatrixXd& scatter, int k, double kappa, int sweeps,
                           Drbg& random);

/// gibbsFrame with kappa = epsilon/2, kGibbsSweeps sweeps and params.components columns.
Eigen::MatrixXd ppcaGibbs(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                          Drbg& random);

}  // namespace pm
