#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/synthesis/gaussian.hpp"
#include "core/synthesis/plan.hpp"

namespace pm {

/// Noisy sums of (a, v)(a, v)^T over the rows v of each class: rows, sums and second moments from
/// one query.
struct NoisyMoments {
  double constant = 1;                ///< a
  std::vector<Eigen::MatrixXd> sums;  ///< of each class, (q + 1) x (q + 1), symmetric
  std::vector<double> rows;           ///< of each class where public; else empty
  double diagonal = 0;                ///< sd of the noise in an entry of the diagonal
  double off_diagonal = 0;            ///< in any other entry
  bool labelled = false;              ///< v ends with a number label in [-1, 1]
};

/// Gaussians of the classes, level by level, for rows v whose features are at most 1 long. With N
/// the rows of a class (at least their noise), m the mean, s = off_diagonal / (a N) its noise:
///
///   C_c = sum of v v^T / N - m m^T + s^2 I, of which the last makes up for the noise of m;
///   pooled: their mean by rows, moved towards a multiple of I of the same trace by the share that
///     noise has in its squared distance from that (James and Stein 1961; Ledoit and Wolf 2004,
///     with a noise that is known); a label's covariances are left as they are;
///   C_c moved towards pooled by E|noise|^2 / (E|noise|^2 + signal), signal what the squared
///     distances of the classes have beyond their noise, on average; `shared`: all the way;
///   negative eigenvalues become 0, and those below the noise that is left become that, or the mean
///     eigenvalue if it is smaller.
///
/// Where there is no noise m and C_c are the moments of the rows. Post-processing.
std::vector<ReleasedGaussian> gaussiansOf(const NoisyMoments& moments, bool shared);

/// The same of a plan's joint sums, whose rows are in units of R, in units of the unit ball.
/// @param sums of each class, or of all rows, in units of the plan's query
/// @param rows of each where public; else empty
std::vector<ReleasedGaussian> gaussiansOf(const SynthesisPlan& plan,
                                          std::vector<Eigen::MatrixXd> sums,
                                          std::vector<double> rows, bool shared);

/// What turns units of R into those of the unit ball, coordinate by coordinate: a number label is
/// not shortened.
Eigen::VectorXd jointUnits(const SynthesisPlan& plan);

/// The constant coordinate of a plan's joint sums, in units of R.
double jointConstant(const SynthesisPlan& plan);

}  // namespace pm
