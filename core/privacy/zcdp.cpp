#include "core/privacy/zcdp.hpp"

#include <cmath>

#include "core/privacy/upward.hpp"

namespace pm {

double zcdpOfGdp(double mu) { return productUp(mu, mu) / 2; }

// At every order a bound on the rounding error of the terms is added.

double logDeltaAtOrder(double excess, double divergence, double epsilon) {
  const double ratio = std::log1p(1 / excess), log_order = std::log1p(excess);
  return excess * (divergence - epsilon - ratio) - log_order +
         8 * kLibraryError * (excess * (divergence + epsilon + ratio) + log_order);
}

double epsilonAtOrder(double excess, double divergence, double delta) {
  const double ratio = std::log1p(1 / excess);
  const double log_inverse = -std::log(delta), log_order = std::log1p(excess);
  return divergence - ratio + (log_inverse - log_order) / excess +
         8 * kLibraryError * (divergence + ratio + (log_inverse + log_order) / excess);
}

double composeGdp(const double* mu, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum = sumUp(sum, productUp(mu[i], mu[i]));
  return rootUp(sum);
}

}  // namespace pm
