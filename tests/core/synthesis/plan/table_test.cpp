// From rows to one synthesis.
#include "core/synthesis/plan/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/synthesis/fit/projection.hpp"
#include "core/synthesis/fit/synthesis.hpp"
#include "tests/support/synthesis_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace synthesis_table_test {

using namespace testing_support;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

int noEntropy(std::uint8_t*, std::size_t) { return 1; }

std::vector<std::int32_t> rowOf(const IntegerRows& rows, std::size_t i) {
  const auto row = rows.row(i);
  return {row.begin(), row.end()};
}

TEST(SynthesisTable, StoresRowsAsIntegersWithASeparateLabel) {
  SynthesisTerms terms = synthesisTerms(2, 3);
  terms.row_norm = 10;  // more than two columns can have, so sqrt 2 is the unit
  std::swap(terms.columns[0], terms.columns[2]);
  terms.label = 0;
  SynthesisTable table = tableOf(terms, {2, 1, -1, 0, 0.5, 0});
  const SynthesisTable::Rows rows = table.take().value();
  ASSERT_EQ(rows.values.rows(), 2u);
  ASSERT_EQ(rows.values.width(), 2);
  const double one = std::ldexp(1, kRowBits) / std::sqrt(2);
  EXPECT_NEAR(rows.values.row(0)[0], one, 1);
  EXPECT_NEAR(rows.values.row(0)[1], -one, 1);
  EXPECT_NEAR(rows.values.row(1)[0], one / 2, 1);
  EXPECT_EQ(rowOf(rows.classes, 0), std::vector<std::int32_t>{2});
  EXPECT_EQ(rowOf(rows.classes, 1), std::vector<std::int32_t>{0});
}

TEST(SynthesisTable, StoresANumberLabelUnclippedAsLastEntry) {
  SynthesisTerms terms = regressionTerms(3);
  terms.label = 1;
  terms.row_norm = 0.5;
  SynthesisTable table = tableOf(terms, {0.9, -1, 0.9});
  EXPECT_EQ(table.counts().shortened(), 1u);
  const SynthesisTable::Rows rows = table.take().value();
  EXPECT_NEAR(rows.values.row(0)[0], std::ldexp(std::sqrt(0.5), kRowBits), 1);
  EXPECT_EQ(rows.values.row(0)[2], -(1 << kRowBits));
}

