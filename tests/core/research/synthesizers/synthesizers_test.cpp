#include "core/research/synthesizers/synthesizers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>

#include "core/research/synthesizers/basis.hpp"
#include "core/research/synthesizers/gaussian_rows.hpp"
#include "tests/support/published_synthesis_fixtures.hpp"

namespace pm {
namespace synthesizers_test {

using namespace testing_support;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const PublishedSynthesizer& the(const char* name) {
  const PublishedSynthesizer* found = findSynthesizer(name);
  EXPECT_NE(found, nullptr) << name;
  return *found;
}

PublishedSynthesis run(const PublishedSynthesizer& synthesizer, const SynthesisParams& params) {
  const SynthesisData data = twoGroups(params.label);
  EXPECT_FALSE(checkSynthesis(synthesizer, params, data)) << synthesizer.name;
  Drbg random(unsafeTestSeed(32));
  return synthesizer.run(data, params, random);
}

TEST(Synthesizers, HaveUniqueNamesAndCompleteDescriptions) {
  std::set<std::string_view> names;
  for (const PublishedSynthesizer& s : publishedSynthesizers()) {
    EXPECT_TRUE(names.insert(s.name).second) << s.name;
    EXPECT_EQ(findSynthesizer(s.name), &s);
    for (const std::string_view words : {s.source, s.claim, s.truth}) EXPECT_FALSE(words.empty());
  }
  EXPECT_EQ(findSynthesizer("nonesuch"), nullptr);
}

TEST(Synthesizers, GiveFiniteRowsForEveryKindOfLabelAndBasis) {
  for (const PublishedSynthesizer& s : publishedSynthesizers()) {
    for (const LabelKind label : s.labels) {
      for (const BasisSource basis :
           {BasisSource::kPublicRows, BasisSource::kLaplace, BasisSource::kLaplaceCode}) {
        SynthesisParams params = paramsFor(s, 1);
        params.label = label;
        params.basis = basis;
        if (s.basis == BasisUse::kCorrected && basis == BasisSource::kLaplaceCode) continue;
        const PublishedSynthesis made = run(s, params);
        EXPECT_TRUE(made.drawn.rows.allFinite()) << s.name;
        EXPECT_EQ(made.drawn.labels.size(), label == LabelKind::kNone ? 0 : made.drawn.rows.rows())
            << s.name;
        EXPECT_TRUE(made.drawn.labels.allFinite()) << s.name;
        if (s.basis == BasisUse::kOwn) {
          EXPECT_EQ(made.projection.size(), 0) << s.name;
        } else {
          EXPECT_EQ(made.projection.rows(), 3) << s.name;
          EXPECT_EQ(made.projection.cols(), made.drawn.rows.cols()) << s.name;
        }
        if (label != LabelKind::kClass) continue;
        for (const double level : made.drawn.labels)
          EXPECT_TRUE(level == 0 || level == 1) << s.name;
      }
    }
  }
}

// Rows of a class, or with number labels above 0 or below: their mean along (1, 1, 0), where the
// private rows have 0.5 and -0.5 in both columns.
double sideOf(const PublishedSynthesis& made, const SynthesisParams& params, int level) {
  const Eigen::Vector3d along(1, 1, 0);
  const VectorXd projected = made.projection.transpose() * along;
  MatrixXd rows = made.drawn.rows;
  if (params.label == LabelKind::kClass) rows = rowsOfClass(made.drawn, level);
  return meanOf(rows).dot(projected) / projected.squaredNorm();
}

TEST(Synthesizers, FindTheTwoClassesIfEpsilonIsLarge) {
  for (const PublishedSynthesizer& s : publishedSynthesizers()) {
    if (s.labels.back() != LabelKind::kClass || s.name == "blum-ligett-roth") continue;
    SynthesisParams params = paramsFor(s, 1e5);
    // The published noise of the sketch stays large; the spread of its estimates falls with r.
    if (s.name == "blocki-published") params.epsilon = 1e8;
    params.sketch_rows = 4'000;
    const PublishedSynthesis made = run(s, params);
    EXPECT_NEAR(sideOf(made, params, 0), 0.5, 0.1) << s.name;
    EXPECT_NEAR(sideOf(made, params, 1), -0.5, 0.1) << s.name;
  }
}

TEST(Synthesizers, FindTheCorrelationOfANumberLabelIfEpsilonIsLarge) {
  for (const PublishedSynthesizer& s : publishedSynthesizers()) {
    if (s.name == "blum-ligett-roth") continue;
    SynthesisParams params = paramsFor(s, 1e5);
    bool takes = false;
    for (const LabelKind kind : s.labels) takes = takes || kind == LabelKind::kNumber;
    if (!takes) continue;
    params.label = LabelKind::kNumber;
    params.classes = 0;
    if (s.name == "blocki-published") params.epsilon = 1e8;
    params.sketch_rows = 4'000;
    const PublishedSynthesis made = run(s, params);
    const VectorXd along =
        made.drawn.rows * (made.projection.transpose() * Eigen::Vector3d(1, 1, 0));
    const VectorXd centred = along.array() - along.mean();
    EXPECT_NEAR(made.drawn.labels.mean(), 0.2, 0.15) << s.name;
    const VectorXd labels = made.drawn.labels.array() - made.drawn.labels.mean();
    EXPECT_GT(centred.dot(labels) / (centred.norm() * labels.norm()), 0.8) << s.name;
  }
}

TEST(Synthesizers, WithAPublicListChooseTheCandidateOfLeastErrorIfEpsilonIsLarge) {
  SynthesisParams params = paramsFor(the("blum-ligett-roth"), 1e4);
  params.candidates = 50;
  params.candidate_rows = 20;
  const PublishedSynthesis first = run(the("blum-ligett-roth"), params);
  EXPECT_EQ(first.drawn.rows.rows(), 20);
  // Equal seeds give equal lists, different seeds different ones.
  EXPECT_EQ(run(the("blum-ligett-roth"), params).drawn.rows, first.drawn.rows);
  params.public_seed = 1;
  EXPECT_NE(run(the("blum-ligett-roth"), params).drawn.rows, first.drawn.rows);
}

TEST(Synthesizers, StateOnlyGuaranteesThatHold) {
  const auto promised = [](const char* name, auto... changes) {
    SynthesisParams params = paramsFor(the(name), 1);
    (changes(params), ...);
    return the(name).guarantee(params, 400, 3);
  };
  const auto open = [](SynthesisParams& p) { p.centre = Centre::kPublic; };
  const auto four = [](SynthesisParams& p) { p.components = 4; };
  const auto numbers = [](SynthesisParams& p) { p.label = LabelKind::kNumber; };
  const auto laplace = [](SynthesisParams& p) { p.basis = BasisSource::kLaplace; };
  const auto code = [](SynthesisParams& p) { p.basis = BasisSource::kLaplaceCode; };
  for (const char* flawed : {"pca-gauss-1", "pca-gauss-2", "pca-gauss-3", "modips-published"}) {
    EXPECT_FALSE(promised(flawed).has_value()) << flawed;
  }
  // About a public centre.
  EXPECT_DOUBLE_EQ(promised("pca-gauss-1", open, four)->epsilon, 0.5);
  EXPECT_DOUBLE_EQ(promised("pca-gauss-1", open)->epsilon, 1);
  EXPECT_DOUBLE_EQ(promised("pca-gauss-2", open)->epsilon, 6 * std::numbers::sqrt2 / 13);
  EXPECT_NEAR(promised("pca-gauss-2", open, laplace)->epsilon,
              0.3 + 0.7 * 6 * std::numbers::sqrt2 / 13, 1e-12);
  EXPECT_NEAR(promised("pca-gauss-2", open, code)->parts[0].epsilon, 0.3 * 9 / 22, 1e-12);
  EXPECT_FALSE(promised("pca-gauss-3", open).has_value());
  EXPECT_FALSE(promised("modips-published", open).has_value());
  EXPECT_DOUBLE_EQ(promised("modips-published", open, numbers)->epsilon, 1);
  // Steps add up to the whole.
  for (const char* sound :
       {"li-bernoulli", "jiang-pca", "jiang-lda", "blum-ligett-roth", "modips"}) {
    const std::optional<Guarantee> g = promised(sound);
    ASSERT_TRUE(g.has_value()) << sound;
    EXPECT_NEAR(g->epsilon, 1, 1e-9) << sound;
    EXPECT_EQ(g->delta, 0);
    EXPECT_EQ(g->neighbours, Neighbours::kReplaceOne);
    double sum = 0;
    for (const Part& part : g->parts) sum += part.epsilon;
    EXPECT_NEAR(g->parts.empty() ? 1 : sum, 1, 1e-12) << sound;
    EXPECT_EQ(g->numerics,
              std::string(sound) == "blum-ligett-roth" ? Numerics::kExact : Numerics::kIdealized);
  }
  EXPECT_NEAR(promised("blocki")->epsilon, 1, 1e-6);
  EXPECT_LE(promised("blocki")->epsilon, 1);
  EXPECT_NEAR(promised("blocki-features")->epsilon, 1, 1e-6);
  EXPECT_LT(promised("blocki-published")->epsilon, 0.01);
  EXPECT_EQ(promised("blocki-published")->delta, 1e-6);
}

TEST(Synthesizers, StateTheirPublicInputs) {
  const auto assumes = [](const char* name, const SynthesisParams& params, const char* words) {
    const Guarantee promised = *the(name).guarantee(params, 400, 3);
    for (const std::string& line : promised.assumes) {
      if (line.find(words) != std::string::npos) return true;
    }
    return false;
  };
  SynthesisParams params = paramsFor(the("jiang-pca"), 1);
  EXPECT_TRUE(assumes("jiang-pca", params, "rows that determine the projection are public"));
  EXPECT_FALSE(assumes("jiang-pca", params, "labels are public"));
  params.labels_public = true;
  EXPECT_TRUE(assumes("jiang-pca", params, "labels are public"));
  EXPECT_TRUE(the("jiang-pca").guarantee(params, 400, 3)->parts.empty());
  params.basis = BasisSource::kLaplace;
  EXPECT_FALSE(assumes("jiang-pca", params, "rows that determine the projection are public"));
  // Labels are released unchanged.
  const PublishedSynthesis made = run(the("jiang-pca"), params);
  EXPECT_EQ(made.drawn.labels, twoGroups(LabelKind::kClass).secret.labels);
}

TEST(Synthesizers, RejectUnsupportedTasks) {
  const auto refusal = [](const char* name, auto change) {
    SynthesisParams params = paramsFor(the(name), 1);
    SynthesisData data = twoGroups(params.label);
    change(params, data);
    const Status wrong = checkSynthesis(the(name), params, data);
    return wrong ? std::string(codeName(wrong->code)) + " " + wrong->field : "";
  };
  using P = SynthesisParams;
  using D = SynthesisData;
  const auto modips = [&](auto change) { return refusal("modips", change); };
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(modips([](P&, D&) {}), "");
  for (const double epsilon : {0.0, -1.0, 1e-9, inf, std::nan("")}) {
    EXPECT_EQ(modips([&](P& p, D&) { p.epsilon = epsilon; }), "invalid-epsilon epsilon");
  }
  EXPECT_EQ(modips([](P& p, D&) { p.delta = 1; }), "invalid-delta delta");
  EXPECT_EQ(refusal("blocki", [](P& p, D&) { p.delta = 0; }), "invalid-delta delta");
  EXPECT_EQ(modips([](P&, D& d) { d.secret.rows.conservativeResize(1, 3); }), "no-rows rows");
  EXPECT_EQ(modips([](P&, D& d) { d.secret.rows(2, 1) = std::nan(""); }), "not-finite rows");
  EXPECT_EQ(modips([](P&, D& d) { d.secret.rows(2, 1) = 1.01; }), "invalid-bounds rows");
  EXPECT_EQ(modips([](P&, D& d) { d.secret.labels.conservativeResize(399); }),
            "wrong-length labels");
  EXPECT_EQ(modips([](P& p, D& d) { p.label = LabelKind::kNumber, d.secret.labels[0] = 2; }),
            "invalid-bounds labels");
  EXPECT_EQ(modips([](P&, D& d) { d.secret.labels[0] = 2; }), "invalid-level labels");
  EXPECT_EQ(modips([](P&, D& d) { d.secret.labels[0] = 0.5; }), "invalid-level labels");
  EXPECT_EQ(modips([](P& p, D&) { p.classes = 1; }), "invalid-levels classes");
  EXPECT_EQ(modips([](P& p, D&) { p.components = 4; }), "invalid-components components");
  EXPECT_EQ(modips([](P& p, D&) { p.basis_share = 1; }), "invalid-mechanism basisShare");
  EXPECT_EQ(modips([](P& p, D&) { p.label_share = 0; }), "invalid-mechanism labelShare");
  EXPECT_EQ(modips([](P& p, D&) { p.sketch_rows = 0; }), "invalid-mechanism sketchRows");
  EXPECT_EQ(modips([](P& p, D&) { p.candidates = 1; }), "invalid-mechanism candidates");
  EXPECT_EQ(modips([](P& p, D&) { p.candidate_rows = 0; }), "invalid-mechanism candidateRows");
  EXPECT_EQ(modips([](P& p, D&) { p.drawn = 1; }), "invalid-mechanism draw");
  EXPECT_EQ(refusal("pca-gauss-1", [](P& p, D&) { p.label = LabelKind::kNumber; }),
            "invalid-mechanism labels");
  EXPECT_EQ(refusal("pca-gauss-3", [](P& p, D&) { p.label = LabelKind::kNone; }),
            "invalid-mechanism labels");
  const auto no_open_rows = [](P&, D& d) { d.open = {}; };
  EXPECT_EQ(refusal("pca-gauss-3", no_open_rows), "no-rows publicRows");
  EXPECT_EQ(refusal("jiang-pca", no_open_rows), "no-rows publicRows");
  EXPECT_EQ(refusal("jiang-lda", no_open_rows), "no-rows publicRows");
  EXPECT_EQ(refusal("li-bernoulli", no_open_rows), "");
  EXPECT_EQ(refusal("jiang-pca", [](P& p, D& d) { p.basis = BasisSource::kLaplace, d.open = {}; }),
            "");
  EXPECT_EQ(refusal("jiang-pca", [](P& p, D&) { p.basis = BasisSource::kLaplaceCode; }),
            "invalid-mechanism basis");
  EXPECT_EQ(refusal("jiang-lda", [](P& p, D&) { p.classes = 3; }), "invalid-levels classes");
  EXPECT_EQ(refusal("jiang-lda", [](P&, D& d) { d.open.labels.setZero(); }),
            "invalid-level publicLabels");
  EXPECT_EQ(refusal("jiang-pca", [](P&, D& d) { d.open.rows(0, 0) = 2; }),
            "invalid-bounds publicRows");
}

}  // namespace synthesizers_test
}  // namespace pm
