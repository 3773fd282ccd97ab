#include "core/moments/intake.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/moments/limits.hpp"
#include "core/moments/part_bytes.hpp"
#include "core/moments/quantiser.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace intake_test {

using namespace testing_support;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

Column number(double min, double max) { return {Column::Kind::kNumber, min, max, 0}; }

IntakeTerms termsOf(std::vector<Column> columns) {
  IntakeTerms terms{};
  terms.columns = std::move(columns);
  terms.row_norm = std::sqrt(double(terms.columns.size()));
  terms.missing = MissingRule::kCentre;
  terms.neighbours = Neighbours::kReplaceOne;
  terms.bits = 22;
  terms.max_rows = 1'000'000;
  return terms;
}

IntakeTerms unitTerms(std::size_t columns) {
  return termsOf(std::vector<Column>(columns, number(-1, 1)));
}

Intake intakeOf(IntakeTerms terms) { return std::move(Intake::create(std::move(terms))).value(); }

Code codeOf(const Status& status) { return status ? status->code : Code::kIntegrity; }

std::vector<double> randomCells(std::size_t count, std::uint64_t seed) {
  UnsafeTestRandom random(seed);
  std::vector<double> cells(count);
  for (double& cell : cells) cell = random.symmetric();
  return cells;
}

TEST(Intake, GivesTheSameTotalsForEveryChunkingOfTheRows) {
  const std::vector<double> cells = randomCells(900 * 5, 50);
  std::vector<std::vector<Int128>> results;
  for (const std::size_t rows_at_once : {1, 2, 7, 100, 900}) {
    Intake intake = intakeOf(unitTerms(5));
    for (std::size_t row = 0; row < 900; row += rows_at_once) {
      const std::size_t count = std::min<std::size_t>(rows_at_once, 900 - row);
      ASSERT_FALSE(intake.add(std::span<const double>(cells).subspan(5 * row, 5 * count)));
      ASSERT_FALSE(intake.add({}));
    }
    EXPECT_EQ(intake.counts().rows, 900u);
    results.push_back(intake.take(Unit::kRow).value());
  }
  for (const auto& result : results) EXPECT_TRUE(result == results.front());
}

TEST(Intake, SumsTheOuterProductsOfItsQuantisedRowsWithTheConstantInFront) {
  Intake intake = intakeOf(unitTerms(2));
  ASSERT_FALSE(intake.add(std::vector<double>{0.5, -0.25, 1, 1}));
  const auto totals = intake.take(Unit::kRow).value();
  // R = sqrt 2; the second row is on the sphere.
  std::vector<double> first(2), second(2);
  quantiseRow(std::vector<double>{0.5, -0.25}, std::sqrt(2.0), 22, first);
  quantiseRow(std::vector<double>{1, 1}, std::sqrt(2.0), 22, second);
  const double a = double(constantCoordinate(22));
  const std::vector<double> expected = {2 * a * a,
                                        a * (first[0] + second[0]),
                                        a * (first[1] + second[1]),
                                        first[0] * first[0] + second[0] * second[0],
                                        first[0] * first[1] + second[0] * second[1],
                                        first[1] * first[1] + second[1] * second[1]};
  ASSERT_EQ(totals.size(), expected.size());
  for (std::size_t i = 0; i < totals.size(); ++i) {
    EXPECT_TRUE(totals[i] == Int128(expected[i])) << "entry " << i;
  }
}

TEST(Intake, CountsACentredRowAsOneRowAtTheCentre) {
  Intake with_hole = intakeOf(unitTerms(2)), with_zeros = intakeOf(unitTerms(2));
  ASSERT_FALSE(with_hole.add(std::vector<double>{0.5, 0.5, kMissing, 1, 0.25, -1}));
  ASSERT_FALSE(with_zeros.add(std::vector<double>{0.5, 0.5, 0, 0, 0.25, -1}));
  EXPECT_EQ(with_hole.counts().centred, 1u);
  EXPECT_EQ(with_hole.counts().used, 3u);
  EXPECT_EQ(with_hole.counts().columns[0].missing, 1u);
  EXPECT_TRUE(with_hole.take(Unit::kRow).value() == with_zeros.take(Unit::kRow).value());
}

