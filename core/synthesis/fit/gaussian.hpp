#pragma once

#include <Eigen/Core>

#include "core/result.hpp"
#include "core/synthesis/plan/noise.hpp"
#include "core/synthesis/plan/plan.hpp"
#include "core/synthesis/plan/table.hpp"

namespace pm {

/// A released Gaussian in the coordinates of the projection, in units of the unit ball. A number
/// label is the last coordinate, in [-1, 1].
struct ReleasedGaussian {
  int level = -1;              ///< of the class; -1 without classes
  double rows = 0;             ///< in the class, noisy unless public; >= 1
  Eigen::VectorXd mean;        ///< p, or p + 1
  Eigen::MatrixXd covariance;  ///< positive semidefinite
};

/// The noisy mean of rows v on the grid of 2^kRowBits, in units of the unit ball, clipped to the
/// largest possible length of v.
Eigen::VectorXd releaseMean(const SynthesisPlan& plan, const IntegerRows& rows, NoiseSource& noise);

/// One Gaussian of rows v on the grid of 2^kRowBits: m = noisy mean of v, clipped to the largest
/// possible length of v; then the noisy mean of w w^T, w = v - m clipped to the radius, repaired.
/// The corrected form of Algorithms 1 and 2 of Chanyaswad, Liu, Mittal 2017. For joint sums see
/// `gaussiansOf`. docs/mechanisms/pca-gauss.md. Error kIntegrity.
Result<ReleasedGaussian> fitGaussian(const SynthesisPlan& plan, const IntegerRows& rows,
                                     NoiseSource& noise);

}  // namespace pm
