#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

/// Preconditions shared by the analyses. Each returns nothing, or what is wrong with its argument.
/// Everything checked here is public (released or agreed), so no message can leak.

/// A non-empty square matrix of finite numbers: kInvalidDimension, kWrongLength, kNotFinite.
Status checkMatrix(const Eigen::MatrixXd& matrix, const char* field);

/// Standard deviations that are finite and not negative: kInvalidNoise.
Status checkNoise(const NoiseLaw& noise);
Status checkNoise(const SumNoise& noise);

/// One finite positive half-range per feature: kWrongLength, kInvalidBounds.
Status checkHalf(const Eigen::VectorXd& half, Eigen::Index dimension);

/// The public bound on the trace, finite and positive: kInvalidRowNorm.
Status checkTraceBound(double bound);

/// 1 <= components <= largest: kInvalidComponents.
Status checkComponents(int components, Eigen::Index largest);

/// Existing features, at least one, none of them taken before; takes them: kInvalidView.
Status checkView(const std::vector<int>& view, const char* field, std::vector<bool>& taken);

}  // namespace pm
