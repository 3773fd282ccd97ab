#pragma once

#include <Eigen/Core>
#include <span>

#include "core/matrix/spectrum.hpp"
#include "core/random/drbg.hpp"

namespace pm::idealized {

/// Bingham's distribution on the unit sphere (core/random/exact_bingham.hpp) drawn in doubles, for
/// published mechanisms and as a comparison: exact in real arithmetic only.

/// ln of the probability of accepting a proposal x with u = sum alpha_i x_i^2, at most 0:
/// (q/2)(ln t + 1 - t), t = (b + 2u)/q.
double binghamLogAcceptance(double b, double u, int q);

/// Draws a unit vector into `x`, which has as many entries as `alphas`. In one dimension it is a
/// random sign.
void sampleBingham(std::span<const double> alphas, Drbg& random, std::span<double> x);

/// k orthonormal directions (D x k), drawn in turn from exp(kappas_i u^T C u) on the complement of
/// the previous ones; a D-th one is determined up to its sign.
/// @param remaining the spectrum of C
/// @param kappas k of them, >= 0
Eigen::MatrixXd drawDirections(Spectrum remaining, std::span<const double> kappas, Drbg& random);

}  // namespace pm::idealized
