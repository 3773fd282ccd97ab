#pragma once

#include <Eigen/Core>
#include <vector>

namespace pm {

/// One Gaussian of a mixture over the study's features, scaled units (RowEncoder): the features of
/// a label column included where the label is a number, left out where it is a class.
struct RowComponent {
  double weight;               ///< > 0; those of a model add up to 1
  Eigen::VectorXd mean;        ///< one entry a feature
  Eigen::MatrixXd covariance;  ///< symmetric, positive semidefinite
  int level = -1;              ///< of the class label that all of its rows have; -1 without one
};

/// What synthetic rows are drawn from. It follows from releases alone, so rows drawn from it cost
/// no further privacy.
struct RowModel {
  std::vector<RowComponent> components;
};

}  // namespace pm
