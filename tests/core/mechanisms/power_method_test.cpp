#include "core/mechanisms/power_method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/discrete_gaussian.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace power_method_test {

using namespace testing_support;

constexpr std::int64_t kOne = std::int64_t{1} << kBasisBits;

MechanismParams paramsOf(int dimension, int components, int rounds, Neighbours neighbours,
                         Unit unit = Unit::kRow, double epsilon = 1, double delta = 1e-6) {
  MechanismParams params = gaussianParams(dimension, neighbours, unit, epsilon, delta);
  params.components = components;
  params.options.set(kRounds, rounds);
  return params;
}

Plan planOf(const MechanismParams& params) { return planPowerMethod(params).value(); }

TEST(PowerMethodPlan, HasTheReferenceNoiseScale) {
  const auto vectors = readVectors("rounds.json")["ppm"];
  ASSERT_EQ(vectors.size(), 3u);
  for (const auto& v : vectors) {
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const Plan plan =
          planOf(paramsOf(5, v["k"].get<int>(), v["L"].get<int>(), neighbours, Unit::kRow,
                          v["eps"].get<double>(), v["delta"].get<double>()));
      const double sigma =
          std::ldexp(16.0 * double(plan.own<GaussianNoise>().w_diagonal), -2 * plan.bits);
      const double reference =
          v[neighbours == Neighbours::kAddRemove ? "sigma_GDP_add_remove" : "sigma_GDP_replace_one"]
              .get<double>();
      // The slack of the rounded basis is 2^-17 = 7.6e-6.
      EXPECT_GT(sigma / reference, 1);
      EXPECT_LT(sigma / reference, 1 + 9e-6);
    }
  }
}

TEST(PowerMethodPlan, StatesTheRequestedGuaranteeAndEachRound) {
  for (const int rounds : {1, 3, 10}) {
    const Plan plan = planOf(paramsOf(6, 2, rounds, Neighbours::kReplaceOne));
    const Guarantee& g = plan.guarantee;
    EXPECT_EQ(g.epsilon, 1);
    EXPECT_EQ(g.delta, 1e-6);
    EXPECT_EQ(g.numerics, Numerics::kExact);
    EXPECT_LE(std::exp(logDeltaOfGdp(1, g.gdp)), 1e-6);
    EXPECT_NEAR(g.zcdp, g.gdp * g.gdp / 2, 1e-12);
    ASSERT_EQ(int(g.parts.size()), rounds);
    double mu_squared = 0;
    for (const Part& part : g.parts) {
      mu_squared += part.gdp * part.gdp;
      EXPECT_LE(std::exp(logDeltaOfGdp(part.epsilon, part.gdp)), part.delta);
      EXPECT_LE(part.epsilon, g.epsilon);
    }
    EXPECT_NEAR(std::sqrt(mu_squared), g.gdp, 1e-12);
    EXPECT_EQ(g.parts.front().what, "round 1");
    EXPECT_EQ(g.parts.back().what, "round " + std::to_string(rounds));
    if (rounds > 1) {
      EXPECT_LT(g.parts.front().epsilon, 0.7);
    }
  }
}

TEST(PowerMethodPlan, StatesManyRoundsAsOnePart) {
  const Plan plan = planOf(paramsOf(6, 2, 100, Neighbours::kReplaceOne));
  ASSERT_EQ(plan.guarantee.parts.size(), 1u);
  EXPECT_EQ(plan.guarantee.parts[0].what, "each of 100 rounds");
  EXPECT_NEAR(plan.guarantee.parts[0].gdp, plan.guarantee.gdp / 10, 1e-12);
}

TEST(PowerMethodPlan, CountsTheNoiseSamplesOfAllRounds) {
  const Plan one = planOf(paramsOf(6, 2, 1, Neighbours::kReplaceOne));
  const Plan many = planOf(paramsOf(6, 4, 50, Neighbours::kReplaceOne));
  EXPECT_NEAR(
      many.own<GaussianNoise>().sampler_delta_log2 - one.own<GaussianNoise>().sampler_delta_log2,
      std::log2(100), 1e-9);
}

