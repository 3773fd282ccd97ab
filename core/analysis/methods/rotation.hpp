#pragma once

#include <Eigen/Core>

#include "core/matrix/alignment.hpp"

namespace pm {

/// Rotations of components and factors towards loadings that are either large or small.
enum class Rotation { kNone, kVarimax, kPromax };

/// Loadings A (p x m) of standardised features on m uncorrelated standardised scores z, rotated:
/// the scores become f = U^-1 z. Columns are in no particular order.
struct RotatedLoadings {
  Eigen::MatrixXd transform;  ///< U, m x m; orthogonal for varimax
  Eigen::MatrixXd pattern;    ///< p x m, A U: the features' coefficients on all f together
  Eigen::MatrixXd structure;  ///< p x m, A U^-T: the features' correlations with each f
  Eigen::MatrixXd phi;        ///< m x m, (U^T U)^-1: the correlations of the f, 1 on the diagonal
};

/// Rotates loadings; with fewer than two columns nothing changes.
///
/// kVarimax: planar rotations in closed form, pair by pair, of rows scaled to length 1, until no
/// pair turns any more (Kaiser 1958, https://doi.org/10.1007/BF02289233). Rows of zeros are left
/// out.
/// kPromax: oblique, from varimax's loadings by least squares to their fourth power with their own
/// signs (Hendrickson & White 1964, https://doi.org/10.1111/j.2044-8317.1964.tb00244.x). Where
/// the loadings do not determine that (a column depends on others), varimax's are returned.
/// @param loadings p x m, finite
RotatedLoadings rotated(const Eigen::MatrixXd& loadings, Rotation rotation);

/// Puts columns in descending order of `explained` (m), ties as they were, and gives each the sign
/// for which the entry of `pattern` of largest magnitude is positive.
void arrange(const Eigen::VectorXd& explained, RotatedLoadings& loadings);

/// Puts columns in the order and gives them the signs for which they are nearest to those of
/// `reported` (p x m): pairs are formed by the largest cosine of columns of `structure`, then the
/// largest of those that are left, and so on.
void alignWith(const Eigen::MatrixXd& reported, RotatedLoadings& loadings);

/// Rotated principal components of D features; their scores have variance 1.
struct RotatedComponents {
  int components = 0;       ///< m, those that lie above the noise floor; others are left out
  Eigen::MatrixXd weights;  ///< D x m: score = sum_i weights_i (x_i - mean_i), x in original units
  Eigen::MatrixXd pattern;  ///< D x m, see RotatedLoadings; in [-1, 1] for varimax
  Eigen::MatrixXd structure;  ///< D x m, in [-1, 1]
  Eigen::MatrixXd phi;        ///< m x m
  /// m, shares of the total variance, scaled units: pattern times covariance with the score, summed
  /// over the features. Their sum is that of the components' own shares.
  Eigen::VectorXd shares;
};

/// The leading components of an analysis, before rotation. D x m or m.
struct LeadingComponents {
  Eigen::MatrixXd correlations;  ///< of features with scores
  Eigen::MatrixXd weights;       ///< original units; scores have the variance `values`
  Eigen::VectorXd values;        ///< not negative, scaled units
  Eigen::VectorXd shares;        ///< of the total variance
};

/// Rotates the correlations of components, in descending order of shares.
/// @param reported the structure of another rotation of the same size, with which to align the
///                 result (`alignWith`); empty for the order of `arrange`
RotatedComponents rotateComponents(const LeadingComponents& leading, Rotation rotation,
                                   const Eigen::MatrixXd& reported = {});

}  // namespace pm
