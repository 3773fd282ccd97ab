#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/mechanisms/plan.hpp"

namespace pm {

/// `laplace`: the discrete Laplace mechanism on the integer second-moment matrix of augmented rows
/// (A, q), |q|^2 <= 2^2b: every entry of the upper triangle gets independent noise with
/// P(v) proportional to exp(-|v| / (16 w)), w = plan.w_diagonal = plan.w_off_diagonal. Pure: delta
/// is 0 whatever is asked. plan.sensitivity_squared is the square of the bound on the sum of
/// absolute values, exact.

/// Calibrates the noise: 16 w >= L (1 + 2^-41) / epsilon with L = upperL1Sensitivity of rows that
/// are at most the row norm long and at most 1 in each scaled feature. The margin is more than what
/// the sampler's table costs, so guarantee.epsilon is the requested one.
/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kInvalidRowNorm, kNoiseTooLarge.
/// Sources: Dwork, McSherry, Nissim, Smith 2006; Ghosh, Roughgarden, Sundararajan 2009.
Result<Plan> planLaplace(const MechanismParams& params);

/// The bound on every |q_i|, 1 .. 2^bits: the largest integer the quantiser makes of a scaled
/// feature, which lies in [-1, 1], at this row norm.
std::uint64_t featureBound(int bits, double row_norm);

/// The smallest width the calibration allows: floor(L (1 + 2^-40) / (16 epsilon)) + 1, or 2^60
/// where that is larger.
std::uint64_t laplaceWidth(double epsilon, std::uint64_t sensitivity);

/// At least `count` samples of the discrete Laplace law of scale 16 w: whole blocks, so that the
/// running time says less about the noise. To be wiped.
std::vector<Int128> laplaceNoise(std::uint64_t w, std::size_t count, Drbg& random);

/// Adds the noise to exact totals and rounds to the public release grid; as releaseGaussian.
void releaseLaplace(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                    std::span<double> out);

}  // namespace pm
