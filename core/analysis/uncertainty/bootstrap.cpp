#include "core/analysis/uncertainty/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/normal.hpp"
#include "core/matrix/order.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Groups of parameters that are shifted together.
constexpr int kGroups = 3;

/// One in this many draws is repeated at each shifted population; each group is shifted up and
/// down.
constexpr int kShiftedPart = 16;
constexpr int kFewestShifted = 20;

/// The first draws, whose standard deviations determine the shifts. Every part simulates them.
constexpr int kPilot = kFewestShifted;

/// Bounds of the factor on the spread: smaller values are simulation error, larger ones come from a
/// population that cannot be shifted.
constexpr double kLeastFactor = 0.5;
constexpr double kMostFactor = 3;

/// Populations shifted by less than this, in standard deviations, count as not shifted: at a
/// correlation of 1 they differ by rounding only.
constexpr double kLeastStep = 1e-6;

/// Minimum number of draws beyond a quantile that is estimated from draws.
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

VectorXd standardDeviations(const MatrixXd& draws) {
  VectorXd sds(draws.rows());
  for (Index i = 0; i < sds.size(); ++i) sds[i] = standardDeviation(draws.row(i).transpose());
  return sds;
}

/// The layout of a simulation: draws from the family's own population, the first of which are
/// repeated for populations shifted by groups of parameters, up and down.
struct Plan {
  int draws;
  int shifted;      ///< draws that are repeated for shifted populations
  int groups;       ///< of parameters
  int populations;  ///< number of populations

  Plan(int draws, int parameters)
      : draws(draws),
        shifted(std::max(kFewestShifted, draws / kShiftedPart)),
        groups(std::min(kGroups, parameters)),
        populations(1 + 2 * groups) {}

  int columnsOf(int draw) const { return draw < shifted ? populations : 1; }

  Index columnsOf(DrawPart part) const {
    Index columns = populations;
    for (int b = part.index; b < draws; b += part.of) columns += columnsOf(b);
    return columns;
  }
};

double smallest(Scale scale) {
  return scale == Scale::kPlain ? -std::numeric_limits<double>::infinity() : 0;
}

double largest(Scale scale) {
  return scale == Scale::kCorrelation || scale == Scale::kShare
             ? 1
             : std::numeric_limits<double>::infinity();
}

/// Whether `parts` are all parts of one simulation of a family.
Status checkParts(const Family& family, const Plan& plan, const std::vector<MatrixXd>& parts) {
  const Index rows = family.observed.size() + (family.details ? family.details->count : 0);
  const auto count = static_cast<int>(parts.size());
  for (int i = 0; i < count; ++i) {
    const MatrixXd& part = parts[static_cast<std::size_t>(i)];
    if (part.rows() != rows || part.cols() != plan.columnsOf({i, count})) {
      return Error{Code::kWrongLength, "The simulated draws do not match their parts.", "draws"};
    }
  }
  if (count == 0) return Error{Code::kWrongLength, "There are no simulated draws.", "draws"};
  return {};
}

/// Standard deviation of an estimate as a function of its true value (see Scale).
class Spread {
 public:
  /// @param sd of the estimate if the true value is `at`
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

  /// P(estimate > x) if the true value is t.
  double beyond(double x, double t) const {
    const double sd = spread.at(t);
    if (sd <= 0) return x >= t ? 0 : 1;
    return normalBelow((t - x) / (sd * (x < t ? below : above)));
  }
};

/// The true value for which an estimate exceeds x with probability p, conditioned on exceeding
/// `floor` if `given`.
double trueValueAt(const Law& law, double x, double floor, bool conditional, double p,
                   double reach) {
  double low = x - reach;
  double high = x + reach;
  for (int i = 0; i < kBisections; ++i) {
    const double t = (low + high) / 2;
    const double all = conditional ? law.beyond(floor, t) : 1;
    (all <= 0 || law.beyond(x, t) < p * all ? low : high) = t;
  }
  return (low + high) / 2;
}

}  // namespace

Status checkBootstrap(const BootstrapOptions& options) {
  if (!(options.level > 0 && options.level < 1)) {
    return Error{Code::kInvalidInterval, "The level must be between 0 and 1.", "level"};
  }
  if (options.draws < kFewestDraws || options.draws > kMostDraws) {
    return Error{Code::kInvalidInterval,
                 "Draws must be between " + std::to_string(kFewestDraws) + " and " +
                     std::to_string(kMostDraws) + ".",
                 "draws"};
  }
  return {};
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
    return Error{Code::kWrongLength, "There must be one column for each feature.", "columns"};
  }
  return Bootstrap(sums, std::move(assembled).value(), options, columns);
}