TEST(SynthesisTable, CountsAnIncompleteRowAsTheCentreAndInNoClass) {
  const SynthesisTerms terms = synthesisTerms(2, 2);
  SynthesisTable table = tableOf(terms, {0.5, kMissing, 1, 0.5, 0.5, kMissing, 0.5, 3, 0});
  EXPECT_EQ(table.counts().rows, 3u);
  EXPECT_EQ(table.counts().used, 3u);
  EXPECT_EQ(table.counts().centred, 2u);
  EXPECT_EQ(table.counts().columns[1].missing, 1u);
  EXPECT_EQ(table.counts().columns[1].outside, 1u);
  EXPECT_EQ(table.counts().columns[2].missing, 1u);
  const SynthesisTable::Rows rows = table.take().value();
  EXPECT_EQ(rowOf(rows.values, 0), (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(rows.classes.row(0)[0], -1);
  EXPECT_EQ(rows.classes.row(1)[0], -1);
  EXPECT_EQ(rows.classes.row(2)[0], 0);
}

TEST(SynthesisTable, KeepsAnIncompleteRowInItsClassIfClassesArePublic) {
  SynthesisTerms terms = synthesisTerms(2, 2);
  terms.labels_public = true;
  SynthesisTable table = tableOf(terms, {0.5, kMissing, 1, 0.5, 0.5, kMissing});
  const SynthesisTable::Rows rows = table.take().value();
  EXPECT_EQ(rowOf(rows.values, 0), (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(rows.classes.row(0)[0], 1);
  EXPECT_EQ(rows.classes.row(1)[0], -1);
}

TEST(SynthesisTable, ReportsTheRejectedRowAndAcceptsNoMore) {
  SynthesisTerms terms = synthesisTerms(2, 2);
  terms.missing = MissingRule::kError;
  SynthesisTable table = SynthesisTable::create(terms).value();
  ASSERT_FALSE(table.add(std::vector<double>{0.1, 0.1, 0}));
  const Status refused = table.add(std::vector<double>{0.1, 0.1, 1, 0.1, kMissing, 0});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, Code::kMissingCell);
  EXPECT_EQ(refused->row, 2);
  EXPECT_EQ(refused->column, 1);
  EXPECT_EQ(table.add(std::vector<double>{0.1, 0.1, 0})->code, Code::kAlreadyReleased);
  EXPECT_EQ(synthesise(table, unsafeTestEntropy).error().code, Code::kAlreadyReleased);

  SynthesisTable other = SynthesisTable::create(synthesisTerms(2, 2)).value();
  EXPECT_EQ(other.add(std::vector<double>{0.1, 0.1, 2})->code, Code::kInvalidLevel);
  SynthesisTable third = SynthesisTable::create(synthesisTerms(2, 2)).value();
  EXPECT_EQ(third.add(std::vector<double>{0.1, 0.1})->code, Code::kWrongLength);
}

TEST(SynthesisTable, GivesOneSynthesisAndNothingAfterIt) {
  SynthesisTable table = tableOf(synthesisTerms(2), {0.1, 0.2, 0.3, 0.4});
  EXPECT_TRUE(synthesise(table, unsafeTestEntropy).ok());
  EXPECT_EQ(synthesise(table, unsafeTestEntropy).error().code, Code::kAlreadyReleased);
  EXPECT_EQ(table.add(std::vector<double>{0.1, 0.2})->code, Code::kAlreadyReleased);
  SynthesisTable empty = SynthesisTable::create(synthesisTerms(2)).value();
  EXPECT_EQ(synthesise(empty, unsafeTestEntropy).error().code, Code::kNoRows);
}

TEST(SynthesisTable, IsIntactAfterEntropyFails) {
  SynthesisTable table = tableOf(synthesisTerms(2), {0.1, 0.2, 0.3, 0.4});
  EXPECT_EQ(synthesise(table, noEntropy).error().code, Code::kNoEntropy);
  EXPECT_TRUE(synthesise(table, unsafeTestEntropy).ok());
}

TEST(SynthesisTable, NeedsPublicRowsForAPublicProjectionAndRejectsThemOtherwise) {
  SynthesisTerms terms = synthesisTerms(3);
  terms.components = 1;
  terms.projection.source = ProjectionSource::kPublic;
  SynthesisTable table = tableOf(terms, {0.1, 0.2, 0.3});
  const Result<Synthesis> early = synthesise(table, unsafeTestEntropy);
  ASSERT_FALSE(early.ok());
  EXPECT_EQ(early.error().code, Code::kNoRows);
  EXPECT_EQ(early.error().field, "projection");
  // Nothing was spent.
  ASSERT_FALSE(table.addPublic(std::vector<double>{1, 0, 0}));
  EXPECT_EQ(table.counts().rows, 1u);
  EXPECT_EQ(table.addPublic(std::vector<double>{1, 0})->code, Code::kWrongLength);
  const Synthesis made = synthesise(table, unsafeTestEntropy).value();
  EXPECT_EQ(made.projection, (Eigen::MatrixXd(3, 1) << 1, 0, 0).finished());

  SynthesisTable other = tableOf(synthesisTerms(3), {0.1, 0.2, 0.3});
  EXPECT_EQ(other.addPublic(std::vector<double>{1, 0, 0})->code, Code::kInvalidSynthesis);
}

TEST(SynthesisTable, SplitsRowsEvenlyByTheirPositions) {
  std::vector<std::size_t> apart;
  for (std::size_t i = 0; i < 20; ++i) {
    if (isHeldOut(i, 0.3)) apart.push_back(i);
  }
  EXPECT_EQ(apart, (std::vector<std::size_t>{3, 6, 9, 13, 16, 19}));

  // Two rows of each half lie along its own axis: neither half affects the other.
  SynthesisTerms terms = synthesisTerms(3);
  terms.components = 1;
  terms.projection = {ProjectionSource::kSplit, 0.3, 0.5, {}};
  GivenNoise noise;
  SynthesisTable table = tableOf(terms, {0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0});
  const Synthesis made = synthesise(table, noise).value();
  EXPECT_EQ(made.rows, 4u);
  EXPECT_EQ(made.gaussians[0].rows, 2);
  EXPECT_EQ(made.projection(0, 0), 1);
  EXPECT_NEAR(noise.sums["projection"][0], 2.0 / 3, 1e-6);
  EXPECT_EQ(noise.sums["projection"][3], 0);
  EXPECT_EQ(noise.sums["means"][0], 0);
}

TEST(SynthesisTable, HoldsMoreRowsThanAMemoryBlock) {
  IntegerRows rows(3);
  const std::size_t count = 200'000;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = double(i);
    rows.add(std::vector<double>{x, -x, 1});
  }
  ASSERT_EQ(rows.rows(), count);
  for (const std::size_t i : {std::size_t{0}, std::size_t{87380}, std::size_t{87382}, count - 1}) {
    EXPECT_EQ(rowOf(rows, i), (std::vector<std::int32_t>{int(i), -int(i), 1}));
  }
}

TEST(SynthesisTable, OfASpectrumTakesNoMoreRowsThanItsNoisePaysFor) {
  SynthesisTerms terms = synthesisTerms(1);
  const std::vector<double> most(kMaxRowsOfSpectrum, 0.5), more = {0.5};
  SynthesisTable density = tableOf(terms, most);
  EXPECT_FALSE(density.add(more));
  terms.task = SynthesisTask::kSpectrum;
  SynthesisTable spectrum = tableOf(terms, most);
  const Status refused = spectrum.add(more);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, Code::kTooManyRows);
  EXPECT_EQ(refused->row, std::int64_t(kMaxRowsOfSpectrum));
  EXPECT_NE(refused->message.find("1048576"), std::string::npos);
  EXPECT_FALSE(spectrum.take().ok());
}

TEST(Synthesis, OfEveryTaskIsAModelOfTheStudysFeatures) {
  std::vector<double> cells;
  UnsafeTestRandom random(1);
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 4; ++j) cells.push_back(random.symmetric());
    cells.push_back(double(random.below(3)));
  }
  for (const double delta : {0.0, 1e-6}) {
    for (const SynthesisNoise noise :
         {SynthesisNoise::kLaplace, SynthesisNoise::kFrobenius, SynthesisNoise::kTwoSidedWishart}) {
      SynthesisTerms density = synthesisTerms(4, 3, 2, delta);
      density.projection.noise = noise;
      SynthesisTerms classes = density, number = density;
      density.label = -1;
      density.task = SynthesisTask::kDensity;
      number.label = 2;
      number.task = SynthesisTask::kRegression;
      for (SynthesisTerms terms : {density, classes, number}) {
        terms.components = 2;
        terms.projection.source = ProjectionSource::kPrivate;
        SynthesisTable table = tableOf(terms, cells);
        const Synthesis made = synthesise(table, unsafeTestEntropy).value();
        const bool mixture = terms.task == SynthesisTask::kClassification;
        ASSERT_EQ(made.model.components.size(), mixture ? 3u : 1u);
        EXPECT_EQ(made.rows, 200u);
        double weights = 0;
        for (const RowComponent& component : made.model.components) {
          weights += component.weight;
          // Four numbers and three levels; without those of a class label.
          EXPECT_EQ(component.mean.size(), mixture ? 4 : 7);
          EXPECT_EQ(component.covariance.rows(), component.mean.size());
          EXPECT_TRUE(component.covariance.allFinite());
        }
        EXPECT_NEAR(weights, 1, 1e-12);
      }
    }
  }
}

}  // namespace synthesis_table_test
}  // namespace pm
