// Intervals by simulation, and standard errors. Options for intervals: those of the analysis,
// `sums` as for assembleMoments, `level`, `draws`, `seed` and optionally `parts`, draws made by
// other workers. Options for draws alone: the same with `part`, from 0, and the number of parts,
// `of`.
#include <emscripten/bind.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "bindings/analysis_draws.hpp"
#include "bindings/analysis_input.hpp"
#include "bindings/fields/analysis.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/noise/normal.hpp"
#include "core/analysis/uncertainty/intervals.hpp"
#include "core/analysis/uncertainty/pair_tests.hpp"

namespace pm::js {
namespace {

constexpr double kMostSeed = 9007199254740991;  // 2^53 - 1, JavaScript's largest safe integer

Result<Bootstrap> bootstrapIn(const val& options) {
  return bootstrapOf(momentSumsIn(options["sums"]), indicesIn(options["columns"]), options);
}

template <class Input>
val drawsOf(const val& options, Input (*read)(const val&),
            Result<Eigen::MatrixXd> (*make)(const Bootstrap&, Input, DrawPart)) {
  const Result<DrawPart> part = drawPartIn(options);
  if (!part.ok()) return failure(part.error());
  const Result<Bootstrap> bootstrap = bootstrapIn(options);
  if (!bootstrap.ok()) return failure(bootstrap.error());
  return drawsOut(make(bootstrap.value(), read(options), part.value()));
}

/// The parts of a simulation of shared values, whose number of rows follows from their length.
std::vector<Eigen::MatrixXd> sharedPartsIn(const val& options, const Bootstrap& bootstrap,
                                           int components) {
  const val parts = options["parts"];
  const int count = parts.isArray() ? parts["length"].as<int>() : 0;
  std::vector<Eigen::MatrixXd> result;
  for (int i = 0; i < count; ++i) {
    const Eigen::Index columns = bootstrap.columnsOf({i, count}, std::max(1, components));
    result.push_back(matrixIn(parts[i], parts[i]["length"].as<int>() / columns));
  }
  return result;
}

val drawsOfCca(const val& options) { return drawsOf(options, &ccaInputIn, &ccaDraws); }
val drawsOfGcca(const val& options) { return drawsOf(options, &gccaInputIn, &gccaDraws); }
val drawsOfPca(const val& options) { return drawsOf(options, &pcaInputIn, &pcaDraws); }

val ofCca(const val& options) {
  const Result<Bootstrap> bootstrap = bootstrapIn(options);
  if (!bootstrap.ok()) return failure(bootstrap.error());
  const CcaInput input = ccaInputIn(options);
  return resultOf(ccaIntervals(bootstrap.value(), input,
                               sharedPartsIn(options, bootstrap.value(), input.components)));
}

val ofGcca(const val& options) {
  const Result<Bootstrap> bootstrap = bootstrapIn(options);
  if (!bootstrap.ok()) return failure(bootstrap.error());
  const GccaInput input = gccaInputIn(options);
  return resultOf(gccaIntervals(bootstrap.value(), input,
                                sharedPartsIn(options, bootstrap.value(), input.components)));
}

val ofPca(const val& options) {
  const Result<Bootstrap> bootstrap = bootstrapIn(options);
  if (!bootstrap.ok()) return failure(bootstrap.error());
  const PcaInput input = pcaInputIn(options);
  const Eigen::Index rows = pcaDrawRows(input);
  return resultOf(pcaIntervals(bootstrap.value(), input, partsIn(options["parts"], rows)));
}

template <class Input>
val testsOf(const val& options, Input (*read)(const val&),
            Result<std::vector<double>> (*test)(const Bootstrap&, Input)) {
  const Result<Bootstrap> bootstrap = bootstrapIn(options);
  if (!bootstrap.ok()) return failure(bootstrap.error());
  const Result<std::vector<double>> p = test(bootstrap.value(), read(options));
  if (!p.ok()) return failure(p.error());
  val result = success();
  result.set("p", float64Array(p.value()));
  return result;
}

val testsOfCca(const val& options) { return testsOf(options, &ccaInputIn, &ccaTests); }
val testsOfGcca(const val& options) { return testsOf(options, &gccaInputIn, &gccaTests); }

// Options: those of assembleMoments, and `level`, whose half-width in standard errors is `reach`.
val errorsOf(const val& options) {
  const MomentSums sums = momentSumsIn(options);
  const Result<AssembledMoments> moments = assembleMoments(sums);
  if (!moments.ok()) return failure(moments.error());
  val result = success(momentErrors(sums, moments.value()));
  put(result, "reach", normalReach(number(options, "level")));
  return result;
}

}  // namespace

Result<Bootstrap> bootstrapOf(const MomentSums& sums, const std::vector<int>& columns,
                              const val& options) {
  const double seed = number(options, "seed");
  if (!(seed >= 0 && seed <= kMostSeed) || std::floor(seed) != seed) {
    return Error{Code::kInvalidInterval, "The seed must be a whole number from 0 to 2^53 - 1.",
                 "seed"};
  }
  return Bootstrap::create(
      sums, {number(options, "level"), integer(options, "draws"), static_cast<std::uint64_t>(seed)},
      columns);
}

Result<DrawPart> drawPartIn(const val& options) {
  const DrawPart part{integer(options, "part"), integer(options, "of")};
  if (part.of < 1 || part.index < 0 || part.index >= part.of) {
    return Error{Code::kInvalidInterval, "part must be from 0 to of - 1", "part"};
  }
  return part;
}

std::vector<Eigen::MatrixXd> partsIn(const val& parts, Eigen::Index rows) {
  std::vector<Eigen::MatrixXd> result;
  const int count = parts.isArray() ? parts["length"].as<int>() : 0;
  for (int i = 0; i < count; ++i) {
    result.push_back(matrixIn(parts[i], rows));
  }
  return result;
}

val drawsOut(const Result<Eigen::MatrixXd>& draws) {
  if (!draws.ok()) return failure(draws.error());
  val result = success();
  put(result, "draws", matrixOut(draws.value()));
  return result;
}

}  // namespace pm::js

EMSCRIPTEN_BINDINGS(bootstrap) {
  emscripten::function("ccaDraws", &pm::js::drawsOfCca);
  emscripten::function("gccaDraws", &pm::js::drawsOfGcca);
  emscripten::function("pcaDraws", &pm::js::drawsOfPca);
  emscripten::function("ccaIntervals", &pm::js::ofCca);
  emscripten::function("gccaIntervals", &pm::js::ofGcca);
  emscripten::function("pcaIntervals", &pm::js::ofPca);
  emscripten::function("ccaTests", &pm::js::testsOfCca);
  emscripten::function("gccaTests", &pm::js::testsOfGcca);
  emscripten::function("momentErrors", &pm::js::errorsOf);
}
