#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/mechanisms/record.hpp"

namespace pm {

/// `laplace`: the discrete Laplace mechanism on the integer second-moment matrix of augmented rows
/// (A, q), |q|^2 <= 2^2b: every entry of the upper triangle gets independent noise with
/// P(v) proportional to exp(-|v| / (16 w)), w = LaplaceNoise::w. Pure: delta is always 0.
/// plan.sensitivity_squared is the square of the bound on the L1 sensitivity, exact.

/// plan.own.
struct LaplaceNoise {
  std::uint64_t w;
};

/// Calibrates the noise: 16 w >= L (1 + 2^-41) / epsilon with L = upperL1Sensitivity of rows of at
/// most the row norm whose scaled features are at most 1 in absolute value. The margin exceeds the
/// error of the sampler's table, so guarantee.epsilon is the requested one.
/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kInvalidRowNorm, kNoiseTooLarge.
/// Sources: Dwork, McSherry, Nissim, Smith 2006; Ghosh, Roughgarden, Sundararajan 2009.
Result<Plan> planLaplace(const MechanismParams& params);

inline constexpr MechanismRecord kLaplaceRecord = {
    .mechanism = {.name = "laplace",
                  .plan = &planLaplace,
                  .budget = Budget::kPure,
                  .numerics = Numerics::kExact,
                  .additive = true,
                  .noise = MomentsNoise{"discrete-laplace", Tail::kLogConcave}},
    .title = "Laplace",
    .summary = "Adds Laplace noise to every second moment. For few features and delta 0.",
    .law = "The noise is discrete Laplace.",
    .error_order = "d^2 / epsilon",
    .source = "Dwork, McSherry, Nissim and Smith 2006",
};

/// The bound on every |q_i|, 1 .. 2^bits: the largest integer to which the quantiser rounds a
/// scaled feature, which lies in [-1, 1], at this row norm.
std::uint64_t featureBound(int bits, double row_norm);

/// The smallest width the calibration allows: floor(L (1 + 2^-40) / (16 epsilon)) + 1, or 2^60 if
/// that is larger.
std::uint64_t laplaceWidth(double epsilon, std::uint64_t sensitivity);

/// At least `count` samples of the discrete Laplace law of scale 16 w, in whole blocks, so that
/// running time reveals less about the noise. The caller must wipe them.
std::vector<Int128> laplaceNoise(std::uint64_t w, std::size_t count, Drbg& random);

/// Adds noise to exact totals and rounds to the public release grid, like releaseGaussian.
void releaseLaplace(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                    std::span<double> out);

}  // namespace pm