TEST(Intake, MarksGapsInFeaturesOfTheirOwnAndKeepsTheOtherCells) {
  IntakeTerms terms = unitTerms(2);
  terms.missing = MissingRule::kPairwise;
  IntakeTerms four = unitTerms(4);
  four.row_norm = terms.row_norm;
  for (const bool adaptive : {false, true}) {
    terms.adaptive = four.adaptive = adaptive;
    Intake marked = intakeOf(terms), plain = intakeOf(four);
    ASSERT_FALSE(marked.add(
        std::vector<double>{0.5, 0.5, kMissing, 0.75, 0.25, kMissing, kMissing, kMissing}));
    ASSERT_FALSE(
        plain.add(std::vector<double>{0.5, 0.5, 0, 0, 0, 0.75, 1, 0, 0.25, 0, 0, 1, 0, 0, 1, 1}));
    EXPECT_EQ(marked.features(), 4);
    EXPECT_EQ(marked.counts().used, 4u);
    EXPECT_EQ(marked.counts().centred, 0u);
    EXPECT_EQ(marked.counts().columns[1].missing, 2u);
    EXPECT_TRUE(marked.take(Unit::kRow).value() == plain.take(Unit::kRow).value());
  }
}

TEST(Intake, PutsMissingCellsAtTheStatedCentre) {
  IntakeTerms terms = termsOf({number(-1, 1), {Column::Kind::kCategory, 0, 0, 2}});
  terms.missing = MissingRule::kPairwise;
  terms.row_norm = 10;
  terms.centre = {0.5, 0.25, 0.25};
  terms.scale = {0.25, 0.5, 0.5};
  IntakeTerms wide = unitTerms(5);
  wide.row_norm = 10;
  Intake marked = intakeOf(terms), plain = intakeOf(wide);
  ASSERT_FALSE(marked.add(std::vector<double>{0.75, kMissing, kMissing, 0}));
  ASSERT_FALSE(plain.add(std::vector<double>{1, 0, 0, 0, 1, 0, 1, -0.5, 1, 0}));
  const auto totals = marked.take(Unit::kRow).value();
  // The second row's level is (1 - 1/4) / (1/2) = 1.5, beyond what the plain intake takes.
  const auto expected = plain.take(Unit::kRow).value();
  for (std::size_t i = 0; i < 6; ++i) {
    if (i != 2) {
      EXPECT_TRUE(totals[i] == expected[i]) << i;
    }
  }
}

