// Private centring: what its plan spends, which coordinates and radius it chooses, and what leaves.
#include "core/mechanisms/centring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/moments/survey.hpp"
#include "core/privacy/accountant.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/random/continuous.hpp"
#include "tests/support/centring_fixtures.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm::centring_test {

using namespace centring_fixtures;
using namespace testing_support;

constexpr double kStep = 1.0 / (1 << kSurveyBits);

/// The survey of rows with this mean and mean square in every number column, without noise.
std::vector<double> survey(double rows, const std::vector<double>& means,
                           const std::vector<double>& squares) {
  std::vector<double> sums{rows / kStep};
  for (const double mean : means) sums.push_back(rows * mean / kStep);
  for (const double square : squares) sums.push_back(rows * (square - 0.5) / kStep);
  return sums;
}

/// Rows of numbers around `mean`, standard deviation `sd`, of every column.
std::vector<double> rowsAround(int rows, const std::vector<double>& mean, double sd,
                               std::uint64_t seed = 1) {
  Drbg random(unsafeTestSeed(seed));
  std::vector<double> cells;
  for (int i = 0; i < rows; ++i) {
    for (const double m : mean) cells.push_back(m + sd * standardNormal(random));
  }
  return cells;
}

RowSource sourceOf(const std::vector<double>& cells) {
  return [&cells](const auto& add) { return add(std::span<const double>(cells)); };
}

int fillFromSeed(std::uint8_t* out, std::size_t bytes) {
  static Drbg random(unsafeTestSeed(99));
  for (std::size_t i = 0; i < bytes; ++i) out[i] = std::uint8_t(random.next64());
  return 0;
}

TEST(CentringPlan, SpendsTheRequestedBudgetOnItsThreeSteps) {
  const std::vector<Column> columns{kNumber, kNumber, {Column::Kind::kCategory, 0, 0, 3}};
  for (const double epsilon : {0.1, 1.0, 8.0}) {
    const Plan plan = planFor(columns, 1e-6, epsilon);
    const Guarantee& g = plan.guarantee;
    EXPECT_EQ(g.epsilon, epsilon);
    EXPECT_EQ(g.delta, 1e-6);
    ASSERT_EQ(g.parts.size(), 3u);
    double squares = 0;
    for (const Part& part : g.parts) squares += part.gdp * part.gdp;
    const double mu = gdpOfEpsilonDelta(epsilon, 1e-6);
    EXPECT_LE(squares, mu * mu * (1 + 1e-9));
    EXPECT_GT(squares, mu * mu * (1 - 1e-4));
    EXPECT_NEAR(g.parts[0].gdp * g.parts[0].gdp / squares, kGaussianShares.survey, 1e-4);
  }
}

TEST(CentringPlan, SpendsAPureEpsilonOnItsThreeSteps) {
  const std::vector<Column> columns{kNumber, kNumber, {Column::Kind::kCategory, 0, 0, 3}};
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    for (const double epsilon : {0.1, 1.0, 8.0}) {
      const Plan plan = planFor(columns, 0, epsilon, neighbours);
      EXPECT_EQ(plan.guarantee.epsilon, epsilon);
      EXPECT_EQ(plan.guarantee.delta, 0);
      const double bound = double(surveySensitivityL1(2, 1, kSurveyBits, neighbours));
      const double counts =
          double(neighbours == Neighbours::kReplaceOne ? 2 << kClipCountBits : 1 << kClipCountBits);
      // The moments' epsilon is c times the nuclear sensitivity.
      const double moments = plan.own<TwoSidedWishartNoise>().c() * plan.facts[0].integer;
      const double spent = bound / (16.0 * double(plan.survey_width)) +
                           counts / (16.0 * double(plan.clip_width)) + moments;
      EXPECT_LE(spent, epsilon);
      // Widths are whole numbers.
      EXPECT_GT(spent, epsilon * (1 - 1e-4));
    }
  }
}

TEST(CentringPlan, RefusesWhatItCannotProtect) {
  const auto codeOf = [](const char* mechanism, const MechanismParams& params) {
    return planCentring(*findMechanism(mechanism), params).error().code;
  };
  const MechanismParams good = paramsFor({kNumber, kNumber}, 1e-6);
  EXPECT_EQ(codeOf("laplace", good), Code::kInvalidClipping);
  MechanismParams params = good;
  params.unit = Unit::kParticipant;
  EXPECT_EQ(codeOf("gaussian", params), Code::kInvalidUnit);
  params = good;
  params.numbers = 1;
  EXPECT_EQ(codeOf("gaussian", params), Code::kInvalidDimension);
  params = good;
  params.epsilon = 0;
  EXPECT_EQ(codeOf("gaussian", params), Code::kInvalidEpsilon);
  params = good;
  params.delta = 0;
  EXPECT_EQ(codeOf("gaussian", params), Code::kInvalidDelta);
}

