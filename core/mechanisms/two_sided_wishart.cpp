#include "core/mechanisms/two_sided_wishart.hpp"

#include <cmath>
#include <vector>

#include "core/mechanisms/exact_wishart.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/sensitivity.hpp"

namespace pm {
namespace {

void releaseTwoSidedWishart(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                            std::span<double> out) {
  std::vector<Int128> noise(totals.size());
  twoSidedWishartNoise(plan.params.dimension + 1, plan.freedom,
                       plan.own<TwoSidedWishartNoise>().scale, random, noise);
  releaseWithNoise(plan, totals, noise, out);
}

}  // namespace

void twoSidedWishartNoise(int n, int freedom, DyadicScale scale, Drbg& random,
                          std::span<Int128> packed) {
  DrawnPanels z(std::size_t(n), std::size_t(freedom), random);
  DrawnPanels y(std::size_t(n), std::size_t(freedom), random);
  exactWishart(z, &y, scale, packed);
}

Result<Plan> planTwoSidedWishart(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kPure)) return *wrong;
  const int n = params.dimension + 1;
  const auto sensitivity = [&](int bits) {
    return nuclearSensitivity(augmentedNormSquared(bits, params.constant), n, params.neighbours,
                              params.unit);
  };
  const auto sd = [&](int bits) {
    return std::sqrt(n + 1.0) * double(sensitivity(bits)) / params.epsilon;
  };
  Result<Plan> planned = planOnGrid(params, 0x1p58, sd);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  const std::uint64_t delta = sensitivity(plan.bits);
  const TwoSidedWishartNoise noise{scaleAbove(delta, 2 * params.epsilon)};
  plan.own_parameters = OwnParameters(noise);
  plan.freedom = n + 1;
  plan.sd_diagonal = std::sqrt(n + 1.0) / noise.c();
  plan.sd_off_diagonal = std::sqrt((n + 1) / 2.0) / noise.c();
  setMomentsGrid(plan, plan.sd_off_diagonal);
  plan.guarantee = guaranteeFor(params, Numerics::kExact);
  setPure(plan.guarantee, params.epsilon);
  plan.distribution = kDistributionOf<kTwoSidedWishartRecord>;
  plan.sampler = "lazy-normals/1";
  plan.facts = {
      Fact::exactly("nuclearSensitivity", delta),
      Fact::exactly("degreesOfFreedom", Uint128(unsigned(n + 1))),
  };
  plan.release = &releaseTwoSidedWishart;
  return planned;
}

}  // namespace pm
