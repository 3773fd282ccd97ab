#pragma once

#include <algorithm>
#include <cmath>

#include "core/golden_section.hpp"
#include "core/privacy/upward.hpp"
#include "core/privacy/zcdp.hpp"

namespace pm::testing_support {

/// The minimum of f, which is unimodal, over ln(alpha - 1) up to ln `largest`.
template <class F>
double leastOverOrders(double largest, F f) {
  return goldenSection(std::log(1e-9), std::log(largest), 100, f).value;
}

/// A delta for which rho-zCDP implies (epsilon, delta)-DP, minimised over the Renyi order. The
/// Accountant minimises over a fixed grid of orders. Precondition: rho > 0, epsilon >= 0.
inline double deltaOfZcdp(double rho, double epsilon) {
  const double log_delta = leastOverOrders(100 * (epsilon / rho + 2), [&](double log_excess) {
    const RenyiOrder order(std::exp(log_excess));
    return logDeltaAtOrder(order, (1 + order.excess) * rho, epsilon);
  });
  return std::clamp(std::exp(log_delta) * (1 + 2 * kLibraryError), kSmallestStated, 1.0);
}

/// An epsilon >= 0 for which rho-zCDP implies (epsilon, delta)-DP, by the same bound solved for
/// epsilon. Precondition: rho > 0, 0 < delta < 1.
inline double epsilonOfZcdp(double rho, double delta) {
  return std::max(0.0, leastOverOrders(100 * (-std::log(delta) / rho + 2), [&](double log_excess) {
                    const RenyiOrder order(std::exp(log_excess));
                    return epsilonAtOrder(order, (1 + order.excess) * rho, std::log(delta));
                  }));
}

}  // namespace pm::testing_support