TEST(CentringPlan, CountsGapsAtNoCostInGaussianNoiseAndATenthOfPureSurveys) {
  const std::vector<Column> columns{kNumber, kNumber, {Column::Kind::kCategory, 0, 0, 3}};
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    for (const double delta : {1e-6, 0.0}) {
      const Plan plain = planFor(columns, delta, 1, neighbours);
      MechanismParams params = plain.params;
      params.delta = delta;
      params.counts_gaps = true;
      const Mechanism& mechanism = *findMechanism(delta > 0 ? "gaussian" : "two-sided-wishart");
      const Plan counted = planCentring(mechanism, params).value();
      EXPECT_EQ(surveySize(counted.params), surveySize(plain.params) + 3);
      // (5/2 + 5/2 + 2) in place of (9/4 + 9/4 + 2).
      const bool dearer = delta == 0 && neighbours == Neighbours::kReplaceOne;
      EXPECT_NEAR(double(counted.survey_width) / double(plain.survey_width), dearer ? 7.0 / 6.5 : 1,
                  1e-4);
      EXPECT_EQ(counted.clip_width, plain.clip_width);
    }
  }
}

TEST(CentringCoordinates, WithCountedGapsAreThoseOfTheCellsThatAreThere) {
  const std::vector<Column> columns{kNumber, {Column::Kind::kCategory, 0, 0, 2}};
  MechanismParams params = planFor(columns, 1e-6).params;
  params.counts_gaps = true;
  const Plan plan = planCentring(*findMechanism("gaussian"), params).value();
  // A half of 1e7 rows has the number, with mean .6 and variance .01, and a quarter the category,
  // half of these its first level.
  const double n = 1e7, steps = kSurveySteps * n;
  const std::vector<double> sums = {steps,
                                    steps / 2 * 0.6,
                                    steps / 8,
                                    steps / 8,
                                    steps / 2,
                                    steps * 3 / 4,
                                    steps / 2 * (0.36 + 0.01 - 0.5)};
  const Coordinates found = chooseCoordinates(plan, columns, sums, std::uint64_t(n));
  EXPECT_NEAR(found.centre[0], 0.6, 2 * kStep);
  EXPECT_EQ(found.scale[0], 13.0 / 128);
  EXPECT_NEAR(found.centre[1], 0.5, 2 * kStep);
  EXPECT_EQ(found.scale[1], 0.5);
  const SurveyedGaps gaps = surveyedGaps(plan, sums).value();
  EXPECT_EQ(gaps.cells, (std::vector<double>{n / 2, n * 3 / 4}));
  EXPECT_NEAR(gaps.sd, 16.0 * double(plan.survey_width) / kSurveySteps, 1e-9);
  EXPECT_EQ(surveyedGaps(planFor(columns, 1e-6), sums).error().code, Code::kWrongLength);
}

TEST(CentringRelease, RefusesASurveyThatTheNoiseWasNotPlannedFor) {
  const std::vector<Column> columns{kNumber, kNumber};
  const Plan plan = planFor(columns, 1e-6);
  Survey survey = Survey::create(surveyTerms(plan, columns, MissingRule::kMean)).value();
  ASSERT_FALSE(survey.add(std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(releaseSurvey(plan, columns, survey).error().code, Code::kWrongLength);
}

TEST(CentringCoordinates, AreTheMeanAndTheSpreadToFourBits) {
  const std::vector<Column> columns(3, kNumber);
  const Plan plan = planFor(columns, 1e-6);
  const std::vector<double> mean{0.6, -0.3, 0}, sd{0.1, 0.3, 0.55};
  std::vector<double> squares(3);
  for (std::size_t j = 0; j < 3; ++j) squares[j] = mean[j] * mean[j] + sd[j] * sd[j];
  const Coordinates found =
      chooseCoordinates(plan, columns, survey(1e7, mean, squares), 10'000'000);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found.centre[j], mean[j], 2 * kStep) << j;
  EXPECT_EQ(found.scale, (std::vector<double>{13.0 / 128, 10.0 / 32, 9.0 / 16}));
  // No row is longer than the first radius, and the last is about a sixteenth of a typical row.
  double typical = 0, longest = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    typical += std::pow(sd[j] / found.scale[j], 2);
    longest += std::pow((1 + std::abs(mean[j])) / found.scale[j], 2);
  }
  typical = std::sqrt(typical);
  longest = std::sqrt(longest);
  EXPECT_GE(found.radius, longest);
  EXPECT_LT(found.radius, 2 * longest);
  EXPECT_NEAR(found.radius * found.ladder.ratio(found.ladder.levels - 1), typical / 16,
              0.01 * typical);
}

