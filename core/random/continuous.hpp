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

/// Fills `out` with standard normals by the same method, both of each pair: for simulations that
/// draw thousands, half of the time.
void fillNormals(std::span<double> out, Drbg& random);

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
