// Figures of a released model and their stated errors.
#include "core/synthesis/fit/model_figures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/random/continuous.hpp"
#include "tests/support/synthesis_fixtures.hpp"

namespace pm {
namespace model_figures_test {

using namespace testing_support;

constexpr int kRows = 400;

// Two classes with a quarter and three quarters of the rows, separated by the first number; the
// second depends on the first. A different sample for each seed.
std::vector<double> sample(std::uint64_t seed) {
  Drbg random = simulationDrbg(seed);
  std::vector<double> cells;
  for (int row = 0; row < kRows; ++row) {
    const double level = uniformOpen(random) < 0.25 ? 0 : 1;
    const double first = (level == 0 ? -0.4 : 0.2) + 0.15 * standardNormal(random);
    cells.insert(cells.end(), {first, 0.5 * first + 0.1 * standardNormal(random), level});
  }
  return cells;
}

Synthesis synthesisOf(const SynthesisTerms& terms, std::uint64_t seed, NoiseSource& noise) {
  SynthesisTable table = tableOf(terms, sample(seed));
  Result<Synthesis> made = synthesise(table, noise);
  if (!made.ok()) std::abort();
  return std::move(made).value();
}

const std::vector<ViewPair> kPairs = {{{0}, {1}}};

RowFigures figuresOf(const SynthesisTerms& terms, const Synthesis& synthesis) {
  Drbg random = simulationDrbg(5);
  Result<RowFigures> figures =
      figuresOfModel(planSynthesis(terms).value(), synthesis, kPairs, 3, random);
  if (!figures.ok()) std::abort();
  return std::move(figures).value();
}

TEST(ModelFigures, WithoutNoiseEqualThoseOfTheRows) {
  const SynthesisTerms terms = synthesisTerms(2, 2, 1e6);
  GivenNoise none;
  const RowFigures figures = figuresOf(terms, synthesisOf(terms, 1, none));
  const std::vector<double> cells = sample(1);
  const Result<RowFigures> rows = pm::figuresOf(cells, terms.columns, kPairs, 3);
  ASSERT_TRUE(rows.ok());
  // Only the row grid matters: the radius clips none of these rows.
  constexpr double kNear = 1e-5;
  EXPECT_LT((figures.means - rows.value().means).cwiseAbs().maxCoeff(), kNear);
  EXPECT_LT((figures.deviations - rows.value().deviations).cwiseAbs().maxCoeff(), kNear);
  EXPECT_LT((figures.correlations - rows.value().correlations).cwiseAbs().maxCoeff(), kNear);
  EXPECT_LT((figures.canonical[0] - rows.value().canonical[0]).cwiseAbs().maxCoeff(), kNear);
}

// Standard deviations of figures over releases of fresh samples, beside the errors that single
// releases state. 300 releases determine them to 4 %; departures of the models from Gaussians add
// to it.
TEST(ModelFigures, StateTheSpreadOfReleases) {
  const std::pair<double, SumsForm> cases[] = {{1, SumsForm::kStepwise},
                                               {1e6, SumsForm::kStepwise},
                                               {1, SumsForm::kJoint},
                                               {1e6, SumsForm::kJoint}};
  for (const auto& [epsilon, sums] : cases) {
    SynthesisTerms terms = synthesisTerms(2, 2, epsilon, 1e-6);
    terms.sums = sums;
    const RowFigures shape = figuresOf(terms, [&] {
      GivenNoise none;
      return synthesisOf(terms, 1, none);
    }());
    const auto count = shape.means.size();
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(2 * count);
    Eigen::VectorXd square = sum;
    constexpr int kReleases = 300;
    const SynthesisPlan plan = planSynthesis(terms).value();
    for (int release = 0; release < kReleases; ++release) {
      Drbg random = simulationDrbg(std::uint64_t(1000 + release), 1);
      DrawnNoise noise(random);
      const Synthesis made = synthesisOf(terms, std::uint64_t(1000 + release), noise);
      const RowFigures figures = figuresWithoutErrors(plan, made.model, kPairs, 3).value();
      Eigen::VectorXd both(2 * count);
      both << figures.means, figures.deviations;
      sum += both;
      square += both.cwiseAbs2();
    }
    const Eigen::VectorXd spread =
        ((square - sum.cwiseAbs2() / kReleases) / (kReleases - 1)).cwiseSqrt();
    for (Eigen::Index i = 0; i < count; ++i) {
      EXPECT_NEAR(shape.mean_errors[i] / spread[i], 1, 0.35) << "mean " << i << ", " << epsilon;
    }
    for (Eigen::Index i = 0; i < 2; ++i) {
      const double ratio = shape.deviation_errors[i] / spread[count + i];
      EXPECT_NEAR(ratio, 1, 0.35) << "deviation " << i << ", " << epsilon;
    }
  }
}

TEST(ModelFigures, OfVeryManyFeaturesHaveNoErrors) {
  const int features = kMostSimulatedFeatures + 1;
  const SynthesisTerms terms = synthesisTerms(features, 0, 1, 1e-6);
  SynthesisTable table = tableOf(terms, std::vector<double>(std::size_t(features) * 4, 0.25));
  GivenNoise none;
  const Result<Synthesis> made = synthesise(table, none);
  ASSERT_TRUE(made.ok());
  Drbg random = simulationDrbg(5);
  const Result<RowFigures> figures =
      figuresOfModel(planSynthesis(terms).value(), made.value(), {}, 3, random);
  ASSERT_TRUE(figures.ok());
  EXPECT_TRUE(std::isinf(figures.value().mean_errors[0]));
  EXPECT_NEAR(figures.value().means[0], 0.25, 1e-4);
}

}  // namespace model_figures_test
}  // namespace pm
