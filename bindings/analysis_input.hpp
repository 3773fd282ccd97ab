#pragma once

#include <vector>

#include "bindings/convert.hpp"
#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/methods/pca.hpp"
#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"

// Reads the inputs of analyses from the fields of a plain object.
namespace pm::js {

/// Non-negative whole numbers; anything else becomes -1, which the core rejects.
std::vector<int> indicesIn(const val& array);

/// { distribution, releases, freedom, diagonal, offDiagonal, linear, count }. `distribution` is the
/// name in releases; an unknown one counts as Gaussian.
SumNoise sumNoiseIn(const val& noise);

/// { centre, units }, both absent if coordinates are scaled units; `mix` and `unmix` if mixed,
/// which need `dimension`.
Frame frameIn(const val& options);

/// { sampledRows, excess }, absent if there are no gaps.
GapSampling gapsIn(const val& options);

/// { sums, dimension, constant, rows, noise, mid, half }, frameIn's and gapsIn's; `rows` is null if
/// the count is private.
MomentSums momentSumsIn(const val& options);

/// { scaledCovariance, dimension, sdDiagonal, sdOffDiagonal, bound, half, columns, meanNoise }
/// and frameIn's
void readNoisyCovariance(const val& options, NoisyCovariance& data);

/// `rotation`: 'varimax' or 'promax'; absent for none.
Rotation rotationIn(const val& options);

/// Those of readNoisyCovariance and `components`, for PCA also `rotation`. CCA also reads `rows`
/// and two lists of features, `x` and `y`; GCCA `rows` and `views`, a list of such lists.
PcaInput pcaInputIn(const val& options);
CcaInput ccaInputIn(const val& options);
GccaInput gccaInputIn(const val& options);

}  // namespace pm::js
