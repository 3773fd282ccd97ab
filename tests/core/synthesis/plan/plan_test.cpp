// The guarantee of a synthesis, from its terms alone.
#include "core/synthesis/plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/privacy/accountant.hpp"
#include "core/privacy/gaussian.hpp"
#include "tests/support/synthesis_fixtures.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace synthesis_plan_test {

using namespace testing_support;
using nlohmann::json;

SynthesisPlan planOf(const SynthesisTerms& terms) { return planSynthesis(terms).value(); }

std::vector<double> epsilons(const SynthesisPlan& plan) {
  std::vector<double> result;
  for (const Part& part : plan.guarantee.parts) result.push_back(part.epsilon);
  return result;
}

double sum(const std::vector<double>& numbers) {
  double result = 0;
  for (const double x : numbers) result += x;
  return result;
}

TEST(SynthesisPlan, SplitsAPureBudgetLikeTheReferences) {
  const json vectors = readVectors("pca_gauss.json");
  for (const json& v : vectors["budget_splits"]) {
    const std::string name = v["name"];
    SynthesisTerms terms;
    if (name == "corrected alg2") {
      terms = regressionTerms(9, v["eps"]);
    } else if (name == "corrected alg3") {
      terms = synthesisTerms(8, 3, v["eps"]);
    } else if (name == "corrected alg1 spectrum") {
      terms = synthesisTerms(8, 0, v["eps"]);
      terms.task = SynthesisTask::kSpectrum;
      terms.about_mean = true;
    } else {
      continue;  // the papers' own
    }
    if (!terms.about_mean) {
      terms.components = 3;
      terms.projection.source = ProjectionSource::kPrivate;
    }
    const SynthesisPlan plan = planOf(terms);
    const std::vector<double> parts = epsilons(plan);
    ASSERT_EQ(parts.size(), v["values"].size()) << name;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_NEAR(parts[i], v["values"][i].get<double>(), 1e-15) << name;
    }
    EXPECT_EQ(plan.guarantee.parts[0].what, terms.about_mean ? "means" : "projection");
    EXPECT_EQ(plan.guarantee.parts.back().what, terms.about_mean ? "spectrum" : "scatter");
  }
}

TEST(SynthesisPlan, IsPureWithDeltaZeroAndItsPartsAddUpToEpsilon) {
  for (const CovarianceChoice covariance :
       {CovarianceChoice::kPerClass, CovarianceChoice::kShared, CovarianceChoice::kChosen}) {
    for (const bool labels_public : {false, true}) {
      SynthesisTerms terms = synthesisTerms(6, 4, 0.7);
      terms.covariance = covariance;
      terms.labels_public = labels_public;
      const Guarantee g = planOf(terms).guarantee;
      EXPECT_EQ(g.epsilon, 0.7);
      EXPECT_EQ(g.delta, 0);
      EXPECT_NEAR(sum(epsilons(planOf(terms))), 0.7, 1e-15);
      EXPECT_EQ(g.neighbours, Neighbours::kReplaceOne);
      EXPECT_EQ(g.unit, Unit::kRow);
      // Composition of the parts: at most their sum, and at least the largest of them.
      EXPECT_LT(g.gdp, gdpOfPure(0.7));
      EXPECT_GT(g.gdp, gdpOfPure(0.7 * 0.5));
      EXPECT_LT(g.zcdp, 0.7 * 0.7 / 2);
    }
  }
}

TEST(SynthesisPlan, SpendsMuOfAllGaussianStepsTogether) {
  SynthesisTerms terms = regressionTerms(6, 0.8, 1e-6);
  terms.components = 2;
  terms.projection.source = ProjectionSource::kPrivate;
  const SynthesisPlan plan = planOf(terms);
  const double mu = gdpOfEpsilonDelta(0.8, 1e-6);
  EXPECT_EQ(plan.guarantee.delta, 1e-6);
  EXPECT_EQ(plan.guarantee.epsilon, 0.8);
  EXPECT_LE(plan.guarantee.gdp, mu);
  EXPECT_GT(plan.guarantee.gdp, mu * (1 - 1e-7));
  EXPECT_EQ(plan.guarantee.numerics, Numerics::kExact);
  // The squares have the fractions of a pure budget: 0.3, 0.7 0.25, 0.7 0.75.
  EXPECT_NEAR(std::pow(plan.projection->mu() / mu, 2), 0.3, 1e-6);
  EXPECT_NEAR(std::pow(plan.means->mu() / mu, 2), 0.175, 1e-6);
  EXPECT_NEAR(std::pow(plan.scatter->mu() / mu, 2), 0.525, 1e-6);
  // Far more than two Gaussian mechanisms would have at parts of epsilon and delta.
  EXPECT_GT(plan.scatter->mu(), 1.3 * gdpOfEpsilonDelta(0.8 * 0.525, 1e-6 * 0.525));
}

