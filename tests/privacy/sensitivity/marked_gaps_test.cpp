// Rows that mark their gaps: the change between neighbours in the integers to which the noise is
// added, on the real path from cells to totals, and an audit of neighbours that differ in one gap.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/release.hpp"
#include "core/privacy/sensitivity.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/likelihood_audit.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace marked_gaps_test {

using namespace testing_support;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Two numbers and a category of two levels: four features, three marks.
constexpr Column kNumber = {Column::Kind::kNumber, -1, 1, 0};
constexpr Column kCategory = {Column::Kind::kCategory, 0, 0, 2};
constexpr std::size_t kColumns = 3;
constexpr int kFeatures = 7;

struct Setting {
  Neighbours neighbours;
  double row_norm;
  bool stated;  ///< coordinates of its own
};

Plan planOf(const Setting& setting) {
  MechanismParams params = gaussianParams(kFeatures, setting.neighbours);
  params.row_norm = setting.row_norm;
  return planGaussian(params).value();
}

std::vector<Int128> totalsOf(const Plan& plan, const Setting& setting,
                             const std::vector<double>& cells) {
  IntakeTerms terms = intakeTerms(plan, {kNumber, kNumber, kCategory}, MissingRule::kPairwise);
  if (setting.stated) {
    terms.centre = {0.5, -0.9, 0, 0};
    terms.scale = {0.1, 0.3, 1, 1};
  }
  Intake intake = Intake::create(std::move(terms)).value();
  EXPECT_FALSE(intake.add(cells));
  return intake.take(Unit::kRow).value();
}

double frobeniusSquared(const std::vector<Int128>& x, const std::vector<Int128>& y) {
  double sum = 0;
  std::size_t entry = 0;
  for (int i = 0; i <= kFeatures; ++i) {
    for (int j = i; j <= kFeatures; ++j, ++entry) {
      sum += (i == j ? 1 : 2) * std::pow(double(x[entry] - y[entry]), 2);
    }
  }
  return sum;
}

/// Corners of the box, cells beyond it, and gaps.
std::vector<double> hostileCells(std::size_t rows, UnsafeTestRandom& random) {
  std::vector<double> cells;
  for (std::size_t i = 0; i < rows; ++i) {
    for (int c = 0; c < 2; ++c) {
      const double kinds[] = {kMissing, random.symmetric(), 1, -1, 1e300};
      cells.push_back(kinds[random.below(5)]);
    }
    const double levels[] = {kMissing, 0, 1};
    cells.push_back(levels[random.below(3)]);
  }
  return cells;
}

TEST(MarkedGaps, NeverMoveTheTotalsByMoreThanTheSensitivity) {
  const double box = std::sqrt(double(kColumns));
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    for (const Setting& setting : {Setting{neighbours, box, false}, Setting{neighbours, 0.8, false},
                                   Setting{neighbours, 2 * box, true}}) {
      const Plan plan = planOf(setting);
      const double bound = double(plan.sensitivity_squared);
      UnsafeTestRandom random(210);
      double most = 0;
      for (std::uint64_t trial = 0; trial < repetitions(10'000, 1'000); ++trial) {
        std::vector<double> x = hostileCells(3, random);
        std::vector<double> y(x.begin() + kColumns, x.end());
        if (neighbours == Neighbours::kReplaceOne) {
          const std::vector<double> other = hostileCells(1, random);
          y.insert(y.begin(), other.begin(), other.end());
        }
        const double change =
            frobeniusSquared(totalsOf(plan, setting, x), totalsOf(plan, setting, y));
        ASSERT_LE(change, bound * (1 + 1e-12)) << trial;
        most = std::max(most, change);
      }
      // Otherwise the test would pass with any plan.
      EXPECT_GT(most, 0.5 * bound);
    }
  }
}

TEST(MarkedGaps, CostNothingInTheBox) {
  // The bound of rows without marks, in units of the row norm: gaps take the place of values.
  const Setting setting{Neighbours::kAddRemove, std::sqrt(3.0), false};
  const Plan plan = planOf(setting);
  MechanismParams unmarked = gaussianParams(4, Neighbours::kAddRemove);
  unmarked.row_norm = std::sqrt(3.0);
  EXPECT_TRUE(plan.sensitivity_squared == planGaussian(unmarked).value().sensitivity_squared);
  const std::vector<Int128> nothing(packedSize(kFeatures + 1));
  const double full = frobeniusSquared(totalsOf(plan, setting, {1, -1, 0}), nothing);
  const double empty =
      frobeniusSquared(totalsOf(plan, setting, {kMissing, kMissing, kMissing}), nothing);
  EXPECT_NEAR(full / double(plan.sensitivity_squared), 1, 1e-5);
  EXPECT_NEAR(empty / double(plan.sensitivity_squared), 1, 1e-5);
}

// Releases of neighbours that differ in whether one row has its values or none of them.
double refuted(double noise, std::uint64_t releases) {
  const Setting setting{Neighbours::kReplaceOne, std::sqrt(3.0), false};
  MechanismParams params = gaussianParams(kFeatures, setting.neighbours, Unit::kRow, 0.5, 0.05);
  params.row_norm = setting.row_norm;
  Plan plan = planGaussian(params).value();
  plan.own<GaussianNoise>().w_diagonal =
      std::int64_t(noise * double(plan.own<GaussianNoise>().w_diagonal));
  plan.own<GaussianNoise>().w_off_diagonal =
      std::int64_t(noise * double(plan.own<GaussianNoise>().w_off_diagonal));
  const std::vector<Int128> totals[2] = {
      totalsOf(plan, setting, {0.3, 0.2, 1, 1, -1, 0}),
      totalsOf(plan, setting, {0.3, 0.2, 1, kMissing, kMissing, kMissing})};
  const double step = std::ldexp(1.0, plan.release_shift);
  std::vector<double> scores[2], out(totals[0].size());
  std::uint64_t seed = 900'000;
  for (int which = 0; which < 2; ++which) {
    for (std::uint64_t r = 0; r < releases; ++r) {
      Drbg random(unsafeTestSeed(seed++));
      releaseGaussian(plan, totals[which], random, out);
      double score = 0, variance = 0;
      for (std::size_t i = 0, entry = 0; i <= kFeatures; ++i) {
        for (std::size_t j = i; j <= kFeatures; ++j, ++entry) {
          const double sigma = noiseSigma(plan, i, j);
          if (sigma == 0) continue;
          const double distance = double(totals[0][entry] - totals[1][entry]);
          const double centre = double(totals[0][entry] + totals[1][entry]) / 2;
          score += distance * (out[entry] * step - centre) / (sigma * sigma);
          variance += distance * distance / (sigma * sigma);
        }
      }
      scores[which].push_back(score / std::sqrt(variance));
    }
  }
  return gaussianAudit(scores[0], scores[1], 0.05, 1).epsilon_at_least;
}

TEST(MarkedGaps, AuditStaysBelowTheClaim) { EXPECT_LE(refuted(1, repetitions(4'000, 1'000)), 0.5); }

TEST(MarkedGaps, AuditCatchesNoiseFiveTimesTooSmall) { EXPECT_GT(refuted(0.2, 1'000), 1); }

}  // namespace marked_gaps_test
}  // namespace pm
