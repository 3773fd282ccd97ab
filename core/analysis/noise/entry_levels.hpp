#pragma once

#include <Eigen/Core>

#include "core/analysis/noise/noise_law.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"

namespace pm {

/// The level, in standard deviations, that none of `entries` off-diagonal entries of this noise
/// exceeds in absolute value in at least 19 of 20 releases, whatever their dependence: each does
/// with probability at most 0.05 / entries. For normal noise the quantile. Other families have
/// heavier tails: an entry is, or has the kurtosis of, a difference of two Gamma variables of shape
///   Laplace            releases,
///   density exp(-|E|/s) in N coordinates   releases (N + 1) / 2,
///   Wishart            releases freedom / 2,
///   two-sided Wishart  releases freedom,
/// and the quantile is multiplied by the ratio of Chernoff's bounds for that law and the normal.
/// @param dimension D, of the whole matrix
/// @param entries at least 1
double entryReach(const NoiseLaw& noise, int dimension, double entries);

/// D x D, units of z: that level for each entry of the covariance, from the noise of the second
/// moments, that of the means (`NoiseParts`) and, if `rows` is set, the sampling of n normal rows
/// of uncorrelated features, which have the variances c_ii c_jj / n off the diagonal. What clipping
/// may have added (`NoisyCovariance::centre_spread`) counts in full.
/// @param rows n, or 0 for noise alone
/// @param entries of how many entries none may exceed its level
Eigen::MatrixXd entryLevels(const NoisyCovariance& data, double rows, double entries);

}  // namespace pm
