#pragma once

namespace pm {

/// The privacy of messages behind Gaussian masks, for whoever sees several of them. Site s sends
/// its sum with a mask E_s and own noise G_s, variance tau_g^2; the masks of all S sites cancel. In
/// a view with covariance Sigma one neighbour step at one site has the squared Mahalanobis length
/// Delta^2 / tau_g^2 times `exposure` = tau_g^2 [Sigma^-1]_ss. docs/mechanisms/federation.md

/// Who sees what, the ratio R being the variance of a pair's mask over tau_g^2. In capeCCA, where a
/// generator hands out the masks, that is m with Cov E = m S tau_g^2 (I - 11'/S), and site s adds
/// noise F_s of variance (S - 1) tau_g^2 that only the aggregator knows.
enum class View {
  kOneMessage,             ///< one message and no other: what capeCCA's proof is about
  kPairMasks,              ///< all messages, and every pair's mask in which a dishonest site is
  kGeneratedMasks,         ///< all messages, and the masks that a generator gave the dishonest
  kAllMasks,               ///< all messages and all masks: one site's own noise is all that is left
  kGeneratorOnWire,        ///< the generator, taps the messages (which F hides)
  kGeneratorAndPublished,  ///< the same, and the published sum
  kWireAndPublished,       ///< an outsider, taps the messages and sees the published sum
  kPublished,              ///< the published sum alone
};

/// tau_g^2 [Sigma^-1]_ss for a site among the `honest`, from closed forms; tests compare them with
/// inverted covariance matrices. With kOneMessage, kPairMasks and kAllMasks there is no F.
/// Preconditions: 1 <= honest <= sites, ratio >= 0; all but the first four: honest = sites.
double exposure(View view, int sites, int honest, double ratio);

/// capeCCA's kappa: exposure over that claimed, the claim being noise of tau^2 = S tau_g^2 in every
/// message. As published R = 1, and kappa = 2 S/(S + 1) where all are honest.
double kappa(View view, int sites, int honest, double ratio);

/// The variance of the sum, without recovery, of the messages of all but `dropped` sites, over that
/// of their own noise: 1 + R dropped.
double dropoutInflation(int dropped, double ratio);

}  // namespace pm
