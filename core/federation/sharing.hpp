#pragma once

#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/result.hpp"

namespace pm {

/// Noise that several sites share. The masked releases of up to S = params.sites sites are summed,
/// of which at most d = params.sharing.dropouts may be missing. At least params.sharing.honest of
/// the S do not collude, so any sum contains h = honest - d honest releases, whose noise gives the
/// guarantee. Theorems and proofs: docs/mechanisms/federation.md.

/// Whether sites can share the noise of this mechanism in this mode, by its `division`.
bool canShare(const Mechanism& mechanism, Federation mode);

/// The plan of a study: the mechanism's own if the mode is independent, otherwise one of those
/// below. Errors: those of the mechanism; kInvalidFederation if its noise cannot be shared, if
/// sites, honest, dropouts or ratio are out of range, or if the grid cannot hold one row per site.
Result<Plan> planFederated(const Mechanism& mechanism, const MechanismParams& params);

/// `gaussian`. With uniform masks (split, ring): noise of variance (16 w_s)^2 at each site, h (16
/// w_s)^2 >= (16 w)^2 with the w of planGaussian; the guarantee is that of the sum of h of these.
/// With Gaussian masks (correlated): own noise of variance tau_g^2 = (16 w_diagonal)^2 and pair
/// masks of variance (16 w_pair_diagonal)^2 >= R tau_g^2, on the diagonal. Joint:
///   tau_g^2 = Delta^2 sigma^2 (1/h + (1 - 1/h)/(1 + R h)),
/// with the sigma of the analytic Gaussian mechanism; the guarantee covers all messages against a
/// coalition of all except h sites. As published (joint = false): tau_g^2 = Delta^2 sigma^2 / (1 +
/// R (S - 1)), so that one message alone has the required noise. The guarantee nevertheless covers
/// all messages, so its delta is larger; guarantee.alone is the claim. Guarantees count the samples
/// of all h; the floor is the guarantee of one site's own noise.
Result<Plan> planSharedGaussian(const MechanismParams& params);

/// `two-sided-wishart` with uniform masks: plan.freedom = ceil((n + 1)/h) degrees of freedom in
/// each of the two matrices of a site, so that h sites together have at least n + 1. No floor
/// unless h = 1.
Result<Plan> planSharedWishart(const MechanismParams& params);

/// Maximum bits of the row grid of a masked study, so that sums fit into 64 bits.
constexpr int kFinestSharedBits = 16;

/// Sums including their noise stay within +-2^kSumBits grid units.
constexpr int kSumBits = 62;

/// Whether the releases of a plan are masked.
bool isMasked(const Plan& plan);

}  // namespace pm
