#include "core/privacy/gaussian.hpp"

#include <cmath>
#include <limits>

namespace pm {
namespace {

constexpr double kLogTwoPi = 1.8378770664093454836;

// The root of an increasing function on (0, infinity), by bisection to the last bit.
template <class F>
double increasingRoot(F f) {
  double low = 1, high = 1;
  while (f(high) < 0) high *= 2;
  while (f(low) > 0) low /= 2;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return low;
    (f(middle) < 0 ? low : high) = middle;
  }
}

}  // namespace

double logNormalCdf(double x) {
  if (x > -5) return std::log(std::erfc(-x / std::sqrt(2.0)) / 2);
  // Mills' ratio as a continued fraction: erfc loses its digits out here, and then underflows.
  const double y = -x;
  double tail = y;
  for (int i = 60; i >= 1; --i) tail = y + i / tail;
  return -y * y / 2 - kLogTwoPi / 2 - std::log(tail);
}

double logDeltaOfGdp(double epsilon, double mu) {
  const double gain = logNormalCdf(mu / 2 - epsilon / mu);
  const double loss = epsilon + logNormalCdf(-mu / 2 - epsilon / mu);
  if (loss >= gain) return -std::numeric_limits<double>::infinity();
  return gain + std::log(-std::expm1(loss - gain));
}

double gdpOfEpsilonDelta(double epsilon, double delta) {
  const double target = std::log(delta);
  return increasingRoot([&](double mu) { return logDeltaOfGdp(epsilon, mu) - target; });
}

double epsilonOfGdp(double mu, double delta) {
  const double target = std::log(delta);
  if (logDeltaOfGdp(0, mu) <= target) return 0;
  const double below =
      increasingRoot([&](double epsilon) { return target - logDeltaOfGdp(epsilon, mu); });
  return std::nextafter(below, std::numeric_limits<double>::infinity());
}

}  // namespace pm
