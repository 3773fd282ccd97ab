#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/random/discrete_gaussian.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace gaussian_plan_test {

using namespace testing_support;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Plan planOf(const MechanismParams& params) { return planGaussian(params).value(); }

TEST(Plan, RefusesAShapeThatIsNotOneOfItsChoices) {
  EXPECT_FALSE(checkOption(kShape, int(GaussianShape::kUpperTriangle)));
  for (const int place : {-1, 2}) {
    const Status wrong = checkOption(kShape, place);
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->code, Code::kInvalidMechanism);
    EXPECT_EQ(wrong->field, "mechanism.shape");
    EXPECT_EQ(wrong->message, "the shape must be rotation-invariant or upper-triangle");
  }
}

TEST(Plan, HasTheShapeThatWasSetLast) {
  MechanismParams params{};
  EXPECT_EQ(params.options[kShape], GaussianShape::kRotationInvariant);
  params.options.set(kShape, GaussianShape::kUpperTriangle);
  EXPECT_EQ(params.options[kShape], GaussianShape::kUpperTriangle);
  params.options.set(kShape, GaussianShape::kRotationInvariant);
  EXPECT_EQ(params.options[kShape], GaussianShape::kRotationInvariant);
}

TEST(Plan, HasTheReferenceNoiseScalesInBothShapes) {
  const auto vectors = readVectors("privacy.json")["noise_scales"];
  ASSERT_EQ(vectors.size(), 3u);
  for (const auto& v : vectors) {
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const char* key = neighbours == Neighbours::kAddRemove ? "add_remove" : "replace_one";
      MechanismParams params = gaussianParams(v["d"].get<int>(), neighbours, Unit::kRow,
                                              v["eps"].get<double>(), v["delta"].get<double>());
      const Plan goe = planOf(params);
      params.options.set(kShape, GaussianShape::kUpperTriangle);
      const Plan upper = planOf(params);
      // The vectors are for rows in the unit ball; the constant coordinate makes them 1 + a^2 long.
      const double unit = std::ldexp(1.0, -2 * goe.bits);
      const double length = 1 + std::pow(std::ldexp(double(goe.constant), -goe.bits), 2);
      const auto sd = [&](std::uint64_t w) { return 16 * double(w) * unit / length; };
      const double diagonal = v["GOE_sigma_diag"][key].get<double>();
      const double off_diagonal = v["GOE_sigma_offdiag"][key].get<double>();
      const double every = v["AG_upper_sigma"][key].get<double>();
      EXPECT_NEAR(sd(goe.own<GaussianNoise>().w_diagonal) / diagonal, 1, 1e-9);
      EXPECT_NEAR(sd(goe.own<GaussianNoise>().w_off_diagonal) / off_diagonal, 1, 1e-9);
      EXPECT_NEAR(sd(upper.own<GaussianNoise>().w_diagonal) / every, 1, 1e-9);
      EXPECT_EQ(upper.own<GaussianNoise>().w_off_diagonal, upper.own<GaussianNoise>().w_diagonal);
      EXPECT_NEAR(goe.guarantee.gdp, v["mu"].get<double>(), 1e-9 * v["mu"].get<double>());
    }
  }
}

TEST(Plan, StatesTheRequestedEpsilonAndDeltaAndItsAssumptions) {
  for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
    for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
      const Plan plan = planOf(gaussianParams(12, neighbours, unit));
      const Guarantee& g = plan.guarantee;
      EXPECT_EQ(g.epsilon, 1);
      EXPECT_EQ(g.delta, 1e-6);
      EXPECT_EQ(g.neighbours, neighbours);
      EXPECT_EQ(g.unit, unit);
      EXPECT_EQ(g.numerics, Numerics::kExact);
      EXPECT_EQ(g.assumes.size(), 3u);
      // mu and rho describe the noise that will be drawn, and imply the stated epsilon and delta.
      const double sigma = 16.0 * double(plan.own<GaussianNoise>().w_diagonal);
      const double sensitivity = std::sqrt(double(plan.sensitivity_squared));
      EXPECT_NEAR(g.gdp, sensitivity / sigma, 1e-12);
      EXPECT_NEAR(g.zcdp, sensitivity * sensitivity / (2 * sigma * sigma), 1e-12);
      EXPECT_LE(std::exp(logDeltaOfGdp(1, g.gdp)), 1e-6);
    }
  }
}

