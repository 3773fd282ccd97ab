#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/discrete_gaussian_law.hpp"
#include "tests/support/statistics.hpp"

namespace pm::testing_support {

/// Samples against P(X > x) = tail(x), in `cells` equal cells from low to high and the rest.
template <class Tail>
Verdict fit(const std::string& name, const std::vector<double>& samples, Tail tail, double low,
            double high, int cells = 40) {
  std::vector<std::uint64_t> observed(std::size_t(cells) + 2);
  for (const double x : samples) {
    const double cell = std::floor((x - low) / (high - low) * cells) + 1;
    ++observed[std::size_t(std::clamp(cell, 0.0, cells + 1.0))];
  }
  std::vector<double> expected;
  double above = 1;
  for (int i = 0; i <= cells + 1; ++i) {
    const double next = i > cells ? 0 : tail(low + (high - low) * i / cells);
    expected.push_back(double(samples.size()) * (above - next));
    above = next;
  }
  return {name, goodnessOfFit(observed, expected)};
}

/// Whether independent numbers have mean `mean`, by their own standard deviation.
inline Verdict hasMean(const std::string& name, const std::vector<double>& samples, double mean) {
  double sum = 0, squares = 0;
  for (const double x : samples) sum += x - mean, squares += (x - mean) * (x - mean);
  const double n = double(samples.size());
  const double average = sum / n;
  return {name, normalTail(average / std::sqrt((squares / n - average * average) / n))};
}

}  // namespace pm::testing_support
