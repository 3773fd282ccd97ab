#pragma once

#include <optional>
#include <vector>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/methods/pca.hpp"
#include "core/analysis/uncertainty/bootstrap.hpp"
#include "core/result.hpp"

namespace pm {

/// The interval of a figure, with the floor due to noise and sampling error together.
struct FigureInterval : Interval {
  double noise_floor = 0;  ///< of the analysis, including that of `rows` rows without any structure
  bool below_noise_floor = false;  ///< value <= noise_floor: do not interpret
};

/// Intervals of weights and loadings of d features on k variates or components, d x k each.
struct ViewIntervals {
  Eigen::MatrixXd weights_low;  ///< original units
  Eigen::MatrixXd weights_high;
  Eigen::MatrixXd loadings_low;  ///< in [-1, 1]
  Eigen::MatrixXd loadings_high;
  /// p-values of the hypotheses that a weight or a loading is 0: the interval of level 1 - p ends
  /// at 0. 1 for components below their floor.
  Eigen::MatrixXd weights_p;
  Eigen::MatrixXd loadings_p;
};

struct SharedIntervals {
  std::vector<FigureInterval> values;  ///< k
  std::vector<ViewIntervals> views;    ///< m
  /// Whether all varying directions of all views have more variance than noise. If h of them are
  /// hidden, the upper ends of the first h values are 1, and those of others are at least that of
  /// the h-th before them: a hidden direction may have any correlation, and each of them can raise
  /// every value to the one before it. Lower ends are then at least a share of the floor below
  /// their values.
  bool resolved = false;
};

/// Intervals for the population's canonical correlations (`Bootstrap::intervals`), weights and
/// loadings.
///
/// Correlations: scale kCorrelation. The family: the noisy blocks of both views, and between them
/// the estimated directions with shifted correlations. Floors: those of `cca` combined in
/// quadrature with the first correlation of unrelated views in n rows, (sqrt dx + sqrt dy + 1/2) /
/// sqrt n.
///
/// Weights and loadings, w, of a component above its floor: w -+ z r, with r the root mean square
/// of w* - w0, loadings as angles, arcsin. The w0 are those of the family's population, w* those of
/// draws (`Bootstrap::details`), matched by rank, with the signs for which the variates of all
/// views together agree with the observed ones. If two correlations are so close that draws swap
/// their directions, r includes that. So each interval is centred on its estimate. Below the floor
/// a direction is arbitrary, and the intervals cover all possible values: weights within
/// sqrt((C^-1)_ii), C the family's covariance of the view, loadings within 1.
///
/// @param input covariance, noise and frame are taken from `bootstrap`
/// @param parts all parts of the simulation (`ccaDraws`), in order; if empty, it is run here
/// @returns the errors of `cca`, and kWrongLength (draws)
Result<SharedIntervals> ccaIntervals(const Bootstrap& bootstrap, CcaInput input,
                                     const std::vector<Eigen::MatrixXd>& parts = {});

/// A part of this simulation (`Bootstrap::simulate`) for parallel threads: k rows for the values,
/// and for each of the leading components up to the last above its floor, whose intervals alone
/// depend on draws, a weight and a loading of each feature.
/// @returns the errors of `cca`
Result<Eigen::MatrixXd> ccaDraws(const Bootstrap& bootstrap, CcaInput input, DrawPart part);

/// The same for the values, weights and loadings of `gcca`; for two views the same numbers.
/// @param input covariance, noise and frame are taken from `bootstrap`
/// @param parts from `gccaDraws`
/// @returns the errors of `gcca`, and kWrongLength (draws)
Result<SharedIntervals> gccaIntervals(const Bootstrap& bootstrap, GccaInput input,
                                      const std::vector<Eigen::MatrixXd>& parts = {});
Result<Eigen::MatrixXd> gccaDraws(const Bootstrap& bootstrap, GccaInput input, DrawPart part);

/// Intervals of the figures of `RotatedComponents`, in the same shapes.
struct RotationIntervals {
  Eigen::MatrixXd weights_low;
  Eigen::MatrixXd weights_high;
  Eigen::MatrixXd pattern_low;
  Eigen::MatrixXd pattern_high;
  Eigen::MatrixXd structure_low;  ///< in [-1, 1]
  Eigen::MatrixXd structure_high;
  Eigen::MatrixXd phi_low;  ///< in [-1, 1]
  Eigen::MatrixXd phi_high;
  std::vector<Interval> shares;  ///< in [0, 1]
};

/// Weights and loadings are D x k; weights and their ends are loadings divided by `half`, that of a
/// scaled unit.
struct PcaIntervals : ViewIntervals {
  std::vector<FigureInterval> values;  ///< k variances, scaled units
  std::vector<Interval> shares;        ///< k shares of the population's total variance
  Eigen::MatrixXd correlations_low;    ///< structure correlations, in [-1, 1]
  Eigen::MatrixXd correlations_high;
  Eigen::MatrixXd correlations_p;  ///< like `loadings_p`, which is that of the weights, too
  std::optional<RotationIntervals> rotated;  ///< if a rotation was asked for
};

/// Intervals for the population's k largest eigenvalues and their shares of its trace, and for
/// weights, loadings and structure correlations of its components.
///
/// Values: the family has the estimated eigenvectors and the noisy eigenvalues, with negative ones
/// set to 0, all in scaled units; its population is moved to the frame of the releases, where the
/// noise is drawn. Floors: that of `pca`.
///
/// Loadings and correlations, w, of a component above its floor are as in `ccaIntervals`: w -+ z r
/// on the scale of angles. Draws are matched by rank, with the sign for which each component agrees
/// with the observed one; in their population the first k variances are corrected for bias and the
/// rest denoised. If two variances are so close that draws swap their directions, r includes that.
/// Below the floor a direction is arbitrary, and the intervals cover all possible values: loadings
/// and correlations within 1, weights within 1 / `half`.
///
/// Rotated figures: the same, from draws in which as many components are rotated as in the report
/// and aligned with the reported ones (`alignWith`). Structure, phi and the pattern of uncorrelated
/// scores are on the scale of angles, the rest on their own.
///
/// @param input covariance, noise and frame are taken from `bootstrap`
/// @param parts from `pcaDraws`, `pcaDrawRows` rows
/// @returns the errors of `pca`, and kWrongLength (draws)
Result<PcaIntervals> pcaIntervals(const Bootstrap& bootstrap, PcaInput input,
                                  const std::vector<Eigen::MatrixXd>& parts = {});
Result<Eigen::MatrixXd> pcaDraws(const Bootstrap& bootstrap, PcaInput input, DrawPart part);

/// Rows of a part.
Eigen::Index pcaDrawRows(const PcaInput& input);

/// Standard errors of assembled moments in original units: privacy noise, to first order, and
/// sampling of n normal rows, combined in quadrature.
struct MomentErrors {
  double rows = 0;             ///< of the count; 0 if it is public
  Eigen::VectorXd mean;        ///< D
  Eigen::MatrixXd covariance;  ///< D x D
};

/// With C the covariance, m the means, s_e = linear sd / (c n) and s_c = count sd / (c^2 n), in
/// units of z, the variances are
///   mean_i  s_e^2 + s_c^2 m_i^2 + C_ii / n,
///   Cov_ij  (sd of the sum's entry / n)^2 + s_e^2 (m_i^2 + m_j^2), where the latter is doubled for
///           i = j, + s_c^2 (m_i m_j - C_ij)^2 + (C_ii C_jj + C_ij^2) / n,
/// with gaps their sampling parts as in `GapSampling`.
/// @param sums    valid for `assembleMoments`
/// @param moments its result
MomentErrors momentErrors(const MomentSums& sums, const AssembledMoments& moments);

}  // namespace pm
