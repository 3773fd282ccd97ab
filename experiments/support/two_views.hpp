// Canonical correlations of noisy moments: data of two views, ways to read a noisy matrix, and
// scores of what was read.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>

#include "core/analysis/noise/noise_law.hpp"
#include "core/random/drbg.hpp"
#include "experiments/support/results.hpp"

namespace two_views {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rows of two views side by side, centred and of length at most 1, and what is looked for in them.
struct Set {
  std::string name;
  MatrixXd rows;
  int dx = 0;          ///< columns of the first view
  int pairs = 0;       ///< canonical correlations that are compared
  int directions = 0;  ///< leading pairs whose subspaces are judged
  int clusters = 0;    ///< of K-means on the first view; 0: none

  int dimension() const { return int(rows.cols()); }
  int dy() const { return dimension() - dx; }
};

/// The mean of x x^T over some rows.
MatrixXd secondMoments(const Set& set, Index from, Index count);

/// What was read from a noisy matrix.
struct Estimate {
  VectorXd correlations;  ///< empty: none are stated
  MatrixXd x;             ///< weights of the leading pairs, one column each
  MatrixXd y;
};

/// A way to read a noisy matrix.
using Reading = std::function<Estimate(const Set&, const MatrixXd& noisy, const pm::NoiseLaw&)>;

/// As published: the noisy matrix is read as if it had no noise.
Estimate readPlainly(const Set& set, const MatrixXd& noisy, const pm::NoiseLaw& = {});

/// Eigenvalues of the blocks are raised to the edge of the noise.
Estimate readFloored(const Set& set, const MatrixXd& noisy, const pm::NoiseLaw& law);

/// Negative eigenvalues are projected away, and the edge of the noise is added to the blocks.
Estimate readRidged(const Set& set, const MatrixXd& noisy, const pm::NoiseLaw& law);

/// `denoise`, and then the textbook's analysis of what it left; directions without variance are
/// left out.
Estimate readDenoised(const Set& set, const MatrixXd& noisy, const pm::NoiseLaw& law);

/// This library's `cca`, with all correlations that it states, also those that it flags as below
/// the noise floor.
Estimate readAware(const Set& set, const MatrixXd& noisy, const pm::NoiseLaw& law);

/// Directions that need no data: the level of chance for captured correlations and clusters.
Estimate randomDirections(const Set& set, pm::Drbg& random);

/// How well an estimate does on the rows themselves.
struct Score {
  /// Sum of the true canonical correlations between the subspaces that the weights span, over that
  /// of the true leading pairs.
  double captured = 0;
  /// |r* - r^|_2 / K over K pairs, as in the papers.
  std::optional<double> error;
  /// Calinski and Harabasz's index of K-means clusters of the first view, projected to the span of
  /// its weights; 0 if there are no weights.
  std::optional<double> clusters;
};

/// Judges estimates by all rows of a set.
class Judge {
 public:
  /// Precondition: `set` outlives it.
  explicit Judge(const Set& set);

  /// The number of rows that are clustered, at most.
  static constexpr Index kClustered = 4000;

  Score score(const Estimate& estimate, bool with_clusters = true) const;

 private:
  double sumBetween(const Estimate& estimate) const;

  const Set& set_;
  MatrixXd truth_;
  Estimate optimal_;
  double all_ = 0;
  MatrixXd clustered_;
};

/// Scores of repetitions.
struct Scores {
  experiments::Moments captured, error, clusters;

  void add(const Score& score) {
    captured.add(score.captured);
    if (score.error) error.add(*score.error);
    if (score.clusters) clusters.add(*score.clusters);
  }
};

/// Independent normal noise of one deviation on and above the diagonal, as published.
pm::NoiseLaw upperTriangle(double deviation);

/// Rotation-invariant normal noise in the mean over `rows` rows of length at most 1, for one row
/// replaced, with the exact calibration. The variance is `growth` times that of one trusted holder.
pm::NoiseLaw rotationInvariant(double epsilon, double delta, double rows, double growth = 1);

MatrixXd withNoise(const MatrixXd& moments, const pm::NoiseLaw& law, pm::Drbg& random);

}  // namespace two_views
