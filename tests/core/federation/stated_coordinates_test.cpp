// Sums behind masks of rows about public centres.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "core/federation/masked.hpp"
#include "core/federation/sharing.hpp"
#include "core/mechanisms/registry.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_release_noise.hpp"

namespace pm {
namespace federation_stated_coordinates_test {

using namespace testing_support;

constexpr int kFeatures = 3;

Plan planOf(const char* mechanism, Federation mode, Constant constant = Constant::kCentred) {
  MechanismParams params = gaussianParams(kFeatures, Neighbours::kReplaceOne);
  params.sites = 4;
  params.row_norm = 2;
  params.constant = constant;
  params.sharing = {mode, 3};
  return planFederated(*findMechanism(mechanism), params).value();
}

/// Bounds 0 .. 16, centre 4 and spread 1, so that z = x - 4 is exact.
IntakeTerms stated(const Plan& plan) {
  IntakeTerms terms{};
  terms.columns.assign(kFeatures, Column{Column::Kind::kNumber, 0, 16, 0});
  terms.row_norm = plan.params.row_norm;
  terms.missing = MissingRule::kCentre;
  terms.neighbours = plan.params.neighbours;
  terms.bits = plan.bits;
  terms.max_rows = plan.max_rows;
  terms.constant = plan.params.constant;
  terms.centre.assign(kFeatures, -0.5);
  terms.scale.assign(kFeatures, 0.125);
  return terms;
}

std::vector<Int128> totalsOf(IntakeTerms terms, std::span<const double> rows) {
  Intake intake = Intake::create(std::move(terms)).value();
  EXPECT_FALSE(intake.add(rows));
  return intake.take(Unit::kRow).value();
}

std::vector<std::uint64_t> noiseOf(const Plan& plan, std::span<const Int128> totals) {
  std::optional<Drbg> random;
  seedUnsafely(plan, totals, random);
  std::vector<std::uint64_t> words(plan.length);
  plan.add_noise(plan, *random, words);
  return words;
}

TEST(StatedCoordinates, GiveTheSumThatRowsOfTheirOwnWouldGive) {
  const std::vector<double> rows = {4.5, 3.25, 4, 15, 4, 4, 3, NAN, 4};
  // z, the second row at the length 2 of its clip radius; the third has a gap and is at the centre.
  const std::vector<double> z = {0.5, -0.75, 0, 2, 0, 0, 0, 0, 0};
  for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
    for (const Federation mode : {Federation::kSplit, Federation::kRing}) {
      const Plan plan = planOf(mechanism, mode);
      Intake intake = Intake::create(stated(plan)).value();
      ASSERT_FALSE(intake.add(rows));
      std::vector<std::uint8_t> mask(8 * plan.length, 7);
      const Masked masked = releaseMasked(plan, intake, mask, unsafeTestEntropy).value();
      MaskSum sum(plan.length);
      ASSERT_FALSE(sum.add(masked.payload));
      ASSERT_FALSE(sum.add(mask, true));

      IntakeTerms plain = stated(plan);
      plain.columns.assign(kFeatures, Column{Column::Kind::kNumber, -1, 1, 0});
      plain.row_norm /= 2;
      plain.centre = plain.scale = {};
      std::vector<double> halves = z;
      for (double& x : halves) x /= 2;
      const std::vector<Int128> totals = totalsOf(plain, halves);
      const std::vector<std::uint64_t> noise = noiseOf(plan, totals);
      for (std::size_t i = 0; i < plan.length; ++i) {
        EXPECT_EQ(sum.words()[i], std::uint64_t(totals[i]) + noise[i]) << mechanism << " " << i;
      }
      EXPECT_TRUE(unmask(plan, sum.words(), 3).ok()) << "the count is that of the smaller constant";
    }
  }
}

/// What replacing a row changes, in units of 2^2b.
Eigen::MatrixXd change(const Plan& plan, std::span<const double> from, std::span<const double> to) {
  const std::vector<Int128> a = totalsOf(stated(plan), from), b = totalsOf(stated(plan), to);
  Eigen::MatrixXd difference(kFeatures + 1, kFeatures + 1);
  std::size_t entry = 0;
  for (int i = 0; i <= kFeatures; ++i) {
    for (int j = i; j <= kFeatures; ++j, ++entry) {
      difference(i, j) = difference(j, i) = std::ldexp(double(b[entry] - a[entry]), -2 * plan.bits);
    }
  }
  return difference;
}

TEST(StatedCoordinates, NeverMoveASumByMoreThanItsSensitivity) {
  const Plan gaussian = planOf("gaussian", Federation::kSplit);
  const Plan paired = planOf("gaussian", Federation::kCorrelated);
  const Plan pure = planOf("two-sided-wishart", Federation::kSplit);
  EXPECT_EQ(gaussian.bits, paired.bits);
  EXPECT_EQ(gaussian.sensitivity_squared, paired.sensitivity_squared);
  const double frobenius =
      std::ldexp(std::sqrt(double(gaussian.sensitivity_squared)), -2 * gaussian.bits);
  // 1/c is the nuclear sensitivity over epsilon = 1.
  const double nuclear =
      std::ldexp(pure.sd_diagonal / std::sqrt(double(pure.freedom)), -2 * pure.bits);
  double most = 0, most_nuclear = 0;
  UnsafeTestRandom random(11);
  const auto row = [&] {
    std::vector<double> cells(kFeatures);
    // Corners of the box, far beyond the radius, and points within it.
    const bool corner = random.next64() % 2 == 0;
    for (double& x : cells) {
      const double u = double(random.next64() >> 11) * 0x1p-53;
      x = corner ? (u < 0.3 ? 0 : u < 0.7 ? 4 : 16) : 3 + 2 * u;
    }
    return cells;
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const std::vector<double> from = row(), to = row();
    most = std::max(most, change(gaussian, from, to).norm());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(change(pure, from, to),
                                                                Eigen::EigenvaluesOnly);
    most_nuclear = std::max(most_nuclear, solved.eigenvalues().cwiseAbs().sum());
  }
  EXPECT_LE(most, frobenius);
  EXPECT_GE(most, 0.95 * frobenius) << "the bound is not far from what rows reach";
  EXPECT_LE(most_nuclear, nuclear);
  EXPECT_GE(most_nuclear, 0.95 * nuclear);
}

TEST(StatedCoordinates, GiveSecondMomentsLessNoiseThanTheUsualConstant) {
  for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
    const Plan usual = planOf(mechanism, Federation::kSplit, Constant::kDefault);
    const Plan smaller = planOf(mechanism, Federation::kSplit);
    ASSERT_EQ(usual.bits, smaller.bits);
    EXPECT_NEAR(smaller.sd_off_diagonal / usual.sd_off_diagonal, 1.1 / 1.5, 0.02) << mechanism;
  }
}

}  // namespace federation_stated_coordinates_test
}  // namespace pm
