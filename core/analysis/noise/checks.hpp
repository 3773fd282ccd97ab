#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

/// Preconditions shared by the analyses. Each returns nothing or an error. All arguments are public
/// (released or agreed on), so messages cannot leak private data.

/// A non-empty square matrix of finite numbers: kInvalidDimension, kWrongLength, kNotFinite.
Status checkMatrix(const Eigen::MatrixXd& matrix, const char* field);

/// Standard deviations that are finite and not negative: kInvalidNoise.
Status checkNoise(const NoiseLaw& noise);
Status checkNoise(const SumNoise& noise);

/// One finite positive half-range per feature: kWrongLength, kInvalidBounds.
Status checkHalf(const Eigen::VectorXd& half, Eigen::Index dimension);

/// The public bound on the trace, finite and positive: kInvalidRowNorm.
Status checkTraceBound(double bound);

/// Nothing, or a finite matrix of this dimension (`NoisyCovariance::centre_spread`): kWrongLength.
Status checkCentreSpread(const Eigen::MatrixXd& centre_spread, Eigen::Index dimension);

/// 1 <= components <= largest: kInvalidComponents.
Status checkComponents(int components, Eigen::Index largest);

/// At least one feature; all exist and none is marked in `taken`, where they are then marked:
/// kInvalidView.
Status checkView(const std::vector<int>& view, const char* field, std::vector<bool>& taken);

}  // namespace pm
