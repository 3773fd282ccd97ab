// The `laplace` mechanism on its real path, from integer totals to released integers.
#include "core/mechanisms/laplace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/privacy/sensitivity.hpp"
#include "core/random/continuous.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/likelihood_audit.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace laplace_test {

using namespace testing_support;

Plan planOf(int columns, Neighbours neighbours, double epsilon = 1, Unit unit = Unit::kRow,
            double row_norm = 1) {
  MechanismParams params = gaussianParams(columns, neighbours, unit, epsilon, 0);
  params.row_norm = row_norm;
  return planLaplace(params).value();
}

double scaleOf(const Plan& plan) { return 16 * double(plan.own<LaplaceNoise>().w); }

std::vector<double> releaseOf(const Plan& plan, const std::vector<Int128>& totals, Drbg& random) {
  std::vector<double> out(totals.size());
  plan.release(plan, totals, random, out);
  for (double& x : out) x *= std::ldexp(1.0, plan.release_shift);
  return out;
}

// Many releases at once. The noise is drawn in blocks of 4096, most of which a small release would
// discard, so the totals are repeated to fill one block. Under replace-one the first entry of every
// repetition equals that of the neighbour; only the very first has no noise.
class Releases {
 public:
  Releases(const Plan& plan, const std::vector<Int128>& totals) : plan_(plan), totals_(totals) {
    while (repeated_.size() + totals.size() <= 4096) {
      repeated_.insert(repeated_.end(), totals.begin(), totals.end());
    }
  }

  // One release minus its totals, without a public entry.
  std::vector<double> nextNoise(Drbg& random) {
    if (at_ == released_.size()) {
      released_ = releaseOf(plan_, repeated_, random);
      at_ = 0;
    }
    std::vector<double> noise;
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      noise.push_back(released_[at_ + i] - double(totals_[i]));
    }
    at_ += totals_.size();
    if (plan_.params.neighbours == Neighbours::kReplaceOne) noise.erase(noise.begin());
    return noise;
  }

 private:
  Plan plan_;
  std::vector<Int128> totals_, repeated_;
  std::vector<double> released_;
  std::size_t at_ = 0;
};

// Draws one vector of noise in units of the scale.
using Source = std::function<std::vector<double>(Drbg&)>;

// Tests whether vectors consist of independent standard Laplace numbers: a histogram of all entries
// on forty equally likely cells, mean and mean size of each entry, correlations of values and of
// sizes between entries. Returns the smallest p-value times their number.
double judge(const Source& source, std::uint64_t count, std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  const std::size_t m = source(random).size();
  constexpr std::size_t kCells = 40;
  std::vector<std::uint64_t> cells(kCells);
  std::vector<double> sum(m), sizes(m), products(m * m), size_products(m * m);
  for (std::uint64_t r = 0; r < count; ++r) {
    const std::vector<double> z = source(random);
    for (std::size_t i = 0; i < m; ++i) {
      const double above = std::exp(-std::fabs(z[i])) / 2;
      const double u = z[i] < 0 ? above : 1 - above;
      ++cells[std::min(kCells - 1, std::size_t(u * double(kCells)))];
      sum[i] += z[i], sizes[i] += std::fabs(z[i]);
      for (std::size_t j = 0; j < i; ++j) {
        products[i * m + j] += z[i] * z[j];
        size_products[i * m + j] += (std::fabs(z[i]) - 1) * (std::fabs(z[j]) - 1);
      }
    }
  }
  const double n = double(count);
  std::vector<double> p = {
      goodnessOfFit(cells, std::vector<double>(kCells, n * double(m) / double(kCells)))};
  for (std::size_t i = 0; i < m; ++i) {
    p.push_back(normalTail(sum[i] / std::sqrt(2 * n)));
    p.push_back(normalTail((sizes[i] - n) / std::sqrt(n)));
    for (std::size_t j = 0; j < i; ++j) {
      p.push_back(normalTail(products[i * m + j] / std::sqrt(4 * n)));
      p.push_back(normalTail(size_products[i * m + j] / std::sqrt(n)));
    }
  }
  return *std::min_element(p.begin(), p.end()) * double(p.size());
}

