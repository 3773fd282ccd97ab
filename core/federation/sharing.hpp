#pragma once

#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/result.hpp"

namespace pm {

/// Noise that several sites make together. The releases of up to S = params.sites sites are summed
/// behind masks, at most d = params.sharing.dropouts of them missing. At least
/// params.sharing.honest of the S do not collude, so that h = honest - d releases in any sum are
/// honest, and these hold the noise of the promise. Theorems and proofs:
/// docs/mechanisms/federation.md.

/// The plan of a study: the mechanism's own where the mode is independent, else one of those below.
/// Errors: those of the mechanism; kInvalidFederation for another mechanism, or sites, honest,
/// dropouts or ratio out of range, or where the grid has no room for a row of each site.
Result<Plan> planFederated(const Mechanism& mechanism, const MechanismParams& params);

/// `gaussian`. Behind uniform masks (split, ring): noise of variance (16 w_s)^2 at each site,
/// h (16 w_s)^2 >= (16 w)^2 with the w of planGaussian; the guarantee is that of the sum of h such
/// noises. Behind Gaussian masks (correlated): own noise of variance tau_g^2 = (16 w_diagonal)^2
/// and masks of pairs of variance (16 w_pair_diagonal)^2 >= R tau_g^2, on the diagonal. Joint:
///   tau_g^2 = Delta^2 sigma^2 (1/h + (1 - 1/h)/(1 + R h)),
/// sigma that of the analytic Gaussian mechanism; the guarantee is that of all messages for whoever
/// colludes with all but h sites. As published (joint = false): tau_g^2 = Delta^2 sigma^2 /
/// (1 + R (S - 1)), so that one message has the noise of the promise; the guarantee is computed for
/// all messages all the same, has the larger delta that follows, and guarantee.alone is the claim.
/// Guarantees count the samples of all h; the floor is what one site's own noise keeps.
Result<Plan> planSharedGaussian(const MechanismParams& params);

/// `two-sided-wishart` behind uniform masks: plan.freedom = ceil((n + 1)/h) degrees of freedom in
/// each of the two matrices of a site, so that h sites have at least n + 1. No floor unless h = 1.
Result<Plan> planSharedWishart(const MechanismParams& params);

/// Rows of a masked study are on no finer grid than this, so that sums have room in 64 bits.
constexpr int kFinestSharedBits = 16;

/// Sums and their noise stay within +-2^kSumBits grid units.
constexpr int kSumBits = 62;

/// 64-bit words may be masked only with a plan that says so.
bool isMasked(const Plan& plan);

}  // namespace pm
