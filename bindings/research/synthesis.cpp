// PCA-Gauss as published and its baselines.
#include <emscripten/bind.h>

#include <cmath>

#include "bindings/matrices.hpp"
#include "bindings/research/fields.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/random/entropy.hpp"
#include "core/research/synthesizers/sir.hpp"
#include "core/research/synthesizers/synthesizers.hpp"

namespace pm::js {
namespace {

val synthesizerList() {
  const std::span<const PublishedSynthesizer> all = publishedSynthesizers();
  return Value<std::vector<PublishedSynthesizer>>::of({all.begin(), all.end()});
}

Result<SynthesisParams> paramsOf(const val& options) {
  const Result<LabelKind> label = named<LabelKind>(
      options, "label", Code::kInvalidMechanism,
      {{"none", LabelKind::kNone}, {"number", LabelKind::kNumber}, {"class", LabelKind::kClass}});
  const Result<Centre> centre =
      named<Centre>(options, "centre", Code::kInvalidMechanism,
                    {{"data", Centre::kData}, {"public", Centre::kPublic}});
  const Result<BasisSource> basis =
      named<BasisSource>(options, "basis", Code::kInvalidMechanism,
                         {{"public-rows", BasisSource::kPublicRows},
                          {"laplace", BasisSource::kLaplace},
                          {"laplace-code", BasisSource::kLaplaceCode}});
  const Result<Repair> repair = named<Repair>(
      options, "repair", Code::kInvalidMechanism,
      {{"polar", Repair::kPolar}, {"shift", Repair::kShift}, {"clip", Repair::kClip}});
  if (!label.ok()) return label.error();
  if (!centre.ok()) return centre.error();
  if (!basis.ok()) return basis.error();
  if (!repair.ok()) return repair.error();
  SynthesisParams params{number(options, "epsilon")};
  params.delta = number(options, "delta");
  params.label = label.value();
  params.classes = integer(options, "classes");
  params.components = integer(options, "components");
  params.centre = centre.value();
  params.basis = basis.value();
  params.basis_share = number(options, "basisShare");
  params.label_share = number(options, "labelShare");
  params.labels_public = options["labelsPublic"].as<bool>();
  params.repair = repair.value();
  params.posterior = options["posterior"].as<bool>();
  params.sketch_rows = integer(options, "sketchRows");
  params.candidates = integer(options, "candidates");
  params.candidate_rows = integer(options, "candidateRows");
  params.drawn = integer(options, "draw");
  params.public_seed = std::uint64_t(number(options, "publicSeed"));
  return params;
}

LabelledRows labelledIn(const val& rows, int columns, const val& labels) {
  const std::vector<double> values = numbers(rows);
  const Eigen::Index count = columns > 0 ? Eigen::Index(values.size()) / columns : 0;
  return {matrixIn(rows, count), vectorIn(labels)};
}

// Runs a synthesizer on rows, for simulations. With a seed nothing is private.
val reproduceSynthesis(const val& options) {
  const PublishedSynthesizer* synthesizer = findSynthesizer(text(options, "name"));
  if (synthesizer == nullptr) {
    return failure({Code::kInvalidMechanism, "there is no such synthesizer", "name"});
  }
  const Result<SynthesisParams> params = paramsOf(options);
  if (!params.ok()) return failure(params.error());
  const int columns = integer(options, "columns");
  const SynthesisData data = {labelledIn(options["rows"], columns, options["labels"]),
                              labelledIn(options["publicRows"], columns, options["publicLabels"])};
  if (const Status wrong = checkSynthesis(*synthesizer, params.value(), data)) {
    return failure(*wrong);
  }
  const double unsafe_seed = number(options, "unsafeSeed");
  Seed seed;
  const EntropyStatus status =
      std::isnan(unsafe_seed) ? drawSeed(systemEntropy(), seed) : EntropyStatus::kOk;
  if (status != EntropyStatus::kOk) return failure(entropyError(status));
  Drbg random = std::isnan(unsafe_seed) ? Drbg(seed) : simulationDrbg(std::uint64_t(unsafe_seed));
  SynthesisReproduction result{synthesizer->run(data, params.value(), random), {}};
  if (std::isnan(unsafe_seed)) {
    result.guarantee =
        synthesizer->guarantee(params.value(), data.secret.rows.rows(), data.secret.rows.cols());
  }
  return success(result);
}

// { singularValues, components, gain }: { value }
val sir(const val& options) {
  const Result<SensitivityGain> gain =
      named<SensitivityGain>(options, "gain", Code::kInvalidMechanism,
                             {{"quadratic", SensitivityGain::kQuadratic},
                              {"linear", SensitivityGain::kLinear},
                              {"upper", SensitivityGain::kUpper},
                              {"corrected", SensitivityGain::kCorrected},
                              {"spectrum", SensitivityGain::kSpectrum}});
  if (!gain.ok()) return failure(gain.error());
  const std::vector<double> values = numbers(options["singularValues"]);
  const int components = integer(options, "components");
  if (components < 1 || std::size_t(components) > values.size()) {
    return failure({Code::kInvalidComponents,
                    "components must be from 1 to the number of singular values", "components"});
  }
  val result = success();
  put(result, "value", signalToSensitivity(values, components, gain.value()));
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(research_synthesis) {
  emscripten::function("synthesizers", &pm::js::synthesizerList);
  emscripten::function("reproduceSynthesis", &pm::js::reproduceSynthesis);
  emscripten::function("signalToSensitivity", &pm::js::sir);
}
