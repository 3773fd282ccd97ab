#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/moments/assembly.hpp"
#include "core/moments/centred_summands.hpp"
#include "core/result.hpp"

namespace pm {

/// Sums of the rows' products about the mean of their own site, in coordinates about the mean of
/// all rows: z_j = (x_j - centre_j) / units_j, with a constant coordinate of 1.
struct WithinSums : AssembledSums {
  std::vector<double> centre;  ///< D, scaled units: the mean of all rows
  std::vector<double> units;   ///< D, scaled units per z
  /// Packed mean of (1, -m_s)(1, -m_s)^T over the releases, weighted by the variance of their
  /// linear noise, m_s a site's mean about the centre of its own coordinates (see
  /// `MomentSums::noise_centres`).
  std::vector<double> noise_centres;
};

/// Removes the effects of sites on the means: sums the products of each release about its own mean,
/// as after adding an indicator for each site as a covariate (the within-group covariance of
/// analysis of variance). With n_s rows of mean m_s about the release's own origin, n = sum n_s,
///   n C = sum_s (S_s - n_s m_s m_s^T),
/// S_s the release's products about that origin. With the noise E_s of S_s and e_s of the linear
/// sums, the error of n C is to first order
///   sum_s E_s - sum_s (m_s e_s^T + e_s m_s^T),
/// whose directions `noise_centres` describe, and has the mean -sum_s Var(e_s) / n_s in the
/// diagonal, as the means of sites follow their noise. That much is added. Where numbers of rows
/// are private, the noise of each changes m_s m_s^T, which counts in `off_diagonal` and `diagonal`.
///
/// Releases may each have coordinates of their own (private centring). Sums are of floating-point
/// numbers, so their last digits depend on the order of the releases.
class WithinSites {
 public:
  /// Errors: kInvalidDimension.
  static Result<WithinSites> create(int dimension);

  /// Adds a release. `scale` has the centre and the scale of its coordinates, 0 and 1 where they
  /// are scaled units. On an error nothing is added. Errors: kWrongLength (values, centre, scale);
  /// kNotFinite for an entry or a scale that is not finite; kNoRows if there are fewer than two
  /// rows, or, where their number is private, fewer than twice the standard deviation of its noise.
  Status add(std::span<const double> values, const CentredScale& scale,
             std::optional<std::uint64_t> rows);

  /// Errors: kNoRows if nothing was added.
  Result<WithinSums> sum() const;

 private:
  explicit WithinSites(std::size_t dimension);

  std::size_t dimension_;
  std::uint64_t releases_ = 0;
  std::uint64_t public_rows_ = 0;
  bool rows_are_public_ = true;
  // Sums over the releases; without further words in scaled units, matrices packed.
  double rows_ = 0;
  double weights_ = 0;          ///< v_s, the mean variance of the sums x_j
  double diagonal_ = 0;         ///< variance of a sum z_i z_i, in each release's own coordinates
  double off_diagonal_ = 0;     ///< variance of a sum z_i z_j there
  double count_ = 0;            ///< variance of the count
  std::vector<double> totals_;  ///< D: sum of x_j
  std::vector<double> linear_noise_;    ///< D: variance of the sum of x_j
  std::vector<double> mean_weights_;    ///< D: v_s m_s
  std::vector<double> reach_;           ///< D: the greatest radius times scale
  std::vector<double> products_;        ///< n C
  std::vector<double> entry_noise_;     ///< variances of the entries of E_s
  std::vector<double> other_noise_;     ///< variances that the means and the counts add
  std::vector<double> square_weights_;  ///< v_s m_s m_s^T
};

}  // namespace pm
