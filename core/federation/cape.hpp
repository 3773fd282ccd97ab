#pragma once

#include <span>
#include <vector>

#include "core/random/drbg.hpp"
#include "core/result.hpp"

namespace pm {

/// capeCCA as published (Imtiaz, Sarwate 2019), for reproductions: all parties simulated in one
/// place, in floating point. Site s has the mean C_s of x x^T over its N_s rows of length at most 1
/// and tau_s = sigma_s / N_s. It sends
///   C_s + E_s + F_s + G_s,  variances (1 - 1/S) tau_s^2, (1 - 1/S) tau_s^2 and tau_s^2 / S
/// in every entry of the upper triangle: E_s comes from a noise generator and sums to zero over the
/// sites; F_s is known to the site and to the aggregator, who subtracts it; G_s is known to the
/// site alone. The privacy of this scheme: collusion.hpp. No study can use it as a mechanism.
///
/// The scheme gives each site its own tau_s, so sites may have epsilons of their own (`sigma`), and
/// each message by itself then has the noise of its site. That the aggregate has the noise of
/// pooled rows is shown for equal sites only. With weights `kRows` and sigma_s, the noise in the
/// sum of all rows has variance mean(sigma_s^2). This is less than the strictest site needs: for a
/// row of site s the published sum alone is sigma_s^2 / mean(sigma_s^2) times as revealing as its
/// message claims. `CapeRun::exposure` has the figure for an observer of all messages.

/// How the aggregator weights the sites' means.
enum class CapeWeights {
  /// 1/S each, as published: the pooled mean only if all sites have equally many rows.
  kSites,
  /// N_s / N, which gives the pooled mean. With these weights the E_s sum to zero, so the noise in
  /// the sums, N_s E_s, is equally large at all sites.
  kRows,
};

struct CapeParams {
  /// Noise per unit of sensitivity, for each site or one for all; > 0, finite.
  std::vector<double> sigma;
  std::vector<double> rows;  ///< N_s >= 1 for each of at least two sites
  CapeWeights weights = CapeWeights::kSites;
  std::vector<int> dropped = {};  ///< sites whose message is missing; at least one must remain
};

struct CapeRun {
  /// What each site sent, packed like its input; also for sites that dropped out.
  std::vector<std::vector<double>> messages;
  std::vector<std::vector<double>> masks;  ///< the E_s
  std::vector<double> aggregate;           ///< over the remaining sites
  double sd = 0;         ///< of the noise in an entry of the aggregate, including dropouts
  double pooled_sd = 0;  ///< of the noise of one site that holds all rows, with the largest sigma
  double conventional_sd = 0;  ///< of the aggregate if every message had noise tau_s of its own
  /// For each site, how exposed its rows are to the aggregator, who sees all messages, relative to
  /// one message of noise tau_s: tau_s^2 [V^-1]_ss for V = Cov(E + G). For equal sites this is
  /// `kappa` in collusion.hpp.
  std::vector<double> exposure;
};

/// Simulates one run on the sites' packed matrices, all of the same length.
/// Errors: kInvalidNoise (sigma), kNoRows (rows), kWrongLength (matrices; sigma, if there is
/// neither one nor one for each site), kInvalidFederation for fewer than two sites, for dropouts
/// that are not sites or include all of them, and for impossible masks: they can sum to zero only
/// if no standard deviation exceeds the sum of the others.
Result<CapeRun> runCape(const CapeParams& params, std::span<const std::vector<double>> matrices,
                        Drbg& random);

/// The covariance, S x S, of a Gaussian vector with these standard deviations and sum zero. If
/// possible, it is that of independent numbers conditioned on sum zero; for equal deviations d this
/// is d^2 S/(S - 1) (I - 11'/S), as published. If the largest deviation is too large for that, the
/// others are correlated. Error: kInvalidFederation if one deviation exceeds the sum of the others.
Result<std::vector<double>> zeroSumCovariance(std::span<const double> deviations);

/// `entries` independent draws of such vectors, whose sum is exactly zero: result[s][entry]. Error
/// as above.
Result<std::vector<std::vector<double>>> zeroSumMasks(std::span<const double> deviations,
                                                      std::size_t entries, Drbg& random);

}  // namespace pm
