#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace pm::testing_support {

/// A statistical test fails where its p-value, times the number of such tests made together, is
/// below this. Seeds are fixed, so a test that passes keeps passing; this is the chance that a
/// correct library fails after somebody changes a seed.
constexpr double kAlarm = 1e-6;

/// Two-sided tail of the standard normal distribution.
inline double normalTail(double z) { return std::erfc(std::fabs(z) / std::sqrt(2.0)); }

/// P(Gamma(shape) > x), by its series or, beyond the mean, its continued fraction.
inline double gammaTail(double shape, double x) {
  if (x <= 0) return 1;
  const double front = std::exp(shape * std::log(x) - x - std::lgamma(shape));
  if (x < shape + 1) {
    double term = 1 / shape, sum = term;
    for (double n = shape + 1; term > sum * 1e-17; ++n) sum += term *= x / n;
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

/// P(chi-square with `degrees` degrees of freedom > statistic).
inline double chiSquareTail(double statistic, double degrees) {
  return gammaTail(degrees / 2, statistic / 2);
}

/// P(Beta(a, b) < x), by its continued fraction.
inline double betaBelow(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaBelow(b, a, 1 - x);
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

/// Two-sided p-value of `hits` out of `trials` for the probability `chance`.
inline double binomialTail(std::uint64_t hits, std::uint64_t trials, double chance) {
  const double k = double(hits), n = double(trials);
  const double at_least = hits == 0 ? 1 : betaBelow(k, n - k + 1, chance);
  const double at_most = hits == trials ? 1 : 1 - betaBelow(k + 1, n - k, chance);
  return std::min(1.0, 2 * std::min(at_least, at_most));
}

/// Clopper-Pearson: the true probability is below (above) the result with probability at most
/// `alpha`.
inline double probabilityAtLeast(std::uint64_t hits, std::uint64_t trials, double alpha) {
  if (hits == 0) return 0;
  double low = 0, high = double(hits) / double(trials);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    const bool rare = betaBelow(double(hits), double(trials - hits) + 1, middle) < alpha;
    (rare ? low : high) = middle;
  }
  return low;
}
inline double probabilityAtMost(std::uint64_t hits, std::uint64_t trials, double alpha) {
  return 1 - probabilityAtLeast(trials - hits, trials, alpha);
}

/// p-value of counts against expected counts. Neighbouring cells are merged until each expects at
/// least 25, where the chi-square law holds far enough out.
inline double goodnessOfFit(const std::vector<std::uint64_t>& observed,
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

/// p-value for two lists of counts having one law; cells merged as above.
inline double homogeneity(const std::vector<std::uint64_t>& first,
                          const std::vector<std::uint64_t>& second) {
  double n1 = 0, n2 = 0;
  for (const std::uint64_t count : first) n1 += double(count);
  for (const std::uint64_t count : second) n2 += double(count);
  double statistic = 0, open1 = 0, open2 = 0;
  int cells = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    open1 += double(first[i]), open2 += double(second[i]);
    if (open1 + open2 < 50 && i + 1 < first.size()) continue;
    if (open1 + open2 == 0) continue;
    const double difference = open1 * std::sqrt(n2 / n1) - open2 * std::sqrt(n1 / n2);
    statistic += difference * difference / (open1 + open2);
    ++cells;
    open1 = open2 = 0;
  }
  return cells < 2 ? 0 : chiSquareTail(statistic, cells - 1);
}

}  // namespace pm::testing_support
