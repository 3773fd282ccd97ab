#include "core/study/study.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/mechanisms/clip_loss.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/moments/assembly.hpp"

namespace pm {
namespace {

/// Of each feature: numbers are scaled by their bounds, indicators are not.
struct Units {
  Eigen::VectorXd mid, half;
  std::vector<int> columns;
};

Units unitsOf(const RowEncoder& encoder, std::span<const Column> columns) {
  const Eigen::Index features = encoder.marks();
  Units units{Eigen::VectorXd::Zero(features), Eigen::VectorXd::Ones(features), {}};
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (columns[column].kind == Column::Kind::kNumber) {
      const auto feature = Eigen::Index(units.columns.size());
      units.mid(feature) = encoder.bounds(column).mid;
      units.half(feature) = encoder.bounds(column).half;
    }
    units.columns.insert(units.columns.end(), std::size_t(columns[column].features()), int(column));
  }
  return units;
}

// By level of the clip ladder.
std::vector<ReleaseScale> scalesOf(const Plan& plan) {
  const int levels = plan.clip_width > 0 ? kClipLevels : 1;
  std::vector<ReleaseScale> scales;
  scales.reserve(std::size_t(levels));
  for (int level = 0; level < levels; ++level) {
    scales.push_back(releaseScale(plan, clipRadius(plan.params.row_norm, level)));
  }
  return scales;
}

// What clipping took from the sum of squared lengths, scaled units.
double lossOf(const Plan& plan, const Released& release) {
  if (plan.clip_width == 0) return 0;
  const double lost = clipLoss(plan, ClipLadder(), {release.clip_counts, release.clip_level});
  return lost * plan.params.row_norm * plan.params.row_norm;
}

SumNoise noiseOf(const AssembledSums& sums, const Plan& plan, std::size_t releases) {
  return {sums.diagonal, sums.off_diagonal, sums.linear, sums.count, noiseFamily(plan.distribution),
          int(releases), plan.freedom};
}

}  // namespace

Result<Study> Study::create(StudyTerms terms) {
  const Mechanism* mechanism = findMechanism(terms.mechanism);
  if (mechanism == nullptr || mechanism->content() != Content::kMoments) {
    return Error{Code::kInvalidMechanism, "no mechanism of this name releases second moments",
                 "mechanism"};
  }
  if (terms.clipping == Clipping::kCentred) {
    return Error{Code::kInvalidClipping, "private centring reads rows twice: use releaseCentred",
                 "clipping"};
  }
  const Result<RowEncoder> encoder = RowEncoder::create(terms.columns, marksGaps(terms.missing));
  if (!encoder.ok()) return encoder.error();
  if (terms.row_norm == 0) terms.row_norm = longestRow(terms.columns);
  const Result<Plan> plan = mechanism->plan({.epsilon = terms.epsilon,
                                             .delta = terms.delta,
                                             .neighbours = terms.neighbours,
                                             .unit = terms.unit,
                                             .dimension = encoder.value().features(),
                                             .row_norm = terms.row_norm,
                                             .clipping = terms.clipping,
                                             .sites = terms.sites});
  if (!plan.ok()) return plan.error();
  Study study(std::move(terms), plan.value(), encoder.value());
  // So that terms which no rows can meet fail here, and not at the sites.
  const Result<Intake> possible = study.intake();
  if (!possible.ok()) return possible.error();
  return study;
}

Study::Study(StudyTerms terms, Plan plan, const RowEncoder& encoder)
    : terms_(std::move(terms)), plan_(std::move(plan)) {
  Units units = unitsOf(encoder, terms_.columns);
  mid_ = std::move(units.mid);
  half_ = std::move(units.half);
  feature_columns_ = std::move(units.columns);
}

Result<Intake> Study::intake() const {
  return Intake::create(intakeTerms(plan_, terms_.columns, terms_.missing));
}

Result<Released> Study::release(std::span<const double> rows, EntropySource source) const {
  Result<Intake> intake = this->intake();
  if (!intake.ok()) return intake.error();
  if (const Status wrong = intake.value().add(rows)) return *wrong;
  return pm::release(plan_, intake.value(), source);
}

Result<StudyMoments> Study::assemble(std::span<const Released> releases) const {
  Result<Assembly> assembly = Assembly::create(plan_.params.dimension);
  if (!assembly.ok()) return assembly.error();
  double lost = 0;
  for (const Released& release : releases) {
    if (release.clip_counts.size() != clipCounts(plan_)) {
      return Error{Code::kWrongLength, "the release does not have the counts of this study",
                   "clip_counts"};
    }
    const Status wrong = assembly.value().add(release.values, release.clip_level, release.rows);
    if (wrong) return *wrong;
    lost += lossOf(plan_, release);
  }
  const std::vector<ReleaseScale> scales = scalesOf(plan_);
  const Result<AssembledSums> summed = assembly.value().sum(scales, scales[0].constant);
  if (!summed.ok()) return summed.error();
  const AssembledSums& sums = summed.value();

  StudyMoments moments;
  moments.sums.packed = sums.packed;
  moments.sums.dimension = int(mid_.size());
  moments.sums.constant = scales[0].constant;
  if (sums.rows) moments.sums.rows = double(*sums.rows);
  moments.sums.noise = noiseOf(sums, plan_, releases.size());
  moments.sums.mid = mid_;
  moments.sums.half = half_;
  double bound = sums.mean_squared_radius;
  if (marksGaps(terms_.missing)) {
    Result<WithoutGaps> complete = withoutGaps({moments.sums, feature_columns_, bound});
    if (!complete.ok()) return complete.error();
    moments.sums = std::move(complete.value().sums);
    moments.gaps = std::move(complete.value().gaps);
    bound = complete.value().trace_bound;
    lost *= complete.value().inflation;
  }
  const Result<AssembledMoments> assembled = assembleMoments(moments.sums);
  if (!assembled.ok()) return assembled.error();
  static_cast<AssembledMoments&>(moments) = assembled.value();
  moments.input = {.covariance = moments.scaled_covariance,
                   .noise = moments.covariance_noise,
                   .trace_bound = bound,
                   .half = moments.sums.half,
                   .columns = feature_columns_,
                   .mean_noise = moments.mean_noise,
                   .frame = moments.sums.frame,
                   .trace_lost = lost / (moments.gaps ? moments.gaps->rows : moments.rows)};
  return moments;
}

}  // namespace pm
