#pragma once

#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/result.hpp"

namespace pm {

/// The sums of some features alone: what releases of these columns, with the same noise, would
/// have added up to.
/// @param sums     valid for `assembleMoments`
/// @param features distinct indices, at least one
/// @returns kInvalidBounds (mix) for residuals, whose noise is mixed over the features
Result<MomentSums> selected(const MomentSums& sums, const std::vector<int>& features);

/// The covariance of some features alone. The noise keeps its law.
/// @param data has been checked
/// @returns kInvalidBounds (mix), as above
Result<NoisyCovariance> selected(const NoisyCovariance& data, const std::vector<int>& features);

}  // namespace pm
