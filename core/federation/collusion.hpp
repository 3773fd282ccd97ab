#pragma once

#include "core/arithmetic.hpp"

namespace pm {

/// The privacy of messages with Gaussian masks against observers who see several of them. Site s
/// sends its sum plus a mask E_s plus its own noise G_s of variance tau_g^2; the masks of all S
/// sites cancel. In a view with covariance Sigma, one neighbour step at one site has squared
/// Mahalanobis length Delta^2 / tau_g^2 times `exposure` = tau_g^2 [Sigma^-1]_ss.
/// docs/mechanisms/federation.md

/// What an observer sees. The ratio R is the variance of a pair's mask over tau_g^2. In capeCCA,
/// where a generator distributes the masks, it is the m of Cov E = m S tau_g^2 (I - 11'/S), and
/// site s adds noise F_s of variance (S - 1) tau_g^2 that the aggregator knows.
enum class View {
  kOneMessage,             ///< one message alone: the setting of capeCCA's proof
  kPairMasks,              ///< all messages, and the masks of all pairs with a dishonest site
  kGeneratedMasks,         ///< all messages, and the masks that a generator sent to dishonest sites
  kAllMasks,               ///< all messages and all masks: only one site's own noise remains
  kGeneratorOnWire,        ///< a generator that intercepts the messages (which F hides)
  kGeneratorAndPublished,  ///< such a generator that also sees the published sum
  kWireAndPublished,       ///< an outsider who intercepts the messages and sees the published sum
  kPublished,              ///< the published sum alone
};

/// tau_g^2 [Sigma^-1]_ss for one of the `honest` sites, in closed form; tests compare it with
/// inverted covariance matrices. The views kOneMessage, kPairMasks and kAllMasks have no F.
/// Preconditions: 1 <= honest <= sites, ratio >= 0; honest = sites for all views except the first
/// four.
double exposure(View view, int sites, int honest, double ratio);

/// capeCCA's kappa: the exposure divided by the claimed one, which is for noise of tau^2 = S
/// tau_g^2 in every message. As published R = 1, and kappa = 2 S/(S + 1) if all sites are honest.
double kappa(View view, int sites, int honest, double ratio);

}  // namespace pm
