#include "core/analysis/noise/checks.hpp"

#include <cmath>
#include <string>

#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/analysis/noise/unequal_units.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

/// Minimum share of the second moments in the variance of the noise: the means contribute at most
/// twice as much in each of two directions.
constexpr double kLeastProducts = 0.1;

/// Margin for the spread of an outlier, in units of an entry's standard deviation times |t|.
constexpr double kOutlierMargin = 1.5;

bool finiteAndPositive(double value) { return std::isfinite(value) && value > 0; }

bool finiteAndNotNegative(double value) { return std::isfinite(value) && value >= 0; }

/// The longest M w for unit w, and the margin for the spread of an outlier along it: several
/// columns of one length have a longer noise together, like the norm sqrt D + sqrt k of a D x k
/// matrix of normals (Gordon 1985), k the columns' squared lengths over that of the longest.
struct Longest {
  Eigen::VectorXd combination;
  double margin = 0;
};

/// @param matrix M, at least one column
Longest longestOf(const Eigen::MatrixXd& matrix) {
  if (matrix.cols() == 1) return {matrix, kOutlierMargin};
  const Spectrum products = spectrum(multiplyTransposed(matrix, matrix));
  const double longest = products.values[0];
  const double columns = longest > 0 ? std::max(1.0, products.values.sum() / longest) : 1;
  return {matrix * products.vectors.col(0), kOutlierMargin + 2.5 * (std::sqrt(columns) - 1)};
}

/// The floor of noise alone for data with a frame. Features of small units count for less than one
/// in the dimension on which `spectralReach` depends (a rule that fits simulations, which a test
/// repeats).
double floorInUnits(const NoisyCovariance& data, const NoiseParts& parts) {
  Eigen::VectorXd units = data.frame.units;
  Eigen::MatrixXd means = parts.means;
  if (data.frame.isMixed()) {
    // The noise has the same law in the axes of x = units (mix z), in which the frame is diagonal.
    const Spectrum axes = spectrum(
        multiply(multiply(data.frame.mix, units.cwiseAbs2().asDiagonal()), data.frame.mix));
    units = axes.values.cwiseSqrt();
    means = multiplyTransposed(axes.vectors, means);
  }
  const double most = units.maxCoeff();
  const auto dimension = static_cast<int>(std::ceil((units / most).squaredNorm()));
  const double reach = spectralReach(data.noise, dimension);
  const double edge = edgeInUnits(units, Eigen::VectorXd::Zero(units.size()));
  const Longest longest = longestOf(units.asDiagonal() * means);
  const double outlier = edgeInUnits(units, longest.combination.cwiseQuotient(units));
  const double plain =
      data.noise.off_diagonal * reach * edge + spectralMargin(data.noise) * most * most;
  if (outlier <= edge) return plain;
  const double length = longest.combination.norm() * most;
  return std::max(plain, parts.products * (reach * outlier + longest.margin * length));
}

double floorOfNoise(const NoisyCovariance& data) {
  const NoiseParts parts = noiseParts(data);
  if (!data.frame.isIdentity()) return floorInUnits(data, parts);
  const Longest longest = longestOf(parts.means);
  const double t = longest.combination.norm();
  const auto d = static_cast<int>(data.covariance.rows());
  const double plain = spectralFloor(data.noise, d);
  if (t <= 1) return plain;
  const double outlier = 0.5 * (t + 1 / t) * spectralEdge(data.noise, d) / data.noise.off_diagonal;
  return std::max(plain, parts.products * (outlier + longest.margin * t));
}

}  // namespace

Status checkMatrix(const Eigen::MatrixXd& matrix, const char* field) {
  if (matrix.size() == 0) {
    return Error{Code::kInvalidDimension, "There are no features to analyse.", field};
  }
  if (matrix.rows() != matrix.cols()) {
    return Error{Code::kWrongLength, "The matrix is not square.", field};
  }
  if (!matrix.allFinite()) {
    return Error{Code::kNotFinite, "The matrix contains a number that is not finite.", field};
  }
  return {};
}

Status checkNoise(const NoiseLaw& noise) { return checkNoise(SumNoise::everywhere(noise)); }

Status checkNoise(const SumNoise& noise) {
  for (const double sd : {noise.diagonal, noise.off_diagonal, noise.linear, noise.count}) {
    if (finiteAndNotNegative(sd)) continue;
    return Error{Code::kInvalidNoise, "A noise standard deviation must be finite and not negative.",
                 "noise"};
  }
  return {};
}

