#pragma once

#include <vector>

#include "core/analysis/bootstrap.hpp"
#include "core/analysis/cca.hpp"
#include "core/analysis/gcca.hpp"
#include "core/analysis/pca.hpp"
#include "core/result.hpp"

namespace pm {

/// Of a figure that noise and sampling error together may have made.
struct FigureInterval : Interval {
  double noiseFloor = 0;         ///< of the analysis, and of `rows` rows without any structure
  bool belowNoiseFloor = false;  ///< value <= noiseFloor: do not interpret
};

/// Of what ties d features to k variates or components, d x k each.
struct ViewIntervals {
  Eigen::MatrixXd weightsLow;  ///< original units
  Eigen::MatrixXd weightsHigh;
  Eigen::MatrixXd loadingsLow;  ///< in [-1, 1]
  Eigen::MatrixXd loadingsHigh;
};

struct SharedIntervals {
  std::vector<FigureInterval> values;  ///< k
  std::vector<ViewIntervals> views;    ///< m
  /// All varying directions of all views have more variance than noise. Where h have not, the upper
  /// ends of the first h values are 1, and of others no less than that of the h-th before them: a
  /// direction that cannot be seen may have any correlation, and with it every value may be as
  /// large as the one before was. Lower ends are then a part of the floor below their values, or
  /// lower.
  bool resolved = false;
};

/// Intervals for the population's canonical correlations (`Bootstrap::intervals`), weights and
/// loadings.
///
/// Correlations: scale kCorrelation. The family: the noisy blocks of both views, and between them
/// the directions found with moved correlations. Floors: those of `cca` and, in quadrature, the
/// first correlation of unrelated views in n rows, (sqrt dx + sqrt dy + 1/2) / sqrt n.
///
/// Weights and loadings, w, of a component above its floor: w -+ z r, with r the root mean square
/// of w* - w0, loadings as angles, arcsin. The w0 are those of the family's population, w*
/// those of draws (`Bootstrap::details`), in whichever sign their variates, of all views together,
/// agree with the observed ones, and by rank. Where two correlations are so close that draws
/// mistake their directions, r counts that. So each interval is about its estimate and holds it.
/// Below the floor a direction may be any. The intervals then are all that is possible: weights
/// within sqrt((C^-1)_ii), C the family's covariance of the view, loadings within 1.
///
/// @param input covariance and noise are taken from `bootstrap`
/// @param parts all parts of the simulation (`ccaDraws`), in their order; none: it is made here
/// @returns the errors of `cca`, and kWrongLength (draws)
Result<SharedIntervals> ccaIntervals(const Bootstrap& bootstrap, CcaInput input,
                                     const std::vector<Eigen::MatrixXd>& parts = {});

/// A part of its simulation (`Bootstrap::simulate`), `sharedDrawRows` rows: threads can make them
/// apart.
/// @returns the errors of `cca`
Result<Eigen::MatrixXd> ccaDraws(const Bootstrap& bootstrap, CcaInput input, DrawPart part);

/// Rows of a part for k components of views with so many features in all.
Eigen::Index sharedDrawRows(int components, std::size_t features);

/// The same for the values, weights and loadings of `gcca`; for two views the same numbers.
/// @param input covariance and noise are taken from `bootstrap`
/// @param parts of `gccaDraws`
/// @returns the errors of `gcca`, and kWrongLength (draws)
Result<SharedIntervals> gccaIntervals(const Bootstrap& bootstrap, GccaInput input,
                                      const std::vector<Eigen::MatrixXd>& parts = {});
Result<Eigen::MatrixXd> gccaDraws(const Bootstrap& bootstrap, GccaInput input, DrawPart part);

/// What ties features to components is D x k; weights are loadings over `half`, and so are the
/// ends.
struct PcaIntervals : ViewIntervals {
  std::vector<FigureInterval> values;  ///< k variances, scaled units
  std::vector<Interval> shares;        ///< k, of the population's total variance
  Eigen::MatrixXd correlationsLow;     ///< structure correlations, in [-1, 1]
  Eigen::MatrixXd correlationsHigh;
};

/// Intervals for the population's k largest eigenvalues and their shares of its trace, and for
/// weights, loadings and structure correlations of its components.
///
/// Values: the family has the eigenvectors found and the noisy eigenvalues as far as they are
/// positive. Floors: that of `pca`.
///
/// Loadings and correlations of a component above its floor, w, as those of `ccaIntervals`: as
/// angles, w -+ z r. Draws have the sign in which each component agrees with the observed one, and
/// are taken by rank; their population has the first k variances free of bias and the rest
/// denoised. Where two variances are so close that draws mistake their directions, r counts that.
/// Below the floor a direction may be any. The intervals then are all that is possible: loadings
/// and correlations within 1, weights within 1 / `half`.
///
/// @param input covariance and noise are taken from `bootstrap`
/// @param parts of `pcaDraws`, `pcaDrawRows` rows
/// @returns the errors of `pca`, and kWrongLength (draws)
Result<PcaIntervals> pcaIntervals(const Bootstrap& bootstrap, PcaInput input,
                                  const std::vector<Eigen::MatrixXd>& parts = {});
Result<Eigen::MatrixXd> pcaDraws(const Bootstrap& bootstrap, PcaInput input, DrawPart part);

/// Rows of a part.
Eigen::Index pcaDrawRows(int components, Eigen::Index features);

/// Standard errors of assembled moments, original units: of privacy noise, to first order, and of
/// sampling n normal rows, in quadrature.
struct MomentErrors {
  double rows = 0;             ///< of the count; 0 where it is public
  Eigen::VectorXd mean;        ///< D
  Eigen::MatrixXd covariance;  ///< D x D
};

/// With C the covariance, m the means, s_e = linear sd / (c n) and s_c = count sd / (c^2 n), scaled
/// units:
///   mean_i  s_e^2 + s_c^2 m_i^2 + C_ii / n,
///   Cov_ij  (sd of the sum's entry / n)^2 + s_e^2 (m_i^2 + m_j^2), twice as much of the latter for
///           i = j, + s_c^2 (m_i m_j - C_ij)^2 + (C_ii C_jj + C_ij^2) / n.
/// @param sums    valid for `assembleMoments`
/// @param moments what it made of them
MomentErrors momentErrors(const MomentSums& sums, const AssembledMoments& moments);

}  // namespace pm
