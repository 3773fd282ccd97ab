// The law of the release, on the real path from totals to released integers.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/mechanisms/gaussian.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace released_law_test {

using namespace testing_support;

constexpr int kColumns = 3;
constexpr std::size_t kSide = kColumns + 1, kEntries = packedSize(kSide);

Plan planOf(Neighbours neighbours, GaussianShape shape, int columns = kColumns) {
  MechanismParams params = gaussianParams(columns, neighbours);
  params.options.set(kShape, shape);
  return planGaussian(params).value();
}

std::vector<double> releaseOf(const Plan& plan, const std::vector<Int128>& totals,
                              std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  std::vector<double> out(totals.size());
  releaseGaussian(plan, totals, random, out);
  return out;
}

struct Case {
  const char* name;
  Neighbours neighbours;
  GaussianShape shape;
};
const Case kCases[] = {
    {"rotation-invariant, replace-one", Neighbours::kReplaceOne, GaussianShape::kRotationInvariant},
    {"rotation-invariant, add-remove", Neighbours::kAddRemove, GaussianShape::kRotationInvariant},
    {"upper-triangle, replace-one", Neighbours::kReplaceOne, GaussianShape::kUpperTriangle},
    {"upper-triangle, add-remove", Neighbours::kAddRemove, GaussianShape::kUpperTriangle},
};

TEST(ReleasedNoise, HasItsMeanAndVarianceInEveryEntryAndNoCorrelationBetweenEntries) {
  // For each of four cases: mean and variance of 10 entries and 45 correlations, 260 p-values;
  // false alarm below 1e-6 in all. With 1500 releases a variance that is 25 % off is found.
  const std::vector<double> rows = {0.2, -0.3, 0.8, 0.1, 0.9, -0.1};
  const std::uint64_t releases = repetitions(1'500, 500);
  constexpr double kEach = kAlarm / 260;
  for (const Case& c : kCases) {
    const Plan plan = planOf(c.neighbours, c.shape);
    const std::vector<Int128> totals = exactTotals(plan, rows);
    const double step = std::ldexp(1.0, plan.release_shift);
    std::vector<double> sum(kEntries), products(kEntries * kEntries);
    for (std::uint64_t r = 0; r < releases; ++r) {
      const std::vector<double> out = releaseOf(plan, totals, 1000 + r);
      std::vector<double> z(kEntries);
      for (std::size_t i = 0, entry = 0; i < kSide; ++i) {
        for (std::size_t j = i; j < kSide; ++j, ++entry) {
          const double noise = out[entry] * step - double(totals[entry]);
          const double sigma = noiseSigma(plan, i, j);
          if (sigma == 0) {
            ASSERT_LE(std::fabs(noise), step / 2) << c.name << ": the count is public and exact";
            continue;
          }
          z[entry] = noise / sigma;
        }
      }
      for (std::size_t i = 0; i < kEntries; ++i) {
        sum[i] += z[i];
        for (std::size_t j = 0; j < kEntries; ++j) products[i * kEntries + j] += z[i] * z[j];
      }
    }
    const double n = double(releases);
    for (std::size_t i = 0; i < kEntries; ++i) {
      if (products[i * kEntries + i] == 0) continue;  // the public count
      EXPECT_GT(normalTail(sum[i] / std::sqrt(n)), kEach) << c.name << ", mean of entry " << i;
      const double upper = chiSquareTail(products[i * kEntries + i], n);
      EXPECT_GT(2 * std::min(upper, 1 - upper), kEach) << c.name << ", variance of entry " << i;
      for (std::size_t j = i + 1; j < kEntries; ++j) {
        EXPECT_GT(normalTail(products[i * kEntries + j] / std::sqrt(n)), kEach)
            << c.name << ", entries " << i << " and " << j;
      }
    }
  }
}

TEST(ReleasedNoise, HasHalfTheVarianceOffTheDiagonalInOneShapeAndEqualVarianceInTheOther) {
  // 90 diagonal and 4005 other entries of each release. The ratio of the two variances has standard
  // error sqrt(2/(90 n)) of itself: 0.011 for n = 200, so 0.5 and 1 are 45 errors apart, and the
  // band of 0.08 around each is more than 7 wide. False alarm below 1e-11.
  const std::uint64_t releases = repetitions(200, 200);
  for (const Case& c : kCases) {
    if (c.neighbours == Neighbours::kReplaceOne) continue;
    const Plan plan = planOf(c.neighbours, c.shape, 89);
    const std::vector<Int128> totals(packedSize(90));
    double diagonal = 0, other = 0;
    for (std::uint64_t r = 0; r < releases; ++r) {
      const std::vector<double> out = releaseOf(plan, totals, 5000 + r);
      for (std::size_t i = 0, entry = 0; i < 90; ++i) {
        for (std::size_t j = i; j < 90; ++j, ++entry) {
          (i == j ? diagonal : other) += out[entry] * out[entry];
        }
      }
    }
    const double ratio = (other / 4005) / (diagonal / 90);
    const double expected = c.shape == GaussianShape::kRotationInvariant ? 0.5 : 1;
    EXPECT_NEAR(ratio / expected, 1, 0.08) << c.name;
  }
}

TEST(ReleasedNoise, LeavesThePublicCountExactAndPerturbsAPrivateOne) {
  const std::vector<double> rows = {0.2, -0.3, 0.8, 0.1, 0.9, -0.1, 0, 0, 0};
  for (const Case& c : kCases) {
    const Plan plan = planOf(c.neighbours, c.shape);
    const std::vector<Int128> totals = exactTotals(plan, rows);
    const double exact = std::round(std::ldexp(double(totals[0]), -plan.release_shift));
    int different = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      different += releaseOf(plan, totals, 7000 + seed)[0] != exact;
    }
    if (c.neighbours == Neighbours::kReplaceOne) {
      EXPECT_EQ(different, 0) << c.name;
    } else {
      EXPECT_GT(different, 17) << c.name;
    }
  }
}

