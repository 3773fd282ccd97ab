#pragma once

#include <span>
#include <vector>

#include "core/random/drbg.hpp"
#include "core/result.hpp"

namespace pm {

/// capeCCA as published (Imtiaz, Sarwate 2019), for reproductions: all parties simulated in one
/// place, in floating point. Site s has the mean C_s of x x^T over its N_s rows of length at most 1
/// and tau_s = sigma / N_s. It sends
///   C_s + E_s + F_s + G_s,  variances (1 - 1/S) tau_s^2, (1 - 1/S) tau_s^2 and tau_s^2 / S
/// in every entry of the upper triangle: E_s comes from a noise generator and sums to zero over the
/// sites; F_s is known to the site and to the aggregator, who subtracts it; G_s is known to the
/// site alone. The privacy of this scheme: collusion.hpp. No study can use it as a mechanism.

/// How the aggregator weights the sites' means.
enum class CapeWeights {
  /// 1/S each, as published: the pooled mean only if all sites have equally many rows.
  kSites,
  /// N_s / N, which gives the pooled mean. With these weights the E_s sum to zero, so the noise in
  /// the sums, N_s E_s, is equally large at all sites.
  kRows,
};

struct CapeParams {
  double sigma;              ///< noise per unit of sensitivity; > 0, finite
  std::vector<double> rows;  ///< N_s >= 1 for each of at least two sites
  CapeWeights weights = CapeWeights::kSites;
  std::vector<int> dropped = {};  ///< sites whose message is missing; at least one must remain
};

struct CapeRun {
  /// What each site sent, packed like its input; also for sites that dropped out.
  std::vector<std::vector<double>> messages;
  std::vector<std::vector<double>> masks;  ///< the E_s
  std::vector<double> aggregate;           ///< over the remaining sites
  double sd = 0;               ///< of the noise in an entry of the aggregate, including dropouts
  double pooled_sd = 0;        ///< of the noise of one site that holds all rows
  double conventional_sd = 0;  ///< of the aggregate if every message had noise tau_s of its own
};

/// Simulates one run on the sites' packed matrices, all of the same length.
/// Errors: kInvalidNoise (sigma), kNoRows (rows), kWrongLength (matrices), kInvalidFederation for
/// fewer than two sites, for dropouts that are not sites or include all of them, and for impossible
/// masks: they can sum to zero only if no standard deviation exceeds the sum of the others.
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
