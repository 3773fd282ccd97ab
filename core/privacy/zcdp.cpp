#include "core/privacy/zcdp.hpp"

#include <algorithm>
#include <cmath>

#include "core/golden_section.hpp"

namespace pm {

namespace {

// The minimum of f over ln(alpha - 1) up to ln `largest`; f has one.
template <class F>
double leastOverOrders(double largest, F f) {
  return goldenSection(std::log(1e-9), std::log(largest), 100, f).value;
}

}  // namespace

double zcdpOfGdp(double mu) { return mu * mu / 2; }

double deltaOfZcdp(double rho, double epsilon) {
  const double log_delta = leastOverOrders(100 * (epsilon / rho + 2), [&](double log_excess) {
    const double excess = std::exp(log_excess), alpha = 1 + excess;
    return excess * (alpha * rho - epsilon) - log_excess + alpha * std::log1p(-1 / alpha);
  });
  return std::min(1.0, std::exp(log_delta));
}

double epsilonOfZcdp(double rho, double delta) {
  const double log_inverse = -std::log(delta);
  return std::max(0.0, leastOverOrders(100 * (log_inverse / rho + 2), [&](double log_excess) {
                    const double excess = std::exp(log_excess);
                    return (1 + excess) * rho - std::log1p(1 / excess) +
                           (log_inverse - std::log1p(excess)) / excess;
                  }));
}

double composeGdp(const double* mu, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += mu[i] * mu[i];
  return std::sqrt(sum);
}

}  // namespace pm
