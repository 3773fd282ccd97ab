#pragma once

#include <vector>

#include "core/random/drbg.hpp"
#include "core/result.hpp"
#include "core/synthesis/fit/synthesis.hpp"
#include "core/synthesis/rows/figures.hpp"

namespace pm {

/// With more features than this nothing is simulated, as it would take minutes.
constexpr int kMostSimulatedFeatures = 256;

/// Figures of a model in original units and in the order of the study's features, without errors.
/// @returns the errors of `figuresOf`
Result<RowFigures> figuresWithoutErrors(const SynthesisPlan& plan, const RowModel& model,
                                        const std::vector<ViewPair>& pairs, int most);

/// Figures of a released model, in original units and in the order of the study's features, with
/// standard errors by simulation (a parametric bootstrap): taking the released Gaussians as the
/// truth, the spread of the figures of models released from equally many rows with the same noise.
/// Noise and sampling errors are simulated as normal with the correct variances, and the repair is
/// the same. Errors are infinite beyond kMostSimulatedFeatures. Directions of a projection are
/// treated as fixed. Post-processing: `random` is not privacy noise.
/// @param synthesis for a task with Gaussians
/// @returns the errors of `figuresOf`
Result<RowFigures> figuresOfModel(const SynthesisPlan& plan, const Synthesis& synthesis,
                                  const std::vector<ViewPair>& pairs, int most, Drbg& random);

}  // namespace pm
