#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/research/audit/tails.hpp"

namespace pm::testing_support {

/// A statistical test fails if its p-value, times the number of tests made together, is below this.
/// Seeds are fixed, so a test that passes keeps passing; this is the probability that a correct
/// library fails after a change of the seed.
constexpr double kAlarm = 1e-6;

/// Two-sided tail of the standard normal distribution.
inline double normalTail(double z) { return std::erfc(std::fabs(z) / std::sqrt(2.0)); }

/// Two-sided p-value of `hits` out of `trials` for the probability `chance`.
inline double binomialTail(std::uint64_t hits, std::uint64_t trials, double chance) {
  const double k = double(hits), n = double(trials);
  const double at_least = hits == 0 ? 1 : betaBelow(k, n - k + 1, chance);
  const double at_most = hits == trials ? 1 : 1 - betaBelow(k + 1, n - k, chance);
  return std::min(1.0, 2 * std::min(at_least, at_most));
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
