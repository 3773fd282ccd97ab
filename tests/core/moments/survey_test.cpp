#include "core/moments/survey.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/privacy/sensitivity.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace survey_test {

using namespace testing_support;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kH = 65536;

Column number(double min, double max) { return {Column::Kind::kNumber, min, max, 0}; }
Column category(int levels) { return {Column::Kind::kCategory, 0, 0, levels}; }

SurveyTerms termsOf(std::vector<Column> columns, Neighbours neighbours = Neighbours::kReplaceOne) {
  return {std::move(columns), MissingRule::kCentre, neighbours, 1'000'000};
}

SurveyTerms mixedTerms() {
  return termsOf({number(-1, 1), category(3), number(0, 3), number(-5, 40), category(1)});
}

Survey surveyOf(SurveyTerms terms) { return std::move(Survey::create(std::move(terms))).value(); }

Code codeOf(const Status& status) { return status ? status->code : Code::kIntegrity; }

std::vector<double> randomMixedCells(std::size_t rows, bool missing, UnsafeTestRandom& random) {
  std::vector<double> cells;
  for (std::size_t row = 0; row < rows; ++row) {
    cells.insert(cells.end(), {1.2 * random.symmetric(), double(random.below(3)),
                               1.5 + 1.6 * random.symmetric(), 50 * random.symmetric(), 0.0});
    if (missing && random.below(8) == 0) cells[cells.size() - 1 - random.below(5)] = kMissing;
  }
  return cells;
}

// The sums of rows under mixedTerms(), from the definition and in long double.
std::vector<std::int64_t> plainSums(const std::vector<double>& cells, bool drop) {
  const std::vector<Column> columns = mixedTerms().columns;
  std::vector<std::int64_t> sums(1 + 7 + 3);
  for (std::size_t at = 0; at < cells.size(); at += 5) {
    bool whole = true;
    for (std::size_t c = 0; c < 5; ++c) whole = whole && std::isfinite(cells[at + c]);
    if (!whole && drop) continue;
    sums[0] += kH;
    std::size_t feature = 1, square = 8;
    for (std::size_t c = 0; c < 5; ++c) {
      const double x = cells[at + c];
      if (columns[c].kind == Column::Kind::kCategory) {
        if (whole) sums[feature + std::size_t(x)] += kH;
        feature += std::size_t(columns[c].levels);
        continue;
      }
      const double min = columns[c].min, max = columns[c].max;
      const double scaled = (std::clamp(x, min, max) - (min + max) / 2) / ((max - min) / 2);
      const std::int64_t q = whole ? std::int64_t(std::nearbyint(scaled * double(kH))) : 0;
      sums[feature++] += q;
      const long double exact = (long double)(q) * (long double)(q) / (long double)(kH);
      sums[square++] += std::int64_t(std::floor(exact + 0.5L)) - kH / 2;
    }
  }
  return sums;
}

TEST(Survey, SumsEqualThoseOfTheDefinitionUnderEveryMissingRule) {
  UnsafeTestRandom random(60);
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    for (const MissingRule rule : {MissingRule::kCentre, MissingRule::kDrop, MissingRule::kError}) {
      const bool drop = rule == MissingRule::kDrop;
      if (drop && neighbours == Neighbours::kReplaceOne) continue;
      SurveyTerms terms = mixedTerms();
      terms.missing = rule;
      terms.neighbours = neighbours;
      const auto cells = randomMixedCells(2000, rule != MissingRule::kError, random);
      Survey survey = surveyOf(terms);
      EXPECT_EQ(survey.features(), 7);
      ASSERT_FALSE(survey.add(cells));
      EXPECT_EQ(survey.counts().rows, 2000u);
      EXPECT_EQ(survey.counts().used, 2000u - survey.counts().dropped);
      EXPECT_EQ(survey.counts().dropped > 0, drop);
      EXPECT_EQ(survey.counts().centred > 0, rule == MissingRule::kCentre);
      EXPECT_EQ(survey.take().value(), plainSums(cells, drop));
    }
  }
}

