// Under add-remove a data set without rows has a release: the mechanism applied to the zero matrix.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/federation/correlated.hpp"
#include "core/federation/masked.hpp"
#include "core/federation/sharing.hpp"
#include "core/mechanisms/eigenvector_sampling.hpp"
#include "core/mechanisms/power_method.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/mechanisms/release.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_release_noise.hpp"

namespace pm {
namespace empty_release_test {

using namespace testing_support;

MechanismParams paramsOf(Neighbours neighbours, Unit unit) {
  MechanismParams params = gaussianParams(3, neighbours, unit);
  params.components = 2;
  params.options.set(kRounds, 2);
  return params;
}

void expectNoiseAlone(const Plan& plan, const std::string& what) {
  Intake intake = unitIntake(plan);
  const auto released = release(plan, intake, unsafeTestEntropy);
  ASSERT_TRUE(released.ok()) << what;
  EXPECT_EQ(released.value().rows, std::nullopt) << what;
  if (plan.clip_width > 0) {
    EXPECT_EQ(released.value().clip_counts.size(), 7u) << what;
    return;
  }
  const std::size_t n = std::size_t(plan.params.dimension) + 1;
  const std::vector<Int128> zeros(n * (n + 1) / 2);
  std::optional<Drbg> random;
  seedUnsafely(plan, zeros, random);
  std::vector<double> expected(plan.length);
  plan.release(plan, zeros, *random, expected);
  EXPECT_EQ(released.value().values, expected) << what;
}

TEST(EmptyRelease, IsEveryMechanismOnTheZeroMatrixUnderAddRemove) {
  for (const Mechanism& mechanism : mechanisms()) {
    for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
      if (mechanism.name == "wishart" && unit == Unit::kParticipant) continue;  // rows only
      const auto plan = mechanism.plan(paramsOf(Neighbours::kAddRemove, unit));
      ASSERT_TRUE(plan.ok()) << mechanism.name;
      expectNoiseAlone(plan.value(), std::string(mechanism.name) + ", " + name(unit));
    }
  }
}

TEST(EmptyRelease, WorksForOneDirectionAndEveryMethod) {
  for (const EigenMethod method :
       {EigenMethod::kRayleigh, EigenMethod::kUniform, EigenMethod::kAdaptive}) {
    for (const int components : {1, 3}) {
      MechanismParams params = paramsOf(Neighbours::kAddRemove, Unit::kRow);
      params.options.set(kEigenMethod, method);
      params.components = components;
      const Mechanism* mechanism = findMechanism("eigenvector-sampling");
      expectNoiseAlone(mechanism->plan(params).value(), "eigenvector-sampling");
    }
  }
  for (const int dimension : {4, 20}) {  // 20 and 5 in turn
    MechanismParams params = gaussianParams(dimension, Neighbours::kAddRemove);
    params.components = dimension / 4;
    expectNoiseAlone(findMechanism("ppca")->plan(params).value(), "ppca");
  }
}

TEST(EmptyRelease, ChoosesItsRadiusFromNoisyCountsOfZero) {
  MechanismParams params = paramsOf(Neighbours::kAddRemove, Unit::kRow);
  params.clipping = Clipping::kAdaptive;
  expectNoiseAlone(planGaussian(params).value(), "adaptive clipping");
}

TEST(EmptyRelease, IsPossibleIfAllRowsWereDropped) {
  const Plan plan = planGaussian(paramsOf(Neighbours::kAddRemove, Unit::kRow)).value();
  IntakeTerms terms{};
  terms.columns.assign(3, Column{Column::Kind::kNumber, -1, 1, 0});
  terms.row_norm = 1;
  terms.missing = MissingRule::kDrop;
  terms.neighbours = Neighbours::kAddRemove;
  terms.bits = plan.bits;
  terms.max_rows = plan.max_rows;
  Intake dropped = std::move(Intake::create(terms)).value();
  const double none = std::numeric_limits<double>::quiet_NaN();
  ASSERT_FALSE(dropped.add(std::vector<double>{0.5, none, 0.25, none, 0, 0}));
  EXPECT_EQ(dropped.counts().dropped, 2u);
  Intake empty = unitIntake(plan);
  EXPECT_EQ(release(plan, dropped, unsafeTestEntropy).value().values,
            release(plan, empty, unsafeTestEntropy).value().values);
}

TEST(EmptyRelease, IsAnErrorIfTheNumberOfUnitsIsPublic) {
  for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
    const Plan plan = planGaussian(paramsOf(Neighbours::kReplaceOne, unit)).value();
    Intake intake = unitIntake(plan);
    const auto refused = release(plan, intake, unsafeTestEntropy);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, Code::kNoRows);
  }
}

TEST(EmptyRelease, CanBeMasked) {
  for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
    MechanismParams params = gaussianParams(3, Neighbours::kAddRemove, unit);
    params.sites = 3;
    params.sharing.honest = 2;
    for (const Federation mode : {Federation::kSplit, Federation::kRing, Federation::kCorrelated}) {
      params.sharing.mode = mode;
      const Plan plan = planSharedGaussian(params).value();
      Intake intake = unitIntake(plan);
      std::vector<std::uint64_t> expected(plan.length);
      Result<Masked> masked = [&] {
        if (mode != Federation::kCorrelated) {
          std::vector<std::uint8_t> mask(8 * plan.length);
          for (std::size_t i = 0; i < plan.length; ++i) mask[8 * i] = std::uint8_t(expected[i] = i);
          return releaseMasked(plan, intake, mask, unsafeTestEntropy);
        }
        std::vector<PairKey> keys(2);
        keys[0].bytes[0] = 1;
        keys[1].bytes[0] = 2;
        for (const PairKey& key : keys) addPairMask(plan, key, expected);
        return releaseCorrelated(plan, intake, keys, unsafeTestEntropy);
      }();
      ASSERT_TRUE(masked.ok());
      EXPECT_EQ(masked.value().rows, std::nullopt);
      const std::size_t n = std::size_t(plan.params.dimension) + 1;
      std::optional<Drbg> random;
      seedUnsafely(plan, std::vector<Int128>(n * (n + 1) / 2), random);
      plan.add_noise(plan, *random, expected);
      std::vector<std::uint64_t> words(plan.length);
      ASSERT_EQ(masked.value().payload.size(), 8 * plan.length);
      std::memcpy(words.data(), masked.value().payload.data(), 8 * plan.length);
      EXPECT_EQ(words, expected);
    }
  }
}

}  // namespace empty_release_test
}  // namespace pm
