#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/matrix/alignment.hpp"

namespace pm {

/// One Gaussian of a mixture over the study's features, in scaled units (RowEncoder). A label
/// column is included if it is a number and left out if it is a class.
struct RowComponent {
  double weight;               ///< > 0; the weights of a model have sum 1
  Eigen::VectorXd mean;        ///< one entry per feature
  Eigen::MatrixXd covariance;  ///< symmetric, positive semidefinite
  int level = -1;              ///< class label of its rows; -1 without one
};

/// The law of synthetic rows. It is computed from releases alone, so drawing rows costs no further
/// privacy.
struct RowModel {
  std::vector<RowComponent> components;
};

}  // namespace pm