TEST(PowerMethodPlan, StatesDeltaOneForAnAbsurdlyLargeEpsilon) {
  const Plan plan = planOf(paramsOf(3, 1, 2, Neighbours::kReplaceOne, Unit::kRow, 200));
  EXPECT_EQ(plan.guarantee.delta, 1);
  EXPECT_LE(plan.guarantee.parts[0].epsilon, 200);
  EXPECT_EQ(plan.guarantee.assumes.size(), 4u);
}

TEST(PowerMethodPlan, RejectsInvalidRoundsComponentsAndDeltas) {
  const auto error_of = [](const MechanismParams& params) {
    const auto plan = planPowerMethod(params);
    EXPECT_FALSE(plan.ok());
    return plan.ok() ? Error{Code::kIntegrity, ""} : plan.error();
  };
  for (const int rounds : {0, -1, kRounds.most + 1}) {
    const Error error = error_of(paramsOf(3, 1, rounds, Neighbours::kReplaceOne));
    EXPECT_EQ(error.code, Code::kInvalidMechanism) << rounds;
    EXPECT_EQ(error.field, "mechanism.rounds");
  }
  for (const int components : {0, 4}) {
    EXPECT_EQ(error_of(paramsOf(3, components, 1, Neighbours::kReplaceOne)).code,
              Code::kInvalidComponents);
  }
  EXPECT_EQ(error_of(paramsOf(3, 1, 1, Neighbours::kReplaceOne, Unit::kRow, 1, 0)).code,
            Code::kInvalidDelta);
  EXPECT_EQ(error_of(paramsOf(3, 1, 1, Neighbours::kReplaceOne, Unit::kRow, 1e-13, 1e-15)).code,
            Code::kNoiseTooLarge);
}

TEST(PowerMethod, CanBeNamedInAStudy) {
  const Mechanism* mechanism = findMechanism("power-method");
  ASSERT_NE(mechanism, nullptr);
  EXPECT_EQ(mechanism->plan, &planPowerMethod);
  EXPECT_EQ(mechanism->content(), Content::kComponents);
  EXPECT_EQ(mechanism->numerics, Numerics::kExact);
}

std::vector<double> normals(std::size_t count, UnsafeTestRandom& random) {
  std::vector<double> result(count);
  for (double& x : result) {
    for (int i = 0; i < 12; ++i) x += random.uniform() - 0.5;
  }
  return result;
}

std::vector<std::int64_t> basisOf(std::vector<double> columns, int dimension) {
  std::vector<std::int64_t> basis(columns.size());
  integerBasis(columns, dimension, basis);
  return basis;
}

TEST(IntegerBasis, IsOrthonormalUpToTheSlackThatTheSensitivityAllows) {
  UnsafeTestRandom random(3);
  for (const auto& [d, k] : {std::pair{1, 1}, {7, 3}, {40, 40}, {300, 5}}) {
    const auto basis = basisOf(normals(std::size_t(d * k), random), d);
    for (int m = 0; m < k; ++m) {
      double sum = 0;
      for (int l = 0; l < k; ++l) {
        double product = 0;
        for (int i = 0; i < d; ++i) {
          product += std::ldexp(double(basis[std::size_t(m * d + i)]), -kBasisBits) *
                     std::ldexp(double(basis[std::size_t(l * d + i)]), -kBasisBits);
        }
        EXPECT_NEAR(product, m == l, 1e-8);
        sum += std::fabs(product);
      }
      EXPECT_LE(sum, 1 + 0x1p-16);
    }
  }
}

TEST(IntegerBasis, SpansItsArgumentColumnByColumn) {
  const auto basis = basisOf({3, 4, 0, 1, 1, 0}, 3);
  const std::vector<double> expected = {0.6, 0.8, 0, 0.8, -0.6, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    const double sign = i < 3 ? 1 : basis[3] > 0 ? 1 : -1;
    EXPECT_NEAR(sign * std::ldexp(double(basis[i]), -kBasisBits), expected[i], 1e-9);
  }
}

