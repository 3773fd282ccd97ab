#include "core/research/audit/tails.hpp"

#include <cmath>

namespace pm {

double gammaTail(double shape, double x) {
  if (x <= 0) return 1;
  const double front = std::exp(shape * std::log(x) - x - std::lgamma(shape));
  if (x < shape + 1) {
    double term = 1 / shape, sum = term, n = shape;
    while (term > sum * 1e-17) sum += term *= x / ++n;
    return 1 - front * sum;
  }
  double b = x + 1 - shape, c = 1e300, d = 1 / b, product = d;
  for (int i = 1; i < 10000; ++i) {
    const double a = -i * (i - shape);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    product *= d * c;
    if (std::fabs(d * c - 1) < 1e-16) break;
  }
  return front * product;
}

double chiSquareTail(double statistic, double degrees) {
  return gammaTail(degrees / 2, statistic / 2);
}

namespace {

// The incomplete beta function by its continued fraction, which converges fast below the mean.
double betaFraction(double a, double b, double x) {
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x)) /
                       a;
  double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), product = d;
  for (int m = 1; m < 100000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d), c = 1 + even / c, product *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d), c = 1 + odd / c, product *= d * c;
    if (std::fabs(d * c - 1) < 1e-16) break;
  }
  return front * product;
}

}  // namespace

double betaBelow(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // No recursion: by rounding both sides may be above their means.
  return x > (a + 1) / (a + b + 2) ? 1 - betaFraction(b, a, 1 - x) : betaFraction(a, b, x);
}

double probabilityAtLeast(std::uint64_t hits, std::uint64_t trials, double alpha) {
  if (hits == 0) return 0;
  double low = 0, high = double(hits) / double(trials);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    const bool rare = betaBelow(double(hits), double(trials - hits) + 1, middle) < alpha;
    (rare ? low : high) = middle;
  }
  return low;
}
double probabilityAtMost(std::uint64_t hits, std::uint64_t trials, double alpha) {
  return 1 - probabilityAtLeast(trials - hits, trials, alpha);
}

double goodnessOfFit(const std::vector<std::uint64_t>& observed,
                     const std::vector<double>& expected) {
  std::vector<double> o, e;
  double open_o = 0, open_e = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    open_o += double(observed[i]), open_e += expected[i];
    if (open_e >= 25) {
      o.push_back(open_o), e.push_back(open_e);
      open_o = open_e = 0;
    }
  }
  if (o.size() < 2) return 0;
  o.back() += open_o, e.back() += open_e;
  double statistic = 0;
  for (std::size_t i = 0; i < o.size(); ++i) statistic += (o[i] - e[i]) * (o[i] - e[i]) / e[i];
  return chiSquareTail(statistic, double(o.size()) - 1);
}

double gammaDifferenceTail(int shape, double x) {
  if (x < 0) return 1 - gammaDifferenceTail(shape, -x);
  double sum = 0;
  for (int j = 0; j < shape; ++j) {
    const double n = 2 * shape - 1 - j;
    sum +=
        std::exp(std::lgamma(n) - std::lgamma(shape - j) - std::lgamma(shape) - n * std::log(2.0)) *
        gammaTail(j + 1, x);
  }
  return sum;
}

}  // namespace pm
