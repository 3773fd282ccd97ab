#include "core/privacy/wishart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/golden_section.hpp"

namespace pm {
namespace {

// More than the error of the integrals, so that no result is below the true value.
constexpr double kMargin = 1 + 4e-9;
// The integrals stop where the density has fallen by e^-60.
constexpr double kDrop = 60;

// Stirling's correction: ln Gamma(a + 1) - (a + 1/2) ln a + a - ln(2 pi)/2, a > 0.
double stirlingError(double a) {
  double y = a, product = 1;
  while (y < 16) product *= ++y;
  const double r = 1 / (y * y);
  const double series = (1 / 12.0 - r * (1 / 360.0 - r * (1 / 1260.0 - r / 1680))) / y;
  if (y == a) return series;
  return series + (y + 0.5) * std::log(y) - y - (a + 0.5) * std::log(a) + a - std::log(product);
}

// The chi-square density with 2 h + 2 degrees of freedom, h >= 0, by the deviance from its mode
// (Loader 2000), which loses no digits for large h.
class ChiSquareDensity {
 public:
  explicit ChiSquareDensity(double h)
      : h_(h),
        front_(h == 0 ? 0.5 : std::exp(-stirlingError(h)) / std::sqrt(8 * std::numbers::pi * h)) {}

  double operator()(double u) const {
    if (h_ == 0) return 0.5 * std::exp(-u / 2);
    const double z = (u / 2 - h_) / h_;
    return front_ * std::exp(-h_ * (z - std::log1p(z)));
  }

 private:
  double h_, front_;
};

// Integral over [a, b] by the tanh-sinh rule, which tolerates singular derivatives at the ends and
// a peak at one of them.
template <class Function>
double integral(double a, double b, Function f) {
  constexpr double kStep = 0x1p-4, kPi = std::numbers::pi;
  const double half = (b - a) / 2;
  double sum = kPi / 2 * f(a + half);
  for (int k = 1; k <= 56; ++k) {
    const double q = std::exp(-kPi * std::sinh(k * kStep));
    const double inset = half * 2 * q / (1 + q);
    sum += 2 * kPi * std::cosh(k * kStep) * q / ((1 + q) * (1 + q)) * (f(a + inset) + f(b - inset));
  }
  return sum * half * kStep;
}

// The smallest value of f found on [0, most]; every point gives a valid bound.
template <class Function>
double smallest(double most, Function f) {
  return std::min(f(most), goldenSection(0, most, 24, f).value);
}

double bounded(double delta) {
  return std::clamp(kMargin * delta, std::numeric_limits<double>::min(), 1.0);
}

}  // namespace

// With f the density of X and r(u) = f(u - s) / f(u) = (1 - s/u)^h e^(s/2), which increases from 0
// at u = s, the optimal set is {u < top}, r(top) = e^-epsilon, and delta is the integral of f (1 -
// e^epsilon r) over it, without cancellation.
double wishartDeltaWithout(double epsilon, double m, double s) {
  const double h = m / 2 - 1;
  const ChiSquareDensity density(h);
  const double top = s / -std::expm1(-(epsilon + s / 2) / h);
  // ln f falls to the left of `top` by at least slope x + curvature x^2 / 2.
  const double slope = std::max(0.0, h / top - 0.5), curvature = h / (top * top);
  const double width = 2 * kDrop / (slope + std::sqrt(slope * slope + 2 * kDrop * curvature));
  const double low = h == 0 ? 0 : std::max(0.0, top - width);
  const auto integrand = [&](double u) {
    if (u <= s) return density(u);
    return density(u) * -std::expm1(std::min(0.0, epsilon + s / 2 + h * std::log1p(-s / u)));
  };
  return bounded(low < s ? integral(low, s, integrand) + integral(s, top, integrand)
                         : integral(low, top, integrand));
}

// Likewise with the set {u > bottom}, r(bottom) = e^epsilon, which is empty for epsilon >= s/2.
double wishartDeltaWith(double epsilon, double m, double s) {
  if (epsilon >= s / 2) return 0;
  const double h = m / 2 - 1;
  const ChiSquareDensity density(h);
  const double bottom = s / -std::expm1(-(s / 2 - epsilon) / h);
  double width = 1;
  while (width / 2 - h * std::log1p(width / bottom) < kDrop) width *= 2;
  const auto integrand = [&](double u) {
    if (u <= s) return 0.0;
    return density(u) * std::expm1(std::max(0.0, s / 2 - epsilon + h * std::log1p(-s / u)));
  };
  return bounded(std::exp(epsilon) * integral(bottom, bottom + width, integrand));
}

double wishartDelta(double epsilon, double m, double s, Neighbours neighbours) {
  if (neighbours == Neighbours::kAddRemove) {
    return std::max(wishartDeltaWithout(epsilon, m, s), wishartDeltaWith(epsilon, m, s));
  }
  return std::min(1.0, smallest(std::min(epsilon, s / 2), [&](double a) {
                    const double with = wishartDeltaWith(a, m, s);
                    return wishartDeltaWithout(epsilon - a, m, s) +
                           (with == 0 ? 0 : std::exp(epsilon - a) * with);
                  }));
}

int wishartShape(double epsilon, double delta, Neighbours neighbours) {
  constexpr int kLargest = 1 << 30;
  const auto enough = [&](int m) { return wishartDelta(epsilon, m, 1, neighbours) <= delta; };
  // delta falls with m: an independent chi-square added to both sides is post-processing.
  int low = 1, high = 2;
  while (!enough(high)) {
    if (high == kLargest) return 0;
    low = high, high *= 2;
  }
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace pm
