#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/result.hpp"

namespace pm {

/// Compares ways to compute canonical correlations from rows at several sites, as in the
/// experiments of Imtiaz & Sarwate's capeCCA (ICASSP 2019). docs/consortium.md

/// The guarantee that all ways must give: (epsilon, delta) for replacing one row by any other,
/// against observers of all messages who collude with all except the honest sites.
struct ConsortiumSetting {
  double epsilon = 0;
  double delta = 0;
  int sites = 0;
  int honest = 0;
};

/// kInvalidEpsilon, kInvalidDelta, kInvalidFederation (sites < 1, honest not 1 .. sites).
Status checkConsortium(const ConsortiumSetting& setting);

/// A way to combine the rows of several sites.
struct ConsortiumWay {
  const char* name;
  /// Variance of the noise in the sum, relative to that of a trusted computer with all rows.
  double (*growth)(const ConsortiumSetting& setting);
  /// The guaranteed epsilon at delta; infinite without privacy.
  double (*epsilon)(const ConsortiumSetting& setting);
  bool alone = false;  ///< uses the rows of one site only
};

/// In order of accuracy, except the last, which gives another guarantee:
/// * `non-private`
/// * `pooled`: one trusted computer has all rows
/// * `split`: uniform masks (or a ring) hide everything except the sum; only noise of honest sites
///   counts
/// * `cape`: capeCCA's correlated noise, calibrated for all messages at once
/// * `conventional`: each site adds all the noise by itself
/// * `local`: one site alone, with its own rows
/// * `cape-published`: the paper's formula, whose guarantee is for one message
const std::array<ConsortiumWay, 7>& consortiumWays();

/// Standard deviation of the noise in an off-diagonal entry of the mean of x x^T over `rows` rows
/// of length at most 1; on the diagonal it is sqrt 2 times as large.
double consortiumDeviation(const ConsortiumWay& way, const ConsortiumSetting& setting, double rows);

/// The epsilon of `cape-published` at delta; the epsilon of the setting is its claim.
double publishedCapeEpsilon(const ConsortiumSetting& setting);

/// Second moments of the centred rows of all sites, of which the longest has length 1.
struct ConsortiumData {
  Eigen::MatrixXd covariance;
  int first = 0;  ///< columns of the first view; those of the second follow
};

/// kInvalidDimension, kWrongLength, kNotFinite, kInvalidView (also if the views are uncorrelated),
/// kInvalidRowNorm (a trace above 1, or a negative eigenvalue).
Status checkConsortium(const ConsortiumData& data);

/// Means over simulated releases.
struct Recovered {
  /// True correlation of the first pair of released variates, relative to the true first one.
  double first = 0;
  /// The same summed over all pairs, each made uncorrelated with earlier ones; at most 1.
  double all = 0;
  /// |estimate - truth| of a correlation, mean over all pairs. An estimate below its noise floor is
  /// reported as not found and counts as 0.
  double error = 0;
};

/// The true canonical correlations, and their share that noisy weights recover.
class ConsortiumTruth {
 public:
  /// Precondition: `checkConsortium(data)` returns no error.
  explicit ConsortiumTruth(const ConsortiumData& data);

  const Eigen::VectorXd& correlations() const { return correlations_; }

  /// Evaluates one release. `estimate` may be noisy, and of all rows or of some; `deviation` as
  /// above.
  Recovered judge(const Eigen::MatrixXd& estimate, double deviation) const;

 private:
  Eigen::MatrixXd covariance_;
  int first_;
  Eigen::VectorXd correlations_;
};

/// For given rows, the result of every way is the same function of the size of the noise and of the
/// deviation of one site's rows from all rows. This function is simulated once on a grid; all
/// settings are interpolated.
///
/// A site with n of N rows deviates from all rows like a sample of n N / (N - n) from its
/// population (finite population correction); these samples are drawn from the normal law with
/// these moments (Wishart, by Bartlett's decomposition). A site with all rows does not deviate.
class ConsortiumSurface {
 public:
  /// Deviations on the grid: 0 and 10^-4 to 1, with ten per decade where correlations vanish.
  static constexpr int kDeviations = 31;
  /// Sample sizes: 50 to 50 000 in steps of three quarters of a decade, and all rows.
  static constexpr int kSamples = 6;
  static constexpr int kQuantities = 3;
  static constexpr std::size_t kSize = std::size_t(kDeviations) * kSamples * kQuantities;

  /// Adds runs first .. first + count - 1 to `sums` (kSize numbers). A run is one draw of
  /// rotation-invariant normal noise and one of rows, the same at every grid point; equal numbers
  /// give equal runs.
  static void run(const ConsortiumData& data, int first, int count, std::span<double> sums);

  /// The means from `sums` of `runs` runs: monotone cubic interpolation between grid points.
  /// @param deviation as above, at least 0; larger values count as 1
  /// @param sample    at least 50, or infinite for all rows; smaller values count as 50
  static Recovered at(std::span<const double> sums, int runs, double deviation, double sample);
};

/// The result of one way in one setting.
struct ConsortiumOutcome {
  double deviation = 0;
  double epsilon = 0;  ///< see `ConsortiumWay`
  Recovered recovered;
};

/// The results of all ways of `consortiumWays`, in its order, interpolated from a surface; `rows`
/// is the number of rows at each site.
std::array<ConsortiumOutcome, 7> consortiumOutcomes(std::span<const double> sums, int runs,
                                                    const ConsortiumSetting& setting, double rows);

}  // namespace pm
