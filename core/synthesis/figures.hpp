#pragma once

#include <Eigen/Core>
#include <span>
#include <utility>
#include <vector>

#include "core/moments/encoding.hpp"
#include "core/result.hpp"

namespace pm {

/// Figures of rows and the standard errors they have as those of the law that the rows were drawn
/// from, whatever that law is: to first order, from moments up to the fourth. Original units.
struct RowFigures {
  Eigen::VectorXd means;  ///< D, of an indicator its share
  Eigen::VectorXd meanErrors;
  Eigen::VectorXd deviations;  ///< D
  Eigen::VectorXd deviationErrors;
  Eigen::MatrixXd correlations;  ///< D x D; 0 where a feature does not vary
  Eigen::MatrixXd correlationErrors;
  std::vector<Eigen::VectorXd> canonical;        ///< of each pair of views, largest first
  std::vector<Eigen::VectorXd> canonicalErrors;  ///< those of normal rows, (1 - r^2) / sqrt n
};

/// Two views, lists of features.
using ViewPair = std::pair<std::vector<int>, std::vector<int>>;

/// With a and b standardised, the error of a correlation r is that of a mean of
/// a b - r (a^2 + b^2) / 2.
/// @param cells   rows x columns, row by row, as `drawRows` gives them; at least one row
/// @param most    canonical correlations of a pair, at least 1
/// @returns the errors of RowEncoder, of `cca`, and kWrongLength (cells)
Result<RowFigures> figuresOf(std::span<const double> cells, const std::vector<Column>& columns,
                             const std::vector<ViewPair>& pairs, int most);

/// The same of moments, D features in scaled units, with errors of 0.
/// @returns the errors of RowEncoder and of `cca`
Result<RowFigures> figuresOfMoments(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance,
                                    const std::vector<Column>& columns,
                                    const std::vector<ViewPair>& pairs, int most);

}  // namespace pm
