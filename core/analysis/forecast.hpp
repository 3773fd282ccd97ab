#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/noise_law.hpp"
#include "core/result.hpp"

namespace pm {

/// A row norm at which releases shorten their rows, and the share of the releases that do.
struct ClipRadius {
  double radius = 0;  ///< scaled units, positive
  double share = 1;   ///< shares are not negative and sum to 1
};

/// What is assumed of the data, in scaled units; stated, never computed from rows.
struct Assumption {
  Eigen::VectorXd mean;        ///< D
  Eigen::MatrixXd covariance;  ///< D x D, positive semidefinite
  /// Study column of each feature. The features of a column that has several are indicators.
  std::vector<int> columns;
};

/// In which directions of the two views the assumed correlations lie.
enum class Planting {
  kAlike,     ///< spread over all principal directions of a view alike, small ones too
  kLeading,   ///< the largest correlation along each view's largest principal direction, and so on
  kTrailing,  ///< the largest along the smallest: noise drowns those first
};

/// What is known before any data are: how many rows, the law of the noise, and what is assumed of
/// the data.
struct ForecastInput : Assumption {
  double rows = 0;                ///< n, at least 2
  bool rowsArePublic = true;      ///< replace-one; under add-remove the noise of the count is felt
  double constant = 0;            ///< c, the constant coordinate, scaled units, positive
  SumNoise noise;                 ///< of the sum of all releases
  std::vector<ClipRadius> radii;  ///< at least one
  double traceBound = 0;          ///< R^2, positive, as the analyses will be told

  std::vector<int> x;  ///< features of the first view, or none
  std::vector<int> y;  ///< features of the second view, none also in x
  /// Canonical correlations assumed between the views, each in [0, 1): at most as many as the
  /// smaller view has directions that vary. The covariance between the views is then what they make
  /// it, whatever `covariance` holds there.
  std::vector<double> correlations;
  Planting planting = Planting::kAlike;

  double target = 0.5;  ///< for `rowsFor`, positive
  /// For `rowsFor`: whether more rows come with more releases, so that the variance of the noise in
  /// the sums grows as they do (unit participant).
  bool noiseGrows = false;
  /// What to simulate. With neither, a call takes O(D^2).
  bool simulateDenoised = true;
  bool simulateCorrelations = true;
};

/// What to expect of one canonical correlation as `cca` estimates it.
struct CorrelationForecast {
  double truth = 0;             ///< as assumed
  double expected = 0;          ///< mean of the estimate
  double sd = 0;                ///< standard deviation of the estimate
  double error = 0;             ///< root mean square of estimate - truth: noise and sampling
  double sampling = 0;          ///< the same without noise
  double noiseFloor = 0;        ///< mean of the pair's noise floor
  double chanceBelowFloor = 0;  ///< that the estimate is reported as below its noise floor
  /// In at least 90 % of studies the estimate is above its noise floor and within `margin` of the
  /// truth; infinite where too many are below the floor.
  double margin = 0;
};

/// Errors of the scaled covariance as assembled are root mean squares of the Frobenius norm.
struct Forecast {
  double noise = 0;      ///< that privacy noise adds
  double clipping = 0;   ///< that shortening rows adds
  double sampling = 0;   ///< by which the covariance of n rows misses that of their population
  double total = 0;      ///< all three
  double denoised = 0;   ///< noise after `denoised`; 0 unless simulated
  double zero = 0;       ///< error of answering zero: |C|_F
  double shortened = 0;  ///< share of the rows that are shortened
  /// The fewest rows at which `total` is at most target x zero, the noise in the sums being what it
  /// is (or growing, see `noiseGrows`); infinite where more rows do not help.
  double rowsFor = 0;
  NoiseLaw entries;    ///< of the covariance's entries: root mean squares, as `covarianceNoise`
  double meanSd = 0;   ///< sd of the noise in each scaled mean
  double countSd = 0;  ///< sd of the noise in the number of rows; 0 where that is public
  std::vector<CorrelationForecast> correlations;  ///< in descending order of truth
  double noiseFloor = 0;  ///< mean of the floor of the first correlation; 0 without correlations
};

/// Expected errors from public numbers (docs/forecast.md has the formulas and how near they come).
///
/// Covariance: variances of the noise's entries, to all orders in the noise of the mean and of the
/// count, for normal noise; sampling error of normal rows; shortened rows by a beta law for their
/// squared length, numbers being normal and moved to their bounds (indicators have length 1).
///
/// `denoised` and the correlations: a small simulation of this library's own estimators with a
/// fixed seed, so that equal questions have equal answers and answers move smoothly with the
/// question. The estimate's linear part has a known variance and is used as a control variate, so
/// that few draws suffice. For more than 40 features in the views (60 for `denoised`) a thinner
/// problem with the same spectral edges stands in.
/// @returns kNoRows, kInvalidDimension, kWrongLength, kNotFinite, kInvalidNoise, kInvalidRowNorm
///          (constant, radii, bound), kInvalidView, kInvalidComponents (more correlations than
///          directions, or outside [0, 1))
Result<Forecast> forecast(const ForecastInput& input);

/// Share of the rows that are longer than each of `radii` (scaled units), by the same beta law:
/// for adaptive clipping, whose releases choose their radius by it.
/// @returns kInvalidDimension, kWrongLength, kNotFinite, kInvalidRowNorm (a radius)
Result<std::vector<double>> forecastLengths(const Assumption& assumed,
                                            const std::vector<double>& radii);

}  // namespace pm