TEST(Plan, IsCalibratedToTheSensitivityOfTheWholeMatrixWithItsConstant) {
  for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
    for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
      const Plan plan = planOf(gaussianParams(7, neighbours, unit));
      const std::uint64_t a = plan.constant;
      const std::uint64_t t = (std::uint64_t{1} << (2 * plan.bits)) + a * a;
      EXPECT_TRUE(plan.sensitivity_squared == frobeniusSensitivitySquared(t, 8, neighbours, unit));
      EXPECT_EQ(plan.own<GaussianNoise>().w_diagonal,
                gaussianWidth(gdpOfEpsilonDelta(1, 1e-6), plan.sensitivity_squared));
    }
  }
}

TEST(Plan, StatesDeltaOneForAnAbsurdlyLargeEpsilon) {
  const Plan plan = planOf(gaussianParams(3, Neighbours::kReplaceOne, Unit::kRow, 1e7, 1e-6));
  EXPECT_EQ(plan.guarantee.epsilon, 1e7);
  EXPECT_EQ(plan.guarantee.delta, 1);
  const auto& assumes = plan.guarantee.assumes;
  EXPECT_TRUE(std::any_of(assumes.begin(), assumes.end(), [](const std::string& text) {
    return text.find("not private") != std::string::npos;
  }));
}

TEST(Plan, ReportsALargerDeltaAsSoonAsTheSamplersTailDoesNotAllowTheRequestedOne) {
  // The tail adds (1 + e^epsilon) m 2^-144, which exceeds 1e-6 near epsilon 83 for m = 9.
  bool larger_before = false;
  for (double epsilon = 1; epsilon < 140; epsilon += 1) {
    const Plan plan = planOf(gaussianParams(3, Neighbours::kReplaceOne, Unit::kRow, epsilon, 1e-6));
    const double added = (1 + std::exp(epsilon)) * 9 * 0x1p-144;
    EXPECT_NEAR(plan.own<GaussianNoise>().sampler_delta_log2, std::log2(added), 1e-9) << epsilon;
    const bool larger = plan.guarantee.delta > 1e-6;
    EXPECT_TRUE(larger || !larger_before) << epsilon;
    EXPECT_EQ(larger, plan.guarantee.assumes.size() == 4u) << epsilon;
    if (larger) {
      EXPECT_GE(plan.guarantee.delta, std::min(1.0, added)) << epsilon;
    }
    if (epsilon <= 60) {
      EXPECT_FALSE(larger) << epsilon;
    }
    larger_before = larger;
  }
  EXPECT_TRUE(larger_before);
}

TEST(Plan, CountsEverySampleThatCarriesNoise) {
  const Plan replace = planOf(gaussianParams(1000, Neighbours::kReplaceOne, Unit::kRow, 10, 1e-6));
  EXPECT_LT(replace.own<GaussianNoise>().sampler_delta_log2, -109);
  const Plan small = planOf(gaussianParams(1, Neighbours::kReplaceOne));
  const Plan noisy_count = planOf(gaussianParams(1, Neighbours::kAddRemove));
  EXPECT_NEAR(noisy_count.own<GaussianNoise>().sampler_delta_log2 -
                  small.own<GaussianNoise>().sampler_delta_log2,
              std::log2(3.0 / 2), 1e-9);
}

TEST(Plan, RejectsEveryInvalidParameterWithItsOwnCode) {
  const auto error_of = [](double epsilon, double delta, int dimension) {
    const auto plan = planGaussian(
        gaussianParams(dimension, Neighbours::kReplaceOne, Unit::kRow, epsilon, delta));
    EXPECT_FALSE(plan.ok());
    return plan.ok() ? Error{Code::kIntegrity, ""} : plan.error();
  };
  for (const double epsilon : {0.0, -1.0, -0.0, kNotANumber, kInfinity, -kInfinity}) {
    const Error error = error_of(epsilon, 1e-6, 3);
    EXPECT_EQ(error.code, Code::kInvalidEpsilon) << epsilon;
    EXPECT_EQ(error.field, "epsilon");
  }
  for (const double delta : {0.0, 1.0, -1e-9, 1.5, kNotANumber, kInfinity}) {
    const Error error = error_of(1, delta, 3);
    EXPECT_EQ(error.code, Code::kInvalidDelta) << delta;
    EXPECT_EQ(error.field, "delta");
  }
  for (const int dimension : {0, -3, 1001, 2147483647}) {
    const Error error = error_of(1, 1e-6, dimension);
    EXPECT_EQ(error.code, Code::kInvalidDimension) << dimension;
    EXPECT_EQ(error.field, "columns");
  }
  const Error error = error_of(1e-13, 1e-15, 3);
  EXPECT_EQ(error.code, Code::kNoiseTooLarge);
  EXPECT_EQ(error.field, "epsilon");
}

