#pragma once

#include <span>

#include "core/random/drbg.hpp"

namespace pm {

/// Continuous variates in double precision, for mechanisms whose numerics are `idealized` and for
/// simulations: their laws are those of real arithmetic up to rounding, and their low-order bits
/// carry no proof (Mironov 2012). Exact discrete noise: discrete_gaussian.hpp.

/// Uniform on the open interval (0, 1): odd multiples of 2^-54.
double uniformOpen(Drbg& random);

/// Standard normal, by Marsaglia's polar method (Marsaglia, Bray 1964).
double standardNormal(Drbg& random);

/// Fills `out` with standard normals for simulations, which draw thousands and keep nothing secret;
/// never for noise that protects anybody, as what is drawn tells what comes next. By the ziggurat
/// of 256 layers (Marsaglia & Tsang 2000; layer and place from different bits, as Doornik 2005
/// asks) from a xoshiro256++ generator (Blackman & Vigna 2021) that `random` seeds with 256 bits.
/// About a fifth of the time of the polar method from `random`.
void simulateNormals(std::span<double> out, Drbg& random);

/// Exponential of mean 1.
double standardExponential(Drbg& random);

/// Laplace of scale 1: density exp(-|x|)/2.
double standardLaplace(Drbg& random);

/// Gamma of the given shape and scale 1, by Marsaglia and Tsang's method (2000); for a shape below
/// 1 by their power of a uniform. Precondition: shape > 0.
double standardGamma(double shape, Drbg& random);

/// Chi-square with `freedom` degrees of freedom > 0.
double chiSquare(double freedom, Drbg& random);

}  // namespace pm
