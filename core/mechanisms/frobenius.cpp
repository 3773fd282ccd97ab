#include "core/mechanisms/frobenius.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "core/mechanisms/exact_radial.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/sensitivity.hpp"

namespace pm {
namespace {

void releaseFrobenius(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                      std::span<double> out) {
  std::vector<Int128> noise(totals.size());
  frobeniusNoise(plan.params.dimension + 1, plan.own<FrobeniusNoise>().scale,
                 plan.params.neighbours == Neighbours::kReplaceOne, random, noise);
  releaseWithNoise(plan, totals, noise, out);
}

}  // namespace

void radialNoise(DyadicScale scale, Drbg& random, std::span<Int128> x) {
  exactRadial(scale, {}, random, x);
}

void frobeniusNoise(int n, DyadicScale scale, bool first_is_public, Drbg& random,
                    std::span<Int128> packed) {
  if (first_is_public) packed[0] = 0;
  const std::size_t first = first_is_public ? 1 : 0;
  // An off-diagonal entry occurs twice in the matrix.
  std::vector<bool> is_off_diagonal;
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) is_off_diagonal.push_back(i != j);
  }
  is_off_diagonal.erase(is_off_diagonal.begin(), is_off_diagonal.begin() + std::ptrdiff_t(first));
  exactRadial(scale, is_off_diagonal, random, packed.subspan(first));
}

Result<Plan> planFrobenius(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kPure)) return *wrong;
  const int n = params.dimension + 1;
  const auto sensitivity_squared = [&](int bits) {
    return frobeniusSensitivitySquared(augmentedNormSquared(bits), n, params.neighbours,
                                       params.unit);
  };
  const int coordinates =
      int(packedSize(std::size_t(n))) - (params.neighbours == Neighbours::kReplaceOne ? 1 : 0);
  const auto scale = [&](int bits) {
    return std::sqrt(double(sensitivity_squared(bits))) / params.epsilon;
  };
  // The squared length has mean m (m + 1) s^2, shared equally by the m coordinates.
  const double spread = std::sqrt(coordinates + 1.0);
  Result<Plan> planned = planOnGrid(params, 0x1p58, [&](int bits) { return spread * scale(bits); });
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  plan.sensitivity_squared = sensitivity_squared(plan.bits);
  const FrobeniusNoise noise{scaleAbove(ceilSqrt(plan.sensitivity_squared), params.epsilon)};
  const double grid_scale = noise.scale.value();
  plan.own_parameters = OwnParameters(noise);
  plan.freedom = coordinates;
  plan.sd_diagonal = spread * grid_scale;
  plan.sd_off_diagonal = plan.sd_diagonal / std::numbers::sqrt2;
  setMomentsGrid(plan, plan.sd_off_diagonal);
  plan.guarantee = guaranteeFor(params, Numerics::kExact);
  setPure(plan.guarantee, params.epsilon);
  plan.distribution = kDistributionOf<kFrobeniusRecord>;
  plan.sampler = "lazy-normals/1";
  plan.facts = {
      Fact::of("scale", grid_scale),
      Fact::exactly("freedom", Uint128(unsigned(coordinates))),
      Fact::exactly("sensitivitySquared", plan.sensitivity_squared),
  };
  plan.release = &releaseFrobenius;
  return planned;
}

}  // namespace pm
