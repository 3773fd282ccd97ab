#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/synthesis/fit/gaussian.hpp"
#include "core/synthesis/plan/plan.hpp"

namespace pm {

/// Noisy sums of (a, v)(a, v)^T over the rows v of each class: counts, sums and second moments from
/// one query.
struct NoisyMoments {
  double constant = 1;                ///< a
  std::vector<Eigen::MatrixXd> sums;  ///< for each class, (q + 1) x (q + 1), symmetric
  std::vector<double> rows;           ///< for each class if public; else empty
  double diagonal = 0;                ///< sd of the noise in a diagonal entry
  double off_diagonal = 0;            ///< sd of the noise in any other entry
  bool labelled = false;              ///< v ends with a number label in [-1, 1]
};

/// Gaussians of the classes, level by level, for rows v whose features have length at most 1. With
/// N the rows of a class (at least the sd of their noise), m the mean, s = off_diagonal / (a N) the
/// sd of its noise:
///
///   C_c = sum of v v^T / N - m m^T + s^2 I, where the last term corrects for the noise of m;
///   pooled: their mean weighted by rows, shrunk towards a multiple of I of the same trace by the
///     share of noise in its squared distance from it (James and Stein 1961; Ledoit and Wolf 2004,
///     with known noise); covariances of a label are not changed;
///   C_c shrunk towards pooled by E|noise|^2 / (E|noise|^2 + signal), where signal is the mean
///     excess of the squared distances of the classes over their noise; fully if `shared`;
///   negative eigenvalues become 0, and those below the remaining noise are raised to it, or to the
///     mean eigenvalue if that is smaller.
///
/// Without noise, m and C_c are the moments of the rows. Post-processing.
std::vector<ReleasedGaussian> gaussiansOf(const NoisyMoments& moments, bool shared);

/// The Gaussians, in units of the unit ball, of a plan's joint sums, whose rows are in units of R.
/// @param sums for each class, or for all rows, in units of the plan's query
/// @param rows for each class if public; else empty
std::vector<ReleasedGaussian> gaussiansOf(const SynthesisPlan& plan,
                                          std::vector<Eigen::MatrixXd> sums,
                                          std::vector<double> rows, bool shared);

/// Factors from units of R to those of the unit ball, for each coordinate; a number label is not
/// clipped.
Eigen::VectorXd jointUnits(const SynthesisPlan& plan);

/// The constant coordinate of a plan's joint sums, in units of R.
double jointConstant(const SynthesisPlan& plan);

}  // namespace pm
