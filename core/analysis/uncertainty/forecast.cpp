#include "core/analysis/uncertainty/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/checks.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/analysis/noise/normal.hpp"
#include "core/analysis/uncertainty/bootstrap.hpp"
#include "core/analysis/uncertainty/shared_values.hpp"
#include "core/analysis/uncertainty/test_power.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/order.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/random/drbg.hpp"
#include "core/square.hpp"

namespace pm {
namespace {

/// Maximum number of features of a simulation, approximately.
constexpr double kMostDenoised = 60;
constexpr double kMostCorrelated = 40;

/// Number of draws: more for few features, as each draw is then cheap and less informative.
constexpr double kDenoiseEntries = 6000;
constexpr double kCorrelationEntries = 16000;
constexpr double kFewest = 8;
constexpr double kMost = 120;

/// Linear parts with a standard deviation above this are poor control variates.
constexpr double kLinear = 0.15;

/// This share of the draws is within the margin, which is at least this many root mean squares.
/// With 120 draws, an estimated quantile of 95 % is in truth one of 90 % or more in all but one of
/// thirty inputs.
constexpr double kKept = 0.95;
constexpr double kMarginErrors = 1.96;

constexpr std::uint64_t kSeed = 1;

/// Least share of the covariance that clipping is taken to leave: with so little, all is lost.
constexpr double kLeastKept = 1e-3;

/// How many times as many studies are drawn under each hypothesis of the test of pairs.
constexpr int kNullDraws = 5;

/// The number of draws for about `entries` matrix entries in all.
int drawsFor(double entries, Eigen::Index features) {
  const double each = static_cast<double>(features * (features + 1)) / 2;
  return 2 * static_cast<int>(std::clamp(entries / each, kFewest, kMost) / 2);
}

// Checks ------------------------------------------------------------------------------------------

bool positive(double value) { return std::isfinite(value) && value > 0; }

Status checkViews(const ForecastInput& input) {
  std::vector<bool> taken(static_cast<std::size_t>(input.mean.size()), false);
  if (input.correlations.empty()) return {};
  if (const Status wrong = checkView(input.x, "x", taken)) return wrong;
  if (const Status wrong = checkView(input.y, "y", taken)) return wrong;
  for (const double correlation : input.correlations) {
    if (correlation >= 0 && correlation < 1) continue;
    return Error{Code::kInvalidComponents, "Correlations must be at least 0 and below 1.",
                 "correlations"};
  }
  return {};
}

Error wrongRadius() {
  return {Code::kInvalidRowNorm, "Radii, constant and target must be positive.", "rowNorm"};
}

Status checkAssumption(const Assumption& assumed) {
  if (const Status wrong = checkMatrix(assumed.covariance, "covariance")) return *wrong;
  const auto d = static_cast<std::size_t>(assumed.covariance.rows());
  if (static_cast<std::size_t>(assumed.mean.size()) != d || assumed.columns.size() != d) {
    return Error{Code::kWrongLength, "There must be one mean and one column for each feature.",
                 "mean"};
  }
  if (!assumed.mean.allFinite()) return Error{Code::kNotFinite, "A mean is not finite.", "mean"};
  return {};
}

Status checkInput(const ForecastInput& input) {
  if (!(std::isfinite(input.rows) && input.rows >= 2)) {
    return Error{Code::kNoRows, "A forecast needs at least two rows.", "rows"};
  }
  if (const Status wrong = checkAssumption(input)) return *wrong;
  if (const Status wrong = checkNoise(input.noise)) return *wrong;
  if (const Status wrong = checkTraceBound(input.trace_bound)) return *wrong;
  const bool radii = !input.radii.empty() &&
                     std::all_of(input.radii.begin(), input.radii.end(), [](const ClipRadius& r) {
                       return positive(r.radius) && r.share >= 0 && r.share <= 1 + 1e-9;
                     });
  if (!radii || !positive(input.constant) || !positive(input.target)) return wrongRadius();
  if (const Status wrong = checkCentreSpread(input.centre_spread, input.mean.size())) return wrong;
  if (const Status wrong = checkFrame(input.frame, input.mean.size())) return *wrong;
  for (const ClipRadius& r : input.radii) {
    if (const Status wrong = checkFrame(r.frame, input.mean.size())) return *wrong;
  }
  return checkViews(input);
}

// Assumed population ------------------------------------------------------------------------------

Eigen::MatrixXd blockOf(const Eigen::MatrixXd& matrix, const std::vector<int>& features) {
  return matrix(features, features);
}

/// `count` orthonormal columns of `size` coordinates: the first or the last unit vectors, or
/// columns that weight all coordinates evenly (a discrete cosine transform).
Eigen::MatrixXd plantingDirections(Planting planting, Eigen::Index size, Eigen::Index count) {
  if (planting != Planting::kAlike) {
    const Eigen::MatrixXd own = Eigen::MatrixXd::Identity(size, count);
    return planting == Planting::kLeading ? own : own.colwise().reverse().eval();
  }
  Eigen::MatrixXd columns(size, count);
  const double step = std::numbers::pi / (2 * static_cast<double>(size));
  for (Eigen::Index j = 0; j < count; ++j) {
    for (Eigen::Index i = 0; i < size; ++i) {
      columns(i, j) = std::cos(step * static_cast<double>((2 * i + 1) * j));
    }
    columns.col(j).normalize();
  }
  return columns;
}

/// Root and inverse root of a view's block C of the covariance, on the directions with variance.
struct Roots {
  Eigen::MatrixXd root;     ///< d x r, root root^T = C
  Eigen::MatrixXd inverse;  ///< d x r, inverse^T C inverse = I
};

Roots rootsOf(const Eigen::MatrixXd& block) {
  const Spectrum decomposed = spectrum(block);
  const double least = std::max(kNoVariance, 1e-12 * decomposed.values[0]);
  const auto rank = static_cast<Eigen::Index>((decomposed.values.array() > least).count());
  const Eigen::MatrixXd vectors = decomposed.vectors.leftCols(rank);
  const Eigen::VectorXd scales = decomposed.values.head(rank).cwiseSqrt();
  return {vectors * scales.asDiagonal(), vectors * scales.cwiseInverse().asDiagonal()};
}

/// The part of the population in the two views: features 0 .. dx - 1 are x, the rest y.
struct PlantedViews {
  int dx = 0;
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
  std::vector<int> columns;
  Eigen::MatrixXd p;  ///< dx x k: directions of the variates, p_j^T Cxx p_j = 1
  Eigen::MatrixXd q;  ///< dy x k
};

/// Sets Cxy = sum_j correlation_j (Cxx p_j) (Cyy q_j)^T, which has exactly these canonical
/// correlations.
Result<PlantedViews> plant(const ForecastInput& input, const std::vector<int>& x,
                           const std::vector<int>& y, const std::vector<double>& correlations) {
  std::vector<int> both = x;
  both.insert(both.end(), y.begin(), y.end());
  const Roots roots_x = rootsOf(blockOf(input.covariance, x));
  const Roots roots_y = rootsOf(blockOf(input.covariance, y));
  const auto k = static_cast<Eigen::Index>(correlations.size());
  if (k > std::min(roots_x.root.cols(), roots_y.root.cols())) {
    return Error{Code::kInvalidComponents,
                 "There are more correlations than directions with variance in the smaller view.",
                 "correlations"};
  }
  const Eigen::MatrixXd u = plantingDirections(input.planting, roots_x.root.cols(), k);
  const Eigen::MatrixXd v = plantingDirections(input.planting, roots_y.root.cols(), k);
  Eigen::MatrixXd left = multiply(roots_x.root, u);
  for (Eigen::Index j = 0; j < k; ++j) left.col(j) *= correlations[static_cast<std::size_t>(j)];

  PlantedViews planted;
  planted.dx = static_cast<int>(x.size());
  planted.mean = input.mean(both);
  planted.covariance = blockOf(input.covariance, both);
  const Eigen::Index dx = planted.dx;
  const auto dy = static_cast<Eigen::Index>(y.size());
  const Eigen::MatrixXd cross = multiply(left, multiply(roots_y.root, v).transpose());
  planted.covariance.topRightCorner(dx, dy) = cross;
  planted.covariance.bottomLeftCorner(dy, dx) = cross.transpose();
  for (const int feature : both) {
    planted.columns.push_back(input.columns[static_cast<std::size_t>(feature)]);
  }
  planted.p = multiply(roots_x.inverse, u);
  planted.q = multiply(roots_y.inverse, v);
  return planted;
}

// Covariance --------------------------------------------------------------------------------------

/// The quantities that determine the errors of the covariance, besides the number of rows. Noise of
/// variance 1 in the mean of z has the covariance W = diag(w) in scaled units, w the squared units
/// of the frame.
struct Scales {
  double units = 0;            ///< tr W; D in scaled units
  double squared_units = 0;    ///< |W|_F^2
  double mean_square = 0;      ///< |m|^2, m the mean about the centre of the frame
  double mean_in_units = 0;    ///< m^T W m
  double trace = 0;            ///< tr C
  double trace_in_units = 0;   ///< tr W C
  double energy = 0;           ///< |C|_F^2
  double along_mean = 0;       ///< m^T C m
  double length_variance = 0;  ///< variance of |x - m|^2 for normal numbers
};

std::vector<bool> indicatorsIn(const std::vector<int>& columns) {
  std::vector<bool> indicator(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    indicator[i] = std::count(columns.begin(), columns.end(), columns[i]) > 1;
  }
  return indicator;
}

Eigen::VectorXd unitsOf(const Frame& frame, Eigen::Index dimension) {
  return frame.isIdentity() ? Eigen::VectorXd::Ones(dimension) : frame.units;
}

Eigen::VectorXd aboutCentre(const Eigen::VectorXd& mean, const Frame& frame) {
  return frame.isIdentity() ? mean : Eigen::VectorXd(mean - frame.centre);
}

/// A mean of x, in units of the frame.
Eigen::VectorXd meanOfZ(const Eigen::VectorXd& mean, const Frame& frame) {
  return frame.isIdentity() ? mean
                            : Eigen::VectorXd((mean - frame.centre).cwiseQuotient(frame.units));
}

Scales scalesOf(const Assumption& input, const Eigen::MatrixXd& covariance, const Frame& frame) {
  const Eigen::Index d = covariance.rows();
  const std::vector<bool> indicator = indicatorsIn(input.columns);
  const Eigen::VectorXd w = unitsOf(frame, d).cwiseAbs2();
  const Eigen::VectorXd mean = aboutCentre(input.mean, frame);
  Scales scales;
  scales.units = w.sum();
  scales.squared_units = w.squaredNorm();
  scales.mean_square = mean.squaredNorm();
  scales.mean_in_units = w.dot(mean.cwiseAbs2());
  scales.trace = covariance.trace();
  scales.trace_in_units = w.dot(covariance.diagonal());
  scales.energy = covariance.squaredNorm();
  scales.along_mean = mean.dot(covariance * mean);
  for (Eigen::Index i = 0; i < d; ++i) {
    if (indicator[static_cast<std::size_t>(i)]) continue;
    for (Eigen::Index j = 0; j < d; ++j) {
      if (indicator[static_cast<std::size_t>(j)]) continue;
      scales.length_variance += 2 * square(covariance(i, j));
    }
  }
  return scales;
}

SumNoise scaled(SumNoise noise, double factor) {
  for (double* sd : {&noise.diagonal, &noise.off_diagonal, &noise.linear, &noise.count}) {
    *sd *= factor;
  }
  return noise;
}

/// Mean square of |Cov_hat - C|_F if the noisy count is rows / q, from
///   (q - 1) C + (q - q^2) m m^T + q U E_zz U / n - q^2 (m e^T + e m^T + e e^T),
/// e = U E_0z / (c n), U the units of the frame.
double noiseGivenCount(const Scales& s, const SumNoise& noise, double rows, double constant,
                       double q) {
  const double entries = (s.squared_units * square(noise.diagonal) +
                          (square(s.units) - s.squared_units) * square(noise.off_diagonal)) /
                         square(rows);
  const double v = square(noise.linear / (constant * rows));
  const double a = q - 1;
  const double b = q - q * q;
  const double e = q * q * v;
  const double shift = a * a * s.energy + b * b * square(s.mean_square) + s.squared_units * e * e +
                       2 * a * b * s.along_mean - 2 * a * e * s.trace_in_units -
                       2 * b * e * s.mean_in_units;
  const double spread =
      square(q) * entries + std::pow(q, 4) * (2 * v * (s.mean_square * s.units + s.mean_in_units) +
                                              v * v * (square(s.units) + s.squared_units));
  return shift + spread;
}

/// Mean square error due to noise; averaged over the noise of the count by the trapezoidal rule on
/// +-4 sds.
double noiseEnergy(const Scales& scales, const ForecastInput& input, double rows) {
  const SumNoise noise =
      input.noise_grows ? scaled(input.noise, std::sqrt(rows / input.rows)) : input.noise;
  const auto conditional = [&](double q) {
    return noiseGivenCount(scales, noise, rows, input.constant, q);
  };
  const double relative = noise.count / (square(input.constant) * rows);
  if (input.rows_are_public || relative == 0) return conditional(1);
  constexpr int kNodes = 40;
  double sum = 0;
  double weights = 0;
  for (int node = -kNodes; node <= kNodes; ++node) {
    const double z = 4.0 * node / kNodes;
    const double weight = std::exp(-z * z / 2);
    sum += weight * conditional(1 / std::max(1 / rows, 1 + relative * z));
    weights += weight;
  }
  return sum / weights;
}

double samplingEnergy(const Scales& s, double rows) {
  return std::max(0.0, square(s.trace) + s.length_variance - s.energy) / rows;
}

/// The law of the squared length of a row: `least` plus a part between 0 and `range` with this mean
/// and variance.
struct LengthLaw {
  double least = 0;
  double range = 0;
  double mean = 0;
  double variance = 0;
};

/// Second and fourth moment of a normal variable of mean 0 that is clamped to [-bound, bound].
struct BoundedMoments {
  double second = 0;
  double fourth = 0;
};

BoundedMoments boundedMoments(double variance, double bound) {
  if (variance <= 0 || bound <= 0) return {};
  const double c = bound / std::sqrt(variance);
  const double outside = 2 * normalBelow(-c);
  const double density = 2 * c * std::exp(-c * c / 2) / std::sqrt(2 * std::numbers::pi);
  return {variance * (1 - outside - density) + square(bound) * outside,
          square(variance) * (3 * (1 - outside) - density * (c * c + 3)) +
              square(square(bound)) * outside};
}

/// The numbers' part of that law. The two halves of a normal variable about the centre have bounds
/// of their own.
void addNumbers(const Assumption& assumed, const Eigen::MatrixXd& covariance, const Frame& frame,
                const std::vector<bool>& indicator, LengthLaw& law) {
  const Eigen::Index d = covariance.rows();
  const Eigen::VectorXd units = unitsOf(frame, d);
  const Eigen::VectorXd mean = aboutCentre(assumed.mean, frame);
  for (Eigen::Index i = 0; i < d; ++i) {
    if (indicator[static_cast<std::size_t>(i)]) continue;
    const double w = square(units[i]);
    const double centre = frame.isIdentity() ? 0 : frame.centre[i];
    const double second = covariance(i, i) + square(mean[i]);
    const BoundedMoments above = boundedMoments(second, 1 - centre);
    const BoundedMoments below = boundedMoments(second, 1 + centre);
    const double own = (above.second + below.second) / 2;
    law.range += square(1 + std::abs(centre)) / w;
    law.mean += own / w;
    law.variance += std::max(0.0, (above.fourth + below.fourth) / 2 - square(own)) / square(w);
    for (Eigen::Index j = 0; j < d; ++j) {
      if (i == j || indicator[static_cast<std::size_t>(j)]) continue;
      law.variance += (2 * square(covariance(i, j)) + 4 * mean[i] * mean[j] * covariance(i, j)) /
                      (w * square(units[j]));
    }
  }
}

/// The part of one category, features `first` to `last`: with level l, sum_j (centre_j / units_j)^2
/// + (1 - 2 centre_l) / units_l^2. Categories are taken as independent.
void addCategory(const Assumption& assumed, const Eigen::MatrixXd& covariance, const Frame& frame,
                 const std::vector<Eigen::Index>& levels, LengthLaw& law) {
  if (frame.isIdentity()) {
    for (const Eigen::Index i : levels) law.least += covariance(i, i) + square(assumed.mean[i]);
    return;
  }
  double least = std::numeric_limits<double>::infinity(), most = -least;
  double shares = 0, sum = 0, squares = 0;
  for (const Eigen::Index i : levels) {
    const double w = square(frame.units[i]);
    const double own = (1 - 2 * frame.centre[i]) / w;
    const double share = std::max(0.0, covariance(i, i) + square(assumed.mean[i]));
    law.least += square(frame.centre[i]) / w;
    least = std::min(least, own);
    most = std::max(most, own);
    shares += share;
    sum += share * own;
    squares += share * square(own);
  }
  const double mean = shares > 0 ? sum / shares : least;
  law.least += least;
  law.range += most - least;
  law.mean += mean - least;
  if (shares > 0) law.variance += std::max(0.0, squares / shares - square(mean));
}

LengthLaw lengthsOf(const Assumption& assumed, const Eigen::MatrixXd& covariance,
                    const Frame& frame) {
  LengthLaw law;
  const std::vector<bool> indicator = indicatorsIn(assumed.columns);
  addNumbers(assumed, covariance, frame, indicator, law);
  std::map<int, std::vector<Eigen::Index>> categories;
  for (std::size_t i = 0; i < indicator.size(); ++i) {
    if (indicator[i]) categories[assumed.columns[i]].push_back(static_cast<Eigen::Index>(i));
  }
  for (const auto& [column, levels] : categories) {
    addCategory(assumed, covariance, frame, levels, law);
  }
  return law;
}

struct Clipping {
  double lost = 0;       ///< share of the sum of squared lengths that clipping removes
  double shortened = 0;  ///< share of the rows that are clipped
};

/// P(X > x) for X ~ Beta(a, b), 0 < x < 1: the continued fraction of the incomplete beta function
/// (DLMF 8.17.22) by the method of Lentz, on the side of the mean where it converges fast.
double betaTail(double x, double a, double b) {
  if (x < (a + 1) / (a + b + 2)) return 1 - betaTail(1 - x, b, a);
  // P(X > x) = P(1 - X < y), and 1 - X ~ Beta(b, a).
  const double y = 1 - x;
  constexpr double kTiny = 1e-300;
  const auto away = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / away(1 - (a + b) * y / (b + 1)), fraction = d;
  for (int m = 1; m <= 10000; ++m) {
    const double even = m * (a - m) * y / ((b + 2 * m - 1) * (b + 2 * m));
    const double odd = -(b + m) * (a + b + m) * y / ((b + 2 * m) * (b + 2 * m + 1));
    double step = 1;
    for (const double term : {even, odd}) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      step = c * d;
      fraction *= step;
    }
    if (std::abs(step - 1) < 1e-14) break;
  }
  const double front =
      std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + b * std::log(y) + a * std::log1p(-y);
  return std::clamp(std::exp(front) * fraction / b, 0.0, 1.0);
}

/// With a beta law for the part of |z|^2 that varies.
Clipping clippingAt(double radius, const LengthLaw& law) {
  const double total = law.least + law.mean;
  const double room = square(radius) - law.least;
  // No row within the bounds is longer.
  if (room >= law.range * (1 - 1e-12) || total <= 0) return {};
  const Clipping all = {1 - square(radius) / total, 1};
  if (room <= 0) return all;
  if (law.variance == 0) return room < law.mean ? all : Clipping{};
  const double mean = law.mean / law.range;
  const double weight = mean * (1 - mean) / (law.variance / square(law.range)) - 1;
  if (!(weight > 0) || !std::isfinite(weight)) return {};
  const double a = mean * weight;
  const double b = weight - a;
  const double from = room / law.range;
  const double longer = betaTail(from, a, b);
  // E max(0, X - from), as x times the density of Beta(a, b) is the mean times that of Beta(a + 1,
  // b).
  const double excess = std::max(0.0, mean * betaTail(from, a + 1, b) - from * longer);
  return {excess * law.range / total, longer};
}

Clipping clippingOf(const ForecastInput& input, const Eigen::MatrixXd& covariance) {
  Clipping mixed;
  const LengthLaw shared = lengthsOf(input, covariance, {});
  for (const ClipRadius& r : input.radii) {
    const Clipping at =
        clippingAt(r.radius, r.frame.isIdentity() ? shared : lengthsOf(input, covariance, r.frame));
    mixed.lost += r.share * at.lost;
    mixed.shortened += r.share * at.shortened;
  }
  return mixed;
}

/// The sds of the covariance's entries to first order, as `assembleMoments` computes them for exact
/// moments, units of the frame.
NoiseLaw entriesOf(const ForecastInput& input, const Eigen::MatrixXd& covariance) {
  const double n = input.rows;
  const auto d = static_cast<double>(covariance.rows());
  const Eigen::VectorXd mean = meanOfZ(input.mean, input.frame);
  const double mean_variance = square(input.noise.linear / (input.constant * n));
  const double mean_square = mean.squaredNorm() / d;
  double diagonal = square(input.noise.diagonal / n) + 4 * mean_square * mean_variance;
  double off_diagonal = square(input.noise.off_diagonal / n) + 2 * mean_square * mean_variance;
  if (!input.rows_are_public) {
    const double relative = square(input.noise.count / (square(input.constant) * n));
    const Eigen::MatrixXd slope = mean * mean.transpose() - input.frame.covarianceOfZ(covariance);
    const double on_diagonal = slope.diagonal().squaredNorm();
    diagonal += relative * on_diagonal / d;
    if (d > 1) {
      off_diagonal += relative * std::max(0.0, slope.squaredNorm() - on_diagonal) / (d * (d - 1));
    }
  }
  return {std::sqrt(diagonal), std::sqrt(off_diagonal)};
}

/// The question in units in which the clipped rows have the stated covariance. Clipping shortens
/// rows along their own directions, so a share `lost` of E|z|^2 takes about that share of every
/// covariance, and noise, bound and spread are larger beside the rest.
ForecastInput besideClipped(ForecastInput input, double lost) {
  const double kept = std::max(kLeastKept, 1 - lost);
  input.noise.diagonal /= kept;
  input.noise.off_diagonal /= kept;
  input.noise.linear /= std::sqrt(kept);
  input.trace_bound /= kept;
  input.centre_spread /= kept;
  return input;
}

/// The minimum number of rows with total error at most target x zero, to 0.1 %.
double rowsFor(const ForecastInput& input, const Scales& scales, double clipping) {
  const double bar = square(input.target) * scales.energy;
  const auto suffices = [&](double rows) {
    return noiseEnergy(scales, input, rows) + samplingEnergy(scales, rows) + square(clipping) <=
           bar;
  };
  double high = 2;
  while (!suffices(high)) {
    high *= 2;
    if (high > 0x1p60) return std::numeric_limits<double>::infinity();
  }
  double low = high / 2;
  while (high > 1.001 * low) {
    const double middle = std::sqrt(low * high);
    (suffices(middle) ? high : low) = middle;
  }
  return std::ceil(high);
}

// Simulation --------------------------------------------------------------------------------------

/// A share of the features, evenly spaced. With sqrt(1 / keep) times the noise, the remaining
/// features have the same spectral edges as all of them.
std::vector<int> thinned(const std::vector<int>& features, double keep) {
  const auto all = static_cast<double>(features.size());
  const auto count = static_cast<std::size_t>(std::max(1.0, std::round(keep * all)));
  std::vector<int> kept;
  for (std::size_t i = 0; i < count; ++i) {
    kept.push_back(features[i * features.size() / count]);
  }
  return kept;
}

/// Wishart matrices keep the ratio of features to degrees of freedom and thus their spectrum; any
/// other noise of this many features has the spectrum of normal noise.
void thinFreedom(SumNoise& noise, double thinness, Eigen::Index d) {
  if (noise.family != NoiseFamily::kTwoSidedWishart && noise.family != NoiseFamily::kWishart) {
    noise.family = NoiseFamily::kGaussian;
  }
  noise.freedom =
      std::max(static_cast<int>(d) + 2, static_cast<int>(std::lround(noise.freedom / thinness)));
}

/// The sums of `rows` rows in coordinates of the frame, with noise in the same proportion to the
/// rows as in the input.
MomentSums emptySums(const ForecastInput& input, double thinness, double rows, Eigen::Index d) {
  MomentSums sums;
  sums.dimension = static_cast<int>(d);
  sums.packed.assign(static_cast<std::size_t>((d + 1) * (d + 2) / 2), 0.0);
  sums.constant = input.constant;
  if (input.rows_are_public) sums.rows = rows;
  sums.noise = scaled(input.noise, std::sqrt(thinness) * rows / input.rows);
  if (thinness > 1) thinFreedom(sums.noise, thinness, d);
  sums.mid = Eigen::VectorXd::Zero(d);
  sums.half = Eigen::VectorXd::Ones(d);
  return sums;
}

/// Number of rows to sample in a problem with fewer features: enough for their law to have a
/// density.
double thinnedRows(const ForecastInput& input, double thinness, Eigen::Index d) {
  return std::max(static_cast<double>(d) + 2, input.rows / thinness);
}

/// Simulated releases. In pairs, each second one has the rows of the previous one and, if the law
/// of the noise is symmetric, its noise with the opposite sign, so that terms odd in the noise
/// average out.
class Releases {
 public:
  /// @param sums from `emptySums`; all in units of the frame
  Releases(const MomentSums& sums, double rows, const Eigen::VectorXd& mean,
           const Eigen::MatrixXd& covariance, bool in_pairs)
      : sums_(sums),
        population_(withoutNoise(sums, rows), rows, mean, covariance),
        noise_(sums.noise, sums.dimension),
        turns_(in_pairs && sums.noise.family != NoiseFamily::kWishart) {}