TEST(LaplaceRelease, AddsIndependentLaplaceNoiseOfThePlansScaleToEveryEntry) {
  for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
    const Plan plan = planOf(3, neighbours);
    const std::vector<Int128> totals =
        exactTotals(plan, std::vector<double>{0.2, -0.3, 0.8, 0.1, 0.9, -0.1});
    Releases releases(plan, totals);
    const Source source = [&](Drbg& random) {
      std::vector<double> z = releases.nextNoise(random);
      for (double& x : z) x /= scaleOf(plan);
      return z;
    };
    EXPECT_GT(judge(source, draws(40'000), 950), kAlarm / 2) << name(neighbours);
  }
}

TEST(LaplaceRelease, StatesTheStandardDeviationOfItsNoise) {
  const Plan plan = planOf(3, Neighbours::kReplaceOne);
  EXPECT_NEAR(plan.sd_diagonal / (std::sqrt(2.0) * scaleOf(plan)), 1, 1e-12);
  EXPECT_EQ(plan.sd_off_diagonal, plan.sd_diagonal);
  EXPECT_EQ(plan.noise_mean, 0);
}

// Ten standard Laplace numbers with a fault.
Source twin(const std::function<void(std::vector<double>&, Drbg&)>& spoil) {
  return [spoil](Drbg& random) {
    std::vector<double> z(10);
    for (double& x : z) x = standardLaplace(random);
    spoil(z, random);
    return z;
  };
}

// Mutants need the full number of draws, also in a slow build; otherwise they would pass.
TEST(LaplaceReleaseTest, AcceptsTheReferenceSamplerAndRejectsMutants) {
  constexpr std::uint64_t kCount = 20'000;
  const auto p = [](const std::function<void(std::vector<double>&, Drbg&)>& spoil) {
    return judge(twin(spoil), kCount, 951);
  };
  EXPECT_GT(p([](std::vector<double>&, Drbg&) {}), kAlarm);
  for (const double factor : {0.95, 1.05, 2.0, std::sqrt(0.5)}) {
    const auto scaled = [&](std::vector<double>& z, Drbg&) {
      for (double& x : z) x *= factor;
    };
    EXPECT_LT(p(scaled), kAlarm) << factor;
  }
  const auto half_off_diagonal = [](std::vector<double>& z, Drbg&) { z[1] *= std::sqrt(0.5); };
  const auto shared = [](std::vector<double>& z, Drbg&) { z[7] = z[4]; };
  const auto opposite = [](std::vector<double>& z, Drbg&) { z[7] = -z[4]; };
  const auto one_sided = [](std::vector<double>& z, Drbg&) {
    for (double& x : z) x = std::fabs(x);
  };
  const auto normal = [](std::vector<double>& z, Drbg& random) {
    for (double& x : z) x = std::sqrt(2.0) * standardNormal(random);
  };
  EXPECT_LT(p(half_off_diagonal), kAlarm);
  EXPECT_LT(p(shared), kAlarm);
  EXPECT_LT(p(opposite), kAlarm);
  EXPECT_LT(p(one_sided), kAlarm);
  EXPECT_LT(p(normal), kAlarm);
}

TEST(LaplaceRelease, LeavesThePublicCountExactAndDrawsIndependentlyOfTheData) {
  for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
    const Plan plan = planOf(3, neighbours);
    const double step = std::ldexp(1.0, plan.release_shift);
    std::vector<double> noise;
    std::uint64_t next = 0;
    for (const std::int64_t data : {0, 1'000'003, -77}) {
      const std::vector<Int128> totals(10, Int128(data) << 20);
      Drbg random(unsafeTestSeed(952));
      std::vector<double> z = releaseOf(plan, totals, random);
      const std::uint64_t after = random.next64();
      for (double& x : z) x -= double(totals[0]);
      if (data == 0) noise = z, next = after;
      EXPECT_EQ(after, next);
      for (std::size_t i = 0; i < z.size(); ++i) EXPECT_LE(std::fabs(z[i] - noise[i]), step);
      EXPECT_EQ(std::fabs(z[0]) <= step, neighbours == Neighbours::kReplaceOne);
    }
  }
}

// Sum of absolute differences, exact.
Uint128 distanceL1(const std::vector<Int128>& x, const std::vector<Int128>& y) {
  Uint128 sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += Uint128(x[i] < y[i] ? y[i] - x[i] : x[i] - y[i]);
  return sum;
}

TEST(LaplaceSensitivity, IsNeverExceededOnTheRealPathAndAttainedByCorners) {
  UnsafeTestRandom random(953);
  constexpr int kColumns = 3;
  const auto cells = [&](std::size_t rows) {
    std::vector<double> x;
    for (std::size_t i = 0; i < rows * kColumns; ++i) {
      const std::uint64_t kind = random.below(8);
      x.push_back(kind < 2   ? std::copysign(1e300, random.symmetric())
                  : kind < 5 ? std::copysign(1, random.symmetric())
                  : kind < 6 ? std::numeric_limits<double>::quiet_NaN()
                             : 1.5 * random.symmetric());
    }
    return x;
  };
  for (const double row_norm : {0.7, 1.0, 1.5, std::sqrt(3.0), 4.0}) {
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
        const Plan plan = planOf(kColumns, neighbours, 1, unit, row_norm);
        const auto totals = [&](const std::vector<double>& x) {
          return exactTotals(plan, x, row_norm);
        };
        const std::vector<Int128> nothing(packedSize(kColumns + 1));
        Uint128 most = 0;
        for (std::uint64_t trial = 0; trial < repetitions(2'000, 200); ++trial) {
          const bool replace = neighbours == Neighbours::kReplaceOne;
          const bool row = unit == Unit::kRow;
          const auto x = totals(cells(row ? 1 : 1 + random.below(5)));
          const auto y = replace ? totals(cells(row ? 1 : 1 + random.below(5))) : nothing;
          const Uint128 change = distanceL1(x, y);
          ASSERT_TRUE(change * change <= plan.sensitivity_squared) << row_norm;
          most = std::max(most, change);
        }
        EXPECT_GT(double(most) / std::sqrt(double(plan.sensitivity_squared)), 0.6) << row_norm;
      }
    }
  }
  // A row norm that includes the corners: the bounds are attained up to rounding.
  const double norm = std::sqrt(3.0), shrink = std::sqrt(0.5) * norm / 4;
  const Plan add = planOf(kColumns, Neighbours::kAddRemove, 1, Unit::kRow, norm);
  const Plan replace = planOf(kColumns, Neighbours::kReplaceOne, 1, Unit::kRow, norm);
  const std::vector<double> corner = {1, 1, 1}, opposite = {-shrink, -shrink, -shrink};
  const auto reached = [&](const Plan& plan, const std::vector<Int128>& y) {
    return double(distanceL1(exactTotals(plan, corner, norm), y)) /
           std::sqrt(double(plan.sensitivity_squared));
  };
  EXPECT_NEAR(reached(add, std::vector<Int128>(10)), 1, 2e-6);
  EXPECT_NEAR(reached(replace, exactTotals(replace, opposite, norm)), 1, 2e-6);
}

