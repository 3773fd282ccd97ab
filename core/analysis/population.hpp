#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/moments.hpp"
#include "core/analysis/noise_draw.hpp"
#include "core/random/drbg.hpp"

namespace pm {

/// What chance makes of a release, the same for all populations of as many features and rows.
struct Chance {
  Eigen::VectorXd mean;       ///< D standard normals: of the rows' mean
  Eigen::MatrixXd spread;     ///< W = spread spread^T ~ Wishart_D(rows - 1, I); lower if D x D
  std::vector<double> noise;  ///< packed, as MomentSums
};

/// What releases could have come out as: a population, rows sampled from it, and noise of the known
/// law on their sums. Second moments are all that is known of the population, so rows are drawn as
/// normal ones, but for the indicators of a category: as their squares are themselves and their
/// products 0, the sums of both follow from the means, whose law is known.
class Population {
 public:
  /// @param sums       the releases' sums, valid for `assembleMoments`: constant coordinate, law of
  ///                   the noise and whether the count is public are taken from here
  /// @param rows       at least 2
  /// @param mean       D, scaled units
  /// @param covariance D x D, scaled units, symmetric; negative eigenvalues are taken as 0
  /// @param columns    study column of each of the D features, or empty; features that share one
  ///                   are indicators
  Population(const MomentSums& sums, double rows, const Eigen::VectorXd& mean,
             const Eigen::MatrixXd& covariance, const std::vector<int>& columns = {});

  /// Its own moments, without sampling error or noise.
  const AssembledMoments& exact() const { return exact_; }

  /// The moments of releases about `rows` other rows of it, or only what analyses need of them:
  /// of the same generator the same numbers.
  AssembledMoments draw(Drbg& random) const;
  ScaledMoments drawScaled(Drbg& random) const;

  /// A draw in two steps, the first of which serves several populations: random numbers are a fifth
  /// of its time.
  Chance chance(Drbg& random) const;
  ScaledMoments drawScaled(const Chance& chance) const;

 private:
  MomentSums drawSums(const Chance& chance) const;
  bool indicators(Eigen::Index i, Eigen::Index j) const;

  MomentSums sums_;
  AssembledMoments exact_;
  /// covariance = root root^T. The lower triangular one is continuous, so that draws do not hang on
  /// the signs that an eigenvector solver happens to choose, and takes a third of the symmetric
  /// one's operations.
  Eigen::MatrixXd root_;
  std::vector<int> columns_;
  NoiseDraw noise_;
};

}  // namespace pm
