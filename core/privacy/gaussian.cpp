#include "core/privacy/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/privacy/upward.hpp"

namespace pm {
namespace {

constexpr double kLogTwoPi = 1.8378770664093454836;

constexpr double kLogOfZero = -std::numeric_limits<double>::infinity();

// Relative error of one or two roundings.
constexpr double kRounding = 0x1p-52;

// Calibration aims this far below ln delta, more than the rounding error at a slightly smaller mu.
constexpr double kCalibrationRoom = 0x1p-46;

// The continued fraction x + i/(x + (i+1)/(x + (i+2)/...)), i = `first`, for x >= 2.5. With
// first = 1 it is 1/m(x), m(x) = Phi(-x)/phi(x) being Mills' ratio.
double continuedFraction(double x, int first) {
  double tail = x;
  for (int i = 60; i >= first; --i) tail = x + i / tail;
  return tail;
}

// -m'(y) = 1 - y m(y), positive and decreasing; without cancellation for large y.
double millsSlope(double y) {
  if (y < 2.5) {
    return 1 - y * std::sqrt(std::numbers::pi / 2) * std::exp(y * y / 2) *
                   std::erfc(y / std::numbers::sqrt2);
  }
  return 1 / (y * continuedFraction(y, 2) + 1);
}

// The integral of millsSlope over [middle - width/2, middle + width/2], width <= 1/2, by the
// eight-point Gauss-Legendre rule, which is exact here to 1e-14.
double millsDifference(double middle, double width) {
  constexpr double kNode[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                              0.9602898564975363};
  constexpr double kWeight[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                0.1012285362903763};
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    const double step = kNode[i] * width / 2;
    sum += kWeight[i] * (millsSlope(middle - step) + millsSlope(middle + step));
  }
  return sum * width / 2;
}

// A bound on the error of logNormalCdf(x). Below -5 it is the error of x^2/2 and of the continued
// fraction. Above, x/sqrt 2 is off by one rounding, which moves ln Phi by less than 26 times as
// much; erfc and a logarithm of at most 15 in absolute value add their own errors.
double errorOfLogNormalCdf(double x) {
  const double below = std::min(x, 0.0);
  return kRounding * (below * below + 64);
}

// ln delta from its two terms, e^gain - e^loss, with the first rounded up and the second down.
// Their arguments are off by one rounding of epsilon/mu and one of the sum, and the derivative of
// ln Phi at -y is at most 1 + y.
double logDeltaByTerms(double epsilon, double mu) {
  const double inside = mu / 2 - epsilon / mu, outside = -mu / 2 - epsilon / mu;
  const double gain = logNormalCdf(inside);
  if (gain == kLogOfZero) return gain;
  const double shift = kRounding * -outside;
  const double most =
      std::min(0.0, gain + errorOfLogNormalCdf(inside) + shift * (1 + std::max(0.0, -inside)));
  const double loss = epsilon + logNormalCdf(outside);
  const double least = loss - errorOfLogNormalCdf(outside) - shift * (1 - outside) -
                       kRounding * (std::fabs(loss) + epsilon);
  if (!(least < most)) return most;
  const double kept = std::log(-std::expm1(least - most));
  return most + kept + kLibraryError * (2 + std::fabs(most) + std::fabs(kept));
}

// ln delta for small mu, where the two terms cancel. As e^epsilon phi(epsilon/mu + mu/2) =
// phi(epsilon/mu - mu/2), delta is that density times a difference of Mills' ratios, an integral of
// positive numbers; the quadrature and its integrand are accurate to 2^-44.
double logDeltaByIntegral(double epsilon, double mu) {
  const double middle = epsilon / mu, low = middle - mu / 2;
  const double log_delta = -0.5 * low * low - kLogTwoPi / 2 + std::log(millsDifference(middle, mu));
  if (log_delta == kLogOfZero) return log_delta;
  return log_delta + kRounding * (2 * middle * middle + std::fabs(log_delta) + 256);
}

// ln delta, rounded down.
double logFromBelow(double delta) {
  const double log_delta = std::log(delta);
  return log_delta - kLibraryError * std::fabs(log_delta);
}

// The root of an increasing function on (0, infinity), bisected to the last bit.
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
  // Here erfc loses accuracy and then underflows.
  return -0.5 * x * x - kLogTwoPi / 2 - std::log(continuedFraction(-x, 1));
}

double logDeltaOfGdp(double epsilon, double mu) {
  return std::min(0.0, mu < 0.5 ? logDeltaByIntegral(epsilon, mu) : logDeltaByTerms(epsilon, mu));
}

double deltaOfGdp(double epsilon, double mu) {
  const double delta = std::exp(logDeltaOfGdp(epsilon, mu)) * (1 + 2 * kLibraryError);
  return std::clamp(delta, kSmallestStated, 1.0);
}

double gdpOfEpsilonDelta(double epsilon, double delta) {
  const double target = logFromBelow(delta) - kCalibrationRoom;
  return increasingRoot([&](double mu) { return logDeltaOfGdp(epsilon, mu) - target; });
}

double epsilonOfGdp(double mu, double delta) {
  const double target = logFromBelow(delta);
  if (logDeltaOfGdp(0, mu) <= target) return 0;
  return nextUp(
      increasingRoot([&](double epsilon) { return target - logDeltaOfGdp(epsilon, mu); }));
}

// Phi(mu/2) = e^epsilon / (1 + e^epsilon): for small epsilon solved as erf(mu / sqrt 8) =
// tanh(epsilon / 2), where neither side loses digits, otherwise by the logarithms of 1 minus each
// side.
double gdpOfPure(double epsilon) {
  double below;
  if (epsilon < 1) {
    const double middle = std::tanh(epsilon / 2) * (1 + 2 * kLibraryError);
    below = increasingRoot([&](double mu) {
      return std::erf(mu / std::sqrt(8.0)) * (1 - 2 * kLibraryError) - middle;
    });
  } else {
    const double kink = -(epsilon + std::log1p(std::exp(-epsilon))) * (1 + 2 * kLibraryError);
    below = increasingRoot(
        [&](double mu) { return kink - logNormalCdf(-mu / 2) - errorOfLogNormalCdf(-mu / 2); });
  }
  return nextUp(below);
}

}  // namespace pm
