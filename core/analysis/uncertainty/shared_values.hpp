#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {

/// The covariance between views that clipping may have added (`NoisyCovariance::centre_spread`),
/// within a view 0; empty for none.
Eigen::MatrixXd spreadBetween(Eigen::MatrixXd centre_spread,
                              const std::vector<std::vector<int>>& views);

/// The views of a covariance, the shared values computed from them (correlations for two views),
/// and a family of populations around it: with the noisy blocks of the views as they are and other
/// shared values between them.
class SharedValues {
 public:
  /// @param data  has been checked
  /// @param views disjoint lists of feature indices, at least two
  /// @param k     number of values
  SharedValues(const NoisyCovariance& data, const std::vector<std::vector<int>>& views, int k);

  /// The largest weight, for z (without `Frame::mix`), that each feature of a view can have in a
  /// variate of variance 1.
  Eigen::VectorXd mostWeights(std::size_t v) const;

  /// The k values of given moments, not limited to 1.
  Eigen::VectorXd of(const Eigen::MatrixXd& covariance, const NoiseLaw& noise) const;

  /// The D x D covariance with the first k values shifted; zero outside the views.
  Eigen::MatrixXd covariance(const Eigen::VectorXd& shift) const;

  /// The same, where values beyond the k, which noise also makes too large, are shifted like the
  /// last of them, at most down to 0.
  Eigen::MatrixXd allMoved(const Eigen::VectorXd& shift) const;

  /// The covariance with the first `kept` values alone, all others 0, and with denoised variances
  /// within the views, so that draws of releases have the spread of the noisy blocks.
  Eigen::MatrixXd onlyFirst(int kept) const;

 private:
  Eigen::MatrixXd composed(const Eigen::VectorXd& shift, const Eigen::MatrixXd& root) const;
  double others() const { return static_cast<double>(views_.size() - 1); }
  double edgeOf(const NoiseLaw& noise) const;
  Eigen::VectorXd part(const Eigen::VectorXd& direction, std::size_t v) const;
  Eigen::MatrixXd block(const Eigen::MatrixXd& covariance, std::size_t v, std::size_t w) const;
  std::vector<Spectrum> blocksOf(const Eigen::MatrixXd& covariance) const;
  Eigen::MatrixXd cross(const Eigen::MatrixXd& covariance,
                        const std::vector<Eigen::MatrixXd>& whiteners, std::size_t v,
                        std::size_t w) const;
  Eigen::MatrixXd whitened(const Eigen::MatrixXd& covariance,
                           const std::vector<Eigen::MatrixXd>& whiteners) const;

  std::vector<std::vector<int>> views_;
  std::vector<int> columns_;
  Frame frame_;
  int components_;
  std::vector<Eigen::MatrixXd> bases_;
  std::vector<bool> plain_;  ///< whether the basis is the identity: no indicators in the view
  std::vector<Eigen::Index> starts_;
  Eigen::Index total_ = 0;
  Eigen::MatrixXd whitened_;    ///< the blocks between the views; zero on the diagonal
  Spectrum directions_;         ///< of whitened_
  Eigen::MatrixXd root_;        ///< D x total: C = root root^T for unrelated views
  Eigen::MatrixXd clean_root_;  ///< the same with denoised variances
};

}  // namespace pm
