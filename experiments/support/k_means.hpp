// K-means and how well its clusters separate.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/random/continuous.hpp"

namespace experiments {

/// Lloyd's algorithm from a start by k-means++ (Arthur, Vassilvitskii 2007) with fixed random
/// numbers. Points are columns.
class KMeans {
 public:
  KMeans(const Eigen::MatrixXd& points, int clusters)
      : points_(points),
        squares_(points.colwise().squaredNorm()),
        clusters_(clusters),
        nearest_(std::size_t(points.cols())) {
    pm::Drbg random = pm::simulationDrbg(11);
    Eigen::MatrixXd centres = firstCentres(random);
    for (int round = 0; round < kRounds; ++round) {
      const double before = within_;
      within_ = assign(centres);
      if (within_ > before * (1 - 1e-5)) break;
      moveCentres(centres);
    }
  }

  /// Calinski and Harabasz's index (1974): variance between clusters over that within them.
  double index() const {
    const double n = double(points_.cols());
    const Eigen::VectorXd mean = points_.rowwise().mean();
    const double all = squares_.sum() - n * mean.squaredNorm();
    return (all - within_) / (clusters_ - 1) / (within_ / (n - clusters_));
  }

 private:
  static constexpr int kRounds = 40;

  Eigen::MatrixXd firstCentres(pm::Drbg& random) const {
    const Eigen::Index n = points_.cols();
    Eigen::MatrixXd centres(points_.rows(), clusters_);
    Eigen::RowVectorXd distance =
        Eigen::RowVectorXd::Constant(n, std::numeric_limits<double>::infinity());
    auto chosen = Eigen::Index(pm::uniformOpen(random) * double(n));
    for (int k = 0; k < clusters_; ++k) {
      centres.col(k) = points_.col(chosen);
      distance = distance.cwiseMin((points_.colwise() - centres.col(k)).colwise().squaredNorm());
      double left = pm::uniformOpen(random) * distance.sum();
      for (chosen = 0; chosen + 1 < n && left > distance[chosen]; ++chosen) {
        left -= distance[chosen];
      }
    }
    return centres;
  }

  /// Puts each point in the cluster of its nearest centre; returns the sum of squared distances.
  double assign(const Eigen::MatrixXd& centres) {
    Eigen::MatrixXd distances(clusters_, points_.cols());
    distances.noalias() = -2 * centres.transpose() * points_;
    distances.colwise() += centres.colwise().squaredNorm().transpose();
    double within = squares_.sum();
    for (Eigen::Index i = 0; i < points_.cols(); ++i) {
      within += distances.col(i).minCoeff(&nearest_[std::size_t(i)]);
    }
    return within;
  }

  /// A centre without points stays.
  void moveCentres(Eigen::MatrixXd& centres) const {
    Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(centres.rows(), centres.cols());
    Eigen::VectorXd counts = Eigen::VectorXd::Zero(centres.cols());
    for (Eigen::Index i = 0; i < points_.cols(); ++i) {
      const Eigen::Index k = nearest_[std::size_t(i)];
      sums.col(k) += points_.col(i);
      counts[k] += 1;
    }
    for (Eigen::Index k = 0; k < centres.cols(); ++k) {
      if (counts[k] > 0) centres.col(k) = sums.col(k) / counts[k];
    }
  }

  const Eigen::MatrixXd& points_;
  Eigen::RowVectorXd squares_;
  int clusters_;
  std::vector<Eigen::Index> nearest_;
  double within_ = std::numeric_limits<double>::infinity();
};

}  // namespace experiments
