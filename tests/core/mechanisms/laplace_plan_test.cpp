#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/mechanisms/frobenius.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/random/discrete_laplace.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace laplace_plan_test {

using namespace testing_support;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

MechanismParams paramsOf(int dimension, Neighbours neighbours, double epsilon = 1,
                         Unit unit = Unit::kRow, double row_norm = 1) {
  MechanismParams params = gaussianParams(dimension, neighbours, unit, epsilon, 0);
  params.row_norm = row_norm;
  return params;
}

std::uint64_t sensitivityOf(const Plan& plan) {
  const double root = std::sqrt(double(plan.sensitivity_squared));
  std::uint64_t r = std::uint64_t(root);
  while (Uint128(r) * r < plan.sensitivity_squared) ++r;
  while (Uint128(r) * r > plan.sensitivity_squared) --r;
  return r;
}

TEST(LaplacePlan, HasAnIntegerScaleThatGuaranteesTheRequestedEpsilon) {
  // 16 w epsilon >= L (1 + 2^-41), without rounding: epsilon is a quarter of an integer.
  for (const std::uint64_t quarters : {1u, 2u, 4u, 12u, 40u, 4000u}) {
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
        const double epsilon = double(quarters) / 4;
        const Plan plan = planLaplace(paramsOf(7, neighbours, epsilon, unit)).value();
        const Uint128 bound = 4 * Uint128(sensitivityOf(plan));
        const Uint128 scale = Uint128(16) * plan.own<LaplaceNoise>().w * quarters;
        EXPECT_TRUE(scale >= bound + (bound >> 41)) << epsilon;
        // It is not larger than necessary: one step less would be too small.
        EXPECT_TRUE(scale - Uint128(16) * quarters < bound + (bound >> 39) + 16) << epsilon;
        EXPECT_EQ(plan.sd_off_diagonal, plan.sd_diagonal);
        EXPECT_EQ(plan.guarantee.epsilon, epsilon);
        EXPECT_EQ(plan.guarantee.delta, 0);
        EXPECT_EQ(plan.guarantee.numerics, Numerics::kExact);
        EXPECT_EQ(plan.guarantee.unit, unit);
        EXPECT_EQ(plan.guarantee.neighbours, neighbours);
      }
    }
  }
}

TEST(LaplacePlan, LeavesRoomForTheSamplersOwnEpsilonInEveryPlan) {
  // The plan with the smallest epsilon and the most entries: m 2^-162 + epsilon 2^-171 against
  // epsilon 2^-41.
  double smallest = kInfinity;
  for (double epsilon = 1; epsilon > 1e-18; epsilon /= 2) {
    const auto plan = planLaplace(paramsOf(1000, Neighbours::kReplaceOne, epsilon));
    if (plan.ok()) smallest = epsilon;
  }
  EXPECT_LT(smallest, 1e-5);
  EXPECT_LT(double(packedSize(1001)) * 0x1p-162 + smallest * 0x1p-171, smallest * 0x1p-41);
}

TEST(LaplacePlan, StatesAPureEpsilonForEveryRequestedDelta) {
  MechanismParams params = paramsOf(3, Neighbours::kReplaceOne);
  params.delta = 1e-6;
  EXPECT_EQ(planLaplace(params).value().guarantee.delta, 0);
  EXPECT_EQ(planFrobenius(params).value().guarantee.delta, 0);
}

TEST(LaplacePlan, IsCalibratedToTheIntersectionOfBallAndBox) {
  for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
    for (const double row_norm : {0.5, 1.0, 2.0, std::sqrt(12.0), 10.0}) {
      const Plan plan = planLaplace(paramsOf(12, neighbours, 1, Unit::kRow, row_norm)).value();
      const std::uint64_t h = featureBound(plan.bits, row_norm);
      EXPECT_EQ(sensitivityOf(plan),
                upperL1Sensitivity({plan.constant, std::uint64_t{1} << plan.bits, h, 12},
                                   neighbours, Unit::kRow));
      EXPECT_GE(double(h), std::ldexp(std::min(1.0, 1 / row_norm), plan.bits));
      EXPECT_LT(double(h), std::ldexp(std::min(1.0, 1 / row_norm), plan.bits) + 1);
    }
  }
}

