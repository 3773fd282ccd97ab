#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/random/drbg.hpp"

namespace pm {

/// The budget of a choice is used in multiples of 2^-kChoiceBits, rounded down.
constexpr int kChoiceBits = 32;

/// The largest budget of a choice; with more, the best candidate is practically certain.
constexpr double kMostChoiceEpsilon = 0x1p16;

/// Chooses a candidate with a high score, with pure epsilon, and never worse in expectation than
/// the exponential mechanism. Candidates are visited in random order; one whose score is g below
/// the best is accepted with probability exp(-epsilon g / 2), otherwise the next is visited. Scores
/// are integers, each of which a neighbour step moves by at most one in either direction: counts of
/// rows with a property that depends on the row and on public numbers alone. Every probability is
/// exact. Source: McKenna, Sheldon 2020 (arXiv 2010.12603), Algorithm 1; proof:
/// docs/mechanisms/pca-gauss.md.
/// Preconditions: at least one score, each below 2^62; 2^-kChoiceBits <= epsilon <=
/// kMostChoiceEpsilon.
/// @returns the index of the candidate
std::size_t permuteAndFlip(std::span<const std::uint64_t> scores, double epsilon, Drbg& random);

}  // namespace pm
