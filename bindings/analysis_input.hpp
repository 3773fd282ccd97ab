#pragma once

#include <vector>

#include "bindings/convert.hpp"
#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/methods/pca.hpp"
#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"

// What every analysis is given, from the fields of a plain object.
namespace pm::js {

/// Non-negative whole numbers; anything else becomes -1, which the core refuses.
std::vector<int> indicesIn(const val& array);

/// { distribution, releases, freedom, diagonal, offDiagonal, linear, count }, the distribution as
/// releases name it; an unknown one is Gaussian.
SumNoise sumNoiseIn(const val& noise);

/// { sums, dimension, constant, rows, noise, mid, half }; `rows` null where the count is private
MomentSums momentSumsIn(const val& options);

/// { scaledCovariance, dimension, sdDiagonal, sdOffDiagonal, bound, half, columns, meanNoise }
void readNoisyCovariance(const val& options, NoisyCovariance& data);

/// The same with components; x and y, lists of features; views, a list of such lists, and rows.
PcaInput pcaInputIn(const val& options);
CcaInput ccaInputIn(const val& options);
GccaInput gccaInputIn(const val& options);

}  // namespace pm::js