TEST(CentringCoordinates, FallFromRungToRungByTheRootOfTwoAtMost) {
  const ClipLadder ladder = centringLadder(kMostClipLevels);
  for (int rung = 1; rung < ladder.levels; ++rung) {
    const double step = ladder.ratio(rung - 1) / ladder.ratio(rung);
    EXPECT_GT(step, 1.17) << rung;
    EXPECT_LE(step, 1.5) << rung;
  }
  EXPECT_NEAR(1 / ladder.ratio(ladder.levels - 1), 40 * 15.2, 1);
}

TEST(CentringCoordinates, HaveEqualScalesWhereSpreadsDifferByNoiseAlone) {
  const std::vector<Column> columns(8, kNumber);
  const Plan plan = planFor(columns, 1e-6);
  // Noise of .01 in variances of .04: the ones that came out small may not be.
  const double rows = std::sqrt(2) * 16 * double(plan.survey_width) * kStep / 0.01;
  std::vector<double> squares(8, 0.04);
  squares[0] = 0.03;
  squares[1] = 0.05;
  Coordinates found = chooseCoordinates(
      plan, columns, survey(rows, std::vector<double>(8), squares), std::uint64_t(rows));
  EXPECT_EQ(found.scale, (std::vector<double>(8, 13.0 / 64)));
  // Those that differ by more keep their own.
  squares[0] = 0.5;
  found = chooseCoordinates(plan, columns, survey(rows, std::vector<double>(8), squares),
                            std::uint64_t(rows));
  EXPECT_NEAR(found.scale[0], std::sqrt(0.5), 0.05);
  EXPECT_NEAR(found.scale[2], 0.2, 0.02);
}

TEST(CentringCoordinates, DoNotTakeASmallSpreadForLargerThanItsNoise) {
  const std::vector<Column> columns(4, kNumber);
  const Plan plan = planFor(columns, 1e-6);
  const double rows = 16 * double(plan.survey_width) * kStep / 0.001;
  const Coordinates found = chooseCoordinates(
      plan, columns, survey(rows, {0, 0, 0, 0}, {0, 0.2, 0.3, 0.4}), std::uint64_t(rows));
  EXPECT_GT(found.scale[0], std::sqrt(0.0004));
  EXPECT_LT(found.scale[0], std::sqrt(0.0011));
}

TEST(CentringCoordinates, StayInTheMiddleWhereTheNoiseIsLargerThanTheMean) {
  const std::vector<Column> columns(4, kNumber);
  const Plan plan = planFor(columns, 1e-6, 0.1);
  // Ten rows: the noise is larger than anything that they could have.
  const std::vector<double> sums = survey(10, {0.9, 0.9, 0.9, 0.9}, {0.82, 0.82, 0.82, 0.82});
  const Coordinates found = chooseCoordinates(plan, columns, sums, 10);
  EXPECT_EQ(found.centre, (std::vector<double>(4, 0)));
  EXPECT_EQ(found.scale, (std::vector<double>(4, 1)));
}

TEST(CentringCoordinates, StayWithinTheBoundsWhateverTheNoise) {
  const std::vector<Column> columns{kNumber, {Column::Kind::kCategory, 0, 0, 2}};
  const Plan plan = planFor(columns, 0);
  for (const double wild : {-0x1p52, -1.0, 0.0, 0x1p52}) {
    for (const double rows : {1.0, 1e6}) {
      const std::vector<double> sums(5, wild);
      const Coordinates found = chooseCoordinates(plan, columns, sums, std::uint64_t(rows));
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_LE(std::abs(found.centre[j]), 1);
        EXPECT_GT(found.scale[j], 0);
        EXPECT_LE(found.scale[j], 1);
      }
      EXPECT_GE(found.centre[1], 0);
      EXPECT_GT(found.radius, 0);
      EXPECT_TRUE(std::isfinite(found.radius));
      EXPECT_TRUE(Intake::create(centredTerms(plan, columns, MissingRule::kCentre, found)).ok());
    }
  }
}

