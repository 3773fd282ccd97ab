#include "core/mechanisms/seeding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/federation/masked.hpp"
#include "core/federation/sharing.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/mechanisms/release.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace seeding_test {

using namespace testing_support;

const std::vector<double> kRows = {0.5, -0.25, 0.1, 0.9, -0.3, 0.2};  // three rows of two
const std::vector<double> kOthers = {0.5, -0.25, 0.1, 0.9, -0.9, 0.1};

void firstMoment(std::uint8_t* out) { std::fill_n(out, kMomentBytes, std::uint8_t{1}); }
void nextMoment(std::uint8_t* out) { std::fill_n(out, kMomentBytes, std::uint8_t{2}); }

Plan planOf(const char* mechanism, double epsilon = 1) {
  MechanismParams params = gaussianParams(2, Neighbours::kReplaceOne, Unit::kRow, epsilon);
  if (std::string_view(mechanism) != "gaussian") params.delta = 0;
  return findMechanism(mechanism)->plan(params).value();
}

std::vector<double> valuesOf(const Plan& plan, const std::vector<double>& rows,
                             EntropySource source) {
  Intake intake = unitIntake(plan);
  EXPECT_FALSE(intake.add(rows));
  return release(plan, intake, source).value().values;
}

// What is left of the noise in the difference of two releases, as a share of its standard
// deviation: 0 if both have the same noise, as the difference is then that of the exact sums.
double noiseLeft(const Plan& plan, const std::vector<double>& first,
                 const std::vector<double>& second) {
  const std::vector<Int128> one = exactTotals(plan, kRows), other = exactTotals(plan, kOthers);
  double squares = 0;
  for (std::size_t i = 1; i < first.size(); ++i) {
    const double exact = double(other[i] - one[i]);
    const double released = std::ldexp(second[i] - first[i], plan.release_shift);
    squares += std::pow((released - exact) / plan.sd_off_diagonal, 2);
  }
  return std::sqrt(squares / double(first.size() - 1));
}

TEST(Seeding, KeepsNoiseApartThatTheSystemsBytesRepeat) {
  for (const char* mechanism : {"gaussian", "laplace", "frobenius", "two-sided-wishart"}) {
    const Plan plan = planOf(mechanism);
    const std::vector<double> one = valuesOf(plan, kRows, unsafeTestEntropy);
    const std::vector<double> other = valuesOf(plan, kOthers, unsafeTestEntropy);
    EXPECT_GT(noiseLeft(plan, one, other), 0.3) << mechanism;
  }
}

TEST(Seeding, RepeatsAReleaseOnlyIfEverythingIsTheSame) {
  const Plan plan = planOf("gaussian");
  const std::vector<std::uint8_t> entry = {1, 2, 3}, next = {1, 2, 4};
  const auto made = [&](EntropySource source) { return valuesOf(plan, kRows, source); };
  const std::vector<double> first = made({unsafeTestEntropy, firstMoment, entry});
  EXPECT_EQ(made({unsafeTestEntropy, firstMoment, entry}), first);
  EXPECT_NE(made({unsafeTestEntropy, nextMoment, entry}), first) << "another time";
  EXPECT_NE(made({unsafeTestEntropy, firstMoment, next}), first) << "another entry of the ledger";
  EXPECT_NE(made({unsafeTestEntropy, firstMoment}), first);
}

TEST(Seeding, GivesOtherTermsOtherNoise) {
  const auto draw = [](const Plan& plan) {
    std::optional<Drbg> random;
    EXPECT_FALSE(seedRelease(plan, unsafeTestEntropy, random));
    return random->next64();
  };
  EXPECT_EQ(draw(planOf("gaussian")), draw(planOf("gaussian")));
  EXPECT_NE(draw(planOf("gaussian")), draw(planOf("gaussian", 2)));
}

TEST(Seeding, KeepsNoiseApartBehindTheSameMask) {
  MechanismParams params = gaussianParams(2, Neighbours::kReplaceOne);
  params.sharing.mode = Federation::kSplit;
  params.sharing.honest = 3;
  params.sites = 4;
  const Plan plan = planFederated(*findMechanism("gaussian"), params).value();
  const std::vector<std::uint8_t> mask(8 * plan.length, 7);
  const auto wordsOf = [&](const std::vector<double>& rows) {
    Intake intake = unitIntake(plan);
    EXPECT_FALSE(intake.add(rows));
    MaskSum sum(plan.length);
    EXPECT_FALSE(sum.add(releaseMasked(plan, intake, mask, unsafeTestEntropy).value().payload));
    return std::vector<std::uint64_t>(sum.words().begin(), sum.words().end());
  };
  const std::vector<std::uint64_t> one = wordsOf(kRows), other = wordsOf(kOthers);
  const std::vector<Int128> from = exactTotals(plan, kRows), to = exactTotals(plan, kOthers);
  int same = 0;
  for (std::size_t i = 1; i < one.size(); ++i) {
    same += other[i] - one[i] == std::uint64_t(to[i]) - std::uint64_t(from[i]);
  }
  EXPECT_LT(same, 2);
}

TEST(Seeding, KeepsTheNoiseOfCountsApart) {
  MechanismParams params = gaussianParams(2, Neighbours::kAddRemove);
  params.clipping = Clipping::kAdaptive;
  const Plan plan = planGaussian(params).value();
  const auto countsOf = [&](const std::vector<double>& rows) {
    Intake intake = unitIntake(plan);
    EXPECT_FALSE(intake.add(rows));
    return release(plan, intake, unsafeTestEntropy).value().clip_counts;
  };
  const std::vector<double> one = countsOf(kRows), other = countsOf({0.01, 0.01, 0.01, 0.01});
  ASSERT_EQ(one.size(), other.size());
  // With the same noise every difference would be a whole number of rows.
  int whole = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    whole += std::fmod(other[i] - one[i], std::ldexp(1, kClipCountBits)) == 0;
  }
  EXPECT_LT(whole, 3);
}

}  // namespace seeding_test
}  // namespace pm
