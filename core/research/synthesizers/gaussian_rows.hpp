#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/random/drbg.hpp"
#include "core/research/synthesizers/synthesizers.hpp"
#include "core/synthesis/rows/model.hpp"

namespace pm {

/// Number of rows for each component: its share of `drawn` by weight, rounded to the nearest
/// integer (ties to even) and at least 2, so that the sum can differ slightly from `drawn`.
std::vector<Eigen::Index> rowsOfComponents(const std::vector<RowComponent>& components, int drawn);

/// Rows drawn from normal laws, component by component (post-processing). Number labels are the
/// last coordinate; class labels are the component's level.
LabelledRows drawComponents(const std::vector<RowComponent>& components, LabelKind label, int drawn,
                            Drbg& random);

/// The rows with a number label as their last column.
Eigen::MatrixXd withLabels(const Eigen::MatrixXd& rows, const Eigen::VectorXd& labels);

/// The rows whose class label is `level`.
Eigen::MatrixXd rowsOfClass(const LabelledRows& data, int level);

}  // namespace pm
