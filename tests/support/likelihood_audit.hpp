#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/research/audit/audit.hpp"
#include "tests/support/statistics.hpp"

namespace pm::testing_support {

/// The largest epsilon that two samples of one score refute: `first` holds scores of releases of
/// one data set, `second` of its neighbour's. For each threshold and both directions, what
/// P1(score > t) and P2(score > t) show, each wrong with probability `alpha` (Clopper-Pearson). The
/// score is best the logarithm of the likelihood ratio.
inline double epsilonRefuted(const std::vector<double>& first, const std::vector<double>& second,
                             const std::vector<double>& thresholds, double delta, double alpha) {
  double result = 0;
  for (const double threshold : thresholds) {
    for (const double sign : {1.0, -1.0}) {
      const auto above = [&](const std::vector<double>& scores) {
        return std::uint64_t(std::count_if(scores.begin(), scores.end(),
                                           [&](double score) { return sign * score > threshold; }));
      };
      const auto& likely = sign > 0 ? first : second;
      const auto& unlikely = sign > 0 ? second : first;
      const double hit = probabilityAtLeast(above(likely), likely.size(), alpha);
      const double alarm = probabilityAtMost(above(unlikely), unlikely.size(), alpha);
      result = std::max(result, epsilonShown(hit, alarm, delta));
    }
  }
  return result;
}

/// The same for delta 0 at 17 thresholds from -most to most, where `most` is the score's largest
/// value. Above the true epsilon with probability below kAlarm.
inline double epsilonAtLeast(const std::vector<double>& first, const std::vector<double>& second,
                             double most) {
  std::vector<double> thresholds;
  for (int i = 0; i < 17; ++i) {
    // A little below the bound, so that the atom of the ratio at its maximum lies above.
    thresholds.push_back(0.999 * most * (2.0 * i / 16 - 1));
  }
  return epsilonRefuted(first, second, thresholds, 0, kAlarm / (4 * 17));
}

struct GaussianAudit {
  double epsilon_at_least;
  double distance;  ///< of the two means in standard deviations: an estimate of mu
};

/// For scores that are normal with variance 1 and means mu/2 and -mu/2: thresholds -3 to 3.
/// epsilon_at_least is above the true epsilon at `delta` with probability below kAlarm, made in
/// `audits` such audits together.
inline GaussianAudit gaussianAudit(const std::vector<double>& first,
                                   const std::vector<double>& second, double delta, int audits) {
  std::vector<double> thresholds;
  for (int i = 0; i < 13; ++i) thresholds.push_back(-3 + 0.5 * i);
  GaussianAudit result{epsilonRefuted(first, second, thresholds, delta, kAlarm / (4 * audits * 13)),
                       0};
  for (const double x : first) result.distance += x / double(first.size());
  for (const double x : second) result.distance -= x / double(second.size());
  return result;
}

}  // namespace pm::testing_support
