#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/noisy_covariance.hpp"

namespace pm {

/// Weights and loadings of a view's features, which CCA and GCCA report for each view. k
/// components; a component without a variate has zeros.
struct CanonicalView {
  /// d x k: the variate sum_i weights_i (x_i - mean_i), x in original units, has estimated variance
  /// 1.
  Eigen::MatrixXd weights;
  /// d x k in [-1, 1], structure correlations of each feature with its own view's variate; 0 if the
  /// feature has no variance.
  Eigen::MatrixXd loadings;
};

/// The features of a view in units of their standard deviations.
struct StandardisedView {
  Eigen::MatrixXd axes;   ///< varying directions x d: a column for each feature, 0 without variance
  Eigen::VectorXd units;  ///< d: standard deviations in original units; 0 without variance
  int raised = 0;         ///< number of features whose variance was raised
};

/// Several views of one covariance, without the directions that cannot vary.
class Views {
 public:
  /// @param data  has been checked
  /// @param views disjoint lists of feature indices, have been checked
  Views(const NoisyCovariance& data, const std::vector<std::vector<int>>& views);

  int count() const { return static_cast<int>(bases_.size()); }
  int dimension() const { return static_cast<int>(covariance_.rows()); }

  /// Number of varying directions of view `v`.
  int dimension(int v) const { return static_cast<int>(bases_[index(v)].cols()); }

  /// The views' covariance, noisy and denoised (`denoised`).
  const Eigen::MatrixXd& noisy() const { return covariance_; }
  const Eigen::MatrixXd& clean() const { return clean_; }

  /// The block of views v and w in either.
  Eigen::MatrixXd block(const Eigen::MatrixXd& covariance, int v, int w) const;

  const NoiseLaw& noise() const { return noise_; }

  /// Standard deviation of the noise of second moments between views, and the columns t of the
  /// noise of the means in view v's varying directions (`NoiseParts`).
  double productNoise() const { return product_noise_; }
  const Eigen::MatrixXd& meanNoise(int v) const { return mean_noise_[index(v)]; }

  /// What clipping may add to the covariance of all views in their varying directions
  /// (`NoisyCovariance::centre_spread`); empty for none.
  const Eigen::MatrixXd& centreSpread() const { return centre_spread_; }

  /// Number of varying directions of each view whose noisy variance had to be raised by
  /// `flooredWhiteners` (the argument). The release says nothing about their correlations.
  std::vector<int> hidden(const std::vector<Eigen::MatrixXd>& whiteners) const;

  /// Approximate first canonical correlation of two unrelated views in n = `rows` rows: the maximum
  /// of (sqrt d_v + sqrt d_w + 1/2) / sqrt n over pairs of these views; 0 if `rows` is 0.
  double sampled(double rows) const;

  /// Whiteners of every view for the two estimators (see cca.hpp): for the noisy blocks, floored at
  /// the edge of all views' noise; for the denoised blocks, with half the edge of the view's own
  /// noise as a ridge.
  std::vector<Eigen::MatrixXd> flooredWhiteners() const;
  std::vector<Eigen::MatrixXd> ridgedWhiteners() const;

  /// Standard deviations are those of the denoised covariance, but a variance within two standard
  /// deviations of its noise is raised to that.
  StandardisedView standardised(int v) const;

  /// Features x any number: the weights, in original units, that combinations of view v's varying
  /// directions have. Those of a whole category have sum 0 in scaled units.
  Eigen::MatrixXd inOriginalUnits(int v, const Eigen::MatrixXd& directions) const;

  /// Number of features of view v with variance.
  double varyingFeatures(int v) const;

  /// Features x k: denoised covariances, in units of z (without `Frame::mix`), of view v's features
  /// with its variates.
  Eigen::MatrixXd covariances(int v, const CanonicalView& view) const;

  /// Zero weights and loadings.
  CanonicalView empty(int v, int components) const;

  /// Sets column `component` of view v from a direction of any length and sign in its varying
  /// directions. A direction without variance has no variate and leaves zeros.
  void fill(int v, const Eigen::VectorXd& direction, Eigen::Index component,
            CanonicalView& view) const;

 private:
  static std::size_t index(int v) { return static_cast<std::size_t>(v); }

