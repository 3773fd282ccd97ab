#include "core/mechanisms/laplace.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/random/discrete_laplace.hpp"
#include "core/wipe.hpp"

namespace pm {

std::uint64_t featureBound(int bits, double row_norm) {
  return std::uint64_t(std::ceil(std::ldexp(std::min(1.0, 1 / row_norm), bits)));
}

std::uint64_t laplaceWidth(double epsilon, std::uint64_t sensitivity) {
  const double w = double(sensitivity) * kScaleMargin / (16 * epsilon);
  return w < 0x1p60 ? std::uint64_t(w) + 1 : std::uint64_t{1} << 60;
}

Result<Plan> planLaplace(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kPure)) return *wrong;
  const auto sensitivity = [&](int bits) {
    return upperL1Sensitivity({constantCoordinate(bits), std::uint64_t{1} << bits,
                               featureBound(bits, params.row_norm), params.dimension},
                              params.neighbours, params.unit);
  };
  // The standard deviation is sqrt 2 times the scale, minus a relative 1/(24 scale^2).
  const auto deviation = [](std::uint64_t w) { return std::numbers::sqrt2 * 16 * double(w); };
  Result<Plan> planned = planOnGrid(params, 0x1p58, [&](int bits) {
    return deviation(laplaceWidth(params.epsilon, sensitivity(bits)));
  });
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  const std::uint64_t bound = sensitivity(plan.bits);
  plan.sensitivity_squared = Uint128(bound) * bound;
  const std::uint64_t w = laplaceWidth(params.epsilon, bound);
  plan.own_parameters = OwnParameters(LaplaceNoise{w});
  plan.sd_diagonal = plan.sd_off_diagonal = deviation(w);
  setMomentsGrid(plan, plan.sd_diagonal);
  plan.guarantee = guaranteeFor(params, Numerics::kExact);
  setPure(plan.guarantee, params.epsilon);
  plan.distribution = kDistributionOf<kLaplaceRecord>;
  plan.sampler = "block16-laplace/1";
  plan.facts = {
      Fact::exactly("width", w),
      Fact::exactly("sensitivity", bound),
      Fact::exactly("featureBound", featureBound(plan.bits, params.row_norm)),
  };
  plan.release = &releaseLaplace;
  return planned;
}

std::vector<Int128> laplaceNoise(std::uint64_t w, std::size_t count, Drbg& random) {
  std::vector<Int128> noise(wholeNoiseBlocks(count));
  fillDiscreteLaplace(w, noise.data(), noise.size(), random);
  return noise;
}

void releaseLaplace(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                    std::span<double> out) {
  std::vector<Int128> noise = laplaceNoise(plan.own<LaplaceNoise>().w, totals.size(), random);
  if (plan.params.neighbours == Neighbours::kReplaceOne) noise[0] = 0;  // the count is public
  for (std::size_t i = 0; i < totals.size(); ++i) {
    out[i] = releasedInteger(plan, totals[i], noise[i]);
  }
  wipe(noise.data(), noise.size() * sizeof(Int128));
}

}  // namespace pm