TEST(IntegerBasis, FallsBackOnTheAxesForDegenerateColumns) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::int64_t> axes = {kOne, 0, 0, 0, kOne, 0};
  EXPECT_EQ(basisOf({0, 0, 0, 1, 2, 3}, 3), axes);
  EXPECT_EQ(basisOf({1, 2, 3, 2, 4, 6}, 3), axes);
  EXPECT_EQ(basisOf({1, nan, 3, 2, 4, 6}, 3), axes);
  EXPECT_EQ(basisOf({1, 2, 3, infinity, 4, 6}, 3), axes);
}

std::vector<Int128> stepOf(const std::vector<Int128>& totals,
                           const std::vector<std::int64_t>& basis, int dimension) {
  std::vector<Int128> out(basis.size());
  powerStep(totals, basis, dimension, out);
  return out;
}

TEST(PowerStep, IsTheExactProductRoundedDown) {
  UnsafeTestRandom random(5);
  const std::size_t d = 6, k = 3;
  std::vector<Int128> totals(packedSize(d + 1));
  for (Int128& total : totals) {
    total = (Int128(std::int64_t(random.next64())) << 20) + Int128(random.next64() >> 44);
  }
  const auto basis = basisOf(normals(d * k, random), int(d));
  const auto result = stepOf(totals, basis, int(d));
  bool negative = false;
  for (std::size_t m = 0; m < k; ++m) {
    for (std::size_t i = 0; i < d; ++i) {
      Int128 sum = 0;
      for (std::size_t j = 0; j < d; ++j) {
        sum +=
            totals[packedIndex(d + 1, std::min(i, j) + 1, std::max(i, j) + 1)] * basis[m * d + j];
      }
      const Int128 low = result[m * d + i] * kOne;
      EXPECT_TRUE(low <= sum && sum < low + kOne);
      negative |= sum < 0;
    }
  }
  EXPECT_TRUE(negative);
}

TEST(PowerStep, DoesNotOverflowForTheLargestTotals) {
  // 2^40 rows at one end of the first axis: C_11 = 2^84.
  const std::vector<Int128> totals = {0, 0, 0, Int128(1) << 84, 0, 0};
  const auto result = stepOf(totals, {kOne, 0, 0, kOne}, 2);
  EXPECT_TRUE(result[0] == Int128(1) << 84);
  EXPECT_TRUE(result[3] == 0);
}

double distance(const std::vector<Int128>& first, const std::vector<Int128>& second) {
  double sum = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double difference = double(first[i] - second[i]);
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

// Totals of integer rows of squared length at most 2^2b: only the feature block is filled in.
std::vector<Int128> totalsOf(const std::vector<std::vector<std::int64_t>>& rows, std::size_t d,
                             bool average) {
  std::vector<Int128> totals(packedSize(d + 1));
  for (const auto& q : rows) {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = i; j < d; ++j) {
        totals[packedIndex(d + 1, i + 1, j + 1)] += Int128(q[i]) * q[j];
      }
    }
  }
  if (average) {
    for (Int128& total : totals) total /= Int128(rows.size());
  }
  return totals;
}

std::vector<std::int64_t> rowOf(std::vector<double> x, int bits) {
  double length = 0;
  for (const double v : x) length += v * v;
  std::vector<std::int64_t> q;
  for (const double v : x) {
    q.push_back(std::int64_t(std::ldexp(v / std::sqrt(length), bits)));  // towards zero
  }
  return q;
}

