#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/result.hpp"

namespace pm {

/// What canonical correlations of rows at several sites are worth by each way to put them together,
/// as in the experiments of Imtiaz & Sarwate's capeCCA (ICASSP 2019). docs/consortium.md

/// One promise for all: (epsilon, delta) for one row replaced by any other, to whoever sees all
/// messages and works together with all but the honest sites.
struct ConsortiumSetting {
  double epsilon = 0;
  double delta = 0;
  int sites = 0;
  int honest = 0;
};

/// kInvalidEpsilon, kInvalidDelta, kInvalidFederation (sites < 1, honest not 1 .. sites).
Status checkConsortium(const ConsortiumSetting& setting);

/// A way to put together what lies at several sites.
struct ConsortiumWay {
  const char* name;
  /// Variance of the noise in the sum, over that of one trusted computer with all rows.
  double (*growth)(const ConsortiumSetting& setting);
  /// What is promised at delta; infinite without privacy.
  double (*epsilon)(const ConsortiumSetting& setting);
  bool alone = false;  ///< has the rows of one site only
};

/// In the order of what they must capture; the last, which promises something else, apart:
/// * `non-private`
/// * `pooled`: one trusted computer has all rows
/// * `split`: uniform masks (or a ring of them) hide all but the sum; noise of honest sites counts
/// * `cape`: capeCCA's correlated noise, calibrated for all messages at once
/// * `conventional`: each site adds the whole noise by itself
/// * `local`: one site alone, with its own rows
/// * `cape-published`: the paper's formula, whose promise counts one message
const std::array<ConsortiumWay, 7>& consortiumWays();

/// Standard deviation of an entry off the diagonal of the noisy mean of x x^T over `rows` rows of
/// length at most 1; on the diagonal it is sqrt 2 more.
double consortiumDeviation(const ConsortiumWay& way, const ConsortiumSetting& setting, double rows);

/// The epsilon that `cape-published` has at delta; that of the setting is its claim.
double publishedCapeEpsilon(const ConsortiumSetting& setting);

/// Second moments of the rows of all sites: centred, the longest of length 1.
struct ConsortiumData {
  Eigen::MatrixXd covariance;
  int first = 0;  ///< columns of the first view; those of the second follow
};

/// kInvalidDimension, kWrongLength, kNotFinite, kInvalidView (also where the views have nothing in
/// common), kInvalidRowNorm (a trace above 1, or an eigenvalue below 0).
Status checkConsortium(const ConsortiumData& data);

/// Means over simulated releases.
struct Recovered {
  /// True correlation of the first pair of released variates, over the true first one.
  double first = 0;
  /// The same summed over all pairs, each made uncorrelated with those before it: at most 1.
  double all = 0;
  /// |estimate - truth| of a correlation, mean over all pairs. One below its noise floor is
  /// reported as not found, and so counts as 0: at most the mean of the true ones and what noise
  /// adds.
  double error = 0;
};

/// The true canonical correlations, and what is left of them by weights found in noise.
class ConsortiumTruth {
 public:
  /// Precondition: `checkConsortium(data)` finds nothing.
  explicit ConsortiumTruth(const ConsortiumData& data);

  const Eigen::VectorXd& correlations() const { return correlations_; }

  /// Of one release. `estimate` is noisy or not, of all rows or of some; `deviation` as above.
  Recovered judge(const Eigen::MatrixXd& estimate, double deviation) const;

 private:
  Eigen::MatrixXd covariance_;
  int first_;
  Eigen::VectorXd correlations_;
};

/// On given rows every way is the same function of the size of the noise, and one site's of how
/// much its rows differ from all; so that function is simulated once, on a grid, and every setting
/// read off.
///
/// A site with n of N rows differs from all as a sample of n N / (N - n) does from its population
/// (finite population correction); such samples are drawn from the normal law with these moments
/// (Wishart, by Bartlett's decomposition). Where it has all rows, nothing differs.
class ConsortiumSurface {
 public:
  /// Deviations on the grid: 0 and 10^-4 to 1, ten to a decade where the correlations are lost.
  static constexpr int kDeviations = 31;
  /// Sample sizes: 50 to 50 000 in steps of three quarters of a decade, and all rows.
  static constexpr int kSamples = 6;
  static constexpr int kQuantities = 3;
  static constexpr std::size_t kSize = std::size_t(kDeviations) * kSamples * kQuantities;

  /// Adds runs first .. first + count - 1 to `sums` (kSize numbers). A run is one draw of
  /// rotation-invariant normal noise and one of rows, the same at every place of the grid; equal
  /// numbers give equal runs.
  static void run(const ConsortiumData& data, int first, int count, std::span<double> sums);

  /// What is read off `sums` of so many runs: monotone cubic between the places of the grid.
  /// @param deviation as above, at least 0; beyond the grid it counts as 1
  /// @param sample    at least 50, or infinite for all rows; less counts as 50
  static Recovered at(std::span<const double> sums, int runs, double deviation, double sample);
};

/// One way, in one setting with so many rows at each site.
struct ConsortiumOutcome {
  double deviation = 0;
  double epsilon = 0;  ///< as `ConsortiumWay`
  Recovered recovered;
};

/// All ways of `consortiumWays`, in its order, read off a surface.
std::array<ConsortiumOutcome, 7> consortiumOutcomes(std::span<const double> sums, int runs,
                                                    const ConsortiumSetting& setting, double rows);

}  // namespace pm
