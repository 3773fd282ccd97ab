#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/mechanisms/plan.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/discrete_gaussian.hpp"

namespace pm {

/// `gaussian`: the discrete Gaussian mechanism on the integer second-moment matrix of augmented
/// rows (A, q), |q|^2 <= 2^2b: entry (i, j), i <= j, gets independent noise N_Z(0, (16 w)^2), with
/// w = plan.w_diagonal on the diagonal and plan.w_off_diagonal elsewhere. plan.sensitivity_squared
/// is the Frobenius norm's, grid units squared, exact.

/// Calibrates the noise and computes the guarantee from it.
/// sigma is the analytic Gaussian's for (epsilon, delta) on the Frobenius sensitivity, rounded
/// up so that the discrete law is no worse than the continuous one (docs/mechanisms/gaussian.md,
/// theorem and proof). guarantee.epsilon is the requested one; guarantee.delta is the requested
/// one wherever the certificate, which counts the sampler's truncated tail
/// (1 + e^epsilon) m 2^-144, allows it (epsilon up to about 60), and else the larger value it
/// yields, at most 1: no protection.
/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kNoiseTooLarge.
/// Sources: Dwork, Talwar, Thakurta, Zhang 2014; Balle, Wang 2018; Canonne, Kamath, Steinke 2020.
Result<Plan> planGaussian(const MechanismParams& params);

/// The noise scales alone: for squared sensitivity `sensitivity_squared` in grid units,
/// w = floor(sigma_hat sqrt(sensitivity_squared) / 16) + 2 with sigma_hat a little above 1 / mu, so
/// that (16 w)^2 >= sigma^2 + 18, sigma = sqrt(sensitivity_squared) / mu. Exceeds 2^54 where the
/// noise is too large for this grid.
std::uint64_t gaussianWidth(double mu, Uint128 sensitivity_squared);

/// The smallest w' with 2 w'^2 >= w^2. Precondition: w < 2^60.
std::uint64_t offDiagonalWidth(std::uint64_t w);

/// A plan on the finest grid that holds the noise for `sensitivity_squared(bits)`, an exact integer
/// in the norm in which every entry has the variance of the diagonal: with plan.w_diagonal and
/// plan.sensitivity_squared. Without `mu` the whole of epsilon and delta is spent.
/// Error: kNoiseTooLarge.
template <class SensitivitySquared>
Result<Plan> calibrateGaussian(const MechanismParams& params, SensitivitySquared squared,
                               double mu = 0) {
  if (mu == 0) mu = gdpOfEpsilonDelta(params.epsilon, params.delta);
  const auto width = [&](int bits) { return gaussianWidth(mu, squared(bits)); };
  Result<Plan> planned = planOnGrid(params, 16.0 * double(kMaxGaussianWidth),
                                    [&](int bits) { return 16.0 * double(width(bits)); });
  if (!planned.ok()) return planned;
  planned.value().sensitivity_squared = squared(planned.value().bits);
  planned.value().w_diagonal = width(planned.value().bits);
  return planned;
}

/// From plan.w_diagonal, plan.sensitivity_squared and, with adaptive clipping, plan.clip_width:
/// fills in plan.sampler_delta_log2, plan.guarantee, the names of law and sampler and what facts
/// they share; `samples` is how many samples the release depends on.
void certifyGaussian(Plan& plan, double samples);

/// The same from mu and rho of the whole, for noise that is shared. `beyond` is what to say where
/// the guarantee has a larger delta than was asked for.
void certifyGaussian(Plan& plan, double mu, double rho, double samples, const char* beyond);

/// A delta of mu-GDP at `epsilon` with `samples` samples in place of exact ones; at most 1.
double certifiedDelta(double epsilon, double mu, double samples);

/// mu and rho of noise with the standard deviation 16 w on the diagonal: Delta / sqrt((16 w)^2 -
/// 18) and Delta^2 / (2 (16 w)^2), rounded up.
double gaussianMu(Uint128 sensitivity_squared, std::uint64_t w);
double gaussianRho(Uint128 sensitivity_squared, std::uint64_t w);

/// The total variation distance of so many samples from exact ones, at most.
double samplerDistance(double samples);

/// A step of a release that has this guarantee, with mu and rho of the step and so many samples.
Part gaussianPart(std::string what, double mu, double rho, double samples, const Guarantee& whole);

/// From part.gdp and part.total_variation, the epsilon that a step has at the delta of the whole,
/// of which the sampler's share is taken off first. A step is a function of the release, so it
/// never costs more than that.
void certifyPart(Part& part, const Guarantee& whole);

/// At least `count` samples of N_Z(0, (16 w)^2): whole blocks, so that the running time says less
/// about the noise. To be wiped.
std::vector<std::int64_t> gaussianNoise(std::uint64_t w, std::size_t count, Drbg& random);

/// The packed upper triangle of a matrix of noise for the plan's dimension, with widths
/// `w_diagonal` and `w_off_diagonal`; under replace-one entry (0, 0) is public and 0. To be wiped.
/// The number of samples depends on the plan only.
std::vector<std::int64_t> gaussianMatrix(const Plan& plan, std::uint64_t w_diagonal,
                                         std::uint64_t w_off_diagonal, Drbg& random);

/// How many entries of such a matrix have noise.
std::uint64_t noisyEntries(const MechanismParams& params);

/// Adds the noise to exact totals and rounds to the public release grid. `totals` is the packed
/// upper triangle, row by row, constant coordinate first, of the (D+1) x (D+1) integer matrix
/// (for unit participant, of its truncated average); `out` receives as many integers, each exact
/// in a double. Under replace-one entry (0, 0) is public and gets no noise.
/// Uses `random` for nothing else and draws a fixed number of samples, whatever the data.
void releaseGaussian(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                     std::span<double> out);

}  // namespace pm
