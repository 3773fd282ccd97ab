#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noisy_covariance.hpp"
#include "core/analysis/noise/population.hpp"
#include "core/result.hpp"

namespace pm {

struct Interval {
  double low = 0;
  double high = 0;
};

constexpr int kFewestDraws = 50;
constexpr int kMostDraws = 100000;

/// Number of draws, confidence level and seed. Each draw has a random stream of its own, so it does
/// not depend on earlier ones. The seed is public: simulated noise is not privacy noise, and equal
/// seeds give equal results.
struct BootstrapOptions {
  double level = 0.95;  ///< in (0, 1)
  int draws = 300;      ///< kFewestDraws .. kMostDraws
  std::uint64_t seed = 1;
};

/// Checks the options. Error: kInvalidInterval (level, draws).
Status checkBootstrap(const BootstrapOptions& options);

/// The range of a number, and how its variance depends on its true value t. The sampling and the
/// privacy part each follow their own law; the first is that of n normal rows:
///   kCorrelation  [0, 1]        sampling (1 - t^2)^2 / n,      privacy prop. to 1 + t^2
///   kVariance     not negative  sampling 2 t^2 / n,            privacy constant
///   kShare        [0, 1]        sampling 2 t^2 (1 - t)^2 / n,  privacy constant
///   kPlain        any           both constant
enum class Scale { kCorrelation, kVariance, kShare, kPlain };

/// A vector of fixed length, computed from moments. It must be the textbook analysis if
/// `covariance_noise` is zero (`isNoiseless`).
using Statistic = std::function<Eigen::VectorXd(const ScaledMoments&)>;

/// Numbers that are drawn along with a family's, from a population of their own.
struct Details {
  int count = 0;  ///< e, not negative
  Statistic statistic;
  /// Like `Family::covariance`, but quantities without a parameter are shifted too, by a likely
  /// amount.
  std::function<Eigen::MatrixXd(const Eigen::VectorXd& shift)> covariance;
};

/// A statistic with m numbers, the first k of which are also parameters of a family of populations
/// around the one estimated from the releases.
struct Family {
  int parameters = 0;          ///< k, at least 1; m is a multiple of it
  std::vector<Scale> scales;   ///< m
  Eigen::VectorXd observed;    ///< m: the statistic of the releases
  std::vector<double> floors;  ///< m, see `Bootstrap::intervals`; 0 for no floor
  Statistic statistic;
  /// D x D covariance, units of z, of the population whose first k numbers are shifted by `shift`
  /// (k), as far as possible; at 0 it is close to the observed one.
  std::function<Eigen::MatrixXd(const Eigen::VectorXd& shift)> covariance;
  /// Numbers that depend on several parameters at once.
  std::optional<Details> details;
};

/// The numbers of a family's `details`: those of the estimated population, and those of draws.
struct DetailDraws {
  Eigen::VectorXd own;    ///< e
  Eigen::MatrixXd drawn;  ///< e x draws
};

/// A part of a simulation, for parallel threads: draws index, index + of, index + 2 of, ..
struct DrawPart {
  int index = 0;  ///< 0 .. of - 1
  int of = 1;
};

/// Intervals by a parametric bootstrap over sampling and privacy noise.
class Bootstrap {
 public:
  /// @param sums    see `assembleMoments`
  /// @param columns see `Population`
  /// Errors: those of `assembleMoments`; kWrongLength (columns); kInvalidInterval (level, draws).
  static Result<Bootstrap> create(const MomentSums& sums, const BootstrapOptions& options,
                                  const std::vector<int>& columns = {});

  /// Intervals for the m numbers of the population from which the rows are a sample.
  ///
  /// Let T be the statistic of the releases, T* that of draws from the family's population at 0,
  /// and t0 that of this population:
  /// * **bias**: the estimate is T - b, b = mean(T*) - t0. Noise makes leading values too large, in
  ///   many dimensions by more than their standard deviation, and percentiles of T*, which has the
  ///   bias twice, would be wrong. Another correction at the corrected population would hardly
  ///   improve the mean and would add variance.
  /// * **spread**: that of T*, times the factor by which T - b varies more than T, as b itself
  ///   depends on the release (most for values close to each other, which repel each other).
  ///   With b_i at populations shifted by one standard deviation s_j along parameter j,
  ///   Var(T_i - b_i) = sum_j ((i = j) - db_i/dt_j)^2 s_j^2, from the same random numbers. With
  ///   more than three parameters every third is shifted at the same time, and each number uses the
  ///   nearest one. The first 20 draws determine the size of the shifts.
  /// * **shape**: one normal law below and one above the centre, each scaled to the quantile of T*
  ///   at the level (or the outermost quantile with seven draws beyond it); the variance at other t
  ///   follows the number's scale. The interval consists of the t for which T - b is within the
  ///   central part of its law at t.
  /// * **selection**: a number that is reported because T exceeds its floor f > 0 is biased
  /// upwards.
  ///   Its law is that of T conditioned on T > f (Zhong & Prentice 2008); the interval then extends
  ///   down to values that could not have been distinguished from noise. There is no effect more
  ///   than about four standard deviations above the floor. Below the floor the interval begins at
  ///   0.
  std::vector<Interval> intervals(const Family& family) const;

  /// The draws of a part: m + e rows; first a column for the exact numbers of each population, then
  /// one for each draw from each. The last e rows are 0 except for the family's own population.
  Eigen::MatrixXd simulate(const Family& family, DrawPart part = {}) const;

  /// The number of columns of a part, for a family with this number of parameters.
  Eigen::Index columnsOf(DrawPart part, int parameters) const;

  /// The same intervals, bit for bit, from parts 0, 1, .. of a simulation.
  /// Error: kWrongLength (draws) if they are not all parts of this simulation.
  Result<std::vector<Interval>> intervals(const Family& family,
                                          const std::vector<Eigen::MatrixXd>& parts) const;

  /// The family's details in all draws, in order, from parts as above. Draws are from the
  /// population whose parameters are corrected for the bias of the first 20 draws of T*, as far as
  /// their order allows: noise pushes values apart, and quantities that depend on their distance,
  /// such as directions, would appear more precise than they are.
  Result<DetailDraws> details(const Family& family,
                              const std::vector<Eigen::MatrixXd>& parts) const;

  /// The statistic of draws from the population with this covariance (D x D, units of z), one
  /// column for each, the same random numbers for every population.
  Eigen::MatrixXd sample(const Eigen::MatrixXd& covariance, const Statistic& statistic) const;

  const AssembledMoments& moments() const { return moments_; }
  const Frame& frame() const { return sums_.frame; }
  double rows() const { return rows_; }
  double level() const { return options_.level; }
  std::uint64_t seed() const { return options_.seed; }

 private:
  Bootstrap(const MomentSums& sums, AssembledMoments moments, const BootstrapOptions& options,
            const std::vector<int>& columns);

  Population population(const Family& family, const Eigen::VectorXd& shift) const;
  Population likely(const Family& family, const Population& found,
                    const Eigen::MatrixXd& pilot) const;

  MomentSums sums_;
  AssembledMoments moments_;
  BootstrapOptions options_;
  std::vector<int> columns_;
  double rows_;
};

/// Sets the covariance, its noise and its frame to those of the bootstrap's moments.
void setFrom(const Bootstrap& bootstrap, NoisyCovariance& data);

}  // namespace pm