TEST(SynthesisPlan, ComposesPureAndGaussianStepsByTheAccountant) {
  SynthesisTerms terms = synthesisTerms(8, 3, 1, 1e-5);
  terms.components = 2;
  terms.projection.source = ProjectionSource::kPrivate;
  terms.projection.noise = SynthesisNoise::kTwoSidedWishart;
  terms.covariance = CovarianceChoice::kChosen;
  const SynthesisPlan plan = planOf(terms);
  Accountant accountant;
  accountant.add(Cost::pure(0.3));
  accountant.add(Cost::pure(0.07));
  for (const auto& step : {plan.counts, plan.means, plan.scatter}) {
    accountant.add(Cost::gdp(step->mu()));
  }
  EXPECT_NEAR(plan.choice_epsilon, 0.07, 1e-15);
  EXPECT_EQ(plan.projection->budget, 0.3);
  EXPECT_LE(accountant.deltaAt(1), 1e-5);
  EXPECT_GT(accountant.deltaAt(1), 0.999e-5);
  EXPECT_EQ(plan.guarantee.delta, 1e-5);
  EXPECT_EQ(plan.guarantee.numerics, Numerics::kExact);
  EXPECT_NEAR(plan.guarantee.gdp, accountant.gdp(), 1e-12);
}

TEST(SynthesisPlan, GivesEachHalfOfASplitTheWholeBudget) {
  SynthesisTerms terms = synthesisTerms(5, 0, 1, 1e-6);
  terms.components = 2;
  terms.projection.source = ProjectionSource::kSplit;
  const SynthesisPlan plan = planOf(terms);
  const double mu = gdpOfEpsilonDelta(1, 1e-6);
  EXPECT_NEAR(plan.projection->mu(), mu, 1e-7);
  EXPECT_NEAR(std::hypot(plan.means->mu(), plan.scatter->mu()), mu, 1e-7);
  EXPECT_LE(plan.guarantee.gdp, mu);
  EXPECT_EQ(plan.guarantee.delta, 1e-6);
  EXPECT_EQ(plan.guarantee.parts.size(), 3u);
  // One half may be pure and the other not.
  terms.projection.noise = SynthesisNoise::kLaplace;
  EXPECT_EQ(planOf(terms).projection->budget, 1);
  EXPECT_EQ(planOf(terms).guarantee.delta, 1e-6);
}

TEST(SynthesisPlan, HasASpectrumOfLeastVarianceWhateverDeltaIs) {
  SynthesisTerms terms = synthesisTerms(10, 0, 1, 1e-6);
  terms.task = SynthesisTask::kSpectrum;
  EXPECT_EQ(planOf(terms).spectrum->kind, SynthesisNoise::kLaplace);
  EXPECT_EQ(planOf(terms).guarantee.delta, 0);
  // For two eigenvalues the noise on a ball is smaller; with a huge delta Gaussian noise is.
  terms.components = 2;
  EXPECT_EQ(planOf(terms).spectrum->kind, SynthesisNoise::kFrobenius);
  terms.delta = 0.5;
  EXPECT_EQ(planOf(terms).spectrum->kind, SynthesisNoise::kGaussian);
}

