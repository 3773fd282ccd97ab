#pragma once

#include <optional>

#include "core/mechanisms/plan.hpp"
#include "core/moments/intake.hpp"
#include "core/random/drbg.hpp"
#include "core/random/entropy.hpp"
#include "core/result.hpp"

namespace pm {

/// Puts the generator of one release into `random`: seeded from `source`, then stirred with the
/// public terms of the plan. What the noise will hide is stirred in when it is known, before the
/// noise is drawn. Error: kNoEntropy.
Status seedRelease(const Plan& plan, EntropySource source, std::optional<Drbg>& random);

/// Stirs in the counts to which a release adds noise.
void stirCounts(const IntakeCounts& counts, Drbg& random);

}  // namespace pm
