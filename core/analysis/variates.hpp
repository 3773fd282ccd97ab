#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noisy_covariance.hpp"

namespace pm {

/// What ties a view's features to its variates: what CCA and GCCA report of each view. k
/// components; a component without a variate has zeros.
struct CanonicalView {
  /// d x k: the variate sum_i weights_i (x_i - mean_i), x in original units, has variance 1 by this
  /// estimate.
  Eigen::MatrixXd weights;
  /// d x k in [-1, 1], structure correlations: of each feature with its own view's variate; 0 where
  /// the feature has no variance.
  Eigen::MatrixXd loadings;
};

/// Several views of one covariance without the directions that cannot vary, side by side.
class Views {
 public:
  /// @param data  checked
  /// @param views disjoint lists of feature indices, checked
  Views(const NoisyCovariance& data, const std::vector<std::vector<int>>& views);

  int count() const { return static_cast<int>(bases_.size()); }
  int dimension() const { return static_cast<int>(covariance_.rows()); }

  /// Varying directions of view `v`.
  int dimension(int v) const { return static_cast<int>(bases_[index(v)].cols()); }

  /// The views' covariance as it is and with the noise taken off (`denoised`).
  const Eigen::MatrixXd& noisy() const { return covariance_; }
  const Eigen::MatrixXd& clean() const { return clean_; }

  /// The block of views v and w of either.
  Eigen::MatrixXd block(const Eigen::MatrixXd& covariance, int v, int w) const;

  const NoiseLaw& noise() const { return noise_; }

  /// Standard deviation of the noise of second moments, and t of the noise of the means in view v's
  /// varying directions (`NoiseParts`).
  double productNoise() const { return product_noise_; }
  const Eigen::VectorXd& meanNoise(int v) const { return mean_noise_[index(v)]; }

  /// How many varying directions of each view have a noisy variance that `flooredWhiteners`, given
  /// here, had to raise. As far as the release tells they have hardly any, and any correlation.
  std::vector<int> hidden(const std::vector<Eigen::MatrixXd>& whiteners) const;

  /// What the first canonical correlation of two unrelated views in so many rows is about: the
  /// largest (sqrt d_v + sqrt d_w + 1/2) / sqrt n of two of these views; 0 where `rows` is 0.
  double sampled(double rows) const;

  /// Whiteners of every view for the two estimators (see cca.hpp): of the noisy blocks, floored at
  /// the edge of all views' noise; of the clean ones, with half of its own edge as a ridge.
  std::vector<Eigen::MatrixXd> flooredWhiteners() const;
  std::vector<Eigen::MatrixXd> ridgedWhiteners() const;

  /// Features of view v that have variance.
  double varyingFeatures(int v) const;

  /// Features x k: denoised covariances, scaled units, of view v's features with its variates.
  Eigen::MatrixXd covariances(int v, const CanonicalView& view) const;

  /// Weights and loadings of no variates yet.
  CanonicalView empty(int v, int components) const;

  /// Column `component` of view v, from a direction of any length and sign in its varying
  /// directions. One without variance has no variate and leaves zeros.
  void fill(int v, const Eigen::VectorXd& direction, Eigen::Index component,
            CanonicalView& view) const;

 private:
  static std::size_t index(int v) { return static_cast<std::size_t>(v); }

  NoiseLaw noise_;
  double product_noise_ = 0;
  std::vector<Eigen::VectorXd> mean_noise_;
  std::vector<Eigen::MatrixXd> bases_;   ///< features x varying directions
  std::vector<Eigen::VectorXd> halves_;  ///< of the features
  std::vector<Eigen::VectorXd> sds_;     ///< of the features, clean covariance
  std::vector<Eigen::Index> starts_;     ///< first row of each view
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd clean_;
};

/// Whitened noise between m >= 2 views. With q = (q_1, .., q_m), |q| = 1, a leading eigenvector of
/// the block matrix of A_v^T C_vw A_w, zero on its diagonal, and l its eigenvalue, l / (m - 1) is
/// what the views share in this component: a correlation for two views, where q_1 and q_2 are
/// singular vectors over sqrt 2 (see gcca.hpp for more).
class SharedNoise {
 public:
  /// @param views     of the covariance that is whitened
  /// @param whiteners A_v: its `flooredWhiteners`
  SharedNoise(const Views& views, const std::vector<Eigen::MatrixXd>& whiteners);

