#pragma once

#include <Eigen/Core>

#include "core/analysis/uncertainty/bootstrap.hpp"

namespace pm {

/// Intervals of figures that are drawn along with a family (`Bootstrap::details`), each about its
/// estimate w: w -+ z r, r the root mean square of w* - w0 (docs/analysis.md).
///
/// @param place index of the figure in the draws
/// @param z     half-width in standard deviations
Interval weightAt(double weight, Eigen::Index place, const DetailDraws& draws, double z);

/// The same on the scale of angles, for figures between -1 and 1.
Interval loadingAt(double loading, Eigen::Index place, const DetailDraws& draws, double z);

/// Of the hypothesis that the figure is 0: the interval of level 1 - p ends there.
double pValueAt(double figure, bool is_angle, Eigen::Index place, const DetailDraws& draws);

/// The intervals of a matrix, column by column from index `place`, which is moved past them.
void matrixIntervals(const Eigen::MatrixXd& figures, bool are_angles, const DetailDraws& draws,
                     double z, Eigen::Index& place, Eigen::MatrixXd& low, Eigen::MatrixXd& high);

}  // namespace pm
