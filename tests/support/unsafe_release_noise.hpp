#pragma once

#include <optional>
#include <span>

#include "core/mechanisms/seeding.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm::testing_support {

/// Puts the generator into `random` from which a release with a fixed clip radius, seeded from
/// `unsafeTestEntropy`, draws the noise on these totals.
inline void seedUnsafely(const Plan& plan, std::span<const Int128> totals,
                         std::optional<Drbg>& random) {
  if (seedRelease(plan, unsafeTestEntropy, random)) std::abort();
  random->stir(totals);
}

}  // namespace pm::testing_support
