#include "core/mechanisms/release.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_release_noise.hpp"

namespace pm {
namespace release_test {

using namespace testing_support;

const std::vector<double> kRows = {0.5, -0.25, 0.1, 0.9, -0.3, 0.2};  // three rows of two

Plan planOf(Neighbours neighbours, Unit unit = Unit::kRow) {
  return planGaussian(gaussianParams(2, neighbours, unit)).value();
}

Intake filled(const Plan& plan) {
  Intake intake = unitIntake(plan);
  EXPECT_FALSE(intake.add(kRows));
  return intake;
}

int noSource(std::uint8_t*, std::size_t) { return 1; }
int failing(std::uint8_t*, std::size_t) { return 2; }
int allZero(std::uint8_t* out, std::size_t bytes) {
  std::memset(out, 0, bytes);
  return 0;
}
int equalHalves(std::uint8_t* out, std::size_t bytes) {
  std::memset(out, 7, bytes);
  return 0;
}

TEST(Release, FailsWithoutEntropyAndChangesNothing) {
  const struct {
    EntropySource source;
    const char* field;
  } cases[] = {{noSource, "no-source"},
               {failing, "failed"},
               {allZero, "unhealthy"},
               {equalHalves, "unhealthy"}};
  const Plan plan = planOf(Neighbours::kReplaceOne);
  Intake untouched = filled(plan);
  const auto expected = release(plan, untouched, unsafeTestEntropy);
  ASSERT_TRUE(expected.ok());
  for (const auto& [source, field] : cases) {
    Intake intake = filled(plan);
    const auto refused = release(plan, intake, source);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, Code::kNoEntropy);
    EXPECT_EQ(refused.error().field, field);
    // The intake is intact and open: another attempt gives the result of the first.
    EXPECT_EQ(intake.counts().used, 3u);
    const auto retried = release(plan, intake, unsafeTestEntropy);
    ASSERT_TRUE(retried.ok());
    EXPECT_EQ(retried.value().values, expected.value().values);
  }
}

TEST(Release, TakesMoreRowsAfterEntropyFailed) {
  const Plan plan = planOf(Neighbours::kReplaceOne);
  Intake intake = filled(plan);
  EXPECT_FALSE(release(plan, intake, failing).ok());
  EXPECT_FALSE(intake.add(kRows));
  EXPECT_EQ(release(plan, intake, unsafeTestEntropy).value().rows, 6u);
}

TEST(Release, IsMadeOnceFromOneIntake) {
  const Plan plan = planOf(Neighbours::kReplaceOne);
  Intake intake = filled(plan);
  ASSERT_TRUE(release(plan, intake).ok());
  const auto second = release(plan, intake);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, Code::kAlreadyReleased);
  EXPECT_TRUE(intake.add(kRows));
}

TEST(Release, NeedsRowsIfTheirNumberIsPublic) {
  const Plan plan = planOf(Neighbours::kReplaceOne);
  Intake intake = unitIntake(plan);
  const auto refused = release(plan, intake);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kNoRows);
}

TEST(Release, StatesTheNumberOfUnitsOnlyIfItIsPublic) {
  const auto rows_of = [](Neighbours neighbours, Unit unit) {
    const Plan plan = planOf(neighbours, unit);
    Intake intake = filled(plan);
    return release(plan, intake).value().rows;
  };
  EXPECT_EQ(rows_of(Neighbours::kReplaceOne, Unit::kRow), 3u);
  EXPECT_EQ(rows_of(Neighbours::kReplaceOne, Unit::kParticipant), 1u);
  EXPECT_EQ(rows_of(Neighbours::kAddRemove, Unit::kRow), std::nullopt);
  EXPECT_EQ(rows_of(Neighbours::kAddRemove, Unit::kParticipant), std::nullopt);
}

TEST(Release, IsTheMechanismAppliedToTheExactTotals) {
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
      const Plan plan = planOf(neighbours, unit);
      Intake intake = filled(plan);
      const auto released = release(plan, intake, unsafeTestEntropy).value();
      const std::vector<Int128> totals = exactTotals(plan, kRows);
      std::optional<Drbg> random;
      seedUnsafely(plan, totals, random);
      std::vector<double> expected(totals.size());
      releaseGaussian(plan, totals, *random, expected);
      EXPECT_EQ(released.values, expected);
    }
  }
}

TEST(Release, HasFreshNoiseEveryTime) {
  const Plan plan = planOf(Neighbours::kReplaceOne);
  Intake one = filled(plan), two = filled(plan);
  const auto first = release(plan, one).value().values;
  const auto second = release(plan, two).value().values;
  ASSERT_EQ(first.size(), 6u);
  EXPECT_EQ(first[0], second[0]) << "the public count";
  // Equal noise in one entry has probability below 2^-12, in all five below 2^-60.
  int equal = 0;
  for (std::size_t i = 1; i < first.size(); ++i) equal += first[i] == second[i];
  EXPECT_LT(equal, 5);
}

}  // namespace release_test
}  // namespace pm
