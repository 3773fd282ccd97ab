#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/analysis/moments.hpp"
#include "core/analysis/population.hpp"
#include "core/result.hpp"

namespace pm {

struct Interval {
  double low = 0;
  double high = 0;
};

constexpr int kFewestDraws = 50;
constexpr int kMostDraws = 100000;

/// How many draws, for which level, and from which streams: each draw has one of its own, so that
/// it does not depend on those before it. The seed is public: simulated noise protects nobody, and
/// equal seeds make equal results.
struct BootstrapOptions {
  double level = 0.95;  ///< in (0, 1)
  int draws = 300;      ///< kFewestDraws .. kMostDraws
  std::uint64_t seed = 1;
};

/// What is wrong with them, if anything: kInvalidInterval (level, draws).
Status checkBootstrap(const BootstrapOptions& options);

/// What a number can be, and how its variance goes with its true value t. The sampling and the
/// privacy part are scaled each by its own law, as is the first for n normal rows:
///   kCorrelation  [0, 1]        sampling (1 - t^2)^2 / n,      privacy prop. to 1 + t^2
///   kVariance     not negative  sampling 2 t^2 / n,            privacy the same for all t
///   kShare        [0, 1]        sampling 2 t^2 (1 - t)^2 / n,  privacy the same for all t
///   kPlain        any           the same for all t
enum class Scale { kCorrelation, kVariance, kShare, kPlain };

/// A vector of numbers computed from moments, always as many. It must be the textbook analysis
/// where `covarianceNoise` is zero (`isNoiseless`).
using Statistic = std::function<Eigen::VectorXd(const ScaledMoments&)>;

/// Numbers that are drawn with a family's, from a population of their own.
struct Details {
  int count = 0;  ///< e, positive
  Statistic statistic;
  /// As `Family::covariance`; what has no parameter is moved too, as far as that is likely.
  std::function<Eigen::MatrixXd(const Eigen::VectorXd& shift)> covariance;
};

/// A statistic with m numbers, k of which (the first) are also parameters of populations like the
/// one that the releases seem to come from.
struct Family {
  int parameters = 0;          ///< k, at least 1; m is a multiple of it
  std::vector<Scale> scales;   ///< m
  Eigen::VectorXd observed;    ///< m: the statistic of the releases
  std::vector<double> floors;  ///< m: see `Bootstrap::intervals`; 0: none
  Statistic statistic;
  /// D x D covariance of the population whose first k numbers are moved by `shift` (k), as far as
  /// they can be; at 0 it is about what was observed.
  std::function<Eigen::MatrixXd(const Eigen::VectorXd& shift)> covariance;
  /// What hangs on the parameters in ways that one number at a time does not tell.
  std::optional<Details> details;
};

/// The numbers of a family's `details`: of the population that the releases seem to come from, and
/// of draws.
struct DetailDraws {
  Eigen::VectorXd own;    ///< e
  Eigen::MatrixXd drawn;  ///< e x draws
};

/// A part of a simulation, which threads can make apart: draws index, index + of, index + 2 of, ..
struct DrawPart {
  int index = 0;  ///< 0 .. of - 1
  int of = 1;
};

/// Intervals by a parametric bootstrap over sampling and privacy noise.
class Bootstrap {
 public:
  /// @param sums    as for `assembleMoments`
  /// @param columns as for `Population`
  /// Errors: those of `assembleMoments`; kWrongLength (columns); kInvalidInterval (level, draws).
  static Result<Bootstrap> create(const MomentSums& sums, const BootstrapOptions& options,
                                  const std::vector<int>& columns = {});

  /// Intervals for the m numbers of the population that the rows are a sample of.
  ///
  /// With T the statistic of the releases, T* that of draws from the family's population at 0 and
  /// t0 that population's own:
  /// * **bias**: the estimate is T - b, b = mean(T*) - t0. Noise makes leading values too large, by
  ///   more than their standard deviation in many dimensions; percentiles of T*, which has the bias
  ///   twice, would be wrong. Correcting the bias again at the corrected population helps the mean
  ///   little and adds variance; it is not done.
  /// * **spread**: that of T*, times the factor by which T - b varies more than T, as b itself
  ///   depends on the release (most for values near to each other, which push each other away).
  ///   With b_i at populations shifted by one standard deviation s_j along parameter j,
  ///   Var(T_i - b_i) = sum_j ((i = j) - db_i/dt_j)^2 s_j^2, from the same random numbers. Of more
  ///   than three parameters every third is shifted at a time, and a number heeds its neighbours.
  ///   How far they are shifted is read off the first 20 draws.
  /// * **shape**: below and above the centre a normal law each, scaled to the quantile of T* at the
  ///   level (or the outermost that seven draws lie beyond); the variance at other t by the
  ///   number's scale. The interval is the t for which T - b is within the central part of its law
  ///   at t.
  /// * **selection**: a number reported because T exceeds its floor f > 0 is one that noise made
  ///   rather too large. Its law is that of T given T > f (Zhong & Prentice 2008); the interval
  ///   then reaches down to where the number could not have been told from noise. No effect some
  ///   four standard deviations above the floor. Below it the interval begins at 0.
  std::vector<Interval> intervals(const Family& family) const;

  /// The draws of a part: m + e rows; first a column for each population's own numbers, then one
  /// for each draw from each. The last e rows are 0 but for the family's own population.
  Eigen::MatrixXd simulate(const Family& family, DrawPart part = {}) const;

  /// The same intervals, to the last bit, from parts 0, 1, .. of a simulation.
  /// Error: kWrongLength (draws) where they are not all parts of this one.
  Result<std::vector<Interval>> intervals(const Family& family,
                                          const std::vector<Eigen::MatrixXd>& parts) const;

  /// The family's details in all draws, in their order, from parts as above. Draws are from the
  /// population whose parameters are free of the bias that the first 20 draws of T* have, as far as
  /// their order allows: noise pushes values apart, and what hangs on their distance, as directions
  /// do, would seem better known than it is.
  Result<DetailDraws> details(const Family& family,
                              const std::vector<Eigen::MatrixXd>& parts) const;

  const AssembledMoments& moments() const { return moments_; }
  double rows() const { return rows_; }
  double level() const { return options_.level; }

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

}  // namespace pm