TEST(CentringRadius, IsAsShortAsTheCountsAllow) {
  const std::vector<Column> columns(4, kNumber);
  const Plan plan = planFor(columns, 1e-6, 1);
  const ClipLadder ladder{8, {32, 38, 45, 54, 64, 76, 91, 108}};
  std::vector<double> counts(7, 0);
  // No row is longer than the last radius.
  EXPECT_EQ(chooseRung(plan, ladder, counts), 7);
  // Many rows are longer than the third.
  counts[2] = std::ldexp(1e7, kClipCountBits);
  EXPECT_EQ(chooseRung(plan, ladder, counts), 2);
  // A negative count is noise, and does not make the radius longer.
  counts[2] = -std::ldexp(1e7, kClipCountBits);
  EXPECT_EQ(chooseRung(plan, ladder, counts), 7);
}

TEST(CentringRadius, IsTheShortestWhereTheNoiseIsWorseThanToLoseAllRows) {
  const std::vector<Column> columns(30, kNumber);
  const Plan plan = planFor(columns, 1e-6, 1);
  const ClipLadder ladder = centringLadder(kMostClipLevels);
  const auto rungOf = [&](double rows) {
    std::vector<double> counts(std::size_t(ladder.levels) - 1, 0);
    counts[12] = std::ldexp(rows, kClipCountBits);
    return chooseRung(plan, ladder, counts);
  };
  // If all is lost, it is spread over all directions, and 700 rows say less than the noise.
  EXPECT_EQ(rungOf(700), ladder.levels - 1);
  EXPECT_LE(rungOf(2000), 13);
  EXPECT_EQ(rungOf(20'000), 12);
}

TEST(CentredRelease, DiffersFromTheExactMomentsOfItsCoordinatesByTheNoiseOfItsPlan) {
  const std::vector<Column> columns(5, kNumber);
  const std::vector<double> cells = rowsAround(400, {0.5, 0.4, -0.6, 0, 0.2}, 0.1);
  for (const double delta : {1e-6, 0.0}) {
    const Plan plan = planFor(columns, delta);
    double squares = 0, sum = 0;
    int entries = 0;
    for (int run = 0; run < 60; ++run) {
      const CentredRelease released =
          releaseCentred(plan, columns, MissingRule::kCentre, sourceOf(cells), &fillFromSeed)
              .value();
      EXPECT_EQ(released.moments.rows, 400u);
      Intake intake = Intake::create(centredTerms(plan, columns, MissingRule::kCentre,
                                                  released.survey.coordinates))
                          .value();
      ASSERT_FALSE(intake.add(cells));
      const std::vector<Int128> exact =
          intake.take(Unit::kRow, released.moments.clip_level).value();
      for (std::size_t i = 0, entry = 0; i < 6; ++i) {
        for (std::size_t j = i; j < 6; ++j, ++entry) {
          if (entry == 0) continue;
          const double noise =
              std::ldexp(released.moments.values[entry], plan.release_shift) - double(exact[entry]);
          const double sd = i == j ? plan.sd_diagonal : plan.sd_off_diagonal;
          sum += noise / sd;
          squares += noise * noise / (sd * sd);
          ++entries;
        }
      }
    }
    // Entries of Wishart noise depend on each other, and their squares vary up to three times as
    // much as those of normal numbers: 8 standard errors of the mean square of 1200 such.
    EXPECT_NEAR(sum / entries, 0, 8 / std::sqrt(entries));
    EXPECT_NEAR(squares / entries, 1, 8 * std::sqrt(3 * 2.0 / entries));
  }
}

/// The error of the covariance in units of the columns' spread, relative to the covariance.
double errorOf(const Plan& plan, const CentredRelease& released, double sd) {
  const std::size_t n = std::size_t(plan.params.dimension) + 1;
  const double rows = double(*released.survey.rows), radius = released.radius();
  const double unit = std::ldexp(radius * radius, plan.release_shift - 2 * plan.bits);
  const double constant = std::ldexp(double(plan.constant), -plan.bits) * radius;
  const auto at = [&](std::size_t i, std::size_t j) {
    return released.moments.values[packedIndex(n, i, j)] * unit;
  };
  double off = 0;
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      const double covariance =
          at(i, j) / rows - at(0, i) * at(0, j) / std::pow(constant * rows, 2);
      const double scale = released.survey.coordinates.scale[i - 1] *
                           released.survey.coordinates.scale[j - 1] / (sd * sd);
      const double wrong = covariance * scale - (i == j ? 1 : 0);
      off += (i == j ? 1 : 2) * wrong * wrong;
    }
  }
  return std::sqrt(off / double(n - 1));
}