Status checkHalf(const Eigen::VectorXd& half, Eigen::Index dimension) {
  if (half.size() != dimension) {
    return Error{Code::kWrongLength,
                 "There must be one half-range for each of " + std::to_string(dimension) +
                     " features, but there are " + std::to_string(half.size()) + ".",
                 "half"};
  }
  for (Eigen::Index i = 0; i < dimension; ++i) {
    if (finiteAndPositive(half[i])) continue;
    return Error{Code::kInvalidBounds,
                 "The half-range of feature " + std::to_string(i) + " must be finite and positive.",
                 "half"};
  }
  return {};
}

Status checkTraceBound(double bound) {
  if (!finiteAndPositive(bound)) {
    return Error{Code::kInvalidRowNorm, "The bound on the trace must be finite and positive.",
                 "bound"};
  }
  return {};
}

Status checkCentreSpread(const Eigen::MatrixXd& centre_spread, Eigen::Index dimension) {
  const bool fits = centre_spread.rows() == dimension && centre_spread.cols() == dimension;
  if (centre_spread.size() == 0 || (fits && centre_spread.allFinite())) return {};
  return Error{Code::kWrongLength,
               "The spread of centres must be a finite matrix of the covariance's size.",
               "centreSpread"};
}

Status checkComponents(int components, Eigen::Index largest) {
  if (components < 1 || components > largest) {
    return Error{Code::kInvalidComponents,
                 "Components must be between 1 and " + std::to_string(largest) + ", not " +
                     std::to_string(components) + ".",
                 "components"};
  }
  return {};
}

Status checkView(const std::vector<int>& view, const char* field, std::vector<bool>& taken) {
  if (view.empty()) return Error{Code::kInvalidView, "A view needs at least one feature.", field};
  for (const int feature : view) {
    if (feature < 0 || feature >= static_cast<int>(taken.size())) {
      return Error{Code::kInvalidView,
                   "Feature " + std::to_string(feature) +
                       " does not exist: the number of features is " +
                       std::to_string(taken.size()) + ".",
                   field};
    }
    if (taken[static_cast<std::size_t>(feature)]) {
      return Error{Code::kInvalidView,
                   "Feature " + std::to_string(feature) + " occurs more than once in the views.",
                   field};
    }
    taken[static_cast<std::size_t>(feature)] = true;
  }
  return {};
}

Status checkNoisyCovariance(const NoisyCovariance& data) {
  if (const Status wrong = checkMatrix(data.covariance, "scaledCovariance")) return wrong;
  const Eigen::Index d = data.covariance.rows();
  if (const Status wrong = checkNoise(data.noise)) return wrong;
  if (const Status wrong = checkTraceBound(data.trace_bound)) return wrong;
  if (const Status wrong = checkHalf(data.half, d)) return wrong;
  if (!data.columns.empty() && static_cast<Eigen::Index>(data.columns.size()) != d) {
    return Error{Code::kWrongLength,
                 "There must be one column for each of " + std::to_string(d) +
                     " features, but there are " + std::to_string(data.columns.size()) + ".",
                 "columns"};
  }
  if (data.mean_noise.size() != 0 &&
      (data.mean_noise.rows() != d || !data.mean_noise.allFinite())) {
    return Error{Code::kWrongLength,
                 "There must be one row of finite numbers for the noise of each mean.",
                 "meanNoise"};
  }
  if (const Status wrong = checkCentreSpread(data.centre_spread, d)) return wrong;
  return checkFrame(data.frame, d);
}

bool hasNeedlessFrame(const NoisyCovariance& data) {
  return isNoiseless(data.noise) && !data.frame.isIdentity();
}

void dropFrame(NoisyCovariance& data) {
  data.covariance = data.frame.covariance(data.covariance);
  data.half = data.frame.half(data.half);
  if (data.mean_noise.size() != 0) {
    if (data.frame.isMixed()) data.mean_noise = multiply(data.frame.mix, data.mean_noise);
    data.mean_noise = data.frame.units.asDiagonal() * data.mean_noise;
  }
  if (data.centre_spread.size() != 0) {
    data.centre_spread = data.frame.covariance(data.centre_spread);
  }
  data.frame = {};
}

NoiseParts noiseParts(const NoisyCovariance& data) {
  const double all = data.noise.off_diagonal;
  if (data.mean_noise.size() == 0 || all == 0) {
    return {all, Eigen::MatrixXd::Zero(data.covariance.rows(), 1)};
  }
  const double means = 2 * data.mean_noise.squaredNorm() / double(data.mean_noise.rows());
  // For a single feature, or under another law, the difference could be zero or negative.
  const double products = std::sqrt(std::max(all * all - means, kLeastProducts * all * all));
  return {products, data.mean_noise / products};
}

double varianceFloor(const NoisyCovariance& data) {
  const double noise = floorOfNoise(data);
  if (data.centre_spread.size() == 0) return noise;
  return noise + std::max(0.0, eigenvalues(data.frame.covariance(data.centre_spread))[0]);
}

}  // namespace pm
