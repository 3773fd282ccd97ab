#pragma once

namespace pm {

/// ln Phi(x), Phi the standard normal distribution function. The error is about 2^-52 (x^2 + 64)
/// below 0 and 2^-46 above.
double logNormalCdf(double x);

// All functions below are used in guarantees and are rounded to the safe side: a stated delta,
// epsilon or mu is never below the true value, and at most 1e-9 (relative) above it for epsilon <=
// 100. Derivation of the bounds: gaussian.cpp; docs/noise.md ("Rounded up").

/// ln of the smallest delta for which mu-GDP implies (epsilon, delta)-DP:
/// delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
/// Source: Balle and Wang 2018, Theorem 8; Dong, Roth and Su 2022, Corollary 2.13.
/// Precondition: epsilon >= 0, mu > 0. Returns -infinity if even the logarithm overflows.
double logDeltaOfGdp(double epsilon, double mu);

/// That delta itself, but at least 2^-1022, the smallest normal double.
double deltaOfGdp(double epsilon, double mu);

/// The largest mu for which mu-GDP implies (epsilon, delta)-DP, rounded down; the analytic Gaussian
/// mechanism has sigma = sensitivity / mu. Precondition: epsilon > 0, 0 < delta < 1.
double gdpOfEpsilonDelta(double epsilon, double delta);

/// The smallest epsilon >= 0 for which mu-GDP implies (epsilon, delta)-DP.
/// Precondition: mu > 0, 0 < delta < 1.
double epsilonOfGdp(double mu, double delta);

/// The smallest mu for which pure epsilon-DP implies mu-GDP: 2 Phi^-1(e^epsilon / (1 + e^epsilon)).
/// The trade-off function of mu-GDP is convex, and lies below that of epsilon-DP if it does so at
/// the latter's kink (alpha = 1/(1 + e^epsilon)). Precondition: epsilon > 0.
double gdpOfPure(double epsilon);

}  // namespace pm
