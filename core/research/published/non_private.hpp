#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/research/published/registry.hpp"

namespace pm {

/// The exact second moments as numbers in scaled units, for comparison with a private result. There
/// is no guarantee: these are the data. The function is in the research module, a separate file
/// that production pages do not load.
/// `totals` are packed like those of ExactGram::totals; one grid unit is row_norm^2 2^(-2 bits).
std::vector<double> nonPrivateMoments(std::span<const Int128> totals, double row_norm, int bits);

/// `scatter` itself, the reference for comparisons. No guarantee.
Eigen::MatrixXd nonPrivateScatter(const Eigen::MatrixXd& scatter, const PublishedParams&, Drbg&);

}  // namespace pm
