// What a forecast takes releases to choose, from assumptions alone.
#include "core/mechanisms/choices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/random/continuous.hpp"
#include "tests/support/centring_fixtures.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm::choices_test {

using namespace centring_fixtures;
using namespace testing_support;

/// Numbers of one standard deviation each, drawn once and counted.
class Sample {
 public:
  Sample(int rows, std::vector<double> mean, double sd) : mean_(std::move(mean)) {
    Drbg random(unsafeTestSeed(3));
    for (int i = 0; i < rows; ++i) {
      for (const double m : mean_) {
        cells_.push_back(std::clamp(m + sd * standardNormal(random), -1.0, 1.0));
      }
    }
    variance_.assign(mean_.size(), sd * sd);
  }

  StatedRows stated() const { return {double(rows()), mean_, variance_}; }
  std::size_t rows() const { return cells_.size() / mean_.size(); }
  std::span<const double> cells() const { return cells_; }

  LongerRows longer() const {
    return [this](const Coordinates& at,
                  std::span<const double> radii) -> Result<std::vector<double>> {
      std::vector<double> shares(radii.size());
      for (std::size_t i = 0; i < rows(); ++i) {
        double length = 0;
        for (std::size_t j = 0; j < mean_.size(); ++j) {
          length += std::pow((cells_[i * mean_.size() + j] - at.centre[j]) / at.scale[j], 2);
        }
        for (std::size_t r = 0; r < radii.size(); ++r) {
          shares[r] += double(std::sqrt(length) > radii[r]) / double(rows());
        }
      }
      return shares;
    };
  }

 private:
  std::vector<double> mean_, variance_, cells_;
};

std::vector<CentringChoice> chosen(const Plan& plan, const std::vector<Column>& columns,
                                   const Sample& sample, int draws = 12) {
  Drbg random(unsafeTestSeed(8));
  return expectedChoices(plan, columns, sample.stated(), sample.longer(), draws, random).value();
}

int fillFromSeed(std::uint8_t* out, std::size_t bytes) {
  static Drbg random(unsafeTestSeed(99));
  for (std::size_t i = 0; i < bytes; ++i) out[i] = std::uint8_t(random.next64());
  return 0;
}

