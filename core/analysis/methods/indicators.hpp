#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/frame.hpp"

namespace pm {

/// An orthonormal basis of the directions of a view that can vary: all except, for each category
/// whose indicators are all in the view, their sum, which is constant. It consists of Helmert
/// contrasts and preserves the law of rotation-invariant noise. With a frame the sum is that of
/// units_j z_j, and the contrasts are orthogonal to the units.
/// @param view    d feature indices
/// @param columns study column of every feature; if empty, the basis has all directions
/// @param frame   of all features
/// @returns d x the number of directions, units of z
Eigen::MatrixXd varyingDirections(const std::vector<int>& view, const std::vector<int>& columns,
                                  const Frame& frame);

/// Weights that give the same variates, up to a constant: those of each category whose indicators
/// are all in the view have sum 0 in scaled units. Without a frame directions in the span of
/// `varyingDirections` have that already, and nothing changes.
/// @param weights d x any number, for z
void centreWeights(const std::vector<int>& view, const std::vector<int>& columns,
                   const Frame& frame, Eigen::MatrixXd& weights);

}  // namespace pm
