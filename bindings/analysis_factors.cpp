// Factor analysis. Options: those of assembleMoments as `sums`, those of readNoisyCovariance,
// `features`, a list of indices, `factors`, `rotation` and `rows`; for intervals also those of
// analysis_bootstrap.cpp.
#include <emscripten/bind.h>

#include <utility>

#include "bindings/analysis_draws.hpp"
#include "bindings/analysis_input.hpp"
#include "bindings/fields/analysis.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/noise/checks.hpp"
#include "core/analysis/noise/selection.hpp"
#include "core/analysis/uncertainty/factor_intervals.hpp"

namespace pm::js {
namespace {

/// The sums of the chosen features, and what is known of their covariance.
struct Question {
  MomentSums sums;
  FactorInput input;
};

Result<Question> questionIn(const val& options) {
  const MomentSums sums = momentSumsIn(options["sums"]);
  FactorInput input;
  readNoisyCovariance(options, input);
  const Result<AssembledMoments> whole = assembleMoments(sums);
  if (!whole.ok()) return whole.error();
  const std::vector<int> features = indicesIn(options["features"]);
  std::vector<bool> taken(static_cast<std::size_t>(sums.dimension));
  if (const Status wrong = checkNoisyCovariance(input)) return *wrong;
  if (const Status wrong = checkView(features, "features", taken)) return *wrong;
  const Result<MomentSums> some = selected(sums, features);
  if (!some.ok()) return some.error();
  const Result<NoisyCovariance> part =
      selected(static_cast<const NoisyCovariance&>(input), features);
  if (!part.ok()) return part.error();
  Question question{some.value(), {}};
  static_cast<NoisyCovariance&>(question.input) = part.value();
  // The law of the noise is that of these features alone.
  const Result<AssembledMoments> moments = assembleMoments(question.sums);
  if (!moments.ok()) return moments.error();
  question.input.covariance = moments.value().scaled_covariance;
  question.input.noise = moments.value().covariance_noise;
  question.input.mean_noise = moments.value().mean_noise;
  question.input.factors = integer(options, "factors");
  question.input.rotation = rotationIn(options);
  question.input.rows = number(options, "rows");
  return question;
}

val factors(const val& options) {
  const Result<Question> question = questionIn(options);
  if (!question.ok()) return failure(question.error());
  return resultOf(factorAnalysis(question.value().input));
}

val draws(const val& options) {
  const Result<DrawPart> part = drawPartIn(options);
  if (!part.ok()) return failure(part.error());
  const Result<Question> question = questionIn(options);
  if (!question.ok()) return failure(question.error());
  const FactorInput& input = question.value().input;
  const Result<Bootstrap> bootstrap = bootstrapOf(question.value().sums, input.columns, options);
  if (!bootstrap.ok()) return failure(bootstrap.error());
  return drawsOut(factorDraws(bootstrap.value(), input, part.value()));
}

val intervals(const val& options) {
  const Result<Question> question = questionIn(options);
  if (!question.ok()) return failure(question.error());
  const FactorInput& input = question.value().input;
  const Result<Bootstrap> bootstrap = bootstrapOf(question.value().sums, input.columns, options);
  if (!bootstrap.ok()) return failure(bootstrap.error());
  const Eigen::Index rows = factorDrawRows(input.half.size(), input.factors);
  return resultOf(factorIntervals(bootstrap.value(), input, partsIn(options["parts"], rows)));
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(factors) {
  emscripten::function("factors", &pm::js::factors);
  emscripten::function("factorDraws", &pm::js::draws);
  emscripten::function("factorIntervals", &pm::js::intervals);
}