TEST(Survey, HasTheCountThenEveryFeatureThenTheSquaresOfTheNumbers) {
  Survey survey = surveyOf(termsOf({category(2), number(-1, 1), number(0, 8)}));
  ASSERT_FALSE(survey.add(std::vector<double>{1, -0.5, 8}));
  EXPECT_EQ(survey.take().value(),
            (std::vector<std::int64_t>{kH, 0, kH, -kH / 2, kH, kH / 4 - kH / 2, kH / 2}));
}

TEST(Survey, RoundsSquaresToTheNearestInteger) {
  // 181^2 is just below H/2 and 182^2 just above. No square is an odd multiple of H/2 on this grid;
  // the privacy tests see halves on others.
  const std::vector<std::pair<double, std::int64_t>> cases = {
      {0, 0}, {1, 0}, {181, 0}, {182, 1}, {-182, 1}, {256, 1}, {65535, 65534}, {-65536, 65536}};
  for (const auto& [q, square] : cases) {
    Survey survey = surveyOf(termsOf({number(-1, 1)}));
    ASSERT_FALSE(survey.add(std::vector<double>{q / double(kH)}));
    EXPECT_EQ(survey.take().value(),
              (std::vector<std::int64_t>{kH, std::int64_t(q), square - kH / 2}));
  }
}

TEST(Survey, CountsARowWithAMissingCellAsARowAtTheCentre) {
  Survey with_hole = surveyOf(termsOf({number(-1, 1), number(0, 2)}));
  Survey at_centre = surveyOf(termsOf({number(-1, 1), number(0, 2)}));
  ASSERT_FALSE(with_hole.add(std::vector<double>{0.5, kMissing, 0.25, 2}));
  ASSERT_FALSE(at_centre.add(std::vector<double>{0, 1, 0.25, 2}));
  EXPECT_EQ(with_hole.counts().centred, 1u);
  EXPECT_EQ(with_hole.counts().columns[1].missing, 1u);
  EXPECT_EQ(with_hole.take().value(), at_centre.take().value());

  Survey categories = surveyOf(termsOf({category(2), number(-1, 1)}));
  ASSERT_FALSE(categories.add(std::vector<double>{1, kMissing}));
  EXPECT_EQ(categories.take().value(), (std::vector<std::int64_t>{kH, 0, 0, 0, -kH / 2}));
}

TEST(Survey, GivesTheSameSumsAndCountsForEveryOrderAndSplittingOfTheRows) {
  UnsafeTestRandom random(61);
  const auto cells = randomMixedCells(600, true, random);
  Survey whole = surveyOf(mixedTerms());
  ASSERT_FALSE(whole.add(cells));
  const std::vector<std::int64_t> sums = whole.take().value();
  for (const std::size_t workers : {1, 2, 5}) {
    std::vector<Survey> surveys;
    for (std::size_t i = 0; i < workers; ++i) surveys.push_back(surveyOf(mixedTerms()));
    for (std::size_t row = 600; row > 0;) {
      const std::size_t count = std::min<std::size_t>(1 + random.below(100), row);
      row -= count;
      ASSERT_FALSE(surveys[random.below(workers)].add(
          std::span<const double>(cells).subspan(5 * row, 5 * count)));
      ASSERT_FALSE(surveys[0].add({}));
    }
    for (std::size_t i = 1; i < workers; ++i) {
      ASSERT_FALSE(surveys[0].merge(surveys[i].part().value()));
    }
    EXPECT_EQ(surveys[0].counts().rows, 600u);
    EXPECT_EQ(surveys[0].counts().centred, whole.counts().centred);
    for (std::size_t c = 0; c < 5; ++c) {
      EXPECT_EQ(surveys[0].counts().columns[c].missing, whole.counts().columns[c].missing);
      EXPECT_EQ(surveys[0].counts().columns[c].outside, whole.counts().columns[c].outside);
    }
    EXPECT_EQ(surveys[0].take().value(), sums);
  }
}

