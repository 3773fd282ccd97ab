#pragma once

#include <cstdint>
#include <span>

#include "core/int128.hpp"
#include "core/privacy/guarantee.hpp"
#include "core/random/drbg.hpp"
#include "core/result.hpp"

namespace pm {

/// How the variance is spread over the upper triangle.
enum class GaussianShape {
  kRotationInvariant,  ///< off-diagonal variance half of the diagonal's (the law of a GOE matrix)
  kUpperTriangle,      ///< the same variance everywhere, as in Dwork et al. 2014 (Analyze Gauss)
};

/// What determines the mechanism; all public.
struct GaussianParams {
  double epsilon;  ///< > 0, finite
  double delta;    ///< in (0, 1)
  Neighbours neighbours;
  Unit unit;
  GaussianShape shape = GaussianShape::kRotationInvariant;
  int dimension;  ///< D features, 1 .. kMaxFeatures; the matrix has D + 1 rows
};

/// The discrete Gaussian mechanism on the integer second-moment matrix of augmented rows (A, q),
/// |q|^2 <= 2^2b, made concrete: entry (i, j), i <= j, gets independent noise N_Z(0, (16 w)^2).
struct GaussianPlan {
  GaussianParams params;
  int bits;                      ///< b; one grid unit is 2^-2b of the squared row norm
  std::uint64_t constant;        ///< A, the constant coordinate (limits.hpp)
  std::uint64_t w_diagonal;      ///< noise scale of diagonal entries, sigma = 16 w grid units
  std::uint64_t w_off_diagonal;  ///< noise scale of the other entries
  Uint128 sensitivity_squared;   ///< Frobenius, grid units squared, exact
  int release_shift;             ///< released integers are in units of 2^shift grid units
  std::uint64_t max_rows;        ///< beyond this a released integer could leave +-2^53
  double sampler_delta_log2;     ///< log2 of what the sampler's distance adds to delta
  Guarantee guarantee;
};

/// Calibrates the noise and computes the guarantee from it.
/// sigma is the analytic Gaussian's for (epsilon, delta) on the Frobenius sensitivity, rounded
/// up so that the discrete law is no worse than the continuous one (docs/mechanisms/gaussian.md,
/// theorem and proof). guarantee.epsilon is the requested one; guarantee.delta is the requested
/// one wherever the certificate, which counts the sampler's truncated tail
/// (1 + e^epsilon) m 2^-144, allows it (epsilon up to about 60), and else the larger value it
/// yields, at most 1: no protection.
/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kNoiseTooLarge.
/// Sources: Dwork, Talwar, Thakurta, Zhang 2014; Balle, Wang 2018; Canonne, Kamath, Steinke 2020.
Result<GaussianPlan> planGaussian(const GaussianParams& params);

/// The noise scales alone: for squared sensitivity `sensitivity_squared` in grid units,
/// w = floor(sigma_hat sqrt(sensitivity_squared) / 16) + 2 with sigma_hat at least the analytic
/// sigma of a unit sensitivity, so (16 w)^2 >= sigma^2 + 9. Exceeds 2^54 where the noise is too
/// large for this grid.
std::uint64_t gaussianWidth(double epsilon, double delta, Uint128 sensitivity_squared);

/// The smallest w' with 2 w'^2 >= w^2. Precondition: w < 2^60.
std::uint64_t offDiagonalWidth(std::uint64_t w);

/// Adds the noise to exact totals and rounds to the public release grid. `totals` is the packed
/// upper triangle, row by row, constant coordinate first, of the (D+1) x (D+1) integer matrix
/// (for unit participant, of its truncated average); `out` receives as many integers, each exact
/// in a double. Under replace-one entry (0, 0) is public and gets no noise.
/// Uses `random` for nothing else and draws a fixed number of samples, whatever the data.
void releaseGaussian(const GaussianPlan& plan, std::span<const Int128> totals, Drbg& random,
                     std::span<double> out);

}  // namespace pm
