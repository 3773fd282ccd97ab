#include "core/analysis/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/analysis/normal.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/order.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/random/continuous.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Groups of parameters that are shifted together.
constexpr int kGroups = 3;

/// Draws at each shifted population, as a part of all; each group is shifted up and down.
constexpr int kShiftedPart = 16;
constexpr int kFewestShifted = 20;

/// Bounds of the factor on the spread: what is below is simulation error, what is above a
/// population that cannot be shifted.
constexpr double kLeastFactor = 0.5;
constexpr double kMostFactor = 3;

/// Draws that lie beyond a quantile, or it is not read off them.
constexpr double kTailDraws = 7;

constexpr int kBisections = 50;

/// The p-quantile between order statistics, such that another draw lies below it with probability p
/// (Hyndman & Fan 1996, definition 6).
double quantile(const VectorXd& values, double p) {
  const auto count = static_cast<double>(values.size());
  const std::vector<int> descending =
      descendingOrder({values.data(), static_cast<std::size_t>(values.size())});
  const double place = std::clamp((1 - p) * (count + 1) - 1, 0.0, count - 1);
  const auto above = static_cast<std::size_t>(place);
  const std::size_t below = std::min(above + 1, descending.size() - 1);
  const double part = place - static_cast<double>(above);
  return (1 - part) * values[descending[above]] + part * values[descending[below]];
}

double standardDeviation(const VectorXd& values) {
  const double mean = values.mean();
  const double squares = (values.array() - mean).square().sum();
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// R L with L L^T ~ Wishart_d(freedom, I): Bartlett's, or normal columns where there are fewer.
MatrixXd spread(const MatrixXd& r, double freedom, Drbg& random) {
  const Index d = r.cols();
  const bool full = freedom >= static_cast<double>(d);
  const Index columns = full ? d : std::max<Index>(1, static_cast<Index>(std::lround(freedom)));
  MatrixXd root = MatrixXd::Zero(d, columns);
  for (Index j = 0; j < columns; ++j) {
    const Index first = full ? j : 0;
    simulateNormals({&root(first, j), static_cast<std::size_t>(d - first)}, random);
    if (full) root(j, j) = std::sqrt(chiSquare(freedom - static_cast<double>(j), random));
  }
  return full ? multiplyByLower(r, root) : multiply(r, root);
}

double smallest(Scale scale) {
  return scale == Scale::kPlain ? -std::numeric_limits<double>::infinity() : 0;
}

double largest(Scale scale) {
  return scale == Scale::kCorrelation || scale == Scale::kShare
             ? 1
             : std::numeric_limits<double>::infinity();
}

/// Standard deviations of an estimate as its true value varies (see Scale).
class Spread {
 public:
  /// @param sd of the estimate where the true value is `at`
  Spread(Scale scale, double rows, double at, double sd) : scale_(scale) {
    const double sampling = std::min(samplingShape(at) / rows, sd * sd);
    sampling_ = sampling > 0 ? sampling / samplingShape(at) : 0;
    privacy_ = (sd * sd - sampling) / privacyShape(at);
  }

  double at(double value) const {
    return std::sqrt(sampling_ * samplingShape(value) + privacy_ * privacyShape(value));
  }

 private:
  double samplingShape(double t) const {
    t = std::clamp(t, smallest(scale_), largest(scale_));
    switch (scale_) {
      case Scale::kCorrelation: return std::pow(1 - t * t, 2);
      case Scale::kVariance: return 2 * t * t;
      case Scale::kShare: return 2 * std::pow(t * (1 - t), 2);
      case Scale::kPlain: break;
    }
    return 0;
  }

  double privacyShape(double t) const {
    return scale_ == Scale::kCorrelation ? 1 + std::pow(std::clamp(t, 0.0, 1.0), 2) : 1;
  }

  Scale scale_;
  double sampling_;
  double privacy_;
};

/// The law of an estimate around a true value.
struct Law {
  Spread spread;
  double below;  ///< factors on the spread on either side of the centre
  double above;

  /// P(estimate > x) where the true value is t.
  double beyond(double x, double t) const {
    const double sd = spread.at(t);
    if (sd <= 0) return x >= t ? 0 : 1;
    return normalBelow((t - x) / (sd * (x < t ? below : above)));
  }
};

/// The true value for which an estimate, given that it exceeds `floor` if that is `given`, exceeds
/// x with probability p.
double trueValueAt(const Law& law, double x, double floor, bool given, double p, double reach) {
  double low = x - reach;
  double high = x + reach;
  for (int i = 0; i < kBisections; ++i) {
    const double t = (low + high) / 2;
    const double all = given ? law.beyond(floor, t) : 1;
    (all <= 0 || law.beyond(x, t) < p * all ? low : high) = t;
  }
  return (low + high) / 2;
}

}  // namespace

