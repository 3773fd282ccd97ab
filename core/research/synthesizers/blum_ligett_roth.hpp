#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/research/synthesizers/synthesizers.hpp"

namespace pm {

/// `blum-ligett-roth` (Blum, Ligett, Roth 2008, algorithm 1): the exponential mechanism chooses one
/// of all small data sets on a grid, with minus the largest error of any counting query as score.
/// There are too many of them, so this version chooses from a random, public, finite list. The
/// queries are 1[x_j <= t] for t = -1/2, 0, 1/2, separately for each class; a number label is
/// another column. Pure epsilon and exact: counts are integers, and probabilities are ratios of
/// integers.
PublishedSynthesis blumLigettRoth(const SynthesisData& data, const SynthesisParams& params,
                                  Drbg& random);
std::optional<Guarantee> blumLigettRothGuarantee(const SynthesisParams& params, Eigen::Index n,
                                                 Eigen::Index m);

/// The thresholds, and the midpoints of cells, which are the entries of candidates.
inline constexpr double kBlumThresholds[] = {-0.5, 0, 0.5};
inline constexpr double kBlumGrid[] = {-0.75, -0.25, 0.25, 0.75};

/// Number of rows of each class (one class without labels) with x_j <= t, thresholds innermost.
std::vector<std::int64_t> thresholdCounts(const LabelledRows& data, int classes);

/// n m^ times the largest error of a candidate: max |m^ count - n candidate_count|, m^ the number
/// of the candidate's rows. Replacing a row changes it by at most m^.
std::uint64_t largestError(std::span<const std::int64_t> counts, std::int64_t rows,
                           std::span<const std::int64_t> candidate, std::int64_t candidate_rows);

/// The index of one of `errors`, drawn with probability proportional to exp(-epsilon error / (2
/// moves)): the exponential mechanism (McSherry, Talwar 2007) for errors that one row changes by at
/// most `moves`. By rejection: a uniform index is accepted with probability exp(-epsilon excess/(2
/// moves)). Exact, for epsilon rounded down to a multiple of 2^-32, at most 2^16. Preconditions: at
/// least one error, each below 2^62; 0 < moves < 2^40.
std::size_t exponentialMechanism(std::span<const std::uint64_t> errors, std::uint64_t moves,
                                 double epsilon, Drbg& random);

}  // namespace pm