TEST(SynthesisPlan, PaysForTheErrorsOfEigenvaluesComputedInDoubles) {
  const double trace = std::ldexp(1.0, 2 * kRowBits);
  for (const int d : {1, 3, 30, 100, 300}) {
    for (const int p : {1, (d + 1) / 2, d}) {
      SynthesisTerms terms = synthesisTerms(d);
      terms.task = SynthesisTask::kSpectrum;
      terms.components = p;
      terms.noise = SynthesisNoise::kLaplace;
      const SynthesisPlan plan = planOf(terms);
      EXPECT_EQ(plan.guarantee.numerics, Numerics::kExact);
      // (d + 8)^2 2^-50 of 2^20 rows, and a rounding of each, for both of two neighbours.
      const double error = (d + 8.0) * (d + 8) * 0x1p14, root = std::sqrt(p);
      const double moved = std::min(p, 2) * trace;
      const Step& step = *plan.spectrum;
      EXPECT_GE(double(step.query.l1), moved + p + 2 * root * error);
      EXPECT_LE(double(step.query.l1), moved + p + 2 * root * error + 1);
      const double l2 = std::sqrt(double(step.query.l2_squared));
      EXPECT_GE(l2, std::sqrt(std::min(p, 2)) * trace + root + 2 * error - 1e-3);
      EXPECT_LE(l2, std::sqrt(std::min(p, 2)) * trace + root + 2 * error + 2.001);
      EXPECT_EQ(double(step.query.blocks_l2), l2);
      // The noise that is drawn covers it.
      EXPECT_GE(16 * double(step.width), double(step.query.l1));
      EXPECT_LT(double(step.query.l1), moved * (d <= 100 ? 1.00011 : 1.005)) << "little of it";
    }
  }
}

TEST(SynthesisPlan, StatesItsAssumptions) {
  const auto assumes = [](const SynthesisTerms& terms, const std::string& word) {
    for (const std::string& line : planOf(terms).guarantee.assumes) {
      if (line.find(word) != std::string::npos) return true;
    }
    return false;
  };
  SynthesisTerms terms = synthesisTerms(5, 2);
  EXPECT_FALSE(assumes(terms, "labels are public"));
  EXPECT_FALSE(assumes(terms, "projection"));
  terms.labels_public = true;
  EXPECT_TRUE(assumes(terms, "labels are public"));
  terms.components = 2;
  terms.projection.source = ProjectionSource::kPublic;
  EXPECT_TRUE(assumes(terms, "rows that determine the projection are public"));
  terms.projection.source = ProjectionSource::kSplit;
  EXPECT_TRUE(assumes(terms, "chosen by position alone"));
}

TEST(SynthesisPlan, HasLessNoiseIfNoRowCanChangeItsClass) {
  SynthesisTerms terms = synthesisTerms(5, 2);
  terms.noise = SynthesisNoise::kLaplace;
  const Step moves = *planOf(terms).scatter;
  EXPECT_NEAR(double(moves.query.l1), 6 * std::ldexp(1.0, 2 * kRowBits), 1);
  terms.labels_public = true;
  const Step stays = *planOf(terms).scatter;
  EXPECT_NEAR(double(stays.query.l1), std::sqrt(20) * std::ldexp(1.0, 2 * kRowBits), 1e3);
  // Nor is anything spent on counts.
  EXPECT_NEAR(stays.budget, moves.budget / 0.95, 1e-15);
}

TEST(SynthesisPlan, SizesTheUnitBallByTheColumnsWithoutTheLabel) {
  SynthesisTerms terms = synthesisTerms(4, 3);
  terms.row_norm = std::sqrt(5.0);
  EXPECT_EQ(planOf(terms).unit, 2);
  EXPECT_EQ(planOf(terms).features, 4);
  EXPECT_EQ(planOf(terms).classes, 3);
  EXPECT_EQ(planOf(terms).label_feature, 4);
  terms.row_norm = 1.5;
  EXPECT_EQ(planOf(terms).unit, 1.5);
}

TEST(SynthesisPlan, UsesACoarserGridForResidualsIfTheNoiseIsLarge) {
  SynthesisTerms terms = synthesisTerms(300, 0, 1e-4);
  terms.noise = SynthesisNoise::kLaplace;
  const SynthesisPlan plan = planOf(terms);
  EXPECT_LT(plan.scatter_bits, kRowBits);
  // The same noise in units of the unit ball.
  terms.epsilon = 1;
  EXPECT_EQ(planOf(terms).scatter_bits, kRowBits);
  EXPECT_NEAR(plan.scatter->sd() * 1e-4, planOf(terms).scatter->sd(), 1e-6 * plan.scatter->sd());
}