TEST(PowerStep, ChangesByAtMostTheBoundBetweenNeighbours) {
  // Random data sets, rows and bases, and adversarial ones: axes, equal entries, a basis along the
  // two rows. The ratio of the largest change to the bound must come close to 1 where that is
  // possible.
  UnsafeTestRandom random(8);
  for (const int bits : {14, 22}) {
    for (const auto& [d, k] : {std::pair{1, 1}, {2, 1}, {2, 2}, {5, 3}, {9, 9}}) {
      for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
        const std::size_t size = std::size_t(d);
        const MechanismParams params = paramsOf(d, k, 1, neighbours);
        const double bound = double(powerStepSensitivity(bits, params));
        double largest = 0;
        for (std::uint64_t trial = 0; trial < draws(300); ++trial) {
          auto x = normals(size, random), y = normals(size, random);
          if (trial % 3 == 0) {
            std::fill(x.begin(), x.end(), 0), std::fill(y.begin(), y.end(), 0);
            x[0] = 1, y[size - 1] = -1;
          } else if (trial % 3 == 1) {
            std::fill(x.begin(), x.end(), 1);
          }
          auto columns = normals(size * std::size_t(k), random);
          if (trial % 2 == 0) std::copy(x.begin(), x.end(), columns.begin());
          if (trial % 4 == 0 && k > 1) {
            std::copy(y.begin(), y.end(), columns.begin() + std::ptrdiff_t(size));
          }
          std::vector<std::vector<std::int64_t>> rows;
          for (int other = 0; other < 3; ++other)
            rows.push_back(rowOf(normals(size, random), bits));
          auto first = rows, second = rows;
          first.push_back(rowOf(x, bits));
          if (neighbours == Neighbours::kReplaceOne) second.push_back(rowOf(y, bits));
          const auto basis = basisOf(columns, d);
          const double moved = distance(stepOf(totalsOf(first, size, false), basis, d),
                                        stepOf(totalsOf(second, size, false), basis, d));
          EXPECT_LE(moved, bound);
          largest = std::max(largest, moved / bound);
        }
        // In one dimension two rows of full length have the same square.
        if (d > 1 || neighbours == Neighbours::kAddRemove) {
          EXPECT_GT(largest, 0.999) << d << " " << k << " " << name(neighbours);
        }
      }
    }
  }
}

TEST(PowerStep, ChangesByAtMostTheBoundBetweenParticipants) {
  UnsafeTestRandom random(9);
  for (const auto& [d, k] : {std::pair{2, 2}, {5, 1}, {6, 4}}) {
    const std::size_t size = std::size_t(d);
    const MechanismParams params = paramsOf(d, k, 1, Neighbours::kReplaceOne, Unit::kParticipant);
    const double bound = double(powerStepSensitivity(14, params));
    double largest = 0;
    for (std::uint64_t trial = 0; trial < draws(300); ++trial) {
      // Many rows that each differ little from one direction: truncated averages near the extreme.
      auto x = normals(size, random), y = normals(size, random);
      double along = 0, squares = 0;
      for (std::size_t i = 0; i < size; ++i) along += x[i] * y[i], squares += x[i] * x[i];
      for (std::size_t i = 0; i < size; ++i) y[i] -= along / squares * x[i];
      std::vector<std::vector<std::int64_t>> first, second;
      for (int row = 0; row < 3; ++row) {
        for (std::size_t i = 0; i < size; ++i) {
          x[i] += 1e-3 * random.symmetric(), y[i] += 1e-3 * random.symmetric();
        }
        first.push_back(rowOf(x, 14)), second.push_back(rowOf(y, 14));
      }
      auto columns = normals(size * std::size_t(k), random);
      std::copy(x.begin(), x.end(), columns.begin());
      if (k > 1) std::copy(y.begin(), y.end(), columns.begin() + std::ptrdiff_t(size));
      const auto basis = basisOf(columns, d);
      const double moved = distance(stepOf(totalsOf(first, size, true), basis, d),
                                    stepOf(totalsOf(second, size, true), basis, d));
      EXPECT_LE(moved, bound);
      largest = std::max(largest, moved / bound);
    }
    EXPECT_GT(largest, 0.99) << d << " " << k;
  }
}

