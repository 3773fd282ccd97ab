#pragma once

#include <Eigen/Core>
#include <span>
#include <utility>
#include <vector>

#include "core/matrix/alignment.hpp"
#include "core/moments/encoding.hpp"
#include "core/result.hpp"

namespace pm {

/// Figures of rows, with standard errors as estimates for the law from which the rows were drawn.
/// The errors are first-order, from moments up to the fourth, for any law. Original units.
struct RowFigures {
  Eigen::VectorXd means;  ///< D; for an indicator, its share
  Eigen::VectorXd mean_errors;
  Eigen::VectorXd deviations;  ///< D
  Eigen::VectorXd deviation_errors;
  Eigen::MatrixXd correlations;  ///< D x D; 0 if a feature is constant
  Eigen::MatrixXd correlation_errors;
  std::vector<Eigen::VectorXd> canonical;         ///< for each pair of views, largest first
  std::vector<Eigen::VectorXd> canonical_errors;  ///< assuming normal rows: (1 - r^2) / sqrt n
};

/// Two views, lists of features.
using ViewPair = std::pair<std::vector<int>, std::vector<int>>;

/// Figures of rows. For standardised a and b, the error of a correlation r is that of the mean of a
/// b - r (a^2 + b^2) / 2.
/// @param cells   rows x columns, row by row, as from `drawRows`; at least one row
/// @param most    maximum number of canonical correlations of a pair, at least 1
/// @returns the errors of RowEncoder, of `cca`, and kWrongLength (cells)
Result<RowFigures> figuresOf(std::span<const double> cells, const std::vector<Column>& columns,
                             const std::vector<ViewPair>& pairs, int most);

/// The same figures from moments of D features in scaled units, with errors of 0.
/// @returns the errors of RowEncoder and of `cca`
Result<RowFigures> figuresOfMoments(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance,
                                    const std::vector<Column>& columns,
                                    const std::vector<ViewPair>& pairs, int most);

}  // namespace pm
