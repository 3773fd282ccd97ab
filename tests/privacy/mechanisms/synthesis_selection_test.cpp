#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/synthesis/plan/selection.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace synthesis_selection_test {

using namespace testing_support;

using Scores = std::vector<std::uint64_t>;

// The mechanism's exact law (McKenna, Sheldon 2020, proposition 1): a candidate is taken if its own
// flip succeeds and those before it, a uniformly random subset of a uniformly random size, fail.
std::vector<double> law(const Scores& scores, double epsilon) {
  const double best = double(*std::max_element(scores.begin(), scores.end()));
  std::vector<double> flip;
  for (const std::uint64_t s : scores) flip.push_back(std::exp(epsilon / 2 * (double(s) - best)));
  std::vector<double> chance(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (unsigned subset = 0; subset < 1u << scores.size(); ++subset) {
      if (subset >> i & 1) continue;
      double product = 1;
      for (std::size_t j = 0; j < scores.size(); ++j) {
        if (subset >> j & 1) product *= flip[j];
      }
      const int size = std::popcount(subset);
      chance[i] += flip[i] * (size % 2 == 0 ? 1 : -1) * product / (size + 1);
    }
  }
  return chance;
}

// The p-value of draws at `epsilon` for the law at `stated`.
double fit(const Scores& scores, double epsilon, const std::vector<double>& stated,
           std::uint64_t seed) {
  const std::uint64_t draws = 400'000;
  Drbg random(unsafeTestSeed(seed));
  std::vector<double> seen(scores.size());
  for (std::uint64_t i = 0; i < draws; ++i) ++seen[permuteAndFlip(scores, epsilon, random)];
  double statistic = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double expected = double(draws) * stated[i];
    statistic += (seen[i] - expected) * (seen[i] - expected) / expected;
  }
  return chiSquareTail(statistic, double(scores.size()) - 1);
}

const Scores kScores{40, 37, 40, 31, 22};

TEST(PrivateChoice, FollowsTheLawOfPermuteAndFlip) {
  for (const double epsilon : {0.05, 0.25, 0.9}) {
    const std::vector<double> stated = law(kScores, epsilon);
    double sum = 0;
    for (const double p : stated) sum += p;
    ASSERT_NEAR(sum, 1, 1e-12);
    EXPECT_GT(3 * fit(kScores, epsilon, stated, 1), kAlarm) << epsilon;
  }
}

TEST(PrivateChoice, IsRejectedWithAnInvertedExponentOrABudgetFivePercentOff) {
  const double epsilon = 0.25;
  Scores inverted;
  for (const std::uint64_t s : kScores) inverted.push_back(62 - s);
  EXPECT_LT(fit(inverted, epsilon, law(kScores, epsilon), 2), kAlarm);
  EXPECT_LT(fit(kScores, 1.05 * epsilon, law(kScores, epsilon), 3), kAlarm);
}

TEST(PrivateChoice, HoldsItsGuaranteeForScoresThatChangeByOneInEitherDirection) {
  const double epsilon = 0.7;
  double worst = 0;
  for (unsigned moves = 0; moves < 243; ++moves) {
    Scores neighbour = kScores;
    for (unsigned i = 0, left = moves; i < 5; ++i, left /= 3)
      neighbour[i] = neighbour[i] + left % 3 - 1;
    const std::vector<double> one = law(kScores, epsilon), other = law(neighbour, epsilon);
    for (std::size_t i = 0; i < 5; ++i) {
      worst = std::max(worst, std::fabs(std::log(one[i] / other[i])));
    }
  }
  EXPECT_LE(worst, epsilon * (1 + 1e-12));
  EXPECT_GT(worst, 0.7 * epsilon) << "no candidate came near the promise: scores hardly moved";
}

TEST(PrivateChoice, ChoosesTheBestCandidateIfItIsFarAheadOrAlone) {
  Drbg random(unsafeTestSeed(4));
  EXPECT_EQ(permuteAndFlip(Scores{3}, 1, random), 0u);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(permuteAndFlip(Scores{0, std::uint64_t{1} << 61, 5}, 1, random), 1u);
    EXPECT_EQ(permuteAndFlip(Scores{7, 6}, kMostChoiceEpsilon, random), 0u);
  }
}

}  // namespace synthesis_selection_test
}  // namespace pm
