#pragma once

namespace pm {

// Figures of guarantees: none is below the true value (upward.hpp).

/// rho-zCDP of a mu-GDP Gaussian release: mu^2 / 2.
double zcdpOfGdp(double mu);

/// A Renyi order alpha = 1 + excess, with its logarithms. Precondition: excess > 0.
struct RenyiOrder {
  explicit RenyiOrder(double excess);

  double excess;
  double log;    ///< ln alpha
  double ratio;  ///< ln (alpha / (alpha - 1))
};

/// What a Renyi divergence of at most `divergence` at an order alpha implies: ln delta for this
/// epsilon, epsilon for this ln delta. delta = exp((alpha-1)(divergence - epsilon)) (1 -
/// 1/alpha)^alpha / (alpha - 1). Every order gives a valid bound. Source: Canonne, Kamath, Steinke
/// 2020, Proposition 12. A bound on the rounding error of the terms is added.
double logDeltaAtOrder(const RenyiOrder& order, double divergence, double epsilon);
double epsilonAtOrder(const RenyiOrder& order, double divergence, double log_delta);

/// mu of several releases of the same data, chosen adaptively: sqrt(sum mu_i^2).
/// Source: Dong, Roth, Su 2022, Corollary 3.3.
double composeGdp(const double* mu, int count);

}  // namespace pm