TEST(CentredRelease, IsSeveralTimesAsAccurateWhereRowsAreFarFromTheMiddleOfTheirBounds) {
  // 1500 rows of six columns, means up to .6 off centre, standard deviation .1.
  const std::vector<Column> columns(6, kNumber);
  const std::vector<double> cells = rowsAround(1500, {-0.6, -0.4, -0.2, 0.2, 0.4, 0.6}, 0.1);
  for (const double delta : {1e-6, 0.0}) {
    const Plan plan = planFor(columns, delta);
    std::vector<double> errors;
    for (int run = 0; run < 21; ++run) {
      errors.push_back(errorOf(
          plan,
          releaseCentred(plan, columns, MissingRule::kCentre, sourceOf(cells), &fillFromSeed)
              .value(),
          0.1));
    }
    std::nth_element(errors.begin(), errors.begin() + 10, errors.end());
    // The answer zero has the error 1; without centring it is 1.2 and 4.
    EXPECT_LT(errors[10], delta > 0 ? 0.35 : 1) << delta;
  }
}

TEST(CentredRelease, IsMadeOfNoRowsWhereTheirNumberIsPrivate) {
  const std::vector<Column> columns(2, kNumber);
  const std::vector<double> none;
  for (const double delta : {1e-6, 0.0}) {
    const Plan plan = planFor(columns, delta, 1, Neighbours::kAddRemove);
    const auto released =
        releaseCentred(plan, columns, MissingRule::kDrop, sourceOf(none), &fillFromSeed);
    ASSERT_TRUE(released.ok());
    EXPECT_FALSE(released.value().survey.rows);
    EXPECT_NE(released.value().survey.sums[0], 0);
  }
  const auto refused = releaseCentred(planFor(columns, 0), columns, MissingRule::kCentre,
                                      sourceOf(none), &fillFromSeed);
  EXPECT_EQ(refused.error().code, Code::kNoRows);
}

TEST(CentredRelease, IsRefusedIfTheRowsChangeBetweenTheirTwoReadings) {
  const std::vector<Column> columns(2, kNumber);
  const Plan plan = planFor(columns, 1e-6);
  int readings = 0;
  const auto refused = releaseCentred(
      plan, columns, MissingRule::kCentre,
      [&](const auto& add) {
        const std::vector<double> cells(readings++ == 0 ? 20 : 18, 0.5);
        return add(std::span<const double>(cells));
      },
      &fillFromSeed);
  EXPECT_EQ(refused.error().code, Code::kIntegrity);
}

IntakeTerms fixedTerms(std::vector<Column> columns, double row_norm) {
  IntakeTerms terms{};
  terms.columns = std::move(columns);
  terms.row_norm = row_norm;
  terms.missing = MissingRule::kCentre;
  terms.neighbours = Neighbours::kReplaceOne;
  terms.bits = 20;
  terms.max_rows = 1000;
  return terms;
}

TEST(CentredIntake, MovesAndScalesEveryRowButThoseWithAMissingCell) {
  IntakeTerms terms = fixedTerms({kNumber, kNumber}, 4);
  terms.centre = {0.5, -0.25};
  terms.scale = {0.25, 0.5};
  Intake intake = Intake::create(terms).value();
  const double gap = std::nan("");
  ASSERT_FALSE(intake.add(std::vector<double>{0.75, 0.25, gap, 0.25, 0.5, -0.25}));
  const std::vector<Int128> totals = intake.take(Unit::kRow).value();
  // One row is (1, 1); the others are zero. On a grid of 2^20 steps per 4 units.
  const Int128 one = Int128(1) << 18;
  EXPECT_EQ(totals[3], one * one);
  EXPECT_EQ(totals[4], one * one);
  EXPECT_EQ(totals[5], one * one);
  EXPECT_EQ(intake.counts().centred, 1u);
}

TEST(CentredIntake, RefusesCoordinatesThatAreNoneOrNotOfItsFeatures) {
  IntakeTerms terms = fixedTerms({kNumber}, 1);
  const auto codeWith = [&](std::vector<double> centre, std::vector<double> scale) {
    terms.centre = std::move(centre);
    terms.scale = std::move(scale);
    return Intake::create(terms).error().code;
  };
  EXPECT_EQ(codeWith({0, 0}, {1, 1}), Code::kWrongLength);
  EXPECT_EQ(codeWith({0}, {}), Code::kWrongLength);
  EXPECT_EQ(codeWith({2}, {1}), Code::kInvalidBounds);
  EXPECT_EQ(codeWith({0}, {1.5}), Code::kInvalidBounds);
  EXPECT_EQ(codeWith({0}, {0}), Code::kInvalidBounds);
}

}  // namespace pm::centring_test