TEST(Intake, PutsCountedGapsAtTheCentreOfItsCoordinates) {
  IntakeTerms terms = termsOf({number(-1, 1), {Column::Kind::kCategory, 0, 0, 2}});
  terms.missing = MissingRule::kMean;
  EXPECT_EQ(Intake::create(terms).error().code, Code::kInvalidMissingRule);
  terms.row_norm = 10;
  terms.centre = {0.5, 0.25, 0.25};
  terms.scale = {0.25, 0.5, 0.5};
  IntakeTerms plain_terms = unitTerms(3);
  plain_terms.row_norm = 10;
  Intake counted = intakeOf(terms), plain = intakeOf(plain_terms);
  // z = (1, 0, 0), then a row without any cell.
  ASSERT_FALSE(counted.add(std::vector<double>{0.75, kMissing, kMissing, kMissing}));
  ASSERT_FALSE(plain.add(std::vector<double>{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counted.features(), 3);
  EXPECT_EQ(counted.counts().used, 2u);
  EXPECT_EQ(counted.counts().centred, 0u);
  EXPECT_TRUE(counted.take(Unit::kRow).value() == plain.take(Unit::kRow).value());
}

TEST(Intake, OmitsADroppedRowUnderAddRemove) {
  IntakeTerms terms = unitTerms(2);
  terms.missing = MissingRule::kDrop;
  terms.neighbours = Neighbours::kAddRemove;
  Intake with_hole = intakeOf(terms), without = intakeOf(terms);
  ASSERT_FALSE(with_hole.add(std::vector<double>{0.5, 0.5, 1, kMissing, 0.25, -1}));
  ASSERT_FALSE(without.add(std::vector<double>{0.5, 0.5, 0.25, -1}));
  EXPECT_EQ(with_hole.counts().rows, 3u);
  EXPECT_EQ(with_hole.counts().used, 2u);
  EXPECT_EQ(with_hole.counts().dropped, 1u);
  EXPECT_TRUE(with_hole.take(Unit::kRow).value() == without.take(Unit::kRow).value());
}

TEST(Intake, DoesNotDropRowsIfTheirNumberIsPublic) {
  IntakeTerms terms = unitTerms(2);
  terms.missing = MissingRule::kDrop;
  const auto intake = Intake::create(terms);
  ASSERT_FALSE(intake.ok());
  EXPECT_EQ(intake.error().code, Code::kInvalidMissingRule);
}

TEST(Intake, ReportsRowAndColumnOfAMissingCellUnderTheErrorRuleAndStaysClosed) {
  IntakeTerms terms = unitTerms(3);
  terms.missing = MissingRule::kError;
  for (const double missing : {kMissing, std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()}) {
    Intake intake = intakeOf(terms);
    ASSERT_FALSE(intake.add(std::vector<double>(6, 0.5)));
    const Status status = intake.add(std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, missing});
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, Code::kMissingCell);
    EXPECT_EQ(status->row, 3);
    EXPECT_EQ(status->column, 2);
    EXPECT_EQ(codeOf(intake.add(std::vector<double>(3, 0.5))), Code::kAlreadyReleased);
    EXPECT_EQ(intake.take(Unit::kRow).error().code, Code::kAlreadyReleased);
  }
}

TEST(Intake, ReportsRowAndColumnOfAnUnknownLevelAndStaysClosed) {
  Intake intake = intakeOf(termsOf({number(0, 1), {Column::Kind::kCategory, 0, 0, 2}}));
  const Status status = intake.add(std::vector<double>{0, 1, 0, 2, 0, 1});
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, Code::kInvalidLevel);
  EXPECT_EQ(status->row, 1);
  EXPECT_EQ(status->column, 1);
  EXPECT_EQ(intake.take(Unit::kRow).error().code, Code::kAlreadyReleased);
}

TEST(Intake, RejectsIncompleteRowsAndStaysClosed) {
  Intake intake = intakeOf(unitTerms(3));
  EXPECT_EQ(codeOf(intake.add(std::vector<double>(4, 0.0))), Code::kWrongLength);
  EXPECT_EQ(intake.counts().rows, 0u);
  EXPECT_EQ(codeOf(intake.add(std::vector<double>(3, 0.0))), Code::kAlreadyReleased);
}

TEST(Intake, HoldsExactlyTheNumberOfRowsThePlanAllows) {
  IntakeTerms terms = unitTerms(2);
  terms.max_rows = 3;
  Intake full = intakeOf(terms);
  ASSERT_FALSE(full.add(std::vector<double>(6, 0.5)));
  EXPECT_TRUE(full.take(Unit::kRow).ok());
  Intake intake = intakeOf(terms);
  ASSERT_FALSE(intake.add(std::vector<double>(4, 0.5)));
  const Status status = intake.add(std::vector<double>(4, 0.5));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, Code::kTooManyRows);
  EXPECT_EQ(status->row, 3);
  EXPECT_EQ(intake.take(Unit::kRow).error().code, Code::kAlreadyReleased);
}

TEST(Intake, AcceptsASingleRow) {
  Intake intake = intakeOf(unitTerms(1));
  ASSERT_FALSE(intake.add(std::vector<double>{-1}));
  const auto totals = intake.take(Unit::kRow).value();
  EXPECT_TRUE(totals[2] == Int128(1) << 44);
}

TEST(Intake, HasNoTotalsWithoutRowsAndStaysOpen) {
  Intake intake = intakeOf(unitTerms(1));
  EXPECT_EQ(intake.take(Unit::kRow).error().code, Code::kNoRows);
  EXPECT_EQ(intake.take(Unit::kParticipant).error().code, Code::kNoRows);
  ASSERT_FALSE(intake.add(std::vector<double>{1}));
  EXPECT_TRUE(intake.take(Unit::kRow).ok());
}

