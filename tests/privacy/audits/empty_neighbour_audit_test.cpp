// Under add-remove the empty data set is a neighbour of a data set of one row. The whole path, from
// rows to the release: both give a release, and no test distinguishes them better than the claim
// allows.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/release.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/likelihood_audit.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace empty_neighbour_audit_test {

using namespace testing_support;

constexpr std::size_t kSide = 3;
const std::vector<double> kOneRow = {1, 0};  // as far from the empty data set as a row can be

// A new seed for every release.
std::uint64_t next_seed = 0;
int unsafeCounting(std::uint8_t* out, std::size_t bytes) {
  const Seed seed = unsafeTestSeed(++next_seed);
  for (std::size_t i = 0; i < bytes; ++i) out[i] = seed[i % seed.size()];
  out[bytes - 1] ^= 1;  // the two halves must differ
  return 0;
}

// The scores of releases; empty if one release fails.
template <class Score>
std::vector<double> scores(const Plan& plan, bool empty, std::uint64_t releases, Score score) {
  std::vector<double> results;
  for (std::uint64_t r = 0; r < releases; ++r) {
    Intake intake = unitIntake(plan);
    if (!empty && intake.add(kOneRow)) return {};
    const auto released = release(plan, intake, unsafeCounting);
    if (!released.ok()) return {};
    results.push_back(score(released.value().values));
  }
  return results;
}

TEST(EmptyNeighbour, OfOneRowIsDistinguishedNoBetterThanGaussianNoiseAllows) {
  const double epsilon = 0.5, delta = 0.05;
  const std::uint64_t releases = repetitions(4'000, 1'000);
  for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
    const Plan plan =
        planGaussian(gaussianParams(2, Neighbours::kAddRemove, unit, epsilon, delta)).value();
    const std::vector<Int128> apart = exactTotals(plan, kOneRow);
    const double step = std::ldexp(1.0, plan.release_shift);
    const auto score = [&](const std::vector<double>& values) {
      double sum = 0, variance = 0;
      for (std::size_t i = 0, entry = 0; i < kSide; ++i) {
        for (std::size_t j = i; j < kSide; ++j, ++entry) {
          const double weight = double(apart[entry]) / std::pow(noiseSigma(plan, i, j), 2);
          sum += weight * (values[entry] * step - double(apart[entry]) / 2);
          variance += weight * double(apart[entry]);
        }
      }
      return sum / std::sqrt(variance);
    };
    const std::vector<double> one = scores(plan, false, releases, score);
    const std::vector<double> none = scores(plan, true, releases, score);
    ASSERT_EQ(one.size(), releases) << name(unit);
    ASSERT_EQ(none.size(), releases) << name(unit) << ": a file without rows makes no release";
    const GaussianAudit audit = gaussianAudit(one, none, delta, 2);
    EXPECT_LE(audit.epsilon_at_least, epsilon) << name(unit);
    // These neighbours attain the sensitivity, so the audit is not vacuous.
    EXPECT_NEAR(audit.distance, plan.guarantee.gdp, 5.5 * std::sqrt(2 / double(releases)));
  }
}

TEST(EmptyNeighbour, OfOneRowIsDistinguishedNoBetterThanLaplaceNoiseAllows) {
  const double epsilon = 1;
  const std::uint64_t releases = repetitions(4'000, 1'000);
  for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
    const Plan plan = planLaplace(gaussianParams(2, Neighbours::kAddRemove, unit, epsilon)).value();
    const std::vector<Int128> apart = exactTotals(plan, kOneRow);
    const double step = std::ldexp(1.0, plan.release_shift);
    const auto score = [&](const std::vector<double>& values) {
      double sum = 0;  // the logarithm of the likelihood ratio
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i] * step;
        sum += std::fabs(value) - std::fabs(value - double(apart[i]));
      }
      return sum / (16 * double(plan.own<LaplaceNoise>().w));
    };
    const std::vector<double> one = scores(plan, false, releases, score);
    const std::vector<double> none = scores(plan, true, releases, score);
    ASSERT_EQ(one.size(), releases) << name(unit);
    ASSERT_EQ(none.size(), releases) << name(unit) << ": a file without rows makes no release";
    const double refuted = epsilonAtLeast(one, none, epsilon);
    EXPECT_LE(refuted, epsilon) << name(unit);
    if (!kSlowBuild) {
      EXPECT_GT(refuted, 0.2) << name(unit);
    }
  }
}

}  // namespace empty_neighbour_audit_test
}  // namespace pm