TEST(LaplacePlan, NeedsNoMoreNoiseThanThePublishedBoundForRowsOneCoordinateLonger) {
  const auto vectors = readVectors("laplace.json")["noise_scales"];
  ASSERT_GE(vectors.size(), 3u);
  for (const auto& v : vectors) {
    const int n = v["d"].get<int>();
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const Plan plan = planLaplace(paramsOf(n - 1, neighbours, v["eps"].get<double>())).value();
      const char* key = neighbours == Neighbours::kAddRemove ? "add_remove" : "replace_one";
      const double published = v["Laplace_upper_scale"][key].get<double>();
      const double scale =
          16 * double(plan.own<LaplaceNoise>().w) / double(augmentedNormSquared(plan.bits));
      EXPECT_LT(scale, published * (1 + 1e-6));
      EXPECT_GT(scale, 0.5 * published);
    }
  }
}

TEST(FrobeniusPlan, HasTheReferenceShapeAndScale) {
  const auto vectors = readVectors("laplace.json")["noise_scales"];
  for (const auto& v : vectors) {
    const int n = v["d"].get<int>();
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const bool replace = neighbours == Neighbours::kReplaceOne;
      const Plan plan = planFrobenius(paramsOf(n - 1, neighbours, v["eps"].get<double>())).value();
      // Under replace-one the count is public, one coordinate less.
      EXPECT_EQ(plan.freedom, int(v["L2Gamma"]["shape"].get<double>()) - (replace ? 1 : 0));
      const double scale =
          plan.own<FrobeniusNoise>().scale.value() / double(augmentedNormSquared(plan.bits));
      const double expected =
          v["L2Gamma"][replace ? "scale_replace_one" : "scale_add_remove"].get<double>();
      EXPECT_GE(scale / expected, 1 - 1e-15);
      EXPECT_LE(scale / expected, 1 + 0x1p-39);
      EXPECT_NEAR(plan.sd_diagonal,
                  plan.own<FrobeniusNoise>().scale.value() * std::sqrt(plan.freedom + 1.0),
                  1e-9 * plan.sd_diagonal);
      EXPECT_EQ(plan.guarantee.numerics, Numerics::kExact);
    }
  }
}

TEST(PurePlans, HaveTheNoiseSizesOfTheirPages) {
  // docs/mechanisms/laplace.md and frobenius.md, to the digits printed there; R = sqrt D where
  // `corners`.
  struct Row {
    Neighbours neighbours;
    bool corners;
    double bound[4], sd[4], diagonal[4], other[4], laplace_norm[4], frobenius_norm[4];
  };
  const Neighbours add = Neighbours::kAddRemove, replace = Neighbours::kReplaceOne;
  const int columns[4] = {2, 5, 12, 100};
  const Row rows[] = {
      {add,
       false,
       {3.00, 5.08, 9.45, 58.1},
       {4.24, 7.19, 13.4, 82.1},
       {3.97, 7.04, 14.4, 108},
       {2.81, 4.97, 10.2, 76.1},
       {12.7, 43.1, 174, 8290},
       {9.72, 32.2, 137, 7730}},
      {replace,
       true,
       {2.67, 4.79, 9.18, 57.8},
       {3.77, 6.77, 13.0, 81.8},
       {5.20, 9.72, 20.2, 152},
       {3.67, 6.87, 14.3, 108},
       {10.7, 40.1, 168, 8260},
       {11.6, 43.5, 192, 10900}},
      {replace,
       false,
       {3.75, 6.83, 13.1, 81.9},
       {5.30, 9.66, 18.5, 116},
       {5.20, 9.72, 20.2, 152},
       {3.67, 6.87, 14.3, 108},
       {15.0, 57.2, 240, 11700},
       {11.6, 43.5, 192, 10900}},
  };
  const auto near = [](double is, double printed) {
    EXPECT_NEAR(is / printed, 1, 0.005) << printed;
  };
  for (const Row& row : rows) {
    for (int i = 0; i < 4; ++i) {
      const double n = columns[i] + 1;
      const MechanismParams params =
          paramsOf(columns[i], row.neighbours, 1, Unit::kRow, row.corners ? std::sqrt(n - 1) : 1);
      const Plan laplace = planLaplace(params).value(), frobenius = planFrobenius(params).value();
      const auto unit = [](const Plan& plan) { return std::ldexp(1.0, -2 * plan.bits); };
      // The root of the mean squared Frobenius norm; a public count has no noise.
      const auto norm = [&](const Plan& plan) {
        return std::hypot(std::sqrt(row.neighbours == replace ? n - 1 : n) * plan.sd_diagonal,
                          std::sqrt(n * (n - 1)) * plan.sd_off_diagonal) *
               unit(plan);
      };
      near(double(sensitivityOf(laplace)) * unit(laplace), row.bound[i]);
      near(laplace.sd_diagonal * unit(laplace), row.sd[i]);
      near(frobenius.sd_diagonal * unit(frobenius), row.diagonal[i]);
      near(frobenius.sd_off_diagonal * unit(frobenius), row.other[i]);
      near(norm(laplace), row.laplace_norm[i]);
      near(norm(frobenius), row.frobenius_norm[i]);
    }
  }
}