TEST(ReleasedNoise, DependsOnTheSeedAndNotOnTheData) {
  // The same generator on different totals: the noise is the same up to rounding, and the generator
  // ends in the same state, so the number of draws does not depend on the data.
  UnsafeTestRandom random(120);
  for (const Case& c : kCases) {
    const Plan plan = planOf(c.neighbours, c.shape);
    const double step = std::ldexp(1.0, plan.release_shift);
    std::vector<double> noise;
    std::uint64_t next = 0;
    for (int data = 0; data < 5; ++data) {
      std::vector<Int128> totals(kEntries);
      for (Int128& total : totals) {
        total = Int128(std::int64_t(random.next64()) >> data * 10) * (data == 0 ? 0 : 1 << 10);
      }
      Drbg drbg(unsafeTestSeed(8));
      std::vector<double> out(kEntries);
      releaseGaussian(plan, totals, drbg, out);
      const std::uint64_t after = drbg.next64();
      for (std::size_t i = 0; i < kEntries; ++i) {
        // In units of the grid, exactly: out * step and the totals are below 2^80.
        const Int128 here = Int128(out[i]) * (Int128(1) << plan.release_shift) - totals[i];
        if (data == 0) {
          noise.push_back(double(here));
        } else {
          EXPECT_LE(std::fabs(double(here) - noise[i]), step) << c.name;
        }
      }
      if (data == 0) next = after;
      EXPECT_EQ(after, next) << c.name;
    }
  }
}

TEST(ReleasedNoise, IsRoundedToTheNearestReleasedIntegerWithABiasOfHalfAGridUnit) {
  // The same plan without its release grid shows the unrounded integers. Over a whole period of
  // totals the rounding error adds up to exactly half a grid unit for each: 2^-(shift+1) of a
  // released unit, and the shift is above 20 in practice.
  for (const Case& c : kCases) {
    Plan plan = planOf(c.neighbours, c.shape);
    EXPECT_GT(plan.release_shift, 20) << c.name;
    Plan unrounded = plan;
    unrounded.release_shift = 0;
    plan.release_shift = 5;
    std::vector<Int128> error_sum(kEntries);
    for (int t = -16; t < 16; ++t) {
      const std::vector<Int128> totals(kEntries, t);
      const std::vector<double> rounded = releaseOf(plan, totals, 9);
      const std::vector<double> exact = releaseOf(unrounded, totals, 9);
      for (std::size_t i = 0; i < kEntries; ++i) {
        const Int128 error = Int128(rounded[i]) * 32 - Int128(exact[i]);
        ASSERT_TRUE(error > -16 && error <= 16) << c.name;
        error_sum[i] += error;
      }
    }
    for (const Int128 sum : error_sum) EXPECT_TRUE(sum == 16) << c.name;
  }
}

TEST(ReleasedNoise, GivesIntegersThatADoubleRepresentsExactly) {
  for (const double epsilon : {0.001, 1.0, 1000.0}) {
    const auto plan =
        planGaussian(gaussianParams(kColumns, Neighbours::kAddRemove, Unit::kRow, epsilon, 1e-6))
            .value();
    const Int128 largest = Int128(plan.max_rows) * Int128(augmentedNormSquared(plan.bits));
    for (const Int128 total : {largest, -largest, Int128(0)}) {
      for (const double value : releaseOf(plan, std::vector<Int128>(kEntries, total), 10)) {
        EXPECT_EQ(value, std::floor(value));
        EXPECT_LE(std::fabs(value), 0x1p53);
      }
    }
  }
}

}  // namespace released_law_test
}  // namespace pm
