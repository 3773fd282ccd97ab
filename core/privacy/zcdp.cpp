#include "core/privacy/zcdp.hpp"

#include <cmath>

#include "core/privacy/upward.hpp"

namespace pm {

double zcdpOfGdp(double mu) { return productUp(mu, mu) / 2; }

RenyiOrder::RenyiOrder(double excess)
    : excess(excess), log(std::log1p(excess)), ratio(std::log1p(1 / excess)) {}

double logDeltaAtOrder(const RenyiOrder& order, double divergence, double epsilon) {
  return order.excess * (divergence - epsilon - order.ratio) - order.log +
         8 * kLibraryError * (order.excess * (divergence + epsilon + order.ratio) + order.log);
}

double epsilonAtOrder(const RenyiOrder& order, double divergence, double log_delta) {
  return divergence - order.ratio + (-log_delta - order.log) / order.excess +
         8 * kLibraryError * (divergence + order.ratio + (-log_delta + order.log) / order.excess);
}

double composeGdp(const double* mu, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum = sumUp(sum, productUp(mu[i], mu[i]));
  return rootUp(sum);
}

}  // namespace pm