Status checkBootstrap(const BootstrapOptions& options) {
  if (!(options.level > 0 && options.level < 1)) {
    return Error{Code::kInvalidInterval, "The level must lie between 0 and 1.", "level"};
  }
  if (options.draws < kFewestDraws || options.draws > kMostDraws) {
    return Error{Code::kInvalidInterval,
                 "Draws must be between " + std::to_string(kFewestDraws) + " and " +
                     std::to_string(kMostDraws) + ".",
                 "draws"};
  }
  return {};
}

Population::Population(const MomentSums& sums, double rows, const VectorXd& mean,
                       const MatrixXd& covariance, const std::vector<int>& columns)
    : sums_(sums), columns_(columns), noise_(sums.noise, sums.dimension) {
  Spectrum decomposed = spectrum(covariance);
  decomposed.values = decomposed.values.cwiseMax(0.0);
  exact_.rows = rows;
  exact_.scaledMean = mean;
  exact_.scaledCovariance = compose(decomposed);
  decomposed.values = decomposed.values.cwiseSqrt();
  root_ = compose(decomposed);
  exact_.mean = sums.mid + sums.half.cwiseProduct(mean);
  exact_.covariance = sums.half.asDiagonal() * exact_.scaledCovariance * sums.half.asDiagonal();
}

/// Whether features i and j are, or feature i = j is, of a category.
bool Population::indicators(Index i, Index j) const {
  const int column = columns_[static_cast<std::size_t>(i)];
  return column == columns_[static_cast<std::size_t>(j)] &&
         (i != j || std::count(columns_.begin(), columns_.end(), column) > 1);
}

AssembledMoments Population::draw(Drbg& random) const {
  return std::move(assembleMoments(drawSums(random))).value();
}

ScaledMoments Population::drawScaled(Drbg& random) const { return scaledMoments(drawSums(random)); }

MomentSums Population::drawSums(Drbg& random) const {
  const double rows = exact_.rows;
  const Index d = exact_.scaledMean.size();
  VectorXd normals(d);
  simulateNormals({normals.data(), static_cast<std::size_t>(d)}, random);
  const VectorXd mean = exact_.scaledMean + root_ * normals / std::sqrt(rows);
  MatrixXd products = multiplyByTranspose(spread(root_, rows - 1, random));
  for (Index j = 0; j < d; ++j) products.col(j) += rows * mean[j] * mean;
  if (!columns_.empty()) {
    const VectorXd moved = mean - exact_.scaledMean;
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j) {
        if (!indicators(i, j)) continue;
        const double own =
            exact_.scaledCovariance(i, j) + exact_.scaledMean[i] * exact_.scaledMean[j];
        products(i, j) = rows * (i == j ? own + moved[i] : own);
      }
    }
  }

  const MatrixXd noise = noise_.draw(random);
  const double c = sums_.constant;
  MomentSums drawn = sums_;
  double* next = drawn.packed.data();
  *next++ = noise(0, 0) + rows * c * c;
  for (Index j = 0; j < d; ++j) *next++ = noise(j + 1, 0) + rows * c * mean[j];
  // Both are symmetric; columns lie side by side in memory.
  for (Index i = 0; i < d; ++i) {
    for (Index j = i; j < d; ++j) *next++ = noise(j + 1, i + 1) + products(j, i);
  }
  return drawn;
}

Bootstrap::Bootstrap(const MomentSums& sums, AssembledMoments moments,
                     const BootstrapOptions& options, const std::vector<int>& columns)
    : sums_(sums),
      moments_(std::move(moments)),
      options_(options),
      columns_(columns),
      rows_(std::max(2.0, moments_.rows)) {}

Result<Bootstrap> Bootstrap::create(const MomentSums& sums, const BootstrapOptions& options,
                                    const std::vector<int>& columns) {
  if (const Status wrong = checkBootstrap(options)) return *wrong;
  Result<AssembledMoments> assembled = assembleMoments(sums);
  if (!assembled.ok()) return assembled.error();
  if (!columns.empty() && columns.size() != static_cast<std::size_t>(sums.dimension)) {
    return Error{Code::kWrongLength, "Expected the column of each feature.", "columns"};
  }
  return Bootstrap(sums, std::move(assembled).value(), options, columns);
}