Population Bootstrap::population(const Family& family, const VectorXd& shift) const {
  return Population(sums_, rows_, moments_.scaled_mean, family.covariance(shift), columns_);
}

Population Bootstrap::likely(const Family& family, const Population& found,
                             const MatrixXd& pilot) const {
  const int k = family.parameters;
  const VectorXd own = family.statistic(found.exact());
  VectorXd values(k);
  for (int j = 0; j < k; ++j) {
    double sum = 0;
    for (Index b = 0; b < pilot.cols(); ++b) sum += pilot(j, b);
    values[j] = 2 * own[j] - sum / static_cast<double>(pilot.cols());
  }
  VectorXd shift = nearestDescending(values);
  for (int j = 0; j < k; ++j) shift[j] = std::max(shift[j], 0.0) - own[j];
  return Population(sums_, rows_, moments_.scaled_mean, family.details->covariance(shift),
                    columns_);
}

MatrixXd Bootstrap::simulate(const Family& family, DrawPart part) const {
  const Index m = family.observed.size();
  const int k = family.parameters;
  const Plan plan(options_.draws, k);
  const auto chance_of = [&](const Population& source, int draw) {
    Drbg random = simulationDrbg(options_.seed, static_cast<std::uint64_t>(draw));
    return source.chance(random);
  };

  std::vector<Population> sources{population(family, VectorXd::Zero(k))};
  MatrixXd pilot(m, kPilot);
  for (int b = 0; b < kPilot; ++b) {
    pilot.col(b) = family.statistic(sources[0].drawScaled(chance_of(sources[0], b)));
  }
  const VectorXd sds = standardDeviations(pilot);
  const Index e = family.details ? family.details->count : 0;
  std::optional<Population> likelier;
  if (e > 0) likelier = likely(family, sources[0], pilot);
  for (int g = 0; g < plan.groups; ++g) {
    VectorXd shift = VectorXd::Zero(k);
    for (int j = g; j < k; j += plan.groups) shift[j] = sds[j];
    sources.push_back(population(family, shift));
    sources.push_back(population(family, -shift));
  }

  MatrixXd simulated = MatrixXd::Zero(m + e, plan.columnsOf(part));
  Index next = 0;
  if (e > 0) simulated.col(0).tail(e) = family.details->statistic(sources[0].exact());
  for (const Population& source : sources) {
    simulated.col(next++).head(m) = family.statistic(source.exact());
  }
  for (int b = part.index; b < plan.draws; b += part.of) {
    const Chance chance = chance_of(sources[0], b);
    for (int p = 0; p < plan.columnsOf(b); ++p, ++next) {
      const bool in_pilot = p == 0 && b < kPilot;
      simulated.col(next).head(m) =
          in_pilot ? VectorXd(pilot.col(b))
                   : family.statistic(sources[static_cast<std::size_t>(p)].drawScaled(chance));
      if (p == 0 && e > 0) {
        simulated.col(next).tail(e) = family.details->statistic(likelier->drawScaled(chance));
      }
    }
  }
  return simulated;
}

Index Bootstrap::columnsOf(DrawPart part, int parameters) const {
  return Plan(options_.draws, parameters).columnsOf(part);
}

MatrixXd Bootstrap::sample(const MatrixXd& covariance, const Statistic& statistic) const {
  const Population source(sums_, rows_, moments_.scaled_mean, covariance, columns_);
  MatrixXd drawn;
  for (int b = 0; b < options_.draws; ++b) {
    Drbg random = simulationDrbg(options_.seed, static_cast<std::uint64_t>(b));
    const VectorXd found = statistic(source.drawScaled(random));
    if (b == 0) drawn.resize(found.size(), options_.draws);
    drawn.col(b) = found;
  }
  return drawn;
}

std::vector<Interval> Bootstrap::intervals(const Family& family) const {
  return std::move(intervals(family, {simulate(family)})).value();
}