// One column, row norm 1: neighbours that reach the sensitivity, and the exact logarithm of the
// likelihood ratio of the discrete noise before the rounding to the release grid.
double auditedEpsilon(const Plan& plan, std::uint64_t releases, std::uint64_t seed) {
  const std::vector<double> common = {0.4};
  std::vector<double> cells = {0.4, 1}, other_cells = common;
  if (plan.params.neighbours == Neighbours::kReplaceOne) {
    other_cells = {0.4, -std::sqrt(0.5) / 2};
  }
  const std::vector<Int128> first = exactTotals(plan, cells),
                            second = exactTotals(plan, other_cells);
  std::vector<double> scores[2];
  Drbg random(unsafeTestSeed(seed));
  for (int side = 0; side < 2; ++side) {
    const std::vector<Int128>& here = side == 0 ? first : second;
    const std::vector<Int128>& there = side == 0 ? second : first;
    Releases source(plan, here);
    for (std::uint64_t r = 0; r < releases; ++r) {
      const std::vector<double> noise = source.nextNoise(random);
      const std::size_t skipped = here.size() - noise.size();
      double score = 0;  // for the data set that was released
      for (std::size_t i = 0; i < noise.size(); ++i) {
        const double shift = double(here[i + skipped] - there[i + skipped]);
        score += std::fabs(noise[i] + shift) - std::fabs(noise[i]);
      }
      scores[side].push_back((side == 0 ? score : -score) / scaleOf(plan));
    }
  }
  const double most = double(distanceL1(first, second)) / scaleOf(plan);
  return epsilonAtLeast(scores[0], scores[1], most);
}

TEST(LaplaceAudit, StaysBelowTheClaimAndComesClose) {
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    const double found = auditedEpsilon(planOf(1, neighbours), draws(200'000), 954);
    EXPECT_LE(found, 1) << name(neighbours);
    if (!kSlowBuild) {
      EXPECT_GT(found, 0.8) << name(neighbours);
    }
  }
}

TEST(LaplaceAudit, CatchesNoiseThatIgnoresTheRowOfTheConstant) {
  // Calibrated to the feature block alone, which changes by 1 while the whole changes by 1.83.
  Plan plan = planOf(1, Neighbours::kReplaceOne);
  plan.own<LaplaceNoise>().w = laplaceWidth(1, std::uint64_t{1} << (2 * plan.bits));
  EXPECT_GT(auditedEpsilon(plan, 50'000, 955), 1.2);
}

TEST(LaplaceAudit, CatchesNoiseOfHalfTheScale) {
  Plan plan = planOf(1, Neighbours::kAddRemove);
  plan.own<LaplaceNoise>().w /= 2;
  EXPECT_GT(auditedEpsilon(plan, 50'000, 956), 1.3);
}

}  // namespace laplace_test
}  // namespace pm
