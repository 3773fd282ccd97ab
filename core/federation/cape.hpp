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
/// in every entry of the upper triangle: E_s from a noise generator, with sum zero; F_s, which only
/// the aggregator knows besides and takes off; G_s from nobody else. For what it keeps private see
/// collusion.hpp; nothing here is a mechanism of a study.

/// How the aggregator weighs the sites' means.
enum class CapeWeights {
  /// 1/S each, as published: the pooled mean only where all sites have as many rows.
  kSites,
  /// N_s / N, which gives the pooled mean. The E_s then have sum zero with these weights, so that
  /// all
  /// sites have noise of one size in their sums, N_s E_s.
  kRows,
};

struct CapeParams {
  double sigma;              ///< noise per unit of sensitivity; > 0, finite
  std::vector<double> rows;  ///< N_s >= 1 of each of at least two sites
  CapeWeights weights = CapeWeights::kSites;
  std::vector<int> dropped = {};  ///< sites whose message never came; at least one is left
};

struct CapeRun {
  /// What each site sent, packed as it was given; of those that dropped out too.
  std::vector<std::vector<double>> messages;
  std::vector<std::vector<double>> masks;  ///< the E_s
  std::vector<double> aggregate;           ///< over the sites that are left
  double sd = 0;               ///< of the noise in an entry of the aggregate, dropouts counted
  double pooled_sd = 0;        ///< of noise added to the mean over all rows by one who has them
  double conventional_sd = 0;  ///< of the same aggregate where each message has tau_s by itself
};

/// One run on the sites' packed matrices, all equally long.
/// Errors: kInvalidNoise (sigma), kNoRows (rows), kWrongLength (matrices), kInvalidFederation for
/// fewer than two sites, dropouts that are not sites or are all of them, and for masks that cannot
/// be: sum zero needs that no standard deviation exceeds the sum of all others.
Result<CapeRun> runCape(const CapeParams& params, std::span<const std::vector<double>> matrices,
                        Drbg& random);

/// The covariance, S x S, of a Gaussian vector with these standard deviations and sum zero. Where
/// one exists, that of independent numbers given that their sum is zero: with equal deviations d it
/// is d^2 S/(S - 1) (I - 11'/S), as published. Where the largest is too large for that, the others
/// have a part in common. Error: kInvalidFederation where one deviation exceeds the sum of the
/// others.
Result<std::vector<double>> zeroSumCovariance(std::span<const double> deviations);

/// `entries` independent draws of such vectors, whose sum is zero to the last bit:
/// result[s][entry]. Error as above.
Result<std::vector<std::vector<double>>> zeroSumMasks(std::span<const double> deviations,
                                                      std::size_t entries, Drbg& random);

}  // namespace pm