TEST(Intake, GivesItsTotalsOnlyOnce) {
  Intake intake = intakeOf(unitTerms(1));
  ASSERT_FALSE(intake.add(std::vector<double>{1}));
  EXPECT_TRUE(intake.take(Unit::kRow).ok());
  EXPECT_EQ(intake.take(Unit::kRow).error().code, Code::kAlreadyReleased);
  EXPECT_EQ(codeOf(intake.add(std::vector<double>{1})), Code::kAlreadyReleased);
}

TEST(Intake, CountsClampedCells) {
  Intake intake = intakeOf(termsOf({number(0, 10), number(-1, 1)}));
  ASSERT_FALSE(intake.add(std::vector<double>{-1, 0, 11, 2, 5, 0}));
  EXPECT_EQ(intake.counts().columns[0].outside, 2u);
  EXPECT_EQ(intake.counts().columns[1].outside, 1u);
}

TEST(Intake, CountsAsClippedOnlyRowsLongerThanTheRadius) {
  IntakeTerms terms = unitTerms(2);
  terms.row_norm = 1;
  Intake intake = intakeOf(terms);
  const double on_sphere = std::sqrt(0.5);
  const double just_over = std::nextafter(on_sphere, 1.0);
  ASSERT_FALSE(intake.add(std::vector<double>{0.6, 0.7, on_sphere, on_sphere, just_over, just_over,
                                              1, 1, 0.9, -0.5, 1, 0}));
  EXPECT_EQ(intake.counts().shortened(), 2u);
  EXPECT_EQ(intake.counts().used, 6u);
}

TEST(Intake, NeverClipsARowUnderTheDefaultRowNorm) {
  Intake intake =
      intakeOf(termsOf({number(0, 1), number(0, 1), {Column::Kind::kCategory, 0, 0, 4}}));
  ASSERT_FALSE(intake.add(std::vector<double>{0, 1, 3, 5, -5, 0}));
  EXPECT_EQ(intake.counts().shortened(), 0u);
}

TEST(Intake, AveragesAParticipantsRowsTowardsZero) {
  const std::vector<double> cells = randomCells(7 * 3, 51);
  Intake sums = intakeOf(unitTerms(3)), average = intakeOf(unitTerms(3));
  ASSERT_FALSE(sums.add(cells));
  ASSERT_FALSE(average.add(cells));
  const auto totals = sums.take(Unit::kRow).value();
  const auto averages = average.take(Unit::kParticipant).value();
  int negative = 0;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const Int128 size = totals[i] < 0 ? -totals[i] : totals[i];
    const Int128 expected = totals[i] < 0 ? -(size / 7) : size / 7;
    EXPECT_TRUE(averages[i] == expected) << "entry " << i;
    negative += totals[i] < 0 && totals[i] % 7 != 0;
  }
  EXPECT_GT(negative, 0) << "or the direction of truncation was not seen";
  const Int128 a = constantCoordinate(22);
  EXPECT_TRUE(averages[0] == a * a) << "the constant is exact whatever the number of rows";
}

TEST(Intake, RejectsARowNormThatIsNotAPositiveNumber) {
  for (const double row_norm : {0.0, -1.0, kMissing, std::numeric_limits<double>::infinity()}) {
    IntakeTerms terms = unitTerms(1);
    terms.row_norm = row_norm;
    const auto intake = Intake::create(terms);
    ASSERT_FALSE(intake.ok());
    EXPECT_EQ(intake.error().code, Code::kInvalidRowNorm);
    EXPECT_EQ(intake.error().field, "rowNorm");
  }
}

TEST(Intake, ReportsErrorsOfTheColumns) {
  EXPECT_EQ(Intake::create(termsOf({number(1, 0)})).error().code, Code::kInvalidBounds);
  EXPECT_EQ(Intake::create(unitTerms(1001)).error().code, Code::kInvalidDimension);
}

