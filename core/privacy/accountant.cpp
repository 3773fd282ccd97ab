#include "core/privacy/accountant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/privacy/gaussian.hpp"
#include "core/privacy/upward.hpp"

namespace pm {
namespace {

// The share of delta that epsilonAt reserves for the distances of samplers. These are usually far
// smaller than the first share; the second is for when they are not.
constexpr double kDistanceShares[] = {0x1p-20, 0.5};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The Renyi orders 1 + x with 8311 values of x from 10^-6 to 10^12 in ratios of half a per cent.
// They are fixed so that another access, which raises every term, cannot lower the minimum.
const std::vector<RenyiOrder>& orders() {
  static const std::vector<RenyiOrder> all = [] {
    std::vector<RenyiOrder> made;
    double x = 1e-6;
    for (int i = 0; i < 8311; ++i) {
      made.emplace_back(x);
      x *= 1.005;
    }
    return made;
  }();
  return all;
}

double gdpDelta(double epsilon, double mu_squared) {
  if (epsilon < 0) return 1;
  return mu_squared > 0 ? deltaOfGdp(epsilon, rootUp(mu_squared)) : 0;
}

double gdpEpsilon(double mu_squared, double delta) {
  return mu_squared > 0 ? epsilonOfGdp(rootUp(mu_squared), delta) : 0;
}

}  // namespace

double deltaOfDistance(double distance, double epsilon) {
  if (distance == 0) return 0;
  return productUp(sumUp(1, std::exp(epsilon) * (1 + 2 * kLibraryError)), distance);
}

void Accountant::add(const Cost& cost) {
  const double size = cost.size;
  switch (cost.kind) {
    case Cost::Kind::kPure:
    case Cost::Kind::kBoundedRange: {
      if (size == 0) return;
      const double mu = gdpOfPure(size);
      pure_.push_back({size, productUp(size, size) / (cost.kind == Cost::Kind::kPure ? 2 : 8)});
      pure_epsilon_ = sumUp(pure_epsilon_, size);
      pure_mu_squared_ = sumUp(pure_mu_squared_, productUp(mu, mu));
      return;
    }
    case Cost::Kind::kGdp:
      mu_squared_ = sumUp(mu_squared_, productUp(size, size));
      rho_ = sumUp(rho_, zcdpOfGdp(size));
      return;
    case Cost::Kind::kZcdp:
      all_gdp_ &= size == 0;
      rho_ = sumUp(rho_, size);
      return;
    case Cost::Kind::kApproximate:
      approximate_epsilon_ = sumUp(approximate_epsilon_, size);
      approximate_delta_ = sumUp(approximate_delta_, cost.delta);
  }
}

void Accountant::addDistance(double distance) { distance_ = sumUp(distance_, distance); }

double Accountant::pure() const {
  return rho_ == 0 && approximate_delta_ == 0 ? pure_epsilon_ : kInfinity;
}

double Accountant::gdp() const {
  return all_gdp_ && approximate_delta_ == 0 ? rootUp(sumUp(mu_squared_, pure_mu_squared_))
                                             : kInfinity;
}

double Accountant::zcdp() const {
  if (approximate_delta_ > 0) return kInfinity;
  double rho = rho_;
  for (const Pure& pure : pure_) rho = sumUp(rho, pure.rho);
  return rho;
}

// Gaussian accesses alone: their curve is exact, so no Renyi order gives less.
bool Accountant::isGdpExactly() const { return all_gdp_ && pure_.empty(); }

// A bound on the Renyi divergence; a pure access adds at most its epsilon.
double Accountant::renyi(const RenyiOrder& order) const {
  const double alpha = 1 + order.excess;
  double sum = productUp(alpha, rho_);
  for (const Pure& pure : pure_) {
    sum = sumUp(sum, std::min(pure.epsilon, productUp(alpha, pure.rho)));
  }
  return sum;
}

// The same, not rounded up, and reduced by more than its rounding error: never above renyi(order).
double Accountant::renyiAtLeast(const RenyiOrder& order) const {
  const double alpha = 1 + order.excess;
  double sum = alpha * rho_;
  for (const Pure& pure : pure_) sum += std::min(pure.epsilon, alpha * pure.rho);
  return sum * (1 - double(2 * pure_.size() + 4) * 0x1p-52);
}

// The least bound(order, divergence, given) over all orders. Bounds grow with the divergence, in
// doubles, too. Rounding up takes most of the time, so it is done only where a smaller divergence
// gives less than the order that looks best.
double Accountant::leastOverOrders(Bound bound, double given) const {
  const RenyiOrder* best = nullptr;
  double least_possible = kInfinity;
  for (const RenyiOrder& order : orders()) {
    const double possible = bound(order, renyiAtLeast(order), given);
    if (best != nullptr && possible >= least_possible) continue;
    best = &order;
    least_possible = possible;
  }
  double least = bound(*best, renyi(*best), given);
  for (const RenyiOrder& order : orders()) {
    if (bound(order, renyiAtLeast(order), given) >= least) continue;
    least = std::min(least, bound(order, renyi(order), given));
  }
  return least;
}

double Accountant::epsilonAt(double delta) const {
  if (distance_ == 0) return epsilonWithin(differenceDown(delta, approximate_delta_));
  for (const double share : kDistanceShares) {
    const double kept = delta * share;
    const double epsilon = epsilonWithin(differenceDown(delta, sumUp(kept, approximate_delta_)));
    if (deltaOfDistance(distance_, epsilon) <= kept) return epsilon;
  }
  return kInfinity;
}

double Accountant::epsilonWithin(double room) const {
  double least = rho_ == 0 && room >= 0 ? pure_epsilon_ : kInfinity;
  if (room > 0 && all_gdp_) {
    least = std::min({least, gdpEpsilon(sumUp(mu_squared_, pure_mu_squared_), room),
                      sumUp(gdpEpsilon(mu_squared_, room), pure_epsilon_)});
  }
  if (room > 0 && !isGdpExactly()) {
    least = std::min(least, leastOverOrders(epsilonAtOrder, std::log(room)));
  }
  return sumUp(std::max(least, 0.0), approximate_epsilon_);
}

double Accountant::deltaAt(double epsilon) const {
  const double room = differenceDown(epsilon, approximate_epsilon_);
  if (room < 0) return 1;
  double least = rho_ == 0 && room >= pure_epsilon_ ? 0 : 1;
  if (all_gdp_) {
    least = std::min({least, gdpDelta(room, sumUp(mu_squared_, pure_mu_squared_)),
                      gdpDelta(differenceDown(room, pure_epsilon_), mu_squared_)});
  }
  if (least > 0 && !isGdpExactly()) {
    const double log_delta = leastOverOrders(logDeltaAtOrder, room);
    least =
        std::min(least, std::max(std::exp(log_delta) * (1 + 2 * kLibraryError), kSmallestStated));
  }
  const double sum = sumUp(least, approximate_delta_);
  return std::min(sumUp(sum, deltaOfDistance(distance_, epsilon)), 1.0);
}

}  // namespace pm