  /// What noise alone, with nothing below it, shows as the largest l / (m - 1), in [0, 1]. With s
  /// the off-diagonal sd, the whitened noise has an expected norm of about
  ///   s max over |t| = 1 of 2 sum_v t_v |A_v|_F sqrt(sum over w != v of t_w^2 |A_w|_2^2),
  /// for two views s (|A|_2 |B|_F + |A|_F |B|_2), a bound (Chevet 1978; Gordon 1985). A norm
  /// exceeds its mean about half the time; half its Lipschitz constant is added, for Laplace
  /// entries more, and all is times `spectralReach`. Noise alone stays below in at least 95 % of
  /// draws.
  ///
  /// The noise of the means is a row more of the noise between the views, that of the constant
  /// coordinate, in which a direction a of a view has the entry t^T a (`NoiseParts`). So the bound
  /// holds with s that of the second moments and every A with the row t^T A below it.
  double floorOfLeading() const { return floor_; }

  /// One component.
  struct Level {
    double shown = 0;      ///< l / (m - 1)
    double floor = 0;      ///< what noise alone would show along the same directions
    double value = 0;      ///< `shown`, corrected; in [0, 1]
    double denoised = 1;   ///< the part of that correction which is for noise, x / l
    Eigen::VectorXd kept;  ///< m, the part for floored variances: share that is there, in [0, 1]
  };

  /// Corrects for what noise and floored variances do to a component.
  /// * Noise of variance n = s^2 sum_v |A_v|_F^2 sum over w != v of |a_w|^2, a_v = A_v q_v, lifts
  /// an
  ///   eigenvalue x to l = x + n / x where that is 2 sqrt n or more (Benaych-Georges & Nadakuditi
  ///   2011). Below, where noise alone has its eigenvalues, x = l / 2.
  /// * A variance that was floored makes correlations smaller, by the root of the share of it that
  ///   is there (`clean`). That is undone, but at most twofold: noise alone then shows no more than
  ///   without either correction.
  /// The floor is s sum over v != w of |a_v| |a_w| (sqrt d_v + sqrt d_w + margin) / (m - 1), a
  /// bound for any directions, d_v the rows of A_v, lengths with the entry for the means; or that
  /// of the leading component where smaller.
  /// @param parts  q_v of one eigenvector
  /// @param excess l, positive
  Level level(const std::vector<Eigen::VectorXd>& parts, double excess) const;

  /// Root of the shares of two views' variances, for dividing correlations by: in [1/2, 1].
  static double attenuation(double keptV, double keptW);

 private:
  const Views& views_;
  const std::vector<Eigen::MatrixXd>& whiteners_;
  double floor_ = 0;
};

/// Values in descending order and floors in their scale: a value is at most the one before, and its
/// floor relates to it as the floor shown does to what is shown, in quadrature with what `sampled`
/// rows show, at most 1.
struct Ranked {
  double value = 0;
  double floor = 0;
};
Ranked ranked(const SharedNoise::Level& level, double before, double sampled);

/// Whether a component has a variate in two of the views or more, without which nothing can be said
/// of it.
bool hasVariates(const std::vector<CanonicalView>& views, Eigen::Index component);

/// Changes the sign of a component's variate.
void turn(CanonicalView& view, Eigen::Index component);

/// Turns variates so that in each component the loading of largest size in the first view that has
/// any is positive; all views turn together.
void orient(std::vector<CanonicalView>& views);

}  // namespace pm
