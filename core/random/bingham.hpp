#pragma once

#include <span>

#include "core/random/drbg.hpp"

namespace pm {

/// Bingham's distribution on the unit sphere in q dimensions, density proportional to
/// exp(-sum alpha_i x_i^2) with respect to the uniform measure, alpha_i >= 0 and the smallest 0.
/// Every other symmetric exponent takes this form in its eigenbasis. Drawn by rejection from an
/// angular central Gaussian envelope (Kent, Ganeiber, Mardia 2018): exact in real arithmetic, and
/// at any concentration at least about sqrt(2/(e q)) of the proposals are accepted.

/// The envelope's parameter: the root b in [1, q] of sum 1/(b + 2 alpha_i) = 1.
/// Precondition: alphas not empty, finite, >= 0, one of them 0.
double binghamB(std::span<const double> alphas);

/// ln of the probability of accepting a proposal x with u = sum alpha_i x_i^2, at most 0:
/// (q/2)(ln t + 1 - t), t = (b + 2u)/q.
double binghamLogAcceptance(double b, double u, int q);

/// Draws a unit vector into `x`, which has as many entries as `alphas`. In one dimension it is a
/// random sign. The number of proposals depends on the alphas, so running time can reveal them.
void sampleBingham(std::span<const double> alphas, Drbg& random, std::span<double> x);

}  // namespace pm
