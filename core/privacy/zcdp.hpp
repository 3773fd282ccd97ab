#pragma once

namespace pm {

// Figures of guarantees: none is below the true value (upward.hpp).

/// rho-zCDP of a mu-GDP Gaussian release: mu^2 / 2.
double zcdpOfGdp(double mu);

/// A delta for which rho-zCDP implies (epsilon, delta)-DP, minimised over the Renyi order:
/// exp((alpha-1)(alpha rho - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1), alpha > 1. Every order
/// gives a valid bound, so the search need not be exact.
/// Source: Canonne, Kamath, Steinke 2020, Proposition 12. Precondition: rho > 0, epsilon >= 0.
double deltaOfZcdp(double rho, double epsilon);

/// An epsilon >= 0 for which rho-zCDP implies (epsilon, delta)-DP, by the same bound solved for
/// epsilon. Precondition: rho > 0, 0 < delta < 1.
double epsilonOfZcdp(double rho, double delta);

/// The same bounds at one Renyi order 1 + excess, where the divergence is at most `divergence`:
/// ln delta for this epsilon, epsilon for this delta. Precondition: excess > 0.
double logDeltaAtOrder(double excess, double divergence, double epsilon);
double epsilonAtOrder(double excess, double divergence, double delta);

/// mu of several releases of the same data, chosen adaptively: sqrt(sum mu_i^2).
/// Source: Dong, Roth, Su 2022, Corollary 3.3.
double composeGdp(const double* mu, int count);

}  // namespace pm