Result<DetailDraws> Bootstrap::details(const Family& family,
                                       const std::vector<MatrixXd>& parts) const {
  const Plan plan(options_.draws, family.parameters);
  if (const Status wrong = checkParts(family, plan, parts)) return *wrong;
  const Index e = family.details->count;
  DetailDraws result{parts[0].col(0).tail(e), MatrixXd(e, plan.draws)};
  std::vector<Index> next(parts.size(), plan.populations);
  for (int b = 0; b < plan.draws; ++b) {
    const std::size_t part = static_cast<std::size_t>(b) % parts.size();
    result.drawn.col(b) = parts[part].col(next[part]).tail(e);
    next[part] += plan.columnsOf(b);
  }
  return result;
}

Result<std::vector<Interval>> Bootstrap::intervals(const Family& family,
                                                   const std::vector<MatrixXd>& parts) const {
  const Index m = family.observed.size();
  const int k = family.parameters;
  const Plan plan(options_.draws, k);
  const auto count = static_cast<int>(parts.size());
  if (const Status wrong = checkParts(family, plan, parts)) return *wrong;

  // Errors T* - t of draws from each population, t the exact number of the population.
  const MatrixXd exact = parts[0].topLeftCorner(m, plan.populations);
  std::vector<MatrixXd> errors(static_cast<std::size_t>(plan.populations));
  for (std::size_t p = 0; p < errors.size(); ++p) {
    errors[p].resize(m, p == 0 ? plan.draws : plan.shifted);
  }
  std::vector<Index> next(parts.size(), plan.populations);
  for (int b = 0; b < plan.draws; ++b) {
    const auto part = static_cast<std::size_t>(b % count);
    for (int p = 0; p < plan.columnsOf(b); ++p) {
      errors[static_cast<std::size_t>(p)].col(b) =
          parts[part].col(next[part]++).head(m) - exact.col(p);
    }
  }

  const VectorXd own = exact.col(0);
  const VectorXd bias = errors[0].rowwise().mean();
  const VectorXd sds = standardDeviations(errors[0]);
  VectorXd variances = VectorXd::Zero(m);
  for (int g = 0; g < plan.groups; ++g) {
    const Index above = 1 + 2 * g;
    const MatrixXd& up = errors[static_cast<std::size_t>(above)];
    const MatrixXd& down = errors[static_cast<std::size_t>(above) + 1];
    for (Index i = 0; i < m; ++i) {
      const int self = static_cast<int>(i) % k;
      int near = g;  // the shifted parameter nearest to this one
      for (int j = g; j < k; j += plan.groups) {
        if (std::abs(j - self) < std::abs(near - self)) near = j;
      }
      const Index moved = i - self + near;
      const double step = exact(moved, above) - exact(moved, above + 1);
      if (step <= kLeastStep * sds[moved]) {
        if (near == self) variances[i] += sds[i] * sds[i];
        continue;
      }
      const VectorXd slopes = (up.row(i) - down.row(i)).transpose() / step;
      const double net = (near == self ? 1 : 0) - slopes.mean();
      const double error = std::pow(standardDeviation(slopes), 2) / plan.shifted;
      variances[i] += (net * net - error) * sds[moved] * sds[moved];
    }
  }

  const double tail = (1 - options_.level) / 2;
  const double z = normalReach(options_.level);
  const double tail_seen = std::max(tail, kTailDraws / options_.draws);
  const double z_seen = normalReach(1 - 2 * tail_seen);
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
    const VectorXd centred = errors[0].row(i).transpose().array() - bias[i];
    const auto side = [&](double reached) {
      return std::clamp(reached / (z_seen * sds[i]), kLeastFactor, kMostFactor);
    };
    const Law law{Spread(scale, rows_, own[i], sd), side(-quantile(centred, tail_seen)),
                  side(quantile(centred, 1 - tail_seen))};
    const double floor = family.floors[static_cast<std::size_t>(i)];
    const bool conditional = floor > 0 && family.observed[i] > floor;
    const double reach = 4 * z * std::max({sd, law.spread.at(0), law.spread.at(1)});
    const auto end = [&](double p) {
      return clamped(trueValueAt(law, estimate, floor - bias[i], conditional, p, reach));
    };
    const bool below_floor = floor > 0 && !conditional;
    result.push_back({below_floor ? clamped(std::min(0.0, estimate)) : end(tail), end(1 - tail)});
  }
  return result;
}

void setFrom(const Bootstrap& bootstrap, NoisyCovariance& data) {
  data.covariance = bootstrap.moments().scaled_covariance;
  data.noise = bootstrap.moments().covariance_noise;
  data.mean_noise = bootstrap.moments().mean_noise;
  data.frame = bootstrap.frame();
}

}  // namespace pm
