#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/research/synthesizers.hpp"

namespace pm {

/// `blum-ligett-roth` (Blum, Ligett, Roth 2008, algorithm 1): of all small data sets on a grid one
/// is chosen by the exponential mechanism, whose score is minus the largest error of any counting
/// query. As there are too many of them, here of a finite list that is random and public. The
/// queries are 1[x_j <= t] for t = -1/2, 0, 1/2, for each class apart; a number label is one more
/// column. Pure epsilon and exact: counts are integers, and so are the chances.
PublishedSynthesis blumLigettRoth(const SynthesisData& data, const SynthesisParams& params,
                                  Drbg& random);
std::optional<Guarantee> blumLigettRothGuarantee(const SynthesisParams& params, Eigen::Index n,
                                                 Eigen::Index m);

/// The thresholds, and the cells' middles that candidates have for entries.
inline constexpr double kBlumThresholds[] = {-0.5, 0, 0.5};
inline constexpr double kBlumGrid[] = {-0.75, -0.25, 0.25, 0.75};

/// How many rows of each class (one class without labels) have x_j <= t, thresholds innermost.
std::vector<std::int64_t> thresholdCounts(const LabelledRows& data, int classes);

/// n m^ times the largest error of a candidate: max |m^ count - n candidate_count|, m^ being the
/// candidate's rows. A row replaced moves it by m^ at most.
std::uint64_t largestError(std::span<const std::int64_t> counts, std::int64_t rows,
                           std::span<const std::int64_t> candidate, std::int64_t candidate_rows);

/// The place of one of `errors`, drawn with probability proportional to
/// exp(-epsilon error / (2 moves)): the exponential mechanism (McSherry, Talwar 2007) for errors
/// that one row moves by `moves` at most. Any place, kept with probability exp(-epsilon excess/(2
/// moves)), else another: exact, for epsilon rounded down to a multiple of 2^-32, at most 2^16.
/// Preconditions: at least one error, each below 2^62; 0 < moves < 2^40.
std::size_t exponentialMechanism(std::span<const std::uint64_t> errors, std::uint64_t moves,
                                 double epsilon, Drbg& random);

}  // namespace pm
