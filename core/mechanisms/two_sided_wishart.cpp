#include "core/mechanisms/two_sided_wishart.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/random/wishart.hpp"

namespace pm {
namespace {

void releaseTwoSidedWishart(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                            std::span<double> out) {
  std::vector<double> noise(totals.size());
  twoSidedWishartNoise(plan.params.dimension + 1, plan.own<TwoSidedWishartNoise>().c, random,
                       noise);
  releaseWithNoise(plan, totals, noise, out);
}

}  // namespace

void twoSidedWishartNoise(int n, double c, Drbg& random, std::span<double> packed) {
  std::fill(packed.begin(), packed.end(), 0.0);
  addWishart(n, n + 1, 1 / (2 * c), random, packed);
  addWishart(n, n + 1, -1 / (2 * c), random, packed);
}

Result<Plan> planTwoSidedWishart(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kPure)) return *wrong;
  const int n = params.dimension + 1;
  const auto sensitivity = [&](int bits) {
    return nuclearSensitivity(augmentedNormSquared(bits, params.constant), n, params.neighbours,
                              params.unit);
  };
  const auto sd = [&](int bits) {
    return std::sqrt(n + 1.0) * double(sensitivity(bits)) * kScaleMargin / params.epsilon;
  };
  Result<Plan> planned = planOnGrid(params, 0x1p58, sd);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  const std::uint64_t delta = sensitivity(plan.bits);
  const double c = params.epsilon / (double(delta) * kScaleMargin);
  plan.own_parameters = OwnParameters(TwoSidedWishartNoise{c});
  plan.freedom = n + 1;
  plan.sd_diagonal = sd(plan.bits);
  plan.sd_off_diagonal = std::sqrt((n + 1) / 2.0) / c;
  setMomentsGrid(plan, plan.sd_off_diagonal);
  plan.guarantee = guaranteeFor(params, Numerics::kIdealized);
  setPure(plan.guarantee, params.epsilon);
  plan.distribution = kDistributionOf<kTwoSidedWishartRecord>;
  plan.sampler = "bartlett/1";
  plan.facts = {
      Fact::exactly("nuclearSensitivity", delta),
      Fact::exactly("degreesOfFreedom", Uint128(unsigned(n + 1))),
  };
  plan.release = &releaseTwoSidedWishart;
  return planned;
}

}  // namespace pm
