#include "core/study/study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/methods/pca.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/registry.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace study_test {

using testing_support::unsafeTestEntropy;

constexpr Column kAge = {Column::Kind::kNumber, 20, 60};
constexpr Column kHeight = {Column::Kind::kNumber, 100, 200};
constexpr Column kRegion = {Column::Kind::kCategory, 0, 0, 3};

StudyTerms termsOf(std::vector<Column> columns) {
  return {.columns = std::move(columns),
          .mechanism = "gaussian",
          .epsilon = 1,
          .delta = 1e-6,
          .neighbours = Neighbours::kReplaceOne,
          .unit = Unit::kRow,
          .missing = MissingRule::kCentre};
}

Study studyOf(StudyTerms terms) { return Study::create(std::move(terms)).value(); }

/// Ages of 30 and 50, heights of 140 and 160 that go with them, regions in turn.
std::vector<double> rowsOf(int count) {
  std::vector<double> rows;
  for (int i = 0; i < count; ++i) {
    const bool old = i % 2 == 1;
    rows.insert(rows.end(), {old ? 50.0 : 30.0, old ? 160.0 : 140.0, double(i % 3)});
  }
  return rows;
}

Code refusal(StudyTerms terms) {
  const auto study = Study::create(std::move(terms));
  EXPECT_FALSE(study.ok());
  return study.ok() ? Code::kIntegrity : study.error().code;
}

TEST(Study, ReleasesWhatItsStepsRelease) {
  const Study study = studyOf(termsOf({kAge, kHeight, kRegion}));
  const std::vector<double> rows = rowsOf(300);
  Intake intake = study.intake().value();
  ASSERT_FALSE(intake.add(rows));
  const Released stepwise = release(study.plan(), intake, unsafeTestEntropy).value();
  const Released at_once = study.release(rows, unsafeTestEntropy).value();
  EXPECT_EQ(at_once.values, stepwise.values);
  EXPECT_EQ(at_once.rows, 300u);
}

TEST(Study, ClipsToTheLongestRowUnlessToldOtherwise) {
  StudyTerms terms = termsOf({kAge, kHeight, kRegion});
  EXPECT_EQ(studyOf(terms).plan().params.row_norm, std::sqrt(3.0));
  EXPECT_EQ(studyOf(terms).plan().params.dimension, 5);
  terms.row_norm = 0.5;
  EXPECT_EQ(studyOf(terms).plan().params.row_norm, 0.5);
}

TEST(Study, SumsReleasesToMomentsInTheUnitsOfTheColumns) {
  const Study study = studyOf(termsOf({kAge, kHeight, kRegion}));
  std::vector<Released> releases;
  for (const int rows : {60000, 30000}) releases.push_back(study.release(rowsOf(rows)).value());
  const StudyMoments moments = study.assemble(releases).value();
  EXPECT_EQ(moments.rows, 90000);
  // About twenty standard deviations of the noise.
  EXPECT_NEAR(moments.mean(0), 40, 0.1);
  EXPECT_NEAR(moments.mean(1), 150, 0.2);
  EXPECT_NEAR(moments.mean(2), 1 / 3.0, 0.01);
  EXPECT_NEAR(moments.covariance(0, 1), 100, 2);
  EXPECT_NEAR(moments.sums.noise.diagonal,
              std::sqrt(2.0) * study.assemble({releases.data(), 1}).value().sums.noise.diagonal,
              1e-9);
  EXPECT_EQ(moments.sums.noise.releases, 2);
}

TEST(Study, GivesAnalysesTheirInput) {
  const Study study = studyOf(termsOf({kAge, kRegion}));
  std::vector<double> rows;
  for (int i = 0; i < 3000; ++i) rows.insert(rows.end(), {20.0 + i % 40, double(i % 3)});
  const Released released = study.release(rows).value();
  const StudyMoments moments = study.assemble({&released, 1}).value();
  EXPECT_EQ(moments.input.columns, (std::vector<int>{0, 1, 1, 1}));
  EXPECT_EQ(moments.input.half, (Eigen::Vector4d{20, 1, 1, 1}));
  EXPECT_EQ(moments.sums.mid, (Eigen::Vector4d{40, 0, 0, 0}));
  EXPECT_NEAR(moments.input.trace_bound, 2, 1e-12);
  EXPECT_EQ(moments.input.trace_lost, 0);
  EXPECT_EQ(moments.input.covariance, moments.scaled_covariance);
  const auto found = pca({moments.input, 4});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value().explained.size(), 4u);
}

