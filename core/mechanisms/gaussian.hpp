#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/record.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/discrete_gaussian.hpp"

namespace pm {

/// `gaussian`: the discrete Gaussian mechanism on the integer second-moment matrix of augmented
/// rows (A, q), |q|^2 <= 2^2b: entry (i, j), i <= j, gets independent noise N_Z(0, (16 w)^2), with
/// w = GaussianNoise::w_diagonal on the diagonal and w_off_diagonal elsewhere.
/// plan.sensitivity_squared is the squared sensitivity in Frobenius norm, in squared grid units,
/// exact.

/// plan.own. Standard deviations are 16 w, in grid units.
struct GaussianNoise {
  std::uint64_t w_diagonal = 0;
  std::uint64_t w_off_diagonal = 0;
  /// For the mask shared by a pair of sites, with Gaussian masks (core/federation).
  std::uint64_t w_pair_diagonal = 0;
  std::uint64_t w_pair_off_diagonal = 0;
  /// What the sampler's distance from the exact law adds to delta.
  double sampler_delta_log2 = -std::numeric_limits<double>::infinity();
};

/// How the variance is distributed over the upper triangle.
enum class GaussianShape {
  kRotationInvariant,  ///< off-diagonal variance half of the diagonal's (the law of a GOE matrix)
  kUpperTriangle,      ///< the same variance everywhere, as in Dwork et al. 2014 (Analyze Gauss)
};

inline constexpr std::string_view kGaussianShapes[] = {"rotation-invariant", "upper-triangle"};
inline constexpr OptionOf<GaussianShape> kShape = {{.name = "shape", .choices = kGaussianShapes}};
inline constexpr const Option* kGaussianOptions[] = {&kShape};
inline constexpr OptionWords kGaussianOptionWords[] = {
    {"How the variance is distributed over the upper triangle.", "Shape"}};

/// Calibrates the noise and computes the guarantee from it.
/// sigma is that of the analytic Gaussian mechanism for (epsilon, delta) and the Frobenius
/// sensitivity, rounded up so that the discrete law is at least as private as the continuous one
/// (docs/mechanisms/gaussian.md, theorem and proof). guarantee.epsilon is the requested one.
/// guarantee.delta is the requested one if the certificate, which includes the sampler's truncated
/// tail (1 + e^epsilon) m 2^-144, allows it (epsilon up to about 60), otherwise the larger
/// certified value, at most 1 (no protection).
/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kNoiseTooLarge.
/// Sources: Dwork, Talwar, Thakurta, Zhang 2014; Balle, Wang 2018; Canonne, Kamath, Steinke 2020.
Result<Plan> planGaussian(const MechanismParams& params);

inline constexpr MechanismRecord kGaussianRecord = {
    .mechanism = {.name = "gaussian",
                  .plan = &planGaussian,
                  .budget = Budget::kApproximate,
                  .numerics = Numerics::kExact,
                  .additive = true,
                  .noise = MomentsNoise{"discrete-gaussian", Tail::kSubgaussian},
                  .options = kGaussianOptions,
                  .division = Division::kGaussian,
                  .adaptive_clipping = true,
                  .centring = true},
    .title = "Gaussian",
    .summary = "Adds Gaussian noise to every second moment. The default for delta above 0.",
    .law = "The noise is discrete Gaussian.",
    .error_order = "d sqrt(log(1/delta)) / epsilon",
    .source = "Dwork, Talwar, Thakurta and Zhang 2014",
    .option_words = kGaussianOptionWords,
};

/// The part of that plan which does not depend on the guarantee, for second moments that may spend
/// `mu` of mu-GDP: widths, deviations, grid and release function. Error: kNoiseTooLarge.
Result<Plan> planGaussianMoments(const MechanismParams& params, double mu);

/// The noise width alone, for squared sensitivity `sensitivity_squared` in grid units: w =
/// floor(sigma_hat sqrt(sensitivity_squared) / 16) + 2 with sigma_hat slightly above 1 / mu, so
/// that (16 w)^2 >= sigma^2 + 18, sigma = sqrt(sensitivity_squared) / mu. Exceeds 2^54 if the noise
/// is too large for this grid.
std::uint64_t gaussianWidth(double mu, Uint128 sensitivity_squared);

/// The smallest w' with 2 w'^2 >= w^2. Precondition: w < 2^60.
std::uint64_t offDiagonalWidth(std::uint64_t w);

/// A plan on the finest grid that can hold the noise, with
/// GaussianNoise::w_diagonal and plan.sensitivity_squared filled in. `squared(bits)` is the squared
/// sensitivity, an exact integer, in the norm in which every entry has the variance of the
/// diagonal. Without `mu`, all of epsilon and delta is spent. Error: kNoiseTooLarge.
template <class SensitivitySquared>
Result<Plan> calibrateGaussian(const MechanismParams& params, SensitivitySquared squared,
                               double mu = 0) {
  if (mu == 0) mu = gdpOfEpsilonDelta(params.epsilon, params.delta);
  const auto width = [&](int bits) { return gaussianWidth(mu, squared(bits)); };
  Result<Plan> planned = planOnGrid(params, 16.0 * double(kMaxGaussianWidth),
                                    [&](int bits) { return 16.0 * double(width(bits)); });
  if (!planned.ok()) return planned;
  planned.value().sensitivity_squared = squared(planned.value().bits);
  GaussianNoise noise;
  noise.w_diagonal = width(planned.value().bits);
  planned.value().own_parameters = OwnParameters(noise);
  return planned;
}

/// From GaussianNoise::w_diagonal, plan.sensitivity_squared and, with adaptive clipping,
/// plan.clip_width: fills in GaussianNoise::sampler_delta_log2, plan.guarantee, the names of law
/// and sampler and their common facts. The release depends on `samples` samples.
void certifyGaussian(Plan& plan, double samples);

/// The same from mu and rho of the whole, for shared noise. If the guarantee has a larger delta
/// than requested, `beyond` is added to its assumptions.
void certifyGaussian(Plan& plan, double mu, double rho, double samples, const char* beyond);

/// A delta of mu-GDP at `epsilon` if `samples` samples replace exact ones; at most 1.
double certifiedDelta(double epsilon, double mu, double samples);

/// mu and rho of noise with the standard deviation 16 w on the diagonal: Delta / sqrt((16 w)^2 -
/// 18) and Delta^2 / (2 (16 w)^2), rounded up.
double gaussianMu(Uint128 sensitivity_squared, std::uint64_t w);
double gaussianRho(Uint128 sensitivity_squared, std::uint64_t w);

/// A bound on the total-variation distance of this many samples from exact ones.
double samplerDistance(double samples);

/// A step of a release with guarantee `whole`: mu, rho and number of samples of the step.
Part gaussianPart(std::string what, double mu, double rho, double samples, const Guarantee& whole);

/// Sets the epsilon of a step at the delta of the whole, minus the sampler's share, from part.gdp
/// and part.total_variation. A step is a function of the release, so it never costs more than the
/// release.
void certifyPart(Part& part, const Guarantee& whole);

/// At least `count` samples of N_Z(0, (16 w)^2), in whole blocks, so that running time reveals less
/// about the noise. The caller must wipe them.
std::vector<std::int64_t> gaussianNoise(std::uint64_t w, std::size_t count, Drbg& random);

/// The packed upper triangle of a matrix of noise for the plan's dimension, with widths
/// `w_diagonal` and `w_off_diagonal`; under replace-one entry (0, 0) is public and 0. The caller
/// must wipe it. The number of samples depends on the plan only.
std::vector<std::int64_t> gaussianMatrix(const Plan& plan, std::uint64_t w_diagonal,
                                         std::uint64_t w_off_diagonal, Drbg& random);

/// Number of noisy entries of such a matrix.
std::uint64_t noisyEntries(const MechanismParams& params);

/// Adds noise to exact totals and rounds to the public release grid. `totals` is the packed upper
/// triangle, row by row, constant coordinate first, of the (D+1) x (D+1) integer matrix (for unit
/// participant, of its truncated average); `out` receives as many integers, each exact in a double.
/// Under replace-one entry (0, 0) is public and gets no noise. The number of samples drawn does not
/// depend on the data.
void releaseGaussian(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                     std::span<double> out);

}  // namespace pm
