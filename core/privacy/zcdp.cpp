#include "core/privacy/zcdp.hpp"

#include <algorithm>
#include <cmath>

#include "core/golden_section.hpp"
#include "core/privacy/upward.hpp"

namespace pm {

namespace {

// The minimum of f, which is unimodal, over ln(alpha - 1) up to ln `largest`.
template <class F>
double leastOverOrders(double largest, F f) {
  return goldenSection(std::log(1e-9), std::log(largest), 100, f).value;
}

}  // namespace

double zcdpOfGdp(double mu) { return productUp(mu, mu) / 2; }

// At every order a bound on the rounding error of the terms is added.

double deltaOfZcdp(double rho, double epsilon) {
  const double log_delta = leastOverOrders(100 * (epsilon / rho + 2), [&](double log_excess) {
    const double excess = std::exp(log_excess);
    return logDeltaAtOrder(excess, (1 + excess) * rho, epsilon);
  });
  return std::clamp(std::exp(log_delta) * (1 + 2 * kLibraryError), kSmallestStated, 1.0);
}

double epsilonOfZcdp(double rho, double delta) {
  return std::max(0.0, leastOverOrders(100 * (-std::log(delta) / rho + 2), [&](double log_excess) {
                    const double excess = std::exp(log_excess);
                    return epsilonAtOrder(excess, (1 + excess) * rho, delta);
                  }));
}

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