// Everything a participant may see, as one list.
std::vector<std::uint64_t> countsOf(const Intake& intake) {
  const IntakeCounts& counts = intake.counts();
  std::vector<std::uint64_t> all = {counts.rows, counts.used, counts.centred, counts.dropped};
  all.insert(all.end(), counts.longer.begin(), counts.longer.end());
  for (const ColumnCounts& column : counts.columns) {
    all.push_back(column.missing);
    all.push_back(column.outside);
  }
  return all;
}

// Another worker's part, serialized.
Status mergeInto(Intake& intake, Intake& other) {
  const std::vector<std::uint8_t> bytes = bytesOf(other.part().value());
  return intake.merge(partOf(bytes).value());
}

struct Case {
  MissingRule missing;
  Neighbours neighbours;
  bool adaptive;
};

TEST(IntakePart, GivesTheSameTotalsAndCountsHoweverTheRowsAreSplitAmongIntakes) {
  UnsafeTestRandom random(52);
  for (const Case& c : {Case{MissingRule::kCentre, Neighbours::kReplaceOne, false},
                        Case{MissingRule::kCentre, Neighbours::kReplaceOne, true},
                        Case{MissingRule::kCentre, Neighbours::kAddRemove, true},
                        Case{MissingRule::kDrop, Neighbours::kAddRemove, false},
                        Case{MissingRule::kDrop, Neighbours::kAddRemove, true},
                        Case{MissingRule::kError, Neighbours::kReplaceOne, true},
                        Case{MissingRule::kError, Neighbours::kAddRemove, false}}) {
    IntakeTerms terms = termsOf({number(-1, 1), number(0, 3), {Column::Kind::kCategory, 0, 0, 3}});
    terms.missing = c.missing;
    terms.neighbours = c.neighbours;
    terms.adaptive = c.adaptive;
    std::vector<double> cells;
    for (int row = 0; row < 1500; ++row) {
      const double size = std::exp2(-6 * random.uniform());
      cells.push_back(1.1 * size * random.symmetric());
      cells.push_back(1.5 + 1.6 * size * random.symmetric());
      cells.push_back(double(random.below(3)));
      if (c.missing != MissingRule::kError && random.below(10) == 0) {
        cells[cells.size() - 1 - random.below(3)] = kMissing;
      }
    }
    const int levels = c.adaptive ? kClipLevels : 1;
    for (int level = 0; level < levels; ++level) {
      Intake whole = intakeOf(terms);
      ASSERT_FALSE(whole.add(cells));
      const std::size_t count = 1 + random.below(5);
      std::vector<Intake> intakes;
      for (std::size_t i = 0; i < count; ++i) intakes.push_back(intakeOf(terms));
      for (std::size_t row = 0; row < 1500;) {
        const std::size_t rows = std::min<std::size_t>(1 + random.below(400), 1500 - row);
        ASSERT_FALSE(intakes[random.below(count)].add(
            std::span<const double>(cells).subspan(3 * row, 3 * rows)));
        row += rows;
      }
      for (std::size_t i = 1; i < count; ++i) ASSERT_FALSE(mergeInto(intakes[0], intakes[i]));
      const auto expected = whole.take(Unit::kRow, level);
      const auto merged = intakes[0].take(Unit::kRow, level);
      ASSERT_TRUE(expected.ok() && merged.ok());
      EXPECT_TRUE(merged.value() == expected.value()) << "level " << level;
      EXPECT_EQ(countsOf(intakes[0]), countsOf(whole));
    }
  }
}

TEST(IntakePart, AveragesAParticipantsRowsAfterMerging) {
  const std::vector<double> cells = randomCells(7 * 3, 53);
  Intake whole = intakeOf(unitTerms(3)), first = intakeOf(unitTerms(3)),
         second = intakeOf(unitTerms(3));
  ASSERT_FALSE(whole.add(cells));
  ASSERT_FALSE(first.add(std::span<const double>(cells).first(12)));
  ASSERT_FALSE(second.add(std::span<const double>(cells).subspan(12)));
  ASSERT_FALSE(mergeInto(first, second));
  EXPECT_TRUE(first.take(Unit::kParticipant).value() == whole.take(Unit::kParticipant).value());
}