TEST(Plan, ChoosesTheFinestGridOnWhichTheNoiseFits) {
  bool coarser = false;
  for (double epsilon = 10; epsilon > 1e-9; epsilon /= 2) {
    for (const Neighbours neighbours : {Neighbours::kAddRemove, Neighbours::kReplaceOne}) {
      const auto plan = planGaussian(gaussianParams(5, neighbours, Unit::kRow, epsilon, 1e-6));
      if (!plan.ok()) continue;
      const Plan& p = plan.value();
      EXPECT_LE(p.own<GaussianNoise>().w_diagonal, kMaxGaussianWidth);
      EXPECT_GE(p.bits, kMinBits);
      EXPECT_EQ(p.constant, constantCoordinate(p.bits));
      coarser |= p.bits < 22;
      if (p.bits < 22) {
        const Uint128 finer = frobeniusSensitivitySquared(augmentedNormSquared(p.bits + 1), 6,
                                                          neighbours, Unit::kRow);
        EXPECT_GT(gaussianWidth(gdpOfEpsilonDelta(epsilon, 1e-6), finer), kMaxGaussianWidth);
      }
    }
  }
  EXPECT_TRUE(coarser);
  EXPECT_EQ(planOf(gaussianParams(5, Neighbours::kReplaceOne)).bits, 22);
}

TEST(Plan, KeepsEveryReleasedIntegerExactInADouble) {
  for (const double epsilon : {1e-6, 1e-3, 0.1, 1.0, 10.0, 1e4, 1e12}) {
    for (const Unit unit : {Unit::kRow, Unit::kParticipant}) {
      const Plan plan = planOf(gaussianParams(5, Neighbours::kReplaceOne, unit, epsilon, 1e-6));
      const double step = std::ldexp(1.0, plan.release_shift);
      const double largest_total = double(plan.max_rows) * double(augmentedNormSquared(plan.bits));
      // the sampler's largest value
      const double largest_noise = 224.0 * double(plan.own<GaussianNoise>().w_diagonal);
      EXPECT_LE((largest_total + largest_noise) / step + 1, 0x1p53) << epsilon;
      EXPECT_GE(plan.max_rows, 100u) << epsilon;
      if (plan.release_shift > 0) {
        EXPECT_GE(16.0 * double(plan.own<GaussianNoise>().w_off_diagonal) / step, 4096) << epsilon;
      }
    }
  }
}

TEST(Plan, MeetsTheConditionOfTheDiscreteNoiseTheorem) {
  // (16 w)^2 >= sigma^2 + 18 with sigma the analytic one, in integers and against rounding.
  for (const double epsilon : {0.01, 1.0, 30.0, 1e4, 1e9, 1e30}) {
    const Plan plan = planOf(gaussianParams(2, Neighbours::kReplaceOne, Unit::kRow, epsilon, 1e-6));
    const double sigma =
        std::sqrt(double(plan.sensitivity_squared)) / gdpOfEpsilonDelta(epsilon, 1e-6);
    const double drawn = 16.0 * double(plan.own<GaussianNoise>().w_diagonal);
    EXPECT_GT(drawn, sigma + 16 * (1 - 0x1p-10)) << epsilon;
    EXPECT_GE((drawn - sigma) * (drawn + sigma), 18) << epsilon;
    EXPECT_TRUE(2 * Uint128(plan.own<GaussianNoise>().w_off_diagonal) *
                    plan.own<GaussianNoise>().w_off_diagonal >=
                Uint128(plan.own<GaussianNoise>().w_diagonal) *
                    plan.own<GaussianNoise>().w_diagonal);
  }
}

TEST(Names, AreTheWordsOfTheFormat) {
  EXPECT_STREQ(name(Neighbours::kReplaceOne), "replace-one");
  EXPECT_STREQ(name(Neighbours::kAddRemove), "add-remove");
  EXPECT_STREQ(name(Unit::kRow), "row");
  EXPECT_STREQ(name(Unit::kParticipant), "participant");
  EXPECT_STREQ(name(Numerics::kExact), "exact");
  EXPECT_STREQ(name(Numerics::kIdealized), "idealized");
}

}  // namespace gaussian_plan_test
}  // namespace pm