CentredRelease realRelease(const Plan& plan, const std::vector<Column>& columns,
                           const Sample& sample) {
  return releaseCentred(
             plan, columns, MissingRule::kCentre,
             [&](const auto& add) { return add(sample.cells()); }, fillFromSeed)
      .value();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

TEST(ExpectedLevels, AreThoseOfReleasesWithSuchCounts) {
  for (const auto neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    MechanismParams params = gaussianParams(6, neighbours, Unit::kRow, 1, 1e-6);
    params.clipping = Clipping::kAdaptive;
    const Plan plan = findMechanism("gaussian")->plan(params).value();
    const double rows = 4000;
    const std::vector<double> longer = {0, 0, 0.01, 0.1, 0.6, 1};
    IntakeCounts counts;
    counts.used = counts.rows = 4000;
    for (std::size_t i = 0; i < longer.size(); ++i) {
      counts.longer[i + 1] = std::uint64_t(longer[i] * rows);
    }
    std::vector<double> real, expected;
    Drbg random(unsafeTestSeed(12));
    std::optional<std::uint64_t> public_rows;
    if (neighbours == Neighbours::kReplaceOne) public_rows = 4000;
    constexpr int kReleases = 200;
    for (int i = 0; i < kReleases; ++i) {
      const std::vector<double> noisy = releaseClipCounts(plan, counts, random);
      real.push_back(chooseClipLevel(plan, noisy, public_rows));
    }
    for (const int level : expectedLevels(plan, rows, longer, kReleases, random)) {
      expected.push_back(level);
    }
    const auto share = [](const std::vector<double>& levels, int level) {
      return double(std::count(levels.begin(), levels.end(), level)) / double(levels.size());
    };
    // Six standard deviations of the difference of two shares of 200.
    for (int level = 0; level < kClipLevels; ++level) {
      EXPECT_NEAR(share(real, level), share(expected, level), 0.3);
    }
    EXPECT_GT(share(expected, 3) + share(expected, 2) + share(expected, 4), 0.9);
  }
}

TEST(CentringChoices, AreThoseOfRealReleasesOfSuchRowsInTheMedian) {
  const std::vector<Column> columns(4, kNumber);
  constexpr int kReleases = 201;
  for (const double delta : {1e-6, 0.0}) {
    for (const auto neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
      const Plan plan = planFor(columns, delta, 2, neighbours);
      const Sample sample(2000, {0.4, -0.3, 0.1, 0.6}, 0.08);
      std::vector<double> radii, centres, scales, real_radii, real_centres, real_scales;
      for (int i = 0; i < kReleases; ++i) {
        const CentredRelease real = realRelease(plan, columns, sample);
        real_radii.push_back(real.radius());
        real_centres.push_back(real.survey.coordinates.centre[0]);
        real_scales.push_back(real.survey.coordinates.scale[1]);
      }
      for (const CentringChoice& choice : chosen(plan, columns, sample, kReleases)) {
        radii.push_back(choice.radius());
        centres.push_back(choice.coordinates.centre[0]);
        scales.push_back(choice.coordinates.scale[1]);
      }
      EXPECT_NEAR(std::log2(median(radii) / median(real_radii)), 0, 0.6);
      EXPECT_NEAR(median(centres), median(real_centres), 0.04);
      EXPECT_NEAR(std::log2(median(scales) / median(real_scales)), 0, 0.4);
    }
  }
}

TEST(CentringChoices, TypicalLengthIsTheRootOfTheNumberOfColumnsAboutAKnownCentre) {
  const std::vector<Column> columns(6, kNumber);
  const Sample sample(50000, std::vector<double>(6, 0.3), 0.1);
  for (const CentringChoice& choice : chosen(planFor(columns, 1e-6, 4), columns, sample, 4)) {
    EXPECT_NEAR(choice.typical, std::sqrt(6), 0.15);
  }
}

TEST(CentringChoices, DifferAmongReleasesAsTheirSurveysDo) {
  const std::vector<Column> columns(4, kNumber);
  const Sample sample(300, {0.4, -0.3, 0.1, 0.6}, 0.08);
  const std::vector<CentringChoice> choices = chosen(planFor(columns, 1e-6), columns, sample);
  EXPECT_NE(choices[0].coordinates.centre, choices[1].coordinates.centre);
  const std::vector<CentringChoice> again = chosen(planFor(columns, 1e-6), columns, sample);
  EXPECT_EQ(again[0].coordinates.centre, choices[0].coordinates.centre);
}

TEST(CentringChoices, ReportTheErrorsOfTheLengths) {
  const std::vector<Column> columns(2, kNumber);
  const Sample sample(300, {0, 0}, 0.1);
  Drbg random(unsafeTestSeed(8));
  const LongerRows fails = [](const Coordinates&,
                              std::span<const double>) -> Result<std::vector<double>> {
    return Error{Code::kInvalidRowNorm, "", ""};
  };
  const Result<std::vector<CentringChoice>> failed =
      expectedChoices(planFor(columns, 1e-6), columns, sample.stated(), fails, 1, random);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, Code::kInvalidRowNorm);
}

TEST(MiddleStudy, HasTheMiddleNoiseAndNotThatOfTheFewLongestRadii) {
  CentringChoice usual, rare;
  usual.coordinates.scale = rare.coordinates.scale = {0.5, 0.5};
  usual.coordinates.centre = rare.coordinates.centre = {0, 0};
  usual.coordinates.ladder = rare.coordinates.ladder = centringLadder(2);
  usual.coordinates.radius = 1;
  rare.coordinates.radius = 20;
  std::vector<CentringChoice> choices(12, usual);
  choices[4] = rare;
  Drbg random(unsafeTestSeed(8));
  const std::vector<CentringChoice> alone = middleStudy(choices, 1, random);
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone[0].coordinates.radius, 1);
  // One of two studies of twelve has such a release.
  const std::vector<CentringChoice> twelve = middleStudy(choices, 12, random);
  ASSERT_EQ(twelve.size(), 12u);
  EXPECT_LE(std::count_if(twelve.begin(), twelve.end(),
                          [](const auto& choice) { return choice.coordinates.radius > 1; }),
            2);
  EXPECT_EQ(middleStudy(choices, 1000, random).size(), 12u);
}

