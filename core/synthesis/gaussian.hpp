#pragma once

#include <Eigen/Core>

#include "core/result.hpp"
#include "core/synthesis/noise.hpp"
#include "core/synthesis/plan.hpp"
#include "core/synthesis/table.hpp"

namespace pm {

/// A released Gaussian in the coordinates of the projection, units of the unit ball; a number label
/// is the last coordinate, in [-1, 1].
struct ReleasedGaussian {
  int level = -1;              ///< of the class; -1 without one
  double rows = 0;             ///< of the class, with noise unless public; >= 1
  Eigen::VectorXd mean;        ///< p, or p + 1
  Eigen::MatrixXd covariance;  ///< positive semidefinite
};

/// The noisy mean of rows v on the grid of 2^kRowBits, units of the unit ball, shortened to the
/// longest v there can be.
Eigen::VectorXd releaseMean(const SynthesisPlan& plan, const IntegerRows& rows, NoiseSource& noise);

/// One Gaussian of rows v on the grid of 2^kRowBits: m = noisy mean of v, shortened to the longest
/// v there can be; then the noisy mean of w w^T, w = v - m shortened to the radius, repaired. The
/// corrected form of Algorithms 1 and 2 of Chanyaswad, Liu, Mittal 2017; of joint sums
/// `gaussiansOf`. docs/mechanisms/pca-gauss.md. Error kIntegrity.
Result<ReleasedGaussian> fitGaussian(const SynthesisPlan& plan, const IntegerRows& rows,
                                     NoiseSource& noise);

}  // namespace pm
