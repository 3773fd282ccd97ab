#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/mechanisms/gaussian.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/zcdp.hpp"
#include "tests/support/vectors.hpp"
#include "tests/support/zcdp_bounds.hpp"

namespace pm {
namespace calibration_test {

using namespace testing_support;

double relative(double value, double reference) { return std::fabs(value / reference - 1); }

TEST(LogNormalCdf, JoinsItsTwoBranchesAndReachesFarOut) {
  EXPECT_NEAR(logNormalCdf(0), std::log(0.5), 1e-15);
  EXPECT_NEAR(logNormalCdf(40), 0, 1e-300);
  EXPECT_LT(
      relative(logNormalCdf(std::nextafter(-5.0, -6.0)), logNormalCdf(std::nextafter(-5.0, 0.0))),
      1e-14);
  EXPECT_LT(relative(logNormalCdf(-30), -454.32124395634319), 1e-14);
  EXPECT_LT(relative(logNormalCdf(-1e4), -5.0000010129279e7), 1e-13);
}

TEST(GaussianCalibration, HasTheReferenceValues) {
  const auto reference = readVectors("privacy.json")["gaussian"];
  ASSERT_EQ(reference["calibration"].size(), 12u);
  for (const auto& v : reference["calibration"]) {
    const double mu = gdpOfEpsilonDelta(v["eps"].get<double>(), v["delta"].get<double>());
    EXPECT_LT(relative(mu, v["mu"].get<double>()), 1e-11) << v;
    EXPECT_LT(relative(1 / mu, v["sigma_per_unit_sensitivity"].get<double>()), 1e-11) << v;
  }
  for (const auto& v : reference["delta"]) {
    const double delta = std::exp(logDeltaOfGdp(v["eps"].get<double>(), v["mu"].get<double>()));
    EXPECT_LT(relative(delta, v["delta"].get<double>()), 1e-10) << v;
  }
  for (const auto& v : reference["eps"]) {
    const double epsilon = epsilonOfGdp(v["mu"].get<double>(), v["delta"].get<double>());
    EXPECT_LT(relative(epsilon, v["eps"].get<double>()), 1e-11) << v;
  }
}

TEST(GaussianCalibration, IsAccurateWhereTheTwoTermsOfDeltaCancel) {
  // Reference values from 60-digit arithmetic. The margin of the mechanism is 2^-40 = 9e-13.
  const auto vectors = readVectors("privacy.json")["gaussian"]["calibration_corners"];
  ASSERT_EQ(vectors.size(), 13u);
  for (const auto& v : vectors) {
    const double mu = gdpOfEpsilonDelta(v["eps"].get<double>(), v["delta"].get<double>());
    EXPECT_LT(relative(mu, v["mu"].get<double>()), 1e-13) << v;
  }
}

TEST(GaussianCalibration, IsContinuousAtItsChangeOfFormula) {
  for (const double epsilon : {0.0, 0.01, 0.5, 2.0, 5.0}) {
    const double below = logDeltaOfGdp(epsilon, std::nextafter(0.5, 0.0));
    EXPECT_LT(relative(below, logDeltaOfGdp(epsilon, 0.5)), 1e-13) << epsilon;
  }
}

TEST(GaussianCalibration, InvertsItself) {
  for (const double epsilon : {0.01, 0.3, 1.0, 8.0, 60.0}) {
    for (const double delta : {1e-12, 1e-6, 1e-2, 0.3}) {
      const double mu = gdpOfEpsilonDelta(epsilon, delta);
      EXPECT_LT(relative(epsilonOfGdp(mu, delta), epsilon), 1e-9) << epsilon << " " << delta;
      EXPECT_LT(relative(std::exp(logDeltaOfGdp(epsilon, mu)), delta), 1e-9);
    }
  }
  EXPECT_EQ(epsilonOfGdp(0.001, 0.5), 0);
}

TEST(GaussianCalibration, TerminatesForTheSmallestAndLargestNumbers) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  for (const double epsilon : {tiny, 1e-300, 1e300, huge}) {
    for (const double delta : {tiny, 1e-300, 0.5, std::nextafter(1.0, 0.0)}) {
      const double mu = gdpOfEpsilonDelta(epsilon, delta);
      EXPECT_GE(mu, 0) << epsilon << " " << delta;
      EXPECT_TRUE(std::isfinite(mu)) << epsilon << " " << delta;
    }
  }
}

TEST(GaussianWidth, IsNeverBelowTheReferenceAndAtMostABillionthAbove) {
  const auto vectors = readVectors("noise.json")["calibration"];
  ASSERT_EQ(vectors.size(), 18u);
  for (const auto& v : vectors) {
    const int bits = v["b"].get<int>();
    const Uint128 add_remove = Uint128(1) << (4 * bits);
    const double mu = gdpOfEpsilonDelta(realOf(v["eps"]), realOf(v["delta"]));
    const std::uint64_t w = gaussianWidth(mu, add_remove);
    const std::uint64_t expected = integerOf(v["w_diag_add_remove"]);
    EXPECT_GE(w, expected) << v;
    EXPECT_LE(double(w - expected), 1e-9 * double(expected)) << v;

    const std::uint64_t w_replace = gaussianWidth(mu, 2 * add_remove);
    const std::uint64_t expected_replace = integerOf(v["w_diag_replace"]);
    EXPECT_GE(w_replace, expected_replace) << v;
    EXPECT_LE(double(w_replace - expected_replace), 1e-9 * double(expected_replace)) << v;

    EXPECT_EQ(offDiagonalWidth(expected), integerOf(v["w_off_add_remove"])) << v;
    EXPECT_LT(
        relative(double(add_remove) / (512.0 * double(w) * double(w)), realOf(v["rho_add_remove"])),
        1e-9)
        << v;
  }
}

TEST(OffDiagonalWidth, IsTheSmallestWithHalfTheSquare) {
  for (std::uint64_t w = 1; w < 3000; ++w) {
    const std::uint64_t half = offDiagonalWidth(w);
    EXPECT_GE(2 * half * half, w * w);
    EXPECT_LT(2 * (half - 1) * (half - 1), w * w);
  }
  for (const std::uint64_t w : {(std::uint64_t{1} << 54) - 1, (std::uint64_t{1} << 59) + 12345}) {
    const std::uint64_t half = offDiagonalWidth(w);
    EXPECT_TRUE(2 * Uint128(half) * half >= Uint128(w) * w);
    EXPECT_TRUE(2 * Uint128(half - 1) * (half - 1) < Uint128(w) * w);
  }
}

TEST(Zcdp, HasTheReferenceValuesOfConversionAndComposition) {
  const auto reference = readVectors("privacy.json")["composition"];
  const auto mus = reference["gdp"]["mus"].get<std::vector<double>>();
  EXPECT_NEAR(composeGdp(mus.data(), int(mus.size())), reference["gdp"]["total"].get<double>(),
              1e-14);
  for (const auto& v : reference["rho_of_mu"]) {
    EXPECT_DOUBLE_EQ(zcdpOfGdp(v["mu"].get<double>()), v["rho"].get<double>());
  }
  ASSERT_EQ(reference["zcdp_tight_delta"].size(), 3u);
  for (const auto& v : reference["zcdp_tight_delta"]) {
    const double delta = deltaOfZcdp(v["rho"].get<double>(), v["eps"].get<double>());
    EXPECT_LT(relative(delta, v["delta"].get<double>()), 1e-8) << v;
  }
}

TEST(Zcdp, NeverGivesASmallerDeltaThanTheGaussianItself) {
  for (const double mu : {0.05, 0.3, 1.0, 3.0}) {
    for (const double epsilon : {0.0, 0.1, 1.0, 5.0, 20.0}) {
      const double delta = deltaOfZcdp(zcdpOfGdp(mu), epsilon);
      EXPECT_GE(delta, std::exp(logDeltaOfGdp(epsilon, mu))) << mu << " " << epsilon;
      EXPECT_LE(delta, 1.0);
    }
  }
}

}  // namespace calibration_test
}  // namespace pm
