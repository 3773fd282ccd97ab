#pragma once

#include <span>

namespace pm {

/// The factor by which the signal-to-sensitivity ratio assumes less noise for p of m directions.
enum class SensitivityGain {
  kQuadratic,  ///< (m/p)^2: the claim of the abstract
  kLinear,     ///< m/p: the noise of the authors' algorithm 1
  kUpper,      ///< m (m + 1)/(p (p + 1)): entries of the upper triangle in a box
  kCorrected,  ///< (m + 1)/2 divided by the unit ball's constant for p: algorithms 2 and 3; 0.71 at
               ///< p = m for large m, because the ball is larger than the box
  kSpectrum,   ///< 1: algorithm 1, whose noise does not depend on p
};

/// SIR(p) = gain times retained energy, the share of the first p in sum sigma_i^2 (Chanyaswad, Liu,
/// Mittal 2017, IX-A). For private rows it is itself private; use the singular values of public
/// rows or of a release.
/// @param singular_values largest first, not all 0; m of them
/// @param components p, 1 .. m
double signalToSensitivity(std::span<const double> singular_values, int components,
                           SensitivityGain gain);

/// x^2 epsilon^2/(8 a^2 q^2), which theorems 2 and 3 of the paper call the signal-to-noise ratio of
/// an identity query on q columns in [-a, a]. It ignores that normalising projected columns by sqrt
/// m divides their power by m.
double identitySignalToNoise(double x, double a, double epsilon, double q);

}  // namespace pm
