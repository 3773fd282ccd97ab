// A black-box audit of private centring, without and with counts of missing cells: neighbours whose
// last row moves the centre, the scale, a count and the moments at once; many releases of each; and
// the likelihood ratio of everything released.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/moments/survey.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/likelihood_audit.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm::centring_audit_test {

using namespace testing_support;

constexpr double kEpsilon = 1, kDelta = 0.05;
const std::vector<Column> kColumns(2, Column{Column::Kind::kNumber, -1, 1, 0});

const double kMissing = std::numeric_limits<double>::quiet_NaN();

Plan planFor(MissingRule missing = MissingRule::kCentre) {
  MechanismParams params = gaussianParams(2, Neighbours::kReplaceOne, Unit::kRow, kEpsilon, kDelta);
  params.clipping = Clipping::kCentred;
  params.numbers = 2;
  params.counts_gaps = missing == MissingRule::kMean;
  return planCentring(kGaussianRecord.mechanism, params).value();
}

/// Rows whose lengths about their mean lie near the rungs that are likely, and a last row.
std::vector<double> cellsWith(double last) {
  std::vector<double> cells;
  for (int i = 0; i < 60; ++i) {
    const double length = 0.05 + 0.1 * (i % 4);
    cells.push_back(0.3 + (i % 2 == 0 ? length : -length));
    cells.push_back(-0.2 + (i % 3 == 0 ? length : -length / 2));
  }
  cells.push_back(last);
  cells.push_back(last);
  return cells;
}

std::vector<std::int64_t> surveyOf(const std::vector<double>& cells, MissingRule missing) {
  Survey survey = Survey::create({kColumns, missing, Neighbours::kReplaceOne, 1000}).value();
  EXPECT_FALSE(survey.add(cells));
  return survey.take().value();
}

/// How much likelier `found` is under `first` than under `second`, with normal noise.
template <class Exact>
double ratio(double found, Exact first, Exact second, double sd) {
  return double(first - second) * (found - double(first + second) / 2) / (sd * sd);
}

struct Audit {
  double epsilon = 0;
  std::set<int> rungs;
  std::set<double> scales;
};

/// The last row has its cells at one corner and `other` in the other data set.
Audit audit(const Plan& plan, std::uint64_t releases, std::uint64_t seed, double other = -1) {
  const MissingRule missing = plan.params.counts_gaps ? MissingRule::kMean : MissingRule::kCentre;
  const std::vector<double> cells[2] = {cellsWith(1), cellsWith(other)};
  const std::vector<std::int64_t> sums[2] = {surveyOf(cells[0], missing),
                                             surveyOf(cells[1], missing)};
  Audit result;
  std::vector<double> scores[2], out(plan.length);
  for (int which = 0; which < 2; ++which) {
    for (std::uint64_t r = 0; r < releases; ++r) {
      Drbg random(unsafeTestSeed(seed++));
      const std::vector<double> survey = noisySurvey(plan, sums[which], random);
      double score = 0;
      for (std::size_t i = 1; i < survey.size(); ++i) {
        score += ratio(survey[i], sums[0][i], sums[1][i], 16.0 * double(plan.survey_width));
      }
      const Coordinates at = chooseCoordinates(plan, kColumns, survey, cells[0].size() / 2);
      IntakeCounts counts[2];
      std::vector<Intake> intakes;
      for (int of = 0; of < 2; ++of) {
        intakes.push_back(Intake::create(centredTerms(plan, kColumns, missing, at)).value());
        EXPECT_FALSE(intakes.back().add(cells[of]));
        counts[of] = intakes.back().counts();
      }
      const std::vector<double> found = noisyRungCounts(plan, at.ladder, counts[which], random);
      for (std::size_t k = 0; k < found.size(); ++k) {
        const auto exact = [&](int of) {
          const std::uint64_t longer = k == 0 ? 0 : counts[of].longer[k];
          return std::ldexp(double(counts[of].longer[k + 1] - longer), kClipCountBits);
        };
        score += ratio(found[k], exact(0), exact(1), 16.0 * double(plan.clip_width));
      }
      const int rung = chooseRung(plan, at.ladder, found);
      const std::vector<Int128> totals[2] = {intakes[0].take(Unit::kRow, rung).value(),
                                             intakes[1].take(Unit::kRow, rung).value()};
      plan.release(plan, totals[which], random, out);
      for (std::size_t i = 0, entry = 0; i < 3; ++i) {
        for (std::size_t j = i; j < 3; ++j, ++entry) {
          const double sigma = noiseSigma(plan, i, j);
          if (sigma == 0) continue;
          score += ratio(std::ldexp(out[entry], plan.release_shift), totals[0][entry],
                         totals[1][entry], sigma);
        }
      }
      scores[which].push_back(score);
      result.rungs.insert(rung);
      result.scales.insert(at.scale[0]);
    }
  }
  std::vector<double> thresholds;
  for (int i = 0; i < 13; ++i) thresholds.push_back(plan.guarantee.gdp * (-3 + 0.5 * i));
  result.epsilon = epsilonRefuted(scores[0], scores[1], thresholds, kDelta, kAlarm / (4 * 13));
  return result;
}

TEST(CentringAudit, NeverExceedsTheClaim) {
  const Plan plan = planFor();
  ASSERT_EQ(plan.guarantee.delta, kDelta);
  const Audit result = audit(plan, draws(2'000), 1'100'000);
  EXPECT_LE(result.epsilon, kEpsilon);
  // Coordinates and radius are random here; otherwise the audit would not test their choice.
  EXPECT_GT(result.rungs.size(), 2u);
  EXPECT_GT(result.scales.size(), 1u);
}

TEST(CentringAudit, CatchesASurveyWithTooLittleNoise) {
  Plan plan = planFor();
  plan.survey_width /= 20;
  EXPECT_GT(audit(plan, 1'000, 1'200'000).epsilon, 2 * kEpsilon);
}

TEST(CentringAudit, NeverExceedsTheClaimWhereGapsAreCounted) {
  const Plan plan = planFor(MissingRule::kMean);
  for (const double other : {-1.0, kMissing}) {
    EXPECT_LE(audit(plan, draws(1'000), 1'500'000, other).epsilon, kEpsilon);
  }
}

TEST(CentringAudit, CatchesCountsOfGapsWithTooLittleNoise) {
  Plan plan = planFor(MissingRule::kMean);
  plan.survey_width /= 20;
  EXPECT_GT(audit(plan, 1'000, 1'600'000, kMissing).epsilon, 2 * kEpsilon);
}

TEST(CentringAudit, CatchesAnExactChoiceOfTheRadius) {
  Plan plan = planFor();
  plan.clip_width = 1;
  EXPECT_GT(audit(plan, 1'000, 1'300'000).epsilon, 2 * kEpsilon);
}

TEST(CentringAudit, CatchesMomentsWithTooLittleNoise) {
  Plan plan = planFor();
  plan.own<GaussianNoise>().w_diagonal /= 20;
  plan.own<GaussianNoise>().w_off_diagonal /= 20;
  EXPECT_GT(audit(plan, 1'000, 1'400'000).epsilon, 2 * kEpsilon);
}

}  // namespace pm::centring_audit_test
