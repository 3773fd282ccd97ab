#include "core/mechanisms/frobenius.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/random/continuous.hpp"

namespace pm {
namespace {

void releaseFrobenius(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                      std::span<double> out) {
  std::vector<double> noise(totals.size());
  frobeniusNoise(plan.params.dimension + 1, plan.own<FrobeniusNoise>().scale,
                 plan.params.neighbours == Neighbours::kReplaceOne, random, noise);
  releaseWithNoise(plan, totals, noise, out);
}

}  // namespace

void radialNoise(double scale, Drbg& random, std::span<double> x) {
  // A standard normal vector has a uniform direction.
  double length = 0;
  for (double& g : x) {
    g = standardNormal(random);
    length += g * g;
  }
  const double factor = scale * standardGamma(double(x.size()), random) / std::sqrt(length);
  for (double& g : x) g *= factor;
}

void frobeniusNoise(int n, double scale, bool first_is_public, Drbg& random,
                    std::span<double> packed) {
  if (first_is_public) packed[0] = 0;
  radialNoise(scale, random, packed.subspan(first_is_public ? 1 : 0));
  // An off-diagonal entry occurs twice in the matrix.
  std::size_t entry = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j, ++entry) {
      if (i != j) packed[entry] /= std::numbers::sqrt2;
    }
  }
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
    return std::sqrt(double(sensitivity_squared(bits))) * kScaleMargin / params.epsilon;
  };
  // The squared length has mean m (m + 1) s^2, shared equally by the m coordinates.
  const double spread = std::sqrt(coordinates + 1.0);
  Result<Plan> planned = planOnGrid(params, 0x1p58, [&](int bits) { return spread * scale(bits); });
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  plan.sensitivity_squared = sensitivity_squared(plan.bits);
  const double grid_scale = scale(plan.bits);
  plan.own_parameters = OwnParameters(FrobeniusNoise{grid_scale});
  plan.freedom = coordinates;
  plan.sd_diagonal = spread * grid_scale;
  plan.sd_off_diagonal = plan.sd_diagonal / std::numbers::sqrt2;
  setMomentsGrid(plan, plan.sd_off_diagonal);
  plan.guarantee = guaranteeFor(params, Numerics::kIdealized);
  setPure(plan.guarantee, params.epsilon);
  plan.distribution = kDistributionOf<kFrobeniusRecord>;
  plan.sampler = "gamma-sphere/1";
  plan.facts = {
      Fact::of("scale", grid_scale),
      Fact::exactly("freedom", Uint128(unsigned(coordinates))),
      Fact::exactly("sensitivitySquared", plan.sensitivity_squared),
  };
  plan.release = &releaseFrobenius;
  return planned;
}

}  // namespace pm