  NoiseLaw noise_;
  double product_noise_ = 0;
  std::vector<Eigen::MatrixXd> mean_noise_;  ///< varying directions x columns of noise
  std::vector<Eigen::MatrixXd> bases_;       ///< features x varying directions
  /// The same for features' coordinates without `Frame::mix`: a direction's covariances with them,
  /// and its weights for them, after `centreWeights`.
  std::vector<Eigen::MatrixXd> axes_;
  std::vector<Eigen::MatrixXd> weights_;
  std::vector<bool> direct_;             ///< whether all three are the identity
  std::vector<Eigen::VectorXd> halves_;  ///< of the features
  std::vector<Eigen::VectorXd> sds_;     ///< of the features, denoised covariance
  std::vector<Eigen::Index> starts_;     ///< first row of each view
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd clean_;
  Eigen::MatrixXd centre_spread_;
};

/// Whitened noise between m >= 2 views. With q = (q_1, .., q_m), |q| = 1, a leading eigenvector of
/// the block matrix of A_v^T C_vw A_w, zero on its diagonal, and l its eigenvalue, l / (m - 1)
/// measures what the views share in this component. For two views it is a correlation, and q_1 and
/// q_2 are singular vectors divided by sqrt 2 (for more views see gcca.hpp).
class SharedNoise {
 public:
  /// @param views     of the whitened covariance
  /// @param whiteners A_v, from `flooredWhiteners`
  SharedNoise(const Views& views, const std::vector<Eigen::MatrixXd>& whiteners);

  /// The largest l / (m - 1) that noise alone would cause; with much noise above 1. With s the
  /// off-diagonal sd, the whitened noise has an expected norm of about
  ///   s max over |t| = 1 of 2 sum_v t_v |A_v|_F sqrt(sum over w != v of t_w^2 |A_w|_2^2),
  /// for two views s (|A|_2 |B|_F + |A|_F |B|_2), a bound (Chevet 1978; Gordon 1985). A norm
  /// exceeds its mean about half the time, so half its Lipschitz constant is added, more for
  /// Laplace entries, and the result is multiplied by `spectralReach`. Noise alone stays below in
  /// at least 95 % of draws.
  ///
  /// The noise of the means is another row of the noise between the views for each of its columns
  /// t, where a direction a of a view has the entry t^T a (`NoiseParts`). So the bound holds with
  /// the s of the second moments if every A is extended by the rows t^T A.
  ///
  /// What clipping may add (`Views::centreSpread`) counts in addition, with the largest eigenvalue
  /// of its whitened blocks.
  double floorOfLeading() const { return floor_; }

  /// One component.
  struct Level {
    double shown = 0;     ///< l / (m - 1); with much noise above 1
    double floor = 0;     ///< value that noise alone would cause along the same directions
    double value = 0;     ///< `shown`, corrected; in [0, 1]
    double denoised = 1;  ///< the part of the correction for noise, x / l
    Eigen::VectorXd
        kept;  ///< m, for floored variances: share of the variance that is real, in [0, 1]
  };

  /// Corrects a component for the effects of noise and of floored variances.
  /// * Noise of variance n = s^2 sum_v |A_v|_F^2 sum over w != v of |a_w|^2, a_v = A_v q_v, raises
  ///   an eigenvalue x to l = x + n / x if that is at least 2 sqrt n (Benaych-Georges & Nadakuditi
  ///   2011). Below, in the range of noise alone, x = l / 2.
  /// * A floored variance reduces correlations by the root of the share of it that is real
  ///   (`clean`). The correction is limited to a factor of two, so that noise alone does not cause
  ///   larger values than without either correction.
  /// The floor is s sum over v != w of |a_v| |a_w| (sqrt d_v + sqrt d_w + margin) / (m - 1), a
  /// bound for any directions, d_v the rows of A_v, lengths including the entry for the means; and
  /// in addition what clipping may add along the same directions; or the floor of the leading
  /// component if smaller.
  /// @param parts  q_v of one eigenvector
  /// @param excess l, positive
  Level level(const std::vector<Eigen::VectorXd>& parts, double excess) const;

  /// Divisor of correlations: the root of the shares of two views' variances, in [1/2, 1].
  static double attenuation(double kept_v, double kept_w);

 private:
  /// What clipping may add to l: of any component, and for the directions a_v = A_v q_v.
  double largestSpread() const;
  double spreadAlong(const std::vector<Eigen::VectorXd>& directions) const;

  const Views& views_;
  const std::vector<Eigen::MatrixXd>& whiteners_;
  double floor_ = 0;
};

/// Makes values descending and scales floors with them: a value is at most the previous one, and
/// its floor is to it as level.floor is to level.shown, combined in quadrature with `sampled`; at
/// most 1.
struct Ranked {
  double value = 0;
  double floor = 0;
};
Ranked ranked(const SharedNoise::Level& level, double before, double sampled);

/// Whether a component has a variate in at least two views; otherwise it cannot be interpreted.
bool hasVariates(const std::vector<CanonicalView>& views, Eigen::Index component);

/// Changes the sign of a component's variate.
void turn(CanonicalView& view, Eigen::Index component);

/// Chooses signs so that in each component the largest loading in absolute value of the first view
/// with loadings is positive; signs change in all views together.
void orient(std::vector<CanonicalView>& views);

}  // namespace pm