Population Bootstrap::population(const MatrixXd& covariance) const {
  return Population(sums_, rows_, moments_.scaledMean, covariance, columns_);
}

std::vector<Interval> Bootstrap::intervals(const Family& family) const {
  const Index m = family.observed.size();
  const int k = family.parameters;

  // Errors T* - t of `draws` releases of a population, one column each, and t.
  const auto simulate = [&](const VectorXd& shift, int draws) {
    const Population source = population(family.covariance(shift));
    std::pair<VectorXd, MatrixXd> result{family.statistic(source.exact()), MatrixXd(m, draws)};
    for (int b = 0; b < draws; ++b) {
      Drbg random = simulationDrbg(options_.seed, static_cast<std::uint64_t>(b));
      result.second.col(b) = family.statistic(source.drawScaled(random)) - result.first;
    }
    return result;
  };

  const auto [own, errors] = simulate(VectorXd::Zero(k), options_.draws);
  const VectorXd bias = errors.rowwise().mean();
  VectorXd sds(m);
  for (Index i = 0; i < m; ++i) sds[i] = standardDeviation(errors.row(i).transpose());

  VectorXd variances = VectorXd::Zero(m);
  const int groups = std::min(kGroups, k);
  const int shifted = std::max(kFewestShifted, options_.draws / kShiftedPart);
  for (int g = 0; g < groups; ++g) {
    VectorXd shift = VectorXd::Zero(k);
    for (int j = g; j < k; j += groups) shift[j] = sds[j];
    const auto [ownUp, up] = simulate(shift, shifted);
    const auto [ownDown, down] = simulate(-shift, shifted);
    for (Index i = 0; i < m; ++i) {
      const int self = static_cast<int>(i) % k;
      int near = g;  // the shifted parameter next to this one
      for (int j = g; j < k; j += groups) {
        if (std::abs(j - self) < std::abs(near - self)) near = j;
      }
      const Index moved = i - self + near;
      const double step = ownUp[moved] - ownDown[moved];
      if (step <= 0) {
        if (near == self) variances[i] += sds[i] * sds[i];
        continue;
      }
      const VectorXd slopes = (up.row(i) - down.row(i)).transpose() / step;
      const double net = (near == self ? 1 : 0) - slopes.mean();
      const double error = std::pow(standardDeviation(slopes), 2) / shifted;
      variances[i] += (net * net - error) * sds[moved] * sds[moved];
    }
  }

  const double tail = (1 - options_.level) / 2;
  const double z = normalReach(options_.level);
  const double tailSeen = std::max(tail, kTailDraws / options_.draws);
  const double zSeen = normalReach(1 - 2 * tailSeen);
  std::vector<Interval> result;
  for (Index i = 0; i < m; ++i) {
    const Scale scale = family.scales[static_cast<std::size_t>(i)];
    const double estimate = family.observed[i] - bias[i];
    const auto clamped = [&](double t) { return std::clamp(t, smallest(scale), largest(scale)); };
    if (sds[i] <= 0) {
      result.push_back({clamped(estimate), clamped(estimate)});
      continue;
    }
    const double sd = std::clamp(std::sqrt(std::max(0.0, variances[i])), kLeastFactor * sds[i],
                                 kMostFactor * sds[i]);
    const VectorXd centred = errors.row(i).transpose().array() - bias[i];
    const auto side = [&](double reached) {
      return std::clamp(reached / (zSeen * sds[i]), kLeastFactor, kMostFactor);
    };
    const Law law{Spread(scale, rows_, own[i], sd), side(-quantile(centred, tailSeen)),
                  side(quantile(centred, 1 - tailSeen))};
    const double floor = family.floors[static_cast<std::size_t>(i)];
    const bool given = floor > 0 && family.observed[i] > floor;
    const double reach = 4 * z * std::max({sd, law.spread.at(0), law.spread.at(1)});
    const auto end = [&](double p) {
      return clamped(trueValueAt(law, estimate, floor - bias[i], given, p, reach));
    };
    const bool drowned = floor > 0 && !given;
    result.push_back({drowned ? clamped(std::min(0.0, estimate)) : end(tail), end(1 - tail)});
  }
  return result;
}

}  // namespace pm
