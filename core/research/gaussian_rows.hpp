#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/random/drbg.hpp"
#include "core/research/synthesizers.hpp"
#include "core/synthesis/model.hpp"

namespace pm {

/// How many of `drawn` rows each component gets: its share by weight, to the nearest whole number
/// (halves to the even one) and at least 2, so that the sum can differ a little from `drawn`.
std::vector<Eigen::Index> rowsOfComponents(const std::vector<RowComponent>& components, int drawn);

/// Rows drawn from normal laws, component after component: post-processing. With number labels the
/// last coordinate is the label; with class labels the component's level is.
LabelledRows drawComponents(const std::vector<RowComponent>& components, LabelKind label, int drawn,
                            Drbg& random);

/// The rows with a number label as their last column.
Eigen::MatrixXd withLabels(const Eigen::MatrixXd& rows, const Eigen::VectorXd& labels);

/// The rows whose class label is `level`.
Eigen::MatrixXd rowsOfClass(const LabelledRows& data, int level);

}  // namespace pm