TEST(PowerStepSensitivity, IsThatOfTheUnitBallPlusTheRoundingError) {
  const double root2 = std::sqrt(2.0), t = 0x1p44;
  const auto bound_of = [](int d, int k, Neighbours neighbours, Unit unit) {
    return double(powerStepSensitivity(22, paramsOf(d, k, 1, neighbours, unit)));
  };
  for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
    for (const int k : {1, 10}) {
      const double add = bound_of(10, k, Neighbours::kAddRemove, unit);
      const double replace = bound_of(10, k, Neighbours::kReplaceOne, unit);
      EXPECT_NEAR(add / t, 1 + 0x1p-17, 1e-11);
      EXPECT_NEAR(replace / t, (k == 1 ? 1 : root2) * (1 + 0x1p-17), 1e-11);
    }
  }
  EXPECT_EQ(bound_of(10, 10, Neighbours::kAddRemove, Unit::kRow), 0x1p44 + 0x1p27 + 1 + 10);
  EXPECT_GE(bound_of(10, 1, Neighbours::kReplaceOne, Unit::kParticipant) -
                bound_of(10, 1, Neighbours::kReplaceOne, Unit::kRow),
            20);
}

std::vector<double> releaseOf(const Plan& plan, const std::vector<Int128>& totals,
                              std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  std::vector<double> out(plan.length);
  plan.release(plan, totals, random, out);
  return out;
}

TEST(PowerMethodRelease, FindsTheDirectionsAndValuesOfManyRows) {
  // 4000 rows of variances 0.36, 0.16, 0.01 along three axes turned by 30 degrees in the first
  // plane; noise of 30 row lengths squared against values of 1440 and 640.
  const Plan plan = planOf(paramsOf(3, 2, 4, Neighbours::kReplaceOne));
  std::vector<double> cells;
  const double c = std::sqrt(0.75), s = 0.5;
  for (int row = 0; row < 4000; ++row) {
    const double a = row % 2 ? 0.6 : -0.6, b = row % 4 < 2 ? 0.4 : -0.4;
    cells.insert(cells.end(), {c * a - s * b, s * a + c * b, row % 8 < 4 ? 0.1 : -0.1});
  }
  const auto out = releaseOf(plan, exactTotals(plan, cells), 17);
  const double unit = std::ldexp(1.0, plan.release_shift - 2 * plan.bits);
  EXPECT_NEAR(out[0] * unit, 1440, 100);
  EXPECT_NEAR(out[4] * unit, 640, 100);
  const auto alignment = [&](std::size_t at, double x, double y) {
    return std::fabs(out[at] * x + out[at + 1] * y) / 65536;
  };
  EXPECT_GT(alignment(1, c, s), 0.99);
  EXPECT_GT(alignment(5, -s, c), 0.99);
  double length = 0, product = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    length += out[i] * out[i];
    product += out[i] * out[4 + i];
  }
  EXPECT_NEAR(std::sqrt(length), 65536, 2);
  EXPECT_NEAR(product / 65536, 0, 4);
}

TEST(PowerMethodRelease, ReturnsExactIntegersInDescendingOrder) {
  for (const double epsilon : {1e-6, 1.0, 1e6}) {
    for (const int k : {1, 4}) {
      const Plan plan = planOf(paramsOf(4, k, 3, Neighbours::kAddRemove, Unit::kRow, epsilon));
      EXPECT_EQ(plan.length, std::size_t(5 * k));
      const auto out = releaseOf(plan, exactTotals(plan, std::vector<double>{0.3, 0, 0.2, 0.9}), 4);
      double last = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(out[i], std::nearbyint(out[i]));
        EXPECT_LE(std::fabs(out[i]), i % 5 == 0 ? 0x1p53 : 0x1p16);
        if (i % 5 == 0) {
          EXPECT_LE(out[i], last);
          last = out[i];
        }
      }
    }
  }
}

TEST(PowerMethodPlan, KeepsTotalsWithinExactProducts) {
  for (const double epsilon : {1e-5, 1.0, 1e4}) {
    const Plan plan = planOf(paramsOf(4, 2, 2, Neighbours::kReplaceOne, Unit::kRow, epsilon));
    EXPECT_LE(plan.max_rows, std::uint64_t{1} << 40);
    EXPECT_GE(plan.max_rows, 100u);
    EXPECT_LE(plan.own<GaussianNoise>().w_diagonal, kMaxGaussianWidth);
  }
}

}  // namespace power_method_test
}  // namespace pm
