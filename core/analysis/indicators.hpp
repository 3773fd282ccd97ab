#pragma once

#include <Eigen/Core>
#include <vector>

namespace pm {

/// Orthonormal columns spanning the directions of a view that can vary: all of them but, for each
/// category whose indicators are all in the view, their sum, which is a constant. Being orthonormal
/// it leaves the law of rotation-invariant noise as it was. (Helmert contrasts.)
/// @param view    d feature indices
/// @param columns study column of every feature, or empty: then nothing is left out
/// @returns d x the number of directions
Eigen::MatrixXd varyingDirections(const std::vector<int>& view, const std::vector<int>& columns);

}  // namespace pm