  /// Draws the next release.
  void next(Drbg& random) {
    fresh_ = !turns_ || !fresh_;
    if (fresh_) {
      exact_ = population_.draw(random);
      drawn_ = noise_.draw(random);
    } else {
      drawn_ *= -1;
    }
    const Eigen::MatrixXd released = exact_.second_moments + drawn_;
    std::size_t entry = 0;
    for (Eigen::Index i = 0; i < released.rows(); ++i) {
      for (Eigen::Index j = i; j < released.cols(); ++j) sums_.packed[entry++] = released(i, j);
    }
    released_ = std::move(assembleMoments(sums_)).value();
  }

  const AssembledMoments& exact() const { return exact_; }
  const AssembledMoments& released() const { return released_; }

 private:
  static MomentSums withoutNoise(MomentSums sums, double rows) {
    sums.noise = SumNoise{};
    sums.rows = rows;
    return sums;
  }

  MomentSums sums_;
  Population population_;
  NoiseDraw noise_;
  bool turns_;
  bool fresh_ = false;  ///< whether the last release had new rows and noise
  Eigen::MatrixXd drawn_;
  AssembledMoments exact_;
  AssembledMoments released_;
};

Frame frameOf(const ForecastInput& input, const std::vector<int>& features) {
  if (input.frame.isIdentity()) return {};
  return {input.frame.centre(features), input.frame.units(features)};
}

/// Root mean square of |denoised(S + noise) - S|_F, S the covariance of sampled rows.
double denoisedError(const ForecastInput& input, const Eigen::MatrixXd& covariance) {
  std::vector<int> all(input.columns.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> features =
      thinned(all, std::min(1.0, kMostDenoised / static_cast<double>(all.size())));
  const double thinness = static_cast<double>(all.size()) / static_cast<double>(features.size());
  const auto d = static_cast<Eigen::Index>(features.size());
  const double rows = thinnedRows(input, thinness, d);
  const Frame frame = frameOf(input, features);
  Releases releases(emptySums(input, thinness, rows, d), rows, meanOfZ(input.mean(features), frame),
                    frame.covarianceOfZ(blockOf(covariance, features)), false);
  Drbg random = simulationDrbg(kSeed);
  const int draws = drawsFor(kDenoiseEntries, d);
  double energy = 0;
  for (int draw = 0; draw < draws; ++draw) {
    releases.next(random);
    const AssembledMoments& moments = releases.released();
    const Eigen::MatrixXd error = denoised(moments.scaled_covariance, moments.covariance_noise,
                                           input.trace_bound / thinness) -
                                  releases.exact().scaled_covariance;
    energy += frame.covariance(error).squaredNorm();
  }
  return std::sqrt(thinness * energy / draws);
}

/// The linear part of the estimate's error: d r = p^T D_xy q - r/2 (p^T D_xx p + q^T D_yy q), D
/// the error of the covariance.
double linearPart(const Eigen::MatrixXd& error, Eigen::Index dx, const Eigen::VectorXd& p,
                  const Eigen::VectorXd& q, double r) {
  const Eigen::Index dy = error.rows() - dx;
  return p.dot(error.topRightCorner(dx, dy) * q) -
         r / 2 *
             (p.dot(error.topLeftCorner(dx, dx) * p) + q.dot(error.bottomRightCorner(dy, dy) * q));
}

/// The variance of that linear part if D is noise of the given law.
double linearVariance(const NoiseLaw& law, const Eigen::VectorXd& p, const Eigen::VectorXd& q,
                      double r) {
  const auto within = [&](const Eigen::VectorXd& a) {
    const double quartic = a.array().square().square().sum();
    return square(law.diagonal) * quartic +
           2 * square(law.off_diagonal) * (square(a.squaredNorm()) - quartic);
  };
  return square(law.off_diagonal) * p.squaredNorm() * q.squaredNorm() +
         r * r / 4 * (within(p) + within(q));
}

struct Averages {
  double mean;
  double variance;
};

Averages averagesOf(const Eigen::VectorXd& values) {
  const double mean = values.mean();
  return {mean, (values.array() - mean).square().mean()};
}

/// The smallest margin such that a share `kKept` of the draws is above the floor (positive gap) and
/// within the margin of the truth.
double marginOf(const Eigen::VectorXd& errors, const Eigen::VectorXd& gaps) {
  std::vector<double> sizes;
  for (Eigen::Index draw = 0; draw < errors.size(); ++draw) {
    sizes.push_back(gaps[draw] > 0 ? std::abs(errors[draw])
                                   : std::numeric_limits<double>::infinity());
  }
  std::sort(sizes.begin(), sizes.end());
  const auto kept = static_cast<std::size_t>(std::ceil(kKept * static_cast<double>(sizes.size())));
  return sizes[kept - 1];
}

/// Root mean square error of a sample's canonical correlation, to first order in 1/n (Lawley 1959).
double samplingError(double truth, Eigen::Index dx, Eigen::Index dy, double rows) {
  const double left = 1 - truth * truth;
  const double sd = left / std::sqrt(rows);
  const double bias = left * static_cast<double>(dx + dy - 2) / (2 * rows);
  // Near zero the bias has no expansion; the first correlation of pure noise is close to the edge.
  const double edge =
      (std::sqrt(static_cast<double>(dx)) + std::sqrt(static_cast<double>(dy))) / std::sqrt(rows);
  return std::hypot(sd, truth > 0 ? std::min(bias / truth, edge) : edge);
}

/// The same population in coordinates of the frame.
PlantedViews inUnitsOf(const Frame& frame, PlantedViews planted) {
  if (frame.isIdentity()) return planted;
  planted.mean = meanOfZ(planted.mean, frame);
  planted.covariance = frame.covarianceOfZ(planted.covariance);
  planted.p.array().colwise() *= frame.units.head(planted.dx).array();
  planted.q.array().colwise() *= frame.units.tail(planted.q.rows()).array();
  return planted;
}

/// Statistics of the test of pairs in studies that have the first pairs alone, see `testPower`.
Eigen::MatrixXd nullStatistics(const SharedValues& shared, const MomentSums& sums, double rows,
                               const std::vector<PlantedViews>& hypotheses, int draws) {
  std::vector<Population> populations;
  populations.reserve(hypotheses.size());
  for (const PlantedViews& each : hypotheses) {
    populations.emplace_back(sums, rows, each.mean, each.covariance);
  }
  Eigen::MatrixXd statistics(draws, static_cast<Eigen::Index>(populations.size()));
  for (int draw = 0; draw < draws; ++draw) {
    Drbg random = simulationDrbg(kSeed, static_cast<std::uint64_t>(draw) + 1);
    const Chance chance = populations.front().chance(random);
    for (Eigen::Index j = 0; j < statistics.cols(); ++j) {
      const ScaledMoments moments = populations[static_cast<std::size_t>(j)].drawScaled(chance);
      statistics(draw, j) = shared.of(moments.scaled_covariance, moments.covariance_noise)[j];
    }
  }
  return statistics;
}

/// Moves draws to the mean and the variance that a control variate of mean 0 and variance `exact`
/// gives, by the regression of the draws on it.
void correctDraws(Eigen::Ref<Eigen::VectorXd> draws, const Eigen::VectorXd& controls, double exact,
                  double thinness) {
  const Averages own = averagesOf(draws);
  const Averages control = averagesOf(controls);
  if (own.variance <= 0 || control.variance <= 0) return;
  const Eigen::VectorXd deviations = draws.array() - own.mean;
  const double slope = std::clamp(
      deviations.dot(controls) / (static_cast<double>(controls.size()) * control.variance), 0.0,
      1.0);
  const double variance = std::max(own.variance + square(slope) * (exact - control.variance),
                                   0.1 * square(slope) * exact);
  draws = (own.mean - slope * control.mean) +
          std::sqrt(variance / own.variance / thinness) * deviations.array();
}

/// Fills in the correlations and the noise floor.
Status forecastCorrelations(const ForecastInput& input, const std::vector<double>& truths,
                            const NoiseLaw& entries, Forecast& result) {
  const double all = static_cast<double>(input.x.size() + input.y.size());
  const double least = static_cast<double>(truths.size() + 1) /
                       static_cast<double>(std::min(input.x.size(), input.y.size()));
  const double keep = std::min(1.0, std::max(kMostCorrelated / all, least));
  const std::vector<int> x = thinned(input.x, keep);
  const std::vector<int> y = thinned(input.y, keep);
  const double thinness = all / static_cast<double>(x.size() + y.size());
  Result<PlantedViews> planting = plant(input, x, y, truths);
  if (!planting.ok()) return planting.error();
  std::vector<int> features = x;
  features.insert(features.end(), y.begin(), y.end());
  const Frame frame = frameOf(input, features);
  const PlantedViews planted = inUnitsOf(frame, std::move(planting).value());
  const Eigen::Index d = planted.covariance.rows();

  // The j-th hypothesis of the test: no more than j - 1 pairs.
  std::vector<PlantedViews> hypotheses;
  std::vector<double> kept(truths.size(), 0.0);
  for (const double truth : truths) {
    hypotheses.push_back(inUnitsOf(frame, plant(input, x, y, kept).value()));
    kept[hypotheses.size() - 1] = truth;
  }

  const double rows = thinnedRows(input, thinness, d);
  const MomentSums sums = emptySums(input, thinness, rows, d);
  Releases releases(sums, rows, planted.mean, planted.covariance, true);

  CcaInput problem;
  for (int i = 0; i < static_cast<int>(d); ++i)
    (i < planted.dx ? problem.x : problem.y).push_back(i);
  problem.components = static_cast<int>(truths.size());
  problem.trace_bound = input.trace_bound / thinness;
  problem.half = unitsOf(frame, d);
  problem.frame = frame;
  problem.columns = planted.columns;
  if (input.centre_spread.size() != 0) {
    // With this factor its largest eigenvalue stays about the same.
    problem.centre_spread = thinness * blockOf(input.centre_spread, features);
    const Eigen::MatrixXd between = spreadBetween(problem.centre_spread, {problem.x, problem.y});
    for (PlantedViews& hypothesis : hypotheses) hypothesis.covariance += between;
  }

  const int draws = drawsFor(kCorrelationEntries, d);
  const auto k = static_cast<Eigen::Index>(truths.size());
  problem.covariance = planted.covariance;
  const SharedValues shared(problem, {problem.x, problem.y}, problem.components);
  Eigen::MatrixXd errors(draws, k), linear(draws, k), floors(draws, k), found(draws, k);
  Eigen::VectorXd floors_of_first(draws);
  Drbg random = simulationDrbg(kSeed);
  for (int draw = 0; draw < draws; ++draw) {
    releases.next(random);
    const AssembledMoments& moments = releases.released();
    const Eigen::MatrixXd error = moments.scaled_covariance - planted.covariance;
    problem.covariance = moments.scaled_covariance;
    problem.noise = moments.covariance_noise;
    problem.mean_noise = moments.mean_noise;
    const Result<Cca> analysed = cca(problem);
    if (!analysed.ok()) return analysed.error();
    floors_of_first[draw] = analysed.value().noise_floor;
    found.row(draw) = shared.of(problem.covariance, problem.noise).transpose();
    for (Eigen::Index j = 0; j < k; ++j) {
      const CanonicalCorrelation& pair = analysed.value().correlations[static_cast<std::size_t>(j)];
      const double truth = truths[static_cast<std::size_t>(j)];
      errors(draw, j) = pair.value - truth;
      floors(draw, j) = pair.noise_floor;
      linear(draw, j) = linearPart(error, planted.dx, planted.p.col(j), planted.q.col(j), truth);
    }
  }

  result.noise_floor = floors_of_first.mean();
  for (Eigen::Index j = 0; j < k; ++j) {
    const double truth = truths[static_cast<std::size_t>(j)];
    const double exact =
        thinness * (linearVariance(entries, planted.p.col(j), planted.q.col(j), truth) +
                    square(1 - truth * truth) / input.rows);
    const Averages drawn = averagesOf(errors.col(j));
    const Averages control = averagesOf(linear.col(j));
    const double weight = 1 / (1 + square(exact / square(kLinear)));
    const double bias = drawn.mean - weight * control.mean;
    // With few draws the correction can exceed the variance; keep at least a tenth of the linear
    // part.
    const double variance =
        std::max(drawn.variance + weight * (exact - control.variance), 0.1 * weight * exact) /
        thinness;
    correctDraws(found.col(j), linear.col(j), exact, thinness);
    CorrelationForecast forecast;
    forecast.truth = truth;
    forecast.expected = truth + bias;
    forecast.sd = std::sqrt(variance);
    forecast.error = std::sqrt(square(bias) + variance);
    forecast.sampling = samplingError(truth, static_cast<Eigen::Index>(input.x.size()),
                                      static_cast<Eigen::Index>(input.y.size()), input.rows);
    forecast.noise_floor = floors.col(j).mean();
    // Floors vary too, often together with the estimates.
    const Eigen::VectorXd gaps = errors.col(j).array() + truth - floors.col(j).array();
    const double gap_sd = std::sqrt(averagesOf(gaps).variance / thinness);
    const double gap = forecast.expected - forecast.noise_floor;
    forecast.chance_below_floor = gap_sd > 0 ? normalBelow(-gap / gap_sd) : double(gap <= 0);
    forecast.margin = kMarginErrors * forecast.error;
    if (thinness == 1) {
      const double below = static_cast<double>((gaps.array() <= 0).count()) / draws;
      forecast.chance_below_floor = std::max(forecast.chance_below_floor, below);
      forecast.margin = std::max(forecast.margin, marginOf(errors.col(j), gaps));
    }
    if (forecast.chance_below_floor > 1 - kKept) {
      forecast.margin = std::numeric_limits<double>::infinity();
    }
    result.correlations.push_back(forecast);
  }
  const std::vector<double> power = testPower(
      found, nullStatistics(shared, sums, rows, hypotheses, kNullDraws * draws), thinness);
  for (std::size_t j = 0; j < power.size(); ++j) result.correlations[j].power = power[j];
  return {};
}

}  // namespace

Result<std::vector<double>> forecastLengths(const Assumption& assumed,
                                            const std::vector<double>& radii, const Frame& frame) {
  if (const Status wrong = checkAssumption(assumed)) return *wrong;
  if (const Status wrong = checkFrame(frame, assumed.mean.size())) return *wrong;
  const LengthLaw law = lengthsOf(assumed, assumed.covariance, frame);
  std::vector<double> shares;
  for (const double radius : radii) {
    if (!positive(radius)) return wrongRadius();
    shares.push_back(clippingAt(radius, law).shortened);
  }
  return shares;
}

Result<Forecast> forecast(const ForecastInput& input) {
  if (const Status wrong = checkInput(input)) return *wrong;

  std::vector<double> truths;
  for (const int i : descendingOrder(input.correlations)) {
    truths.push_back(input.correlations[static_cast<std::size_t>(i)]);
  }
  Eigen::MatrixXd covariance = input.covariance;
  if (!truths.empty()) {
    const Result<PlantedViews> planted = plant(input, input.x, input.y, truths);
    if (!planted.ok()) return planted.error();
    const Eigen::Index dx = planted.value().dx;
    const Eigen::Index dy = planted.value().covariance.rows() - dx;
    const Eigen::MatrixXd cross = planted.value().covariance.topRightCorner(dx, dy);
    covariance(input.x, input.y) = cross;
    covariance(input.y, input.x) = cross.transpose();
  }

  const Scales scales = scalesOf(input, covariance, input.frame);
  const Clipping clipping = clippingOf(input, covariance);
  Forecast result;
  result.zero = std::sqrt(scales.energy);
  result.noise = std::sqrt(noiseEnergy(scales, input, input.rows));
  result.clipping = clipping.lost * result.zero;
  result.shortened = clipping.shortened;
  result.sampling = std::sqrt(samplingEnergy(scales, input.rows));
  result.total = std::hypot(result.noise, result.clipping, result.sampling);
  result.rows_for = rowsFor(input, scales, result.clipping);
  result.entries = entriesOf(input, covariance);
  result.mean_sd = input.noise.linear / (input.constant * input.rows);
  result.count_sd = input.rows_are_public ? 0 : input.noise.count / square(input.constant);
  if (input.simulate_denoised) result.denoised = denoisedError(input, covariance);
  if (input.simulate_correlations && !truths.empty()) {
    const ForecastInput clipped = besideClipped(input, clipping.lost);
    const NoiseLaw entries = entriesOf(clipped, covariance);
    if (const Status wrong = forecastCorrelations(clipped, truths, entries, result)) return *wrong;
  }
  return result;
}

}  // namespace pm
