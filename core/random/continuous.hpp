#pragma once

#include <span>

#include "core/random/drbg.hpp"

namespace pm {

/// Continuous variates in double precision, for simulations and for mechanisms whose numerics are
/// `idealized`: their laws hold in real arithmetic, and no proof covers the low-order bits (Mironov
/// 2012). Exact discrete noise: discrete_gaussian.hpp.

/// Uniform on the open interval (0, 1): odd multiples of 2^-54.
double uniformOpen(Drbg& random);

/// Standard normal, by Marsaglia's polar method (Marsaglia, Bray 1964).
double standardNormal(Drbg& random);

/// Fills `out` with standard normals for simulations, which draw thousands and keep nothing secret.
/// Never use it for privacy noise, as its outputs predict later ones. The ziggurat has 256 layers
/// (Marsaglia & Tsang 2000; layer and position from different bits, see Doornik 2005) and draws
/// from a xoshiro256++ generator (Blackman & Vigna 2021) that `random` seeds with 256 bits. It
/// takes about a fifth of the time of the polar method with `random`.
void simulateNormals(std::span<double> out, Drbg& random);

/// Exponential of mean 1.
double standardExponential(Drbg& random);

/// Laplace of scale 1: density exp(-|x|)/2.
double standardLaplace(Drbg& random);

/// Gamma of the given shape and scale 1, by Marsaglia and Tsang's method (2000); for a shape below
/// 1 with their power of a uniform. Precondition: shape > 0.
double standardGamma(double shape, Drbg& random);

/// Chi-square with `freedom` degrees of freedom > 0.
double chiSquare(double freedom, Drbg& random);

}  // namespace pm
