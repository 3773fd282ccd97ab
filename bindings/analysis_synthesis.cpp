// Synthetic rows from assembled moments.
#include <emscripten/bind.h>

#include <cstdint>
#include <vector>

#include "bindings/analysis_input.hpp"
#include "bindings/rows.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/random/entropy.hpp"
#include "core/synthesis/rows/moments_model.hpp"

namespace pm::js {
namespace {

LabelFeatures featuresOf(const std::vector<Column>& columns, int label) {
  if (label < 0) return {};
  return {firstFeature(columns, label), columns[std::size_t(label)].levels};
}

// { ...sums, bound, columns, label, count, seed, viewPairs, components }: `columns` as for an
// intake; `label`, the position of a category or -1; `seed`, or null for randomness from the
// system.
val synthesize(const val& options) {
  const MomentSums sums = momentSumsIn(options);
  const Result<DenoisedMoments> denoised = denoiseMoments(sums, number(options, "bound"));
  if (!denoised.ok()) return failure(denoised.error());
  const std::vector<Column> columns = columnsOf(options["columns"]);
  const int label = integer(options, "label");
  const RowModel model = modelOfSums(sums, denoised.value().moments, featuresOf(columns, label));

  Seed seed;
  const bool has_seed = options["seed"].isNumber();
  const EntropyStatus status = has_seed ? EntropyStatus::kOk : drawSeed(systemEntropy(), seed);
  if (status != EntropyStatus::kOk) return failure(entropyError(status));
  Drbg random = has_seed ? simulationDrbg(std::uint64_t(number(options, "seed"))) : Drbg(seed);
  Result<SyntheticRows> rows =
      drawRows(model, columns, label, std::int64_t(number(options, "count")), random);
  if (!rows.ok()) return failure(rows.error());
  return resultOf(drawnRows(std::move(rows).value(), columns, options));
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(analysis_synthesis) { emscripten::function("synthesize", &pm::js::synthesize); }
