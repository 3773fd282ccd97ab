#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/random/drbg.hpp"

namespace pm {

/// The random numbers of a simulated release, usable for all populations with the same numbers of
/// features and rows.
struct Chance {
  Eigen::VectorXd mean;       ///< D standard normals for the mean of the rows
  Eigen::MatrixXd spread;     ///< W = spread spread^T ~ Wishart_D(rows - 1, I); lower if D x D
  std::vector<double> noise;  ///< packed like MomentSums
  /// With gaps: the standard normals of each column's part of the sampling error, and D x D for
  /// that of gaps of two columns at once.
  std::vector<Eigen::VectorXd> gaps;
  Eigen::MatrixXd gap_pairs;
};

/// Simulates releases: a population, rows sampled from it, and noise of the known law on their
/// sums. Only second moments of the population are known, so rows are normal, except for the
/// indicators of a category: in scaled units their squares are themselves and their products 0, so
/// the sums of both follow from the means, whose law is known. If the mean of z changes by d, that
/// of z_i^2 changes by (1 - 2 centre_i) d_i / units_i and that of z_i z_j by
/// -(centre_j d_i / units_j + centre_i d_j / units_i).
///
/// With gaps (`GapSampling`): a row has column i with a chance of 1 / (1 + q_i), so it counts with
/// the weight 1 + e_i, e_i of mean 0 and variance q_i. The sampling error of the covariance is
/// then the sum of four uncorrelated parts with the weights 1, e_i, e_j and e_i e_j of the products
/// z_i z_j. Each has the law of that of complete rows, a Wishart matrix, here normal but for the
/// first, the second of which column i has of its own; without the last two on the diagonal.
class Population {
 public:
  /// @param sums       the releases' sums, valid for `assembleMoments`, which define the constant
  /// coordinate, the law of the noise, the frame and whether the count is public
  /// @param rows       at least 2
  /// @param mean       D, units of z
  /// @param covariance D x D, units of z, symmetric; negative eigenvalues count as 0
  /// @param columns    study column of each of the D features, or empty; features that share one
  ///                   are indicators
  Population(const MomentSums& sums, double rows, const Eigen::VectorXd& mean,
             const Eigen::MatrixXd& covariance, const std::vector<int>& columns = {});

  /// The moments of the population, without sampling error or noise.
  const AssembledMoments& exact() const { return exact_; }

  /// The moments of simulated releases for `rows` new rows, or only the part that analyses need;
  /// both use the generator in the same way.
  AssembledMoments draw(Drbg& random) const;
  ScaledMoments drawScaled(Drbg& random) const;

  /// A draw in two steps, the first of which can be shared by several populations: random numbers
  /// take a fifth of the time.
  Chance chance(Drbg& random) const;
  ScaledMoments drawScaled(const Chance& chance) const;

 private:
  MomentSums drawSums(const Chance& chance) const;
  bool indicators(Eigen::Index i, Eigen::Index j) const;
  struct Features {
    Eigen::Index first, count;
  };
  std::vector<Features> featuresOfColumns() const;
  double sampledRows() const;
  /// Adds what gaps add to the errors of the mean and of the covariance.
  void addGapErrors(const Chance& chance, Eigen::VectorXd& mean, Eigen::MatrixXd& covariance) const;
  double ofIndicators(Eigen::Index i, Eigen::Index j, const Eigen::VectorXd& mean) const;

  MomentSums sums_;
  AssembledMoments exact_;
  /// covariance = root root^T. The lower triangular root is continuous, so draws do not depend on
  /// the arbitrary signs of eigenvectors, and it takes a third of the operations of the symmetric
  /// root.
  Eigen::MatrixXd root_;
  std::vector<int> columns_;
  NoiseDraw noise_;  ///< of `MomentSums::noise_map`'s other rows, if there is one
};

}  // namespace pm
