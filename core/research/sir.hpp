#pragma once

#include <span>

namespace pm {

/// How much less noise the signal-to-sensitivity ratio counts for p directions of m.
enum class SensitivityGain {
  kQuadratic,  ///< (m/p)^2: the claim of the abstract
  kLinear,     ///< m/p: the noise of the authors' algorithm 1
  kUpper,      ///< m (m + 1)/(p (p + 1)): entries of the upper triangle in a box
  kCorrected,  ///< (m + 1)/2 over the unit ball's constant for p: algorithms 2 and 3; 0.71 at p = m
               ///< for large m, because the ball forgets the box
  kSpectrum,   ///< 1: algorithm 1, whose noise does not depend on p
};

/// SIR(p) = gain times retained energy, the share of sum sigma_i^2 in its first p (Chanyaswad, Liu,
/// Mittal 2017, IX-A). Of private rows it is itself a private number: take the singular values of
/// public rows, or of a release.
/// @param singular_values largest first, not all 0; m of them
/// @param components p, 1 .. m
double signalToSensitivity(std::span<const double> singular_values, int components,
                           SensitivityGain gain);

/// x^2 epsilon^2/(8 a^2 q^2), what theorems 2 and 3 of the paper call the ratio of signal to noise
/// of an identity query on q columns in [-a, a]. That normalising projected columns by sqrt m
/// divides their power by m is not in it.
double identitySignalToNoise(double x, double a, double epsilon, double q);

}  // namespace pm