TEST(Study, KnowsWhatAdaptiveClippingTook) {
  StudyTerms terms = termsOf({kAge, kHeight});
  terms.clipping = Clipping::kAdaptive;
  const Study study = studyOf(terms);
  // Most rows are short, few are as long as can be.
  std::vector<double> rows;
  for (int i = 0; i < 10000; ++i) {
    const double far = i % 200 == 0 ? 1 : 0.01;
    rows.insert(rows.end(), {40 + 20 * far, 150 + 50 * far});
  }
  const Released released = study.release(rows, unsafeTestEntropy).value();
  ASSERT_GT(released.clip_level, 0);
  const StudyMoments moments = study.assemble({&released, 1}).value();
  const double radius = clipRadius(std::sqrt(2.0), released.clip_level);
  EXPECT_NEAR(moments.input.trace_bound, radius * radius, 1e-12);
  // One row in 200 lost 2 - radius^2; an estimate from noisy counts.
  EXPECT_GT(moments.input.trace_lost, 0);
  EXPECT_LT(moments.input.trace_lost, 0.02);
}

TEST(Study, DividesByTheCountsOfPairsWhereGapsAreMarked) {
  StudyTerms terms = termsOf({kAge, kHeight, kRegion});
  terms.missing = MissingRule::kPairwise;
  const Study study = studyOf(terms);
  std::vector<double> rows = rowsOf(60'000);
  // The height of every second of the old is missing: of those that have both, a third are old.
  for (std::size_t i = 1; i < 60'000; i += 4) rows[3 * i + 1] = std::nan("");
  const Released released = study.release(rows, unsafeTestEntropy).value();
  EXPECT_EQ(released.values.size(), 9u * 10 / 2);
  const StudyMoments moments = study.assemble({&released, 1}).value();
  ASSERT_TRUE(moments.gaps);
  EXPECT_NEAR(moments.gaps->cells[1], 15'000, 200);
  EXPECT_NEAR(moments.mean[0], 40, 0.2);
  EXPECT_NEAR(moments.mean[1], 140 + 20.0 / 3, 0.5);
  // The heights differ by 20, the ages too, and 1/3 x 2/3 of that is between them.
  EXPECT_NEAR(moments.covariance(0, 1), 800.0 / 9, 3);
  EXPECT_NEAR(moments.covariance(0, 0), 100, 3);
  EXPECT_EQ(moments.input.half.size(), 5);
  const auto found = pca({moments.input, 4});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value().loadings.rows(), 5);
}

TEST(Study, IsRefusedIfItsReleasesAreNoMomentsOfOneReading) {
  StudyTerms terms = termsOf({kAge, kHeight});
  terms.mechanism = "power-method";
  EXPECT_EQ(refusal(terms), Code::kInvalidMechanism);
  terms.mechanism = "gauss";
  EXPECT_EQ(refusal(terms), Code::kInvalidMechanism);
  terms.mechanism = "gaussian";
  terms.clipping = Clipping::kCentred;
  EXPECT_EQ(refusal(terms), Code::kInvalidClipping);
  terms.clipping = Clipping::kFixed;
  terms.epsilon = 0;
  EXPECT_EQ(refusal(terms), Code::kInvalidEpsilon);
  EXPECT_EQ(refusal(termsOf({})), Code::kInvalidDimension);
  EXPECT_EQ(refusal(termsOf({{Column::Kind::kNumber, 1, 1}})), Code::kInvalidBounds);
  StudyTerms dropping = termsOf({kAge});
  dropping.missing = MissingRule::kDrop;
  EXPECT_EQ(refusal(dropping), Code::kInvalidMissingRule);
}

TEST(Study, RefusesRowsAndReleasesThatAreNotOfIt) {
  const Study study = studyOf(termsOf({kAge, kHeight}));
  const double one_cell[] = {40};
  EXPECT_EQ(study.release(one_cell).error().code, Code::kWrongLength);
  EXPECT_EQ(study.release({}).error().code, Code::kNoRows);
  EXPECT_EQ(study.assemble({}).error().code, Code::kNoRows);
  const Study other = studyOf(termsOf({kAge}));
  const double ages[] = {30, 50};
  Released foreign = other.release(ages).value();
  EXPECT_EQ(study.assemble({&foreign, 1}).error().code, Code::kWrongLength);
  const double both[] = {30, 140, 50, 160};
  Released counted = study.release(both).value();
  counted.clip_counts = {1};
  EXPECT_EQ(study.assemble({&counted, 1}).error().code, Code::kWrongLength);
}

TEST(Study, KnowsTheFamilyOfEachDistribution) {
  std::set<NoiseFamily> families;
  int count = 0;
  for (const Mechanism& mechanism : mechanisms()) {
    if (!mechanism.noise) continue;
    const NoiseFamily family = noiseFamily(mechanism.noise->distribution);
    EXPECT_EQ(family == NoiseFamily::kGaussian, mechanism.name == "gaussian") << mechanism.name;
    families.insert(family);
    ++count;
  }
  EXPECT_EQ(families.size(), std::size_t(count));
}

}  // namespace study_test
}  // namespace pm