TEST(IntakePart, MayBeEmptyAndMergeIntoAnIntakeThatGetsMoreRows) {
  Intake empty = intakeOf(unitTerms(2)), none = intakeOf(unitTerms(2)),
         some = intakeOf(unitTerms(2)), whole = intakeOf(unitTerms(2));
  ASSERT_FALSE(some.add(std::vector<double>{0.5, 0.25}));
  ASSERT_FALSE(mergeInto(empty, none));
  EXPECT_EQ(empty.counts().used, 0u);
  ASSERT_FALSE(mergeInto(empty, some));
  ASSERT_FALSE(empty.add(std::vector<double>{1, -1}));
  ASSERT_FALSE(whole.add(std::vector<double>{0.5, 0.25, 1, -1}));
  EXPECT_TRUE(empty.take(Unit::kRow).value() == whole.take(Unit::kRow).value());
}

TEST(IntakePart, IsTakenOnceAndClosesItsIntake) {
  Intake intake = intakeOf(unitTerms(1)), other = intakeOf(unitTerms(1));
  ASSERT_FALSE(intake.add(std::vector<double>{1}));
  const IntakePart part = std::move(intake.part()).value();
  EXPECT_EQ(intake.part().error().code, Code::kAlreadyReleased);
  EXPECT_EQ(codeOf(intake.add(std::vector<double>{1})), Code::kAlreadyReleased);
  EXPECT_EQ(codeOf(intake.merge(part)), Code::kAlreadyReleased);
  EXPECT_EQ(intake.take(Unit::kRow).error().code, Code::kAlreadyReleased);
  ASSERT_TRUE(other.take(Unit::kRow).error().code == Code::kNoRows);
  EXPECT_FALSE(other.merge(part));
}

TEST(IntakeSums, LeaveTheIntakeOpenAndAreWhatItsPartHolds) {
  Intake intake = intakeOf(unitTerms(2)), twin = intakeOf(unitTerms(2));
  const std::vector<double> first = {0.5, -0.25}, second = {1, 0.125};
  ASSERT_FALSE(intake.add(first));
  const std::vector<std::uint8_t> early = bytesOf(intake.sums().value());
  ASSERT_FALSE(intake.add(second));
  ASSERT_FALSE(twin.add(first));
  EXPECT_EQ(bytesOf(twin.part().value()), early);
  const std::vector<std::uint8_t> late = bytesOf(intake.sums().value());
  EXPECT_EQ(bytesOf(intake.sums().value()), late);
  EXPECT_EQ(bytesOf(intake.part().value()), late);
  EXPECT_EQ(intake.sums().error().code, Code::kAlreadyReleased);
}

TEST(IntakePart, LimitsTheSumToTheNumberOfRowsThePlanAllows) {
  IntakeTerms terms = unitTerms(2);
  terms.max_rows = 5;
  for (const std::size_t more : {2, 3}) {
    Intake intake = intakeOf(terms), other = intakeOf(terms);
    ASSERT_FALSE(intake.add(std::vector<double>(6, 0.5)));
    ASSERT_FALSE(other.add(std::vector<double>(2 * more, 0.5)));
    const Status status = mergeInto(intake, other);
    if (more == 2) {
      ASSERT_FALSE(status);
      EXPECT_EQ(codeOf(intake.add(std::vector<double>(2, 0.5))), Code::kTooManyRows);
    } else {
      ASSERT_TRUE(status);
      EXPECT_EQ(status->code, Code::kTooManyRows);
      EXPECT_EQ(intake.take(Unit::kRow).error().code, Code::kAlreadyReleased);
    }
  }
}

