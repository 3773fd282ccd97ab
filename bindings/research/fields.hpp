#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bindings/fields/guarantee.hpp"
#include "core/research/audit/audit.hpp"
#include "core/research/comparison/comparison.hpp"
#include "core/research/published/registry.hpp"
#include "core/research/synthesizers/synthesizers.hpp"

namespace pm {

inline constexpr Output kEveryOutput[] = {Output::kMatrix, Output::kDirections, Output::kWeights};
inline constexpr LabelKind kEveryLabelKind[] = {LabelKind::kNone, LabelKind::kNumber,
                                                LabelKind::kClass};
inline constexpr AuditNorm kEveryAuditNorm[] = {AuditNorm::kFrobenius, AuditNorm::kUpperL1,
                                                AuditNorm::kUpperL2,   AuditNorm::kNuclear,
                                                AuditNorm::kRange,     AuditNorm::kTrace};

inline const char* name(LabelKind kind) {
  return kind == LabelKind::kNone ? "none" : kind == LabelKind::kNumber ? "number" : "class";
}

inline const char* name(AuditNorm norm) {
  switch (norm) {
    case AuditNorm::kFrobenius: return "frobenius";
    case AuditNorm::kUpperL1: return "upper-l1";
    case AuditNorm::kUpperL2: return "upper-l2";
    case AuditNorm::kNuclear: return "nuclear";
    case AuditNorm::kRange: return "range";
    case AuditNorm::kTrace: break;
  }
  return "trace";
}

template <class Field>
void fields(Field& field, const Published& mechanism) {
  field("name", mechanism.name);
  field("source", mechanism.source, "The publication.");
  field("claim", mechanism.claim, "The guarantee that it states.");
  field("truth", mechanism.truth, "What holds, and why if that is not the claim.");
  field.oneOf("output", mechanism.output, kEveryOutput,
              "An estimate of the matrix, directions, or the weights of a regression.");
}

template <class Field>
void fields(Field& field, const PublishedSynthesizer& synthesizer) {
  field("name", synthesizer.name);
  field("source", synthesizer.source, "The publication.");
  field("claim", synthesizer.claim, "The guarantee that it states.");
  field("truth", synthesizer.truth, "What holds, and why if that is not the claim.");
  field.listOf("labels", synthesizer.labels, kEveryLabelKind);
}

template <class Field>
void fields(Field& field, const AuditLook& look) {
  field("runs", look.runs, "Attacks on each of the two data sets.");
  field("epsilon", look.epsilon,
        "Epsilon, at the audited delta, is at least this: the largest of all looks so far.");
  field("gdp", look.gdp, "If the noise is normal, mu is at least this; else 0.");
  field(
      "tried", look.tried,
      "How often the attack said \"the first\": of `tried` releases of each data set, `hits` times "
      "of the first and `alarms` times of the second.");
  field("hits", look.hits);
  field("alarms", look.alarms);
}

template <class Field>
void fields(Field& field, const LawTest& test) {
  field("draws", test.draws);
  field("p", test.p);
  field("agrees", test.p >= kLawLevel, "Whether p is at least 1e-5.");
}

template <class Field>
void fields(Field& field, const AuditRows& rows) {
  field("columns", rows.columns);
  field("values", rows.values);
}

template <class Field>
void fields(Field& field, const AuditSubject& subject) {
  field("epsilon", subject.epsilon);
  field("delta", subject.delta);
  field("gdp", subject.gdp);
  field("isNormal", subject.curve == AuditCurve::kNormal);
  field("guarantee", subject.guarantee);
  field("first", subject.first);
  field("second", subject.second);
  field("hasLaw", bool(subject.uniforms), "Whether `law` may be called.");
  field.oneOf("norm", subject.norm, kEveryAuditNorm);
  field("sensitivity", subject.sensitivity);
}

}  // namespace pm

namespace pm::js {

/// Further runs of an audit, and their looks.
struct AuditRun {
  std::vector<AuditLook> looks;
  std::uint64_t runs = 0;
};

template <class Field>
void fields(Field& field, const AuditRun& run) {
  field("runs", run.runs);
  field("looks", run.looks, "The looks of these runs.");
}

/// The output of a published mechanism.
struct Reproduction {
  Eigen::MatrixXd values;
  std::optional<Guarantee> guarantee;
};

template <class Field>
void fields(Field& field, const Reproduction& made) {
  field("values", made.values);
  field("rows", made.values.rows());
  field("columns", made.values.cols());
  field("guarantee", made.guarantee);
}

/// A simulated run of capeCCA.
struct CapeResult {
  std::vector<double> values;
  double sd = 0, pooled_sd = 0, conventional_sd = 0;
  std::vector<double> exposure;
};

template <class Field>
void fields(Field& field, const CapeResult& run) {
  field("values", run.values);
  field("sd", run.sd);
  field("pooledSd", run.pooled_sd);
  field("conventionalSd", run.conventional_sd);
  field("kappas", run.exposure);
}

/// Figures of several runs of a mechanism.
struct ComparedRuns {
  std::vector<double> distances, truncated, shares;
};

template <class Field>
void fields(Field& field, const ComparedRuns& runs) {
  field("distances", runs.distances);
  field("truncated", runs.truncated);
  field("shares", runs.shares);
}

/// The output of a published synthesizer.
struct SynthesisReproduction {
  PublishedSynthesis made;
  std::optional<Guarantee> guarantee;
};

template <class Field>
void fields(Field& field, const SynthesisReproduction& result) {
  const PublishedSynthesis& made = result.made;
  field("rows", made.drawn.rows);
  field("columns", made.drawn.rows.cols());
  field("labels", made.drawn.labels);
  field("projection", made.projection.size() == 0 ? std::nullopt : std::optional(made.projection));
  field("guarantee", result.guarantee);
}

}  // namespace pm::js
