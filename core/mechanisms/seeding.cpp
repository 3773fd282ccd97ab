#include "core/mechanisms/seeding.hpp"

#include <array>

namespace pm {

Status seedRelease(const Plan& plan, EntropySource source, std::optional<Drbg>& random) {
  if (const Status failed = seedDrbg(source, random)) return failed;
  const MechanismParams& params = plan.params;
  const std::array<double, 12> terms = {params.epsilon,
                                        params.delta,
                                        params.row_norm,
                                        double(params.dimension),
                                        double(params.neighbours),
                                        double(params.unit),
                                        double(plan.length),
                                        double(plan.bits),
                                        plan.noise_mean,
                                        plan.sd_diagonal,
                                        plan.sd_off_diagonal,
                                        double(plan.clip_width)};
  random->stir<double>(terms);
  return {};
}

void stirCounts(const IntakeCounts& counts, Drbg& random) {
  random.stir<std::uint64_t>({&counts.used, 1});
  random.stir<std::uint64_t>(counts.longer);
}

}  // namespace pm
