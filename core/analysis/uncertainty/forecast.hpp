#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise/frame.hpp"
#include "core/analysis/noise/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

/// A row norm at which releases clip their rows, and the share of the releases that use it.
struct ClipRadius {
  double radius = 0;  ///< units of `frame`, positive
  double share = 1;   ///< shares are not negative and sum to 1
  Frame frame = {};   ///< rows are clipped in these coordinates; by default scaled units
};

/// Assumptions about the data, in scaled units; stated, never computed from rows.
struct Assumption {
  Eigen::VectorXd mean;        ///< D
  Eigen::MatrixXd covariance;  ///< D x D, positive semidefinite
  /// Study column of each feature. If a column has several features, they are indicators.
  std::vector<int> columns;
};

/// The directions of the assumed correlations in the two views.
enum class Planting {
  kAlike,     ///< spread evenly over all principal directions of a view, including small ones
  kLeading,   ///< the largest correlation along each view's largest principal direction, etc.
  kTrailing,  ///< the largest along the smallest direction, which noise hides first
};

/// The input of a forecast, available before any data: number of rows, law of the noise, and
/// assumptions about the data.
struct ForecastInput : Assumption {
  double rows = 0;                ///< n, at least 2
  bool rows_are_public = true;    ///< replace-one; under add-remove the count has noise too
  Frame frame;                    ///< in which the noise has its law, as for the analyses
  double constant = 0;            ///< c, the constant coordinate, units of `frame`, positive
  SumNoise noise;                 ///< of the sum of all releases, units of `frame`
  std::vector<ClipRadius> radii;  ///< at least one
  double trace_bound = 0;         ///< R^2, positive, units of `frame`, as for the analyses
  /// D x D, units of `frame`, or empty for none: `NoisyCovariance::centre_spread`.
  Eigen::MatrixXd centre_spread = {};

  std::vector<int> x;  ///< features of the first view; may be empty
  std::vector<int> y;  ///< features of the second view, none in x
  /// Canonical correlations assumed between the views, each in [0, 1): at most as many as the
  /// smaller view has directions with variance. They determine the covariance between the views and
  /// override that part of `covariance`.
  std::vector<double> correlations;
  Planting planting = Planting::kAlike;

  double target = 0.5;  ///< for `rows_for`, positive
  /// For `rows_for`: whether more rows mean more releases, so that the variance of the noise in the
  /// sums grows with the rows (unit participant).
  bool noise_grows = false;
  /// Quantities to simulate. With neither, a call takes O(D^2).
  bool simulate_denoised = true;
  bool simulate_correlations = true;
};

/// Forecast of the estimate of one canonical correlation by `cca`.
struct CorrelationForecast {
  double truth = 0;               ///< as assumed
  double expected = 0;            ///< mean of the estimate
  double sd = 0;                  ///< standard deviation of the estimate
  double error = 0;               ///< root mean square of estimate - truth: noise and sampling
  double sampling = 0;            ///< root mean square error without noise
  double noise_floor = 0;         ///< mean of the pair's noise floor
  double chance_below_floor = 0;  ///< probability that the estimate is below its noise floor
  /// In at least 90 % of studies the estimate is above its noise floor and within `margin` of the
  /// truth; infinite if too many are below the floor.
  double margin = 0;
  /// Probability that the test of pairs at level 5 % (`ccaTests`) counts it, and so all larger
  /// ones.
  double power = 0;
};

/// Errors of the assembled scaled covariance are root mean squares of the Frobenius norm.
struct Forecast {
  double noise = 0;      ///< error due to privacy noise
  double clipping = 0;   ///< error due to clipping rows
  double sampling = 0;   ///< error of the covariance of n rows as an estimate of the population's
  double total = 0;      ///< error due to all three
  double denoised = 0;   ///< error due to noise after `denoised`; 0 unless simulated
  double zero = 0;       ///< error of answering zero: |C|_F
  double shortened = 0;  ///< share of the rows that are clipped
  /// The minimum number of rows for which `total` is at most target x zero, with constant noise in
  /// the sums (or growing, see `noise_grows`); infinite if more rows do not help.
  double rows_for = 0;
  NoiseLaw entries;     ///< noise of the covariance's entries, units of `frame`: root mean squares,
                        ///< like `covariance_noise`
  double mean_sd = 0;   ///< sd of the noise in each mean, units of `frame`
  double count_sd = 0;  ///< sd of the noise in the number of rows; 0 if it is public
  std::vector<CorrelationForecast> correlations;  ///< in descending order of truth
  double noise_floor = 0;  ///< mean of the floor of the first correlation; 0 without correlations
};

/// Expected errors from public numbers. Formulas and their accuracy: docs/forecast.md.
///
/// Covariance: variances of the entries of the noise, to all orders in the noise of the mean and of
/// the count, for normal noise; sampling error of normal rows; clipped rows by a beta law for their
/// squared length, where numbers are normal and clamped to their bounds (in scaled units indicators
/// have length 1).
///
/// `denoised` and the correlations: a small simulation of this library's own estimators with a
/// fixed seed, so that equal inputs have equal outputs and outputs change smoothly with inputs. The
/// linear part of an estimate has a known variance and serves as a control variate, so that few
/// draws suffice. With more than 40 features in the views (60 for `denoised`), a smaller problem
/// with the same spectral edges is simulated instead.
/// @returns kNoRows, kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm
///          (constant, radii, bound), kInvalidBounds (frame), kInvalidView, kInvalidComponents
///          (more correlations than directions, or outside [0, 1))
Result<Forecast> forecast(const ForecastInput& input);

/// Share of the rows that are longer than each of `radii` (units of `frame`, about its centre), by
/// the same beta law: for adaptive clipping and private centring, where releases choose their
/// radius by these shares.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidRowNorm (a radius), kInvalidBounds
///          (frame)
Result<std::vector<double>> forecastLengths(const Assumption& assumed,
                                            const std::vector<double>& radii,
                                            const Frame& frame = {});

}  // namespace pm