TEST(PurePlans, RejectEveryInvalidParameterWithItsOwnCode) {
  for (const auto make : {&planLaplace, &planFrobenius}) {
    const auto code_of = [&](const MechanismParams& params) {
      const auto plan = make(params);
      EXPECT_FALSE(plan.ok());
      return plan.ok() ? Code::kIntegrity : plan.error().code;
    };
    for (const double epsilon : {0.0, -1.0, kNotANumber, kInfinity}) {
      EXPECT_EQ(code_of(paramsOf(3, Neighbours::kReplaceOne, epsilon)), Code::kInvalidEpsilon);
    }
    for (const double delta : {1.0, -1e-9, kNotANumber}) {
      MechanismParams params = paramsOf(3, Neighbours::kReplaceOne);
      params.delta = delta;
      EXPECT_EQ(code_of(params), Code::kInvalidDelta);
    }
    for (const int dimension : {0, 1001}) {
      EXPECT_EQ(code_of(paramsOf(dimension, Neighbours::kReplaceOne)), Code::kInvalidDimension);
    }
    EXPECT_EQ(code_of(paramsOf(3, Neighbours::kReplaceOne, 1, Unit::kRow, 0)),
              Code::kInvalidRowNorm);
    EXPECT_EQ(code_of(paramsOf(3, Neighbours::kReplaceOne, 1e-14)), Code::kNoiseTooLarge);
    EXPECT_EQ(code_of(paramsOf(3, Neighbours::kReplaceOne, 1e-300)), Code::kNoiseTooLarge);
  }
}

TEST(PurePlans, HaveExactIntegersAndAFineGrid) {
  for (const auto make : {&planLaplace, &planFrobenius}) {
    for (double epsilon = 1e6; epsilon > 1e-9; epsilon /= 10) {
      const auto planned = make(paramsOf(5, Neighbours::kAddRemove, epsilon));
      if (!planned.ok()) continue;
      const Plan& plan = planned.value();
      const double step = std::ldexp(1.0, plan.release_shift);
      const double total = double(plan.max_rows) * double(augmentedNormSquared(plan.bits));
      EXPECT_LE((total + 64 * plan.sd_diagonal) / step, 0x1p53) << epsilon;
      EXPECT_LE(plan.sd_diagonal, 0x1p58) << epsilon;
      if (make == &planLaplace) {
        EXPECT_LT(plan.own<LaplaceNoise>().w, kLaplaceWidthLimit);
      }
      if (plan.release_shift > 0) {
        EXPECT_GE(plan.sd_off_diagonal / step, 4096) << epsilon;
      }
    }
  }
}

TEST(PurePlans, AreInTheRegistryForBudgetsWithoutDelta) {
  for (const char* name : {"laplace", "frobenius"}) {
    const Mechanism* mechanism = findMechanism(name);
    ASSERT_NE(mechanism, nullptr) << name;
    EXPECT_EQ(mechanism->budget, Budget::kPure);
    EXPECT_EQ(mechanism->content(), Content::kMoments);
    EXPECT_TRUE(mechanism->additive);
    EXPECT_FALSE(mechanism->psd);
    const auto plan = mechanism->plan(paramsOf(4, Neighbours::kReplaceOne));
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(plan.value().guarantee.numerics, mechanism->numerics);
    EXPECT_EQ(plan.value().guarantee.delta, 0);
  }
}

}  // namespace laplace_plan_test
}  // namespace pm
