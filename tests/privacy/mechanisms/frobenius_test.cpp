#include "core/mechanisms/frobenius.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/random/continuous.hpp"
#include "core/square.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/likelihood_audit.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace frobenius_test {

using namespace testing_support;

Plan planOf(int columns, Neighbours neighbours, double epsilon = 1) {
  return planFrobenius(gaussianParams(columns, neighbours, Unit::kRow, epsilon, 0)).value();
}

// The noise as coordinates: off-diagonal entries times sqrt 2, so that the Euclidean length is the
// Frobenius norm; without entry (0, 0) where that is public.
std::vector<double> coordinatesOf(std::vector<double> packed, int n, bool first_is_public) {
  std::size_t entry = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j, ++entry) {
      if (i != j) packed[entry] *= std::numbers::sqrt2;
    }
  }
  if (first_is_public) packed.erase(packed.begin());
  return packed;
}

double lengthOf(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

using Source = std::function<std::vector<double>(Drbg&)>;

// Tests whether vectors have the density proportional to exp(-|x|) in m dimensions: the length is
// Gamma(m), each coordinate's squared share of it is Beta(1/2, (m-1)/2), both signs are equally
// likely, length and shares are independent, and coordinates are uncorrelated. Returns the smallest
// p-value times their number.
double judge(const Source& source, std::uint64_t count, std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  const std::size_t m = source(random).size();
  constexpr std::size_t kCells = 30;
  const double md = double(m), n = double(count);
  std::vector<std::uint64_t> lengths(kCells);
  std::vector<std::vector<std::uint64_t>> shares(m, std::vector<std::uint64_t>(kCells));
  std::vector<double> signs(m), with_length(m), products(m * m);
  const auto cell_of = [](double u) { return std::min(kCells - 1, std::size_t(u * kCells)); };
  for (std::uint64_t r = 0; r < count; ++r) {
    const std::vector<double> x = source(random);
    const double length = lengthOf(x);
    ++lengths[cell_of(gammaTail(md, length))];
    for (std::size_t i = 0; i < m; ++i) {
      const double u = x[i] / length;
      ++shares[i][cell_of(betaBelow(0.5, (md - 1) / 2, u * u))];
      signs[i] += u;
      with_length[i] += (u * u * md - 1) * (length - md);
      for (std::size_t j = 0; j < i; ++j) products[i * m + j] += u * x[j] / length;
    }
  }
  const std::vector<double> even(kCells, n / double(kCells));
  std::vector<double> p = {goodnessOfFit(lengths, even)};
  // u_i^2 has mean 1/m and variance 2 (m - 1) / (m^2 (m + 2)); (u_i u_j)^2 has mean 1/(m (m + 2)).
  for (std::size_t i = 0; i < m; ++i) {
    p.push_back(goodnessOfFit(shares[i], even));
    p.push_back(normalTail(signs[i] / std::sqrt(n / md)));
    p.push_back(normalTail(with_length[i] / std::sqrt(n * md * 2 * (md - 1) / (md + 2))));
    for (std::size_t j = 0; j < i; ++j) {
      p.push_back(normalTail(products[i * m + j] / std::sqrt(n / (md * (md + 2)))));
    }
  }
  return *std::min_element(p.begin(), p.end()) * double(p.size());
}

Source noiseOf(int n, bool first_is_public) {
  return [=](Drbg& random) {
    // On a grid of 2^-30.
    std::vector<Int128> noise(packedSize(std::size_t(n)));
    frobeniusNoise(n, {1, -30}, first_is_public, random, noise);
    std::vector<double> packed(noise.size());
    for (std::size_t i = 0; i < noise.size(); ++i) packed[i] = std::ldexp(double(noise[i]), -30);
    return coordinatesOf(packed, n, first_is_public);
  };
}

TEST(FrobeniusNoise, HasItsLawInLengthAndDirection) {
  for (const int n : {2, 3}) {
    for (const bool first_is_public : {false, true}) {
      EXPECT_GT(judge(noiseOf(n, first_is_public), draws(40'000), 960), kAlarm / 4)
          << n << " " << first_is_public;
    }
  }
}

TEST(FrobeniusNoise, IsProportionalToItsScaleAndLeavesThePublicEntryExact) {
  std::vector<Int128> one(6), seven(6);
  Drbg first(unsafeTestSeed(961)), second(unsafeTestSeed(961));
  frobeniusNoise(3, {1, -40}, true, first, one);
  frobeniusNoise(3, {7, -40}, true, second, seven);
  // But for rounding.
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(double(seven[i] - 7 * one[i]), 0, 4);
  EXPECT_TRUE(one[0] == 0);
}

TEST(FrobeniusNoise, HasTheStandardDeviationsThatThePlanStates) {
  // Every release of a 40 x 40 matrix gives 40 diagonal and 780 other squares.
  const Plan plan = planOf(39, Neighbours::kAddRemove);
  double diagonal = 0, other = 0;
  constexpr int kReleases = 200;
  Drbg random(unsafeTestSeed(962));
  std::vector<Int128> packed(packedSize(40));
  for (int r = 0; r < kReleases; ++r) {
    frobeniusNoise(40, plan.own<FrobeniusNoise>().scale, false, random, packed);
    std::size_t entry = 0;
    for (int i = 0; i < 40; ++i) {
      for (int j = i; j < 40; ++j, ++entry) {
        (i == j ? diagonal : other) += square(double(packed[entry]));
      }
    }
  }
  // Standard errors of the ratios 1.6 % and 0.6 %: false alarm below 1e-7.
  EXPECT_NEAR(std::sqrt(diagonal / (40 * kReleases)) / plan.sd_diagonal, 1, 0.05);
  EXPECT_NEAR(std::sqrt(other / (780 * kReleases)) / plan.sd_off_diagonal, 1, 0.02);
}

// The same method for three rows, with one fault at a time.
Source mutant(double shape, double scale, bool root2, bool normal_direction) {
  return [=](Drbg& random) {
    std::vector<double> x(6);
    for (double& v : x) {
      v = normal_direction ? standardNormal(random) : 2 * uniformOpen(random) - 1;
    }
    const double factor = scale * standardGamma(shape, random) / lengthOf(x);
    for (double& v : x) v *= factor;
    // Without the division by sqrt 2, the coordinates of the packed matrix come out too large.
    if (!root2)
      x[1] *= std::numbers::sqrt2, x[2] *= std::numbers::sqrt2, x[4] *= std::numbers::sqrt2;
    return x;
  };
}

TEST(FrobeniusNoiseTest, AcceptsTheReferenceSamplerAndRejectsMutants) {
  constexpr std::uint64_t kCount = 40'000;
  const auto p = [](const Source& source) { return judge(source, kCount, 963); };
  EXPECT_GT(p(mutant(6, 1, true, true)), kAlarm);
  EXPECT_LT(p(mutant(6, 1.05, true, true)), kAlarm);
  EXPECT_LT(p(mutant(6, 0.95, true, true)), kAlarm);
  EXPECT_LT(p(mutant(5, 1, true, true)), kAlarm) << "one degree of freedom lost";
  EXPECT_LT(p(mutant(7, 1, true, true)), kAlarm);
  EXPECT_LT(p(mutant(9, 1, true, true)), kAlarm) << "both triangles counted";
  EXPECT_LT(p(mutant(6, 1, false, true)), kAlarm) << "sqrt 2 forgotten";
  EXPECT_LT(p(mutant(6, 1, true, false)), kAlarm) << "direction from a cube";
}

// One column: neighbours that attain the sensitivity, and the logarithm of the likelihood ratio.
double auditedEpsilon(const Plan& plan, double promised_scale, std::uint64_t releases,
                      std::uint64_t seed) {
  const bool replace = plan.params.neighbours == Neighbours::kReplaceOne;
  const std::vector<Int128> first = exactTotals(plan, std::vector<double>{0.4, 1});
  const std::vector<Int128> second = replace ? exactTotals(plan, std::vector<double>{0.4, -1})
                                             : exactTotals(plan, std::vector<double>{0.4});
  const auto distance = [&](const std::vector<double>& out, const std::vector<Int128>& totals) {
    std::vector<double> x(out.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = std::ldexp(out[i], plan.release_shift) - double(totals[i]);
    }
    return lengthOf(coordinatesOf(x, 2, replace));
  };
  std::vector<double> scores[2], out(3), start(3);
  for (std::size_t i = 0; i < 3; ++i) start[i] = std::ldexp(double(first[i]), -plan.release_shift);
  Drbg random(unsafeTestSeed(seed));
  for (int side = 0; side < 2; ++side) {
    for (std::uint64_t r = 0; r < releases; ++r) {
      plan.release(plan, side == 0 ? first : second, random, out);
      scores[side].push_back((distance(out, second) - distance(out, first)) / promised_scale);
    }
  }
  return epsilonAtLeast(scores[0], scores[1], distance(start, second) / promised_scale);
}

TEST(FrobeniusAudit, StaysBelowTheClaimAndComesClose) {
  // A ratio near e^epsilon needs noise in one direction of three (two), so the audit finds less
  // than for noise with independent entries.
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    const Plan plan = planOf(1, neighbours);
    const double found =
        auditedEpsilon(plan, plan.own<FrobeniusNoise>().scale.value(), draws(200'000), 964);
    EXPECT_LE(found, 1) << name(neighbours);
    if (!kSlowBuild) {
      EXPECT_GT(found, 0.6) << name(neighbours);
    }
  }
}

TEST(FrobeniusAudit, CatchesNoiseOfHalfTheScale) {
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    Plan plan = planOf(1, neighbours);
    plan.own<FrobeniusNoise>().scale.log2_denominator += 1;
    EXPECT_GT(auditedEpsilon(plan, plan.own<FrobeniusNoise>().scale.value(), 10'000, 965), 1.2)
        << name(neighbours);
  }
}

TEST(FrobeniusAudit, CatchesALengthForTheWrongNumberOfCoordinates) {
  // Gamma(1) in three dimensions: the density has a pole at the true matrix.
  Drbg random(unsafeTestSeed(966));
  std::vector<double> scores[2];
  const std::vector<double> shift = {1, 0, 0};  // the sensitivity at epsilon 1
  for (int side = 0; side < 2; ++side) {
    for (int r = 0; r < 50'000; ++r) {
      std::vector<double> x(3);
      for (double& v : x) v = standardNormal(random);
      const double factor = standardGamma(1, random) / lengthOf(x);
      for (std::size_t i = 0; i < 3; ++i) x[i] = x[i] * factor + (side == 0 ? 0 : shift[i]);
      std::vector<double> moved = x;
      moved[0] -= 1;
      // The density of the mutant: exp(-r) / r^2.
      const double here = lengthOf(x), there = lengthOf(moved);
      scores[side].push_back(there - here + 2 * std::log(there / here));
    }
  }
  EXPECT_GT(epsilonAtLeast(scores[0], scores[1], 6), 1.2);
}

}  // namespace frobenius_test
}  // namespace pm
