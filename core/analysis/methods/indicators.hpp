#pragma once

#include <Eigen/Core>
#include <vector>

namespace pm {

/// An orthonormal basis of the directions of a view that can vary: all except, for each category
/// whose indicators are all in the view, their sum, which is constant. It consists of Helmert
/// contrasts and preserves the law of rotation-invariant noise.
/// @param view    d feature indices
/// @param columns study column of every feature; if empty, the basis has all directions
/// @returns d x the number of directions
Eigen::MatrixXd varyingDirections(const std::vector<int>& view, const std::vector<int>& columns);

}  // namespace pm
