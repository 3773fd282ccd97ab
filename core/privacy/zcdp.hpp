#pragma once

namespace pm {

// Figures of guarantees: none is below the true value (upward.hpp).

/// rho-zCDP of a mu-GDP Gaussian release: mu^2 / 2.
double zcdpOfGdp(double mu);

/// What a Renyi divergence of at most `divergence` at the order alpha = 1 + excess implies: ln
/// delta for this epsilon, epsilon for this delta. delta = exp((alpha-1)(divergence - epsilon)) (1
/// - 1/alpha)^alpha / (alpha - 1). Every order gives a valid bound. Source: Canonne, Kamath,
/// Steinke 2020, Proposition 12. Precondition: excess > 0.
double logDeltaAtOrder(double excess, double divergence, double epsilon);
double epsilonAtOrder(double excess, double divergence, double delta);

/// mu of several releases of the same data, chosen adaptively: sqrt(sum mu_i^2).
/// Source: Dong, Roth, Su 2022, Corollary 3.3.
double composeGdp(const double* mu, int count);

}  // namespace pm