TEST(IntakePart, IsRejectedIfAnyOfItsTermsDiffers) {
  IntakeTerms base = termsOf({number(-1, 1), {Column::Kind::kCategory, 0, 0, 2}});
  base.neighbours = Neighbours::kAddRemove;
  std::vector<IntakeTerms> others(10, base);
  others[0].columns[0].min = -2;
  others[1].columns[0].max = 2;
  others[2].columns[1].levels = 3;
  std::swap(others[3].columns[0], others[3].columns[1]);
  others[4].row_norm = 1;
  others[5].missing = MissingRule::kDrop;
  others[6].neighbours = Neighbours::kReplaceOne;
  others[7].bits = 21;
  others[8].max_rows = 7;
  others[9].adaptive = true;
  for (const IntakeTerms& terms : others) {
    Intake intake = intakeOf(base), other = intakeOf(terms);
    EXPECT_EQ(codeOf(mergeInto(intake, other)), Code::kIntegrity);
    EXPECT_EQ(intake.take(Unit::kRow).error().code, Code::kAlreadyReleased);
  }
}

TEST(IntakePart, IsRejectedIfItContradictsItself) {
  const auto damaged = [](auto&& damage) {
    Intake intake = intakeOf(unitTerms(2)), other = intakeOf(unitTerms(2));
    if (other.add(std::vector<double>{0.5, 0.25, 1, -1, 0.5, 0.5})) return Code::kNoRows;
    IntakePart part = std::move(other.part()).value();
    damage(part);
    return codeOf(intake.merge(part));
  };
  const Int128 huge = Int128(1) << 126;
  EXPECT_EQ(damaged([](IntakePart& part) { part.sums[0].packed[2] += 1; }), Code::kIntegrity);
  EXPECT_EQ(damaged([](IntakePart& part) { part.sums[0].trace -= 1; }), Code::kIntegrity);
  EXPECT_EQ(damaged([&](IntakePart& part) { part.sums[0].packed[0] = huge; }), Code::kIntegrity);
  EXPECT_EQ(damaged([&](IntakePart& part) { part.sums[0].packed[3] = -huge; }), Code::kIntegrity);
  EXPECT_EQ(damaged([](IntakePart& part) { part.sums[0].packed.pop_back(); }), Code::kIntegrity);
  EXPECT_EQ(damaged([](IntakePart& part) { part.sums[0].rows -= 1; }), Code::kIntegrity);
  EXPECT_EQ(damaged([](IntakePart& part) { part.counts.used -= 1; }), Code::kIntegrity);
  EXPECT_EQ(damaged([](IntakePart& part) { part.counts.rows = 0; }), Code::kIntegrity);
  EXPECT_EQ(damaged([](IntakePart& part) { part.counts.columns.pop_back(); }), Code::kIntegrity);
  EXPECT_EQ(damaged([](IntakePart& part) { part.sums.pop_back(); }), Code::kIntegrity);
  EXPECT_EQ(damaged([](IntakePart& part) { part.counts.used = ~std::uint64_t{0}; }),
            Code::kIntegrity);
}

TEST(IntakePart, RejectsAnyOtherBytes) {
  IntakeTerms terms = unitTerms(2);
  terms.adaptive = true;
  Intake intake = intakeOf(terms);
  ASSERT_FALSE(intake.add(std::vector<double>{0.5, 0.25, 1, -1}));
  const std::vector<std::uint8_t> bytes = bytesOf(intake.part().value());
  ASSERT_TRUE(partOf(bytes).ok());
  EXPECT_TRUE(bytesOf(partOf(bytes).value()) == bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto part = partOf(std::span<const std::uint8_t>(bytes).first(size));
    ASSERT_FALSE(part.ok()) << size;
    EXPECT_EQ(part.error().code, Code::kIntegrity);
  }
  std::vector<std::uint8_t> longer = bytes;
  longer.push_back(0);
  EXPECT_FALSE(partOf(longer).ok());
  // Whatever the bytes are, the result is an error or another part, never a crash.
  UnsafeTestRandom random(54);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint8_t> other = bytes;
    for (int k = 0; k < 3; ++k) {
      other[random.below(other.size())] = std::uint8_t(random.below(256));
    }
    Intake target = intakeOf(terms);
    const auto part = partOf(other);
    if (part.ok()) static_cast<void>(target.merge(part.value()));
  }
}

}  // namespace intake_test
}  // namespace pm