TEST(SynthesisPlan, RejectsInconsistentTerms) {
  const auto refused = [](SynthesisTerms terms) {
    const Result<SynthesisPlan> plan = planSynthesis(terms);
    return plan.ok() ? std::string("none")
                     : codeName(plan.error().code) + (":" + plan.error().field);
  };
  const SynthesisTerms density = synthesisTerms(4), classes = synthesisTerms(4, 2),
                       number = regressionTerms(4);
  const auto with = [](SynthesisTerms terms, auto change) {
    change(terms);
    return terms;
  };
  using T = SynthesisTerms;
  EXPECT_EQ(refused(density), "none");
  EXPECT_EQ(refused(with(density, [](T& t) { t.neighbours = Neighbours::kAddRemove; })),
            "invalid-neighbours:neighbours");
  EXPECT_EQ(refused(with(density, [](T& t) { t.unit = Unit::kParticipant; })), "invalid-unit:unit");
  EXPECT_EQ(refused(with(density, [](T& t) { t.missing = MissingRule::kDrop; })),
            "invalid-missing-rule:missing");
  EXPECT_EQ(refused(with(density, [](T& t) { t.label = 1; })), "invalid-synthesis:label");
  EXPECT_EQ(refused(with(classes, [](T& t) { t.label = 0; })), "invalid-synthesis:label");
  EXPECT_EQ(refused(with(classes, [](T& t) { t.label = 5; })), "invalid-synthesis:label");
  EXPECT_EQ(refused(with(classes, [](T& t) { t.label = -1; })), "invalid-synthesis:label");
  EXPECT_EQ(refused(with(classes, [](T& t) { t.task = SynthesisTask::kRegression; })),
            "invalid-synthesis:label");
  EXPECT_EQ(refused(with(number, [](T& t) { t.labels_public = true; })),
            "invalid-synthesis:labelsPublic");
  EXPECT_EQ(refused(with(density, [](T& t) { t.about_mean = true; })),
            "invalid-synthesis:aboutMean");
  EXPECT_EQ(refused(with(number, [](T& t) { t.covariance = CovarianceChoice::kShared; })),
            "invalid-synthesis:covariance");
  EXPECT_EQ(refused(with(density, [](T& t) { t.epsilon = 0; })), "invalid-epsilon:epsilon");
  EXPECT_EQ(refused(with(density, [](T& t) { t.delta = 1; })), "invalid-delta:delta");
  EXPECT_EQ(refused(with(density, [](T& t) { t.noise = SynthesisNoise::kGaussian; })),
            "invalid-delta:delta");
  EXPECT_EQ(refused(with(density, [](T& t) { t.row_norm = 0; })), "invalid-row-norm:rowNorm");
  for (const double radius : {0.0, -1.0, 4.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(refused(with(density, [&](T& t) { t.radius = radius; })), "invalid-row-norm:radius");
  }
  EXPECT_EQ(refused(with(density, [](T& t) { t.components = 2; })),
            "invalid-components:components");
  EXPECT_EQ(refused(with(density, [](T& t) { t.projection.source = ProjectionSource::kPublic; })),
            "invalid-components:components");
  EXPECT_EQ(refused(with(density, [](T& t) { t.components = 5; })),
            "invalid-components:components");
  EXPECT_EQ(refused(with(density, [](T& t) { t.projection.share = 1; })),
            "invalid-synthesis:projection.share");
  EXPECT_EQ(refused(with(density, [](T& t) { t.projection.fraction = 0; })),
            "invalid-synthesis:projection.fraction");
  EXPECT_EQ(refused(with(density, [](T& t) { t.columns[2].max = -1; })), "invalid-bounds:bounds");
  EXPECT_EQ(refused(with(density,
                         [](T& t) {
                           t.task = SynthesisTask::kSpectrum;
                           t.projection.source = ProjectionSource::kPublic;
                         })),
            "invalid-synthesis:projection");
  EXPECT_EQ(refused(with(classes, [](T& t) { t.columns = {t.columns[4]}, t.label = 0; })),
            "invalid-dimension:columns");
  EXPECT_EQ(refused(with(density, [](T& t) { t.epsilon = 1e-30; })), "noise-too-large:epsilon");
}

}  // namespace synthesis_plan_test
}  // namespace pm