TEST(ExpectedNoise, IsThatOfTheReleaseInScaledUnits) {
  const std::vector<Column> columns(3, kNumber);
  for (const double delta : {1e-6, 0.0}) {
    const Plan plan = planFor(columns, delta, 1, Neighbours::kAddRemove);
    const Sample sample(4000, {0.4, -0.3, 0.1}, 0.08);
    const CentringChoice choice = chosen(plan, columns, sample, 1)[0];
    const CentredSums sums = expectedNoise(plan, std::span(&choice, 1), 4000, 1).value();
    const double grid = std::ldexp(std::pow(choice.radius(), 2), -2 * plan.bits);
    const double constant = std::ldexp(double(plan.constant), -plan.bits) * choice.radius();
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(sums.centre[j], choice.coordinates.centre[j]);
      EXPECT_NEAR(sums.units[j] / choice.coordinates.scale[j], 1, 1e-12);
    }
    EXPECT_NEAR(sums.diagonal / (plan.sd_diagonal * grid), 1, 1e-12);
    EXPECT_NEAR(sums.off_diagonal / (plan.sd_off_diagonal * grid), 1, 1e-12);
    EXPECT_NEAR(sums.linear / (plan.sd_off_diagonal * grid / constant), 1, 1e-12);
    EXPECT_NEAR(sums.count / (plan.sd_diagonal * grid / std::pow(constant, 2)), 1, 1e-12);
    EXPECT_NEAR(sums.mean_squared_radius / std::pow(choice.radius(), 2), 1, 1e-12);
  }
}

TEST(ExpectedNoise, HasTheSpreadOfCentresThatRealReleasesOfSuchRowsHave) {
  const std::vector<Column> columns(3, kNumber);
  constexpr int kSites = 8, kStudies = 25;
  const auto traceOf = [](const CentredSums& sums) {
    double trace = 0;
    std::size_t entry = 0;
    for (std::size_t j = 0; j < 3; entry += 3 - j, ++j) {
      trace += sums.centre_spread[entry] * std::pow(sums.units[j], 2);
    }
    return trace;
  };
  for (const auto neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    const Plan plan = planFor(columns, 1e-6, 2, neighbours);
    const Sample sample(400, {0.4, -0.3, 0.1}, 0.1);
    const double sd = releaseScale(plan, std::sqrt(3)).off_diagonal;
    std::vector<double> real, expected;
    for (int study = 0; study < kStudies; ++study) {
      CentredAssembly assembly = CentredAssembly::create(3, sd).value();
      for (int site = 0; site < kSites; ++site) {
        const auto [survey, moments] = realRelease(plan, columns, sample);
        const ClippedRows clipped =
            clippedRows(plan, survey.coordinates, moments.clip_counts, moments.clip_level);
        const CentredScale scale = centredScale(plan, survey.coordinates, moments.clip_level);
        ASSERT_FALSE(assembly.add(moments.values, scale, moments.rows, clipped));
      }
      real.push_back(traceOf(assembly.sum().value()));
      Drbg random(unsafeTestSeed(std::uint8_t(100 + study)));
      const std::vector<CentringChoice> choices =
          expectedChoices(plan, columns, sample.stated(), sample.longer(), kSites, random).value();
      expected.push_back(traceOf(expectedNoise(plan, choices, 400, kSites).value()));
    }
    EXPECT_GT(median(real), 0);
    EXPECT_NEAR(std::log2(median(expected) / median(real)), 0, 1.5);
  }
}

TEST(ExpectedNoise, OfSeveralSitesHasTheVarianceOfAsManyAverageReleases) {
  const std::vector<Column> columns(3, kNumber);
  const Plan plan = planFor(columns, 1e-6);
  const Sample sample(4000, {0.4, -0.3, 0.1}, 0.08);
  const std::vector<CentringChoice> choices = chosen(plan, columns, sample);
  const CentredSums one = expectedNoise(plan, choices, 4000, 1).value();
  const CentredSums nine = expectedNoise(plan, choices, 4000, 9).value();
  EXPECT_NEAR(nine.diagonal / one.diagonal, 3, 1e-12);
  EXPECT_NEAR(nine.linear / one.linear, 3, 1e-12);
  EXPECT_EQ(nine.units, one.units);
  EXPECT_EQ(one.count, 0);
  double variance = 0;
  for (const CentringChoice& choice : choices) {
    const double sd = plan.sd_diagonal * std::ldexp(std::pow(choice.radius(), 2), -2 * plan.bits);
    variance += std::pow(sd * std::pow(choice.coordinates.scale[0], 2), 2) / double(choices.size());
  }
  // The distance of the sites' centres adds some noise.
  EXPECT_GT(one.diagonal * std::pow(one.units[0], 2), 0.999 * std::sqrt(variance));
  EXPECT_LT(one.diagonal * std::pow(one.units[0], 2), 1.2 * std::sqrt(variance));
}

}  // namespace pm::choices_test
