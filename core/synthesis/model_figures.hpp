#pragma once

#include <vector>

#include "core/random/drbg.hpp"
#include "core/result.hpp"
#include "core/synthesis/figures.hpp"
#include "core/synthesis/synthesis.hpp"

namespace pm {

/// Beyond so many features nothing is simulated, as it would take minutes.
constexpr int kMostSimulatedFeatures = 256;

/// Figures of a released model, original units, in the order of the study's features, and their
/// standard errors by simulation: with the released Gaussians for the truth, how far the figures of
/// models would spread that were released of as many rows of them, with the same noise. Noise and
/// the chance of the rows are normal there, of the right variances, and the repair is the same.
/// Errors are infinite beyond kMostSimulatedFeatures. Directions of a projection are taken as they
/// are. Post-processing: `random` protects nobody.
/// @param synthesis of a task with Gaussians
/// @returns the errors of `figuresOf`
Result<RowFigures> figuresOfModel(const SynthesisPlan& plan, const Synthesis& synthesis,
                                  const std::vector<ViewPair>& pairs, int most, Drbg& random);

}  // namespace pm
