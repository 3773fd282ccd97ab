#include "core/mechanisms/wishart.hpp"

#include <cmath>
#include <vector>

#include "core/mechanisms/exact_wishart.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/wishart.hpp"

namespace pm {
namespace {

// Half a minute of them.
constexpr std::int64_t kMostNormals = std::int64_t{1} << 28;

// Rounding n x n entries by up to half a released step lowers eigenvalues by at most n/2 steps; one
// more step covers rounding in the noise.
Int128 lift(const Plan& plan) {
  const int steps = (plan.params.dimension + 1) / 2 + 2;
  return Int128(steps) << plan.release_shift;
}

void releaseWishart(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                    std::span<double> out) {
  const int n = plan.params.dimension + 1;
  std::vector<Int128> noise(totals.size());
  DrawnPanels z(std::size_t(n), std::size_t(plan.freedom), random);
  exactWishart(z, nullptr, plan.own<WishartNoise>().scale, noise);
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
  if (std::int64_t(freedom) * (params.dimension + 1) > kMostNormals) {
    return Error{Code::kNoiseTooLarge,
                 "this epsilon needs more random numbers than can be drawn; raise epsilon or "
                 "delta, or use gaussian",
                 "epsilon"};
  }
  const auto sd = [&](int bits) {
    return std::sqrt(2.0 * freedom) * double(augmentedNormSquared(bits));
  };
  Result<Plan> planned = planOnGrid(params, 0x1p58, sd);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  plan.freedom = freedom;
  const WishartNoise noise{scaleAbove(augmentedNormSquared(plan.bits), 1)};
  const double scale = noise.scale.value();
  plan.own_parameters = OwnParameters(noise);
  plan.sd_diagonal = sd(plan.bits);
  plan.sd_off_diagonal = std::sqrt(double(freedom)) * scale;
  setMomentsGrid(plan, plan.sd_off_diagonal);
  // Reserve room for the mean of the noise, as many rows as degrees of freedom, and for its tail.
  plan.max_rows -= 2 * std::uint64_t(unsigned(freedom)) + 300;
  plan.noise_mean = freedom * scale + double(lift(plan));
  plan.guarantee = guaranteeFor(params, Numerics::kExact);
  plan.guarantee.delta = wishartDelta(params.epsilon, m, 1, params.neighbours);
  plan.distribution = kDistributionOf<kWishartRecord>;
  plan.sampler = "lazy-normals/1";
  plan.facts = {Fact::exactly("degreesOfFreedom", Uint128(unsigned(freedom)))};
  plan.release = &releaseWishart;
  return planned;
}

}  // namespace pm
