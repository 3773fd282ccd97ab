#include "core/mechanisms/wishart.hpp"

#include <cmath>
#include <vector>

#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/wishart.hpp"
#include "core/random/wishart.hpp"

namespace pm {
namespace {

// Rounding n x n entries by up to half a released step lowers eigenvalues by at most n/2 steps; one
// more step covers rounding in the noise.
double lift(const Plan& plan) {
  const int steps = (plan.params.dimension + 1) / 2 + 2;
  return std::ldexp(double(steps), plan.release_shift);
}

void releaseWishart(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                    std::span<double> out) {
  const int n = plan.params.dimension + 1;
  std::vector<double> noise(totals.size());
  addWishart(n, plan.freedom, plan.own<WishartNoise>().scale, random, noise);
  for (std::size_t entry = 0, row = std::size_t(n); row > 0; entry += row--) {
    noise[entry] += lift(plan);
  }
  // The count keeps its noise; otherwise the matrix might not be positive semidefinite.
  releaseWithNoise(plan, totals, noise, out, true);
}

}  // namespace

Result<Plan> planWishart(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kApproximate)) return *wrong;
  if (params.unit != Unit::kRow) {
    return Error{Code::kInvalidUnit, "wishart protects rows only: set unit to row", "unit"};
  }
  const int m = wishartShape(params.epsilon, params.delta, params.neighbours);
  if (m == 0) return noiseTooLarge();
  const int freedom = m + params.dimension;  // m + n - 1
  const auto sd = [&](int bits) {
    return std::sqrt(2.0 * freedom) * double(augmentedNormSquared(bits));
  };
  Result<Plan> planned = planOnGrid(params, 0x1p58, sd);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  plan.freedom = freedom;
  const double scale = double(augmentedNormSquared(plan.bits));
  plan.own_parameters = OwnParameters(WishartNoise{scale});
  plan.sd_diagonal = sd(plan.bits);
  plan.sd_off_diagonal = std::sqrt(double(freedom)) * scale;
  setMomentsGrid(plan, plan.sd_off_diagonal);
  // Reserve room for the mean of the noise, as many rows as degrees of freedom, and for its tail.
  plan.max_rows -= 2 * std::uint64_t(unsigned(freedom)) + 300;
  plan.noise_mean = freedom * scale + lift(plan);
  plan.guarantee = guaranteeFor(params, Numerics::kIdealized);
  plan.guarantee.delta = wishartDelta(params.epsilon, m, 1, params.neighbours);
  plan.distribution = kDistributionOf<kWishartRecord>;
  plan.sampler = "bartlett/1";
  plan.facts = {Fact::exactly("degreesOfFreedom", Uint128(unsigned(freedom)))};
  plan.release = &releaseWishart;
  return planned;
}

}  // namespace pm
