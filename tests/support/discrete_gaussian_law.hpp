#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/statistics.hpp"

namespace pm::testing_support {

/// The discrete Gaussian N_Z(0, variance): P(x) = exp(-x^2 / (2 variance)) / Z, in double
/// precision, relative error below 1e-13 for single values.
class DiscreteGaussianLaw {
 public:
  explicit DiscreteGaussianLaw(double variance) : variance_(variance) {
    double shape = 1;  // Z / sqrt(2 pi variance), by Poisson summation, or the sum itself
    if (variance > 1) {
      shape += 2 * std::exp(-2 * std::numbers::pi * std::numbers::pi * variance);
      normaliser_ = std::sqrt(2 * std::numbers::pi * variance) * shape;
    } else {
      normaliser_ = 1;
      for (int x = 1; x < 50; ++x) normaliser_ += 2 * weight(x);
    }
  }

  double sigma() const { return std::sqrt(variance_); }
  double normaliser() const { return normaliser_; }
  double mass(double x) const { return weight(x) / normaliser_; }

  /// P(X >= x), x > 0, summed from the smallest terms.
  double tail(std::int64_t x) const {
    double sum = 0;
    for (std::int64_t y = x + std::int64_t(std::ceil(15 * sigma())) + 10; y >= x; --y) {
      sum += mass(double(y));
    }
    return sum;
  }

  /// P(a <= X <= b): the sum, or for large sigma the integral over [a - 1/2, b + 1/2], whose
  /// relative error 1/(24 sigma^2) is then below 2e-8.
  double between(double a, double b) const {
    if (sigma() < 2000) {
      double sum = 0;
      for (double x = a; x <= b; ++x) sum += mass(x);
      return sum;
    }
    if (b < 0) return between(-b, -a);
    const double scale = 1 / (sigma() * std::numbers::sqrt2);
    return (std::erfc((a - 0.5) * scale) - std::erfc((b + 0.5) * scale)) / 2;
  }

 private:
  double weight(double x) const { return std::exp(-x * x / (2 * variance_)); }
  double variance_;
  double normaliser_;
};

/// Counts of the samples in cells a quarter of a block wide (w/4, at least 1), from -6 to 6 sigma,
/// everything beyond in the outermost cells; and their lower ends.
struct Cells {
  std::vector<double> from;  ///< smallest integer of each cell
  std::vector<std::uint64_t> counts;
};

inline Cells countCells(const std::vector<std::int64_t>& samples, std::uint64_t w) {
  const double width = std::max(1.0, double(w) / 4);
  const std::int64_t half = std::int64_t(std::ceil(96 * double(w) / width));
  Cells cells;
  for (std::int64_t i = -half; i <= half; ++i) {
    cells.from.push_back(std::ceil((double(i) - 0.5) * width));
  }
  cells.counts.resize(cells.from.size());
  for (const std::int64_t x : samples) {
    std::int64_t i = std::int64_t(std::floor(double(x) / width + 0.5)) + half;
    i = std::clamp<std::int64_t>(i, 0, 2 * half);
    ++cells.counts[std::size_t(i)];
  }
  return cells;
}

/// A named p-value.
struct Verdict {
  std::string test;
  double p;
};

/// Tests whether the samples are independent draws from N_Z(0, (16 w)^2): the histogram, the four
/// low bits of |x|, the first, second and fourth moments, the correlation of neighbours, and three
/// tails. Nine p-values; a caller alarms below kAlarm / (9 x number of samplers).
constexpr int kLawTests = 9;
inline std::vector<Verdict> testLaw(const std::vector<std::int64_t>& samples, std::uint64_t w) {
  const DiscreteGaussianLaw law(256 * double(w) * double(w));
  const double n = double(samples.size()), sigma = law.sigma();
  std::vector<Verdict> verdicts;

  const Cells cells = countCells(samples, w);
  std::vector<double> expected;
  for (std::size_t i = 0; i < cells.from.size(); ++i) {
    const double from = i == 0 ? -std::ceil(15 * sigma) : cells.from[i];
    const double to = i + 1 == cells.from.size() ? std::ceil(15 * sigma) : cells.from[i + 1] - 1;
    expected.push_back(n * law.between(from, to));
  }
  verdicts.push_back({"histogram", goodnessOfFit(cells.counts, expected)});

  std::vector<std::uint64_t> low(16);
  std::vector<double> low_expected(16, sigma < 2000 ? 0 : n / 16);
  for (const std::int64_t x : samples) ++low[std::uint64_t(x < 0 ? -x : x) & 15];
  if (sigma < 2000) {
    for (std::int64_t x = 0; double(x) < 15 * sigma; ++x) {
      low_expected[std::size_t(x & 15)] += n * law.mass(double(x)) * (x == 0 ? 1 : 2);
    }
  }
  verdicts.push_back({"low bits", goodnessOfFit(low, low_expected)});

  double sum = 0, squares = 0, fourth = 0, lagged = 0, previous = 0;
  std::uint64_t beyond3 = 0, beyond4 = 0, beyond45 = 0;
  const double bound3 = std::ceil(3 * sigma), bound4 = std::ceil(4 * sigma),
               bound45 = std::ceil(4.5 * sigma);
  for (const std::int64_t x : samples) {
    const double z = double(x) / sigma, size = std::fabs(double(x));
    sum += z, squares += z * z, fourth += z * z * z * z, lagged += z * previous;
    previous = z;
    beyond3 += size >= bound3, beyond4 += size >= bound4, beyond45 += size >= bound45;
  }
  verdicts.push_back({"mean", normalTail(sum / std::sqrt(n))});
  verdicts.push_back({"variance", normalTail((squares - n) / std::sqrt(2 * n))});
  verdicts.push_back({"fourth moment", normalTail((fourth - 3 * n) / std::sqrt(96 * n))});
  verdicts.push_back({"neighbours", normalTail(lagged / std::sqrt(n))});
  const auto tail = [&](double bound) { return 2 * law.between(bound, std::ceil(15 * sigma)); };
  verdicts.push_back({"beyond 3", binomialTail(beyond3, samples.size(), tail(bound3))});
  verdicts.push_back({"beyond 4", binomialTail(beyond4, samples.size(), tail(bound4))});
  verdicts.push_back({"beyond 4.5", binomialTail(beyond45, samples.size(), tail(bound45))});
  return verdicts;
}

/// The smallest of the p-values, corrected for their number.
inline Verdict worst(const std::vector<Verdict>& verdicts) {
  Verdict result = *std::min_element(verdicts.begin(), verdicts.end(),
                                     [](const Verdict& a, const Verdict& b) { return a.p < b.p; });
  result.p = std::min(1.0, result.p * double(verdicts.size()));
  return result;
}

}  // namespace pm::testing_support
