#include "core/research/synthesizers/synthesizers.hpp"

#include <cmath>
#include <string>

#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/research/synthesizers/blocki.hpp"
#include "core/research/synthesizers/blum_ligett_roth.hpp"
#include "core/research/synthesizers/identity_query.hpp"
#include "core/research/synthesizers/modips.hpp"
#include "core/research/synthesizers/pca_gauss_paper.hpp"

namespace pm {
namespace {

using Eigen::Index;

constexpr LabelKind kUnlabelled[] = {LabelKind::kNone};
constexpr LabelKind kNumbers[] = {LabelKind::kNumber};
constexpr LabelKind kClasses[] = {LabelKind::kClass};
constexpr LabelKind kAnyLabel[] = {LabelKind::kNone, LabelKind::kNumber, LabelKind::kClass};

std::optional<Guarantee> none(const SynthesisParams&, Index, Index) { return {}; }

constexpr PublishedSynthesizer kSynthesizers[] = {
    {"pca-gauss-1", "Chanyaswad, Liu, Mittal 2017, algorithm 1", "pure epsilon",
     "none about the data's own mean, through which a row moves all rows: 4 times epsilon for one "
     "direction. About a public centre min(p, 2)/p of epsilon for the eigenvalues; the directions "
     "are never protected",
     kUnlabelled, BasisUse::kOwn, false, &pcaGauss1Guarantee, &pcaGauss1},
    {"pca-gauss-2", "Chanyaswad, Liu, Mittal 2017, algorithm 2", "pure epsilon",
     "none about the data's own means: up to 2.7 times epsilon for 1 to 4 directions. Holds about "
     "a public centre, with more noise than required",
     kNumbers, BasisUse::kPublished, false, &pcaGauss2Guarantee, &pcaGauss2},
    {"pca-gauss-3", "Chanyaswad, Liu, Mittal 2017, algorithm 3", "pure epsilon",
     "none: the size of the noise depends on the private size of a class, so no finite epsilon "
     "covers a changed label; a changed label affects two classes; and about a class's own mean "
     "the noise is up to 3.9 times too small for 1 to 3 directions",
     kClasses, BasisUse::kPublished, false, &none, &pcaGauss3},
    {"li-bernoulli", "Li, Zhang, Winslett, Yang 2011, compressive mechanism", "pure epsilon",
     "holds, with noise for the drawn projection and also for labels", kAnyLabel, BasisUse::kRandom,
     false, &liBernoulliGuarantee, &liBernoulli},
    {"jiang-pca", "Jiang, Ji, Wang, Mohammed, Cheng, Ohno-Machado 2013, PCA", "pure epsilon",
     "holds for a basis from public rows or one with its own share of epsilon, and with noise also "
     "for labels",
     kAnyLabel, BasisUse::kCorrected, false, &jiangPcaGuarantee, &jiangPca},
    {"jiang-lda", "Jiang, Ji, Wang, Mohammed, Cheng, Ohno-Machado 2013, LDA", "pure epsilon",
     "holds for a direction from public rows, and with noise also for labels", kClasses,
     BasisUse::kDiscriminant, false, &jiangLdaGuarantee, &jiangLda},
    {"blum-ligett-roth", "Blum, Ligett, Roth 2008, algorithm 1", "pure epsilon",
     "holds, for a finite list of candidates that is random and public", kAnyLabel, BasisUse::kNone,
     false, &blumLigettRothGuarantee, &blumLigettRoth},
    {"modips", "Liu 2016, with a normal law", "pure epsilon",
     "holds, about noisy means and with noise for all classes together", kAnyLabel, BasisUse::kNone,
     false, &modipsGuarantee, &modips},
    {"modips-published", "Liu 2016, with a normal law, as in Chanyaswad, Liu, Mittal 2017",
     "pure epsilon",
     "none about the data's own mean: the noise is 4 times too small for the covariance; none with "
     "classes, as the noise depends on their private sizes. Holds about a public centre without "
     "classes",
     kAnyLabel, BasisUse::kNone, false, &publishedModipsGuarantee, &publishedModips},
    {"blocki", "Blocki, Blum, Datta, Sheffet 2012, adapted to rows", "(epsilon, delta)",
     "holds, with the least noise that its Renyi divergences require", kAnyLabel, BasisUse::kNone,
     true, &blockiGuarantee, &blocki},
    {"blocki-published", "Blocki, Blum, Datta, Sheffet 2012, adapted to rows, their noise",
     "(epsilon, delta)", "holds, using a small part of epsilon", kAnyLabel, BasisUse::kNone, true,
     &publishedBlockiGuarantee, &publishedBlocki},
    {"blocki-features", "Blocki, Blum, Datta, Sheffet 2012, columns projected instead",
     "(epsilon, delta)", "holds, by the analytic Gaussian mechanism", kAnyLabel, BasisUse::kRandom,
     true, &blockiFeaturesGuarantee, &blockiFeatures},
};

bool inBox(const Eigen::MatrixXd& matrix) {
  return matrix.size() == 0 || matrix.cwiseAbs().maxCoeff() <= 1;
}

bool within(double value, double low, double high) { return value >= low && value <= high; }

Error wrong(const char* field, const char* message) {
  return {Code::kInvalidMechanism, message, field};
}

Status checkBudget(const PublishedSynthesizer& synthesizer, const SynthesisParams& params) {
  if (!within(params.epsilon, 0x1p-20, 1e300)) {
    return Error{Code::kInvalidEpsilon, "epsilon must be a finite number of at least 2^-20",
                 "epsilon"};
  }
  if (!(params.delta >= (synthesizer.needs_delta ? 1e-300 : 0) && params.delta < 1)) {
    return Error{Code::kInvalidDelta,
                 synthesizer.needs_delta ? "this synthesizer needs a delta strictly between 0 and 1"
                                         : "delta must be at least 0 and below 1",
                 "delta"};
  }
  if (!within(params.basis_share, 0.001, 0.999)) {
    return wrong("basisShare", "basisShare must be between 0.001 and 0.999");
  }
  if (!within(params.label_share, 0.001, 0.999)) {
    return wrong("labelShare", "labelShare must be between 0.001 and 0.999");
  }
  return {};
}

Status checkSizes(const SynthesisParams& params) {
  if (!within(params.sketch_rows, 1, 10'000)) {
    return wrong("sketchRows", "sketchRows must be between 1 and 10000");
  }
  if (!within(params.candidates, 2, 100'000)) {
    return wrong("candidates", "candidates must be between 2 and 100000");
  }
  if (!within(params.candidate_rows, 1, 100'000)) {
    return wrong("candidateRows", "candidateRows must be between 1 and 100000");
  }
  if (!within(params.drawn, 2, 10'000'000)) {
    return wrong("draw", "draw must be between 2 and 10000000");
  }
  return {};
}

// Checks the cells of rows, which `field` names in errors.
Status checkRows(const LabelledRows& data, const char* field) {
  if (!data.rows.allFinite()) {
    return Error{Code::kNotFinite, "a cell is not a finite number; replace it by the centre, 0",
                 field};
  }
  if (!inBox(data.rows)) {
    return Error{Code::kInvalidBounds, "cells must be in [-1, 1]; scale them by public bounds",
                 field};
  }
  return {};
}

Status checkLabels(const LabelledRows& data, const SynthesisParams& params, const char* field) {
  if (data.labels.size() != (params.label == LabelKind::kNone ? 0 : data.rows.rows())) {
    return Error{Code::kWrongLength, "there must be one label for each row", field};
  }
  if (!data.labels.allFinite()) {
    return Error{Code::kNotFinite, "a label is not a finite number", field};
  }
  if (params.label == LabelKind::kNumber && !inBox(data.labels)) {
    return Error{Code::kInvalidBounds, "labels must be in [-1, 1]; scale them by public bounds",
                 field};
  }
  if (params.label != LabelKind::kClass) return {};
  for (const double label : data.labels) {
    if (std::floor(label) != label || !within(label, 0, params.classes - 1)) {
      return Error{Code::kInvalidLevel,
                   "a class label must be a whole number from 0 to classes - 1", field};
    }
  }
  return {};
}

Status checkKind(const PublishedSynthesizer& synthesizer, const SynthesisParams& params) {
  bool takes = false;
  for (const LabelKind kind : synthesizer.labels) takes = takes || kind == params.label;
  if (!takes) return wrong("labels", "this synthesizer needs another type of label, or none");
  if (params.label == LabelKind::kClass && !within(params.classes, 2, 1000)) {
    return Error{Code::kInvalidLevels, "classes must be between 2 and 1000", "classes"};
  }
  if (synthesizer.basis == BasisUse::kDiscriminant && params.classes != 2) {
    return Error{Code::kInvalidLevels, "this synthesizer needs exactly two classes", "classes"};
  }
  return {};
}

Status checkOpenRows(const PublishedSynthesizer& synthesizer, const SynthesisParams& params,
                     const SynthesisData& data) {
  const bool discriminant = synthesizer.basis == BasisUse::kDiscriminant;
  const bool projects =
      synthesizer.basis == BasisUse::kPublished || synthesizer.basis == BasisUse::kCorrected;
  if (synthesizer.basis == BasisUse::kCorrected && params.basis == BasisSource::kLaplaceCode) {
    return wrong("basis", "the noise of the authors' code is available for published forms only");
  }
  if (!discriminant && !(projects && params.basis == BasisSource::kPublicRows)) return {};
  if (data.open.rows.rows() < 1 || data.open.rows.cols() != data.secret.rows.cols()) {
    return Error{Code::kNoRows, "this basis needs public rows with the same columns", "publicRows"};
  }
  if (const Status bad = checkRows(data.open, "publicRows")) return bad;
  if (!discriminant) return {};
  if (const Status bad = checkLabels(data.open, params, "publicLabels")) return bad;
  if (data.open.labels.minCoeff() == data.open.labels.maxCoeff()) {
    return Error{Code::kInvalidLevel, "both classes must occur in the public rows", "publicLabels"};
  }
  return {};
}

}  // namespace

std::span<const PublishedSynthesizer> publishedSynthesizers() { return kSynthesizers; }

const PublishedSynthesizer* findSynthesizer(std::string_view name) {
  for (const PublishedSynthesizer& synthesizer : kSynthesizers) {
    if (synthesizer.name == name) return &synthesizer;
  }
  return nullptr;
}

Status checkSynthesis(const PublishedSynthesizer& synthesizer, const SynthesisParams& params,
                      const SynthesisData& data) {
  if (const Status bad = checkBudget(synthesizer, params)) return bad;
  if (const Status bad = checkSizes(params)) return bad;
  if (data.secret.rows.rows() < 2) {
    return Error{Code::kNoRows, "there must be at least two rows", "rows"};
  }
  if (!within(double(data.secret.rows.cols()), 1, 1000)) {
    return Error{Code::kInvalidDimension, "rows must have 1 to 1000 columns", "rows"};
  }
  if (params.components < 1 || params.components > data.secret.rows.cols()) {
    return Error{Code::kInvalidComponents, "components must be between 1 and the number of columns",
                 "components"};
  }
  if (const Status bad = checkRows(data.secret, "rows")) return bad;
  if (const Status bad = checkKind(synthesizer, params)) return bad;
  if (const Status bad = checkLabels(data.secret, params, "labels")) return bad;
  return checkOpenRows(synthesizer, params, data);
}

Guarantee pureSynthesis(std::span<const std::pair<std::string_view, double>> steps,
                        Numerics numerics) {
  MechanismParams plain{};
  plain.neighbours = Neighbours::kReplaceOne;
  Guarantee g = guaranteeFor(plain, numerics);
  double epsilon = 0;
  for (const auto& [what, cost] : steps) {
    epsilon += cost;
    if (steps.size() == 1) continue;
    g.parts.push_back({std::string(what), cost, 0, gdpOfPure(cost), cost * cost / 2});
  }
  setPure(g, epsilon);
  return g;
}

void assumePublicRows(Guarantee& guarantee) {
  guarantee.assumes.push_back("the rows that determine the projection are public");
}

void assumePublicLabels(Guarantee& guarantee) {
  guarantee.assumes.push_back(
      "labels are public: a replacing row has the label of the replaced one");
}

}  // namespace pm
