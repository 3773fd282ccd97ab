#include "core/privacy/zcdp.hpp"

#include <algorithm>
#include <cmath>

namespace pm {

double zcdpOfGdp(double mu) { return mu * mu / 2; }

double deltaOfZcdp(double rho, double epsilon) {
  const auto log_delta = [&](double log_excess) {
    const double excess = std::exp(log_excess), alpha = 1 + excess;
    return excess * (alpha * rho - epsilon) - log_excess + alpha * std::log1p(-1 / alpha);
  };
  // Golden-section search over ln(alpha - 1); the function has one minimum.
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(1e-9), high = std::log(100 * (epsilon / rho + 2));
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double fa = log_delta(a), fb = log_delta(b);
  for (int i = 0; i < 100; ++i) {
    if (fa < fb) {
      high = b, b = a, fb = fa;
      a = high - ratio * (high - low), fa = log_delta(a);
    } else {
      low = a, a = b, fa = fb;
      b = low + ratio * (high - low), fb = log_delta(b);
    }
  }
  return std::min(1.0, std::exp(std::min(fa, fb)));
}

double composeGdp(const double* mu, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += mu[i] * mu[i];
  return std::sqrt(sum);
}

}  // namespace pm