TEST(Survey, HoldsExactlyTheNumberOfRowsThePlanAllows) {
  SurveyTerms terms = termsOf({number(-1, 1)});
  terms.max_rows = 3;
  Survey full = surveyOf(terms);
  ASSERT_FALSE(full.add(std::vector<double>(3, 0.5)));
  EXPECT_TRUE(full.take().ok());
  Survey survey = surveyOf(terms);
  ASSERT_FALSE(survey.add(std::vector<double>(2, 0.5)));
  const Status status = survey.add(std::vector<double>(2, 0.5));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, Code::kTooManyRows);
  EXPECT_EQ(status->row, 3);
  EXPECT_EQ(survey.take().error().code, Code::kAlreadyReleased);
}

SurveyPart fullPart(Survey& survey, std::uint64_t rows) {
  SurveyPart part = std::move(survey.part()).value();
  part.counts.rows = part.counts.used = rows;
  part.sums = {std::int64_t(rows) * kH, std::int64_t(rows) * -kH, std::int64_t(rows) * kH / 2};
  return part;
}

TEST(Survey, NeverExceedsTheDoublesThatAreExactIntegers) {
  SurveyTerms terms = termsOf({number(-1, 1)});
  terms.max_rows = std::numeric_limits<std::uint64_t>::max();
  Survey survey = surveyOf(terms), other = surveyOf(terms);
  ASSERT_FALSE(survey.merge(fullPart(other, kMaxSurveyRows)));
  EXPECT_EQ(codeOf(survey.add(std::vector<double>{1})), Code::kTooManyRows);
  Survey second = surveyOf(terms), third = surveyOf(terms);
  ASSERT_FALSE(second.merge(fullPart(third, kMaxSurveyRows)));
  const auto sums = second.take().value();
  EXPECT_EQ(sums[0], std::int64_t{1} << 52);
  EXPECT_EQ(sums[1], -(std::int64_t{1} << 52));
  Survey fourth = surveyOf(terms), fifth = surveyOf(terms);
  EXPECT_EQ(codeOf(fourth.merge(fullPart(fifth, kMaxSurveyRows + 1))), Code::kTooManyRows);
}

TEST(Survey, DoesNotDropRowsIfTheirNumberIsPublic) {
  SurveyTerms terms = mixedTerms();
  terms.missing = MissingRule::kDrop;
  EXPECT_EQ(Survey::create(terms).error().code, Code::kInvalidMissingRule);
  terms.neighbours = Neighbours::kAddRemove;
  EXPECT_TRUE(Survey::create(terms).ok());
}

TEST(Survey, ReportsErrorsOfTheColumns) {
  EXPECT_EQ(Survey::create(termsOf({number(1, 0)})).error().code, Code::kInvalidBounds);
  EXPECT_EQ(Survey::create(termsOf({category(0)})).error().code, Code::kInvalidLevels);
  EXPECT_EQ(Survey::create(termsOf({})).error().code, Code::kInvalidDimension);
}

TEST(Survey, ReportsRowAndColumnOfABadCellAndStaysClosed) {
  SurveyTerms terms = termsOf({number(0, 1), category(2)});
  terms.missing = MissingRule::kError;
  const std::vector<std::pair<double, Code>> cases = {{kMissing, Code::kMissingCell},
                                                      {2, Code::kInvalidLevel}};
  for (const auto& [cell, code] : cases) {
    Survey survey = surveyOf(terms);
    ASSERT_FALSE(survey.add(std::vector<double>{0, 1}));
    const Status status = survey.add(std::vector<double>{0, 1, 0, cell, 0, 0});
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, code);
    EXPECT_EQ(status->row, 2);
    EXPECT_EQ(status->column, 1);
    EXPECT_EQ(codeOf(survey.add(std::vector<double>{0, 1})), Code::kAlreadyReleased);
    EXPECT_EQ(survey.part().error().code, Code::kAlreadyReleased);
    EXPECT_EQ(survey.take().error().code, Code::kAlreadyReleased);
  }
}

TEST(Survey, RejectsIncompleteRowsAndStaysClosed) {
  Survey survey = surveyOf(mixedTerms());
  EXPECT_EQ(codeOf(survey.add(std::vector<double>(7, 0.0))), Code::kWrongLength);
  EXPECT_EQ(survey.counts().rows, 0u);
  EXPECT_EQ(survey.take().error().code, Code::kAlreadyReleased);
}

TEST(Survey, GivesItsSumsOnlyOnce) {
  Survey survey = surveyOf(termsOf({number(-1, 1)})), other = surveyOf(termsOf({number(-1, 1)}));
  ASSERT_FALSE(survey.add(std::vector<double>{1}));
  EXPECT_TRUE(survey.take().ok());
  EXPECT_EQ(survey.take().error().code, Code::kAlreadyReleased);
  EXPECT_EQ(survey.part().error().code, Code::kAlreadyReleased);
  EXPECT_EQ(codeOf(survey.add(std::vector<double>{1})), Code::kAlreadyReleased);
  EXPECT_EQ(codeOf(survey.merge(other.part().value())), Code::kAlreadyReleased);
  EXPECT_EQ(other.take().error().code, Code::kAlreadyReleased);
}

TEST(Survey, HasNoSumsWithoutRowsIfTheirNumberIsPublicAndElseZeros) {
  Survey known = surveyOf(termsOf({number(-1, 1)}));
  EXPECT_EQ(known.take().error().code, Code::kNoRows);
  ASSERT_FALSE(known.add(std::vector<double>{1}));
  EXPECT_TRUE(known.take().ok());
  Survey unknown = surveyOf(termsOf({number(-1, 1)}, Neighbours::kAddRemove));
  EXPECT_EQ(unknown.take().value(), (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(SurveyPart, IsRejectedIfAnyOfItsTermsDiffers) {
  SurveyTerms base = termsOf({number(-1, 1), category(2)}, Neighbours::kAddRemove);
  std::vector<SurveyTerms> others(7, base);
  others[0].columns[0].min = -2;
  others[1].columns[0].max = 2;
  others[2].columns[1].levels = 3;
  std::swap(others[3].columns[0], others[3].columns[1]);
  others[4].missing = MissingRule::kDrop;
  others[5].neighbours = Neighbours::kReplaceOne;
  others[6].max_rows = 7;
  for (const SurveyTerms& terms : others) {
    Survey survey = surveyOf(base), other = surveyOf(terms);
    EXPECT_EQ(codeOf(survey.merge(other.part().value())), Code::kIntegrity);
    EXPECT_EQ(survey.take().error().code, Code::kAlreadyReleased);
  }
}

TEST(SurveyPart, IsRejectedIfItContradictsItself) {
  const auto damaged = [](auto&& damage) {
    Survey survey = surveyOf(termsOf({number(-1, 1), category(2)}));
    Survey other = surveyOf(termsOf({number(-1, 1), category(2)}));
    if (other.add(std::vector<double>{1, 0, -1, 1})) return false;
    SurveyPart part = std::move(other.part()).value();
    damage(part);
    const Status status = survey.merge(part);
    return status && status->code == Code::kIntegrity &&
           survey.take().error().code == Code::kAlreadyReleased;
  };
  EXPECT_FALSE(damaged([](SurveyPart&) {}));
  EXPECT_TRUE(damaged([](SurveyPart& part) { part.sums[0] += 1; }));
  EXPECT_TRUE(damaged([](SurveyPart& part) { part.sums[1] = 2 * kH + 1; }));
  EXPECT_TRUE(damaged([](SurveyPart& part) { part.sums[3] = -2 * kH - 1; }));
  EXPECT_TRUE(damaged([](SurveyPart& part) { part.sums[4] = kH + 1; }));
  EXPECT_TRUE(
      damaged([](SurveyPart& part) { part.sums[4] = std::numeric_limits<std::int64_t>::min(); }));
  EXPECT_TRUE(damaged([](SurveyPart& part) { part.sums.pop_back(); }));
  EXPECT_TRUE(damaged([](SurveyPart& part) { part.counts.used -= 1; }));
  EXPECT_TRUE(damaged([](SurveyPart& part) { part.counts.rows = 0; }));
  EXPECT_TRUE(damaged([](SurveyPart& part) { part.counts.columns.pop_back(); }));
}

// Sums of a survey of two numbers and a category with three levels.
std::vector<std::int64_t> sumsOf(const std::vector<double>& cells, Neighbours neighbours) {
  Survey survey = surveyOf(termsOf({number(-1, 1), number(0, 4), category(3)}, neighbours));
  if (survey.add(cells)) return {};
  return std::move(survey.take()).value();
}

struct Change {
  Uint128 squared = 0;
  std::uint64_t absolute = 0;
};

Change changeOf(const std::vector<std::int64_t>& x, const std::vector<std::int64_t>& y) {
  Change change;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t size = std::uint64_t(std::abs(x[i] - y[i]));
    change.squared += Uint128(size) * size;
    change.absolute += size;
  }
  return change;
}

TEST(Survey, MovesByAtMostItsSensitivityBetweenRowsAtTheCorners) {
  std::vector<std::vector<double>> rows = {{kMissing, 0, 0}};
  for (const double x : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    for (const double y : {0.0, 1.0, 2.0, 3.0, 4.0, 1e9}) {
      for (const double level : {0.0, 1.0, 2.0}) rows.push_back({x, y, level});
    }
  }
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    const Uint128 squared = surveySensitivitySquared(2, 1, kSurveyBits, neighbours);
    const std::uint64_t absolute = surveySensitivityL1(2, 1, kSurveyBits, neighbours);
    Change most;
    const auto compare = [&](const std::vector<std::int64_t>& x,
                             const std::vector<std::int64_t>& y) {
      const Change change = changeOf(x, y);
      most.squared = std::max(most.squared, change.squared);
      most.absolute = std::max(most.absolute, change.absolute);
    };
    for (const auto& row : rows) {
      if (neighbours == Neighbours::kAddRemove) {
        compare(sumsOf(row, neighbours), sumsOf({}, neighbours));
        continue;
      }
      for (const auto& other : rows) compare(sumsOf(row, neighbours), sumsOf(other, neighbours));
    }
    EXPECT_TRUE(most.squared == squared);
    EXPECT_EQ(most.absolute, absolute);
  }
}

SurveyTerms countedTerms(Neighbours neighbours = Neighbours::kReplaceOne) {
  SurveyTerms terms = termsOf({number(-1, 1), category(3), number(0, 4)}, neighbours);
  terms.missing = MissingRule::kMean;
  return terms;
}

TEST(Survey, CountsMissingCellsWhichAddNothingElse) {
  const std::vector<double> cells = {0.5,      kMissing, kMissing,  //
                                     kMissing, 1,        4,         //
                                     1,        kMissing, 2};
  Survey survey = surveyOf(countedTerms());
  ASSERT_FALSE(survey.add(cells));
  EXPECT_EQ(survey.features(), 5);
  // Rows; numbers and levels; missing cells of the three columns; squares less a half.
  const std::vector<std::int64_t> expected = {
      3 * kH, kH / 2 + kH, 0, kH, 0, kH, kH, 2 * kH, kH, kH / 4 - kH / 2 + kH / 2, kH / 2 - kH / 2};
  EXPECT_EQ(survey.take().value(), expected);
}

TEST(Survey, CountsMissingCellsHoweverRowsAreSplit) {
  UnsafeTestRandom random(91);
  std::vector<double> cells;
  for (int row = 0; row < 200; ++row) {
    cells.insert(cells.end(),
                 {random.symmetric(), double(random.below(3)), 2 + 2 * random.symmetric()});
    for (std::size_t back = 1; back <= 3; ++back) {
      if (random.below(4) == 0) cells[cells.size() - back] = kMissing;
    }
  }
  Survey whole = surveyOf(countedTerms()), first = surveyOf(countedTerms()),
         second = surveyOf(countedTerms());
  ASSERT_FALSE(whole.add(cells));
  ASSERT_FALSE(first.add(std::span(cells).first(3 * 77)));
  ASSERT_FALSE(second.add(std::span(cells).subspan(3 * 77)));
  ASSERT_FALSE(first.merge(second.part().value()));
  EXPECT_EQ(first.take().value(), whole.take().value());
}

TEST(Survey, HasNoMarksForTheMomentsAfterIt) {
  SurveyTerms terms = countedTerms();
  terms.missing = MissingRule::kPairwise;
  EXPECT_EQ(Survey::create(terms).error().code, Code::kInvalidMissingRule);
}

}  // namespace survey_test
}  // namespace pm
