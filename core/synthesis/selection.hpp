#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/random/drbg.hpp"

namespace pm {

/// The budget of a choice is used in multiples of 2^-kChoiceBits, rounded down.
constexpr int kChoiceBits = 32;

/// The largest budget of a choice: beyond it the best candidate is as good as certain.
constexpr double kMostChoiceEpsilon = 0x1p16;

/// Which of several candidates has a high score, privately: pure epsilon, and never worse in
/// expectation than the exponential mechanism. Candidates are looked at in a random order; one
/// whose score is g below the best is taken with probability exp(-epsilon g / 2), else the next is
/// looked at. Scores are integers that a neighbour step moves by at most one each, up or down:
/// counts of rows with a property that depends on the row and on public numbers alone. Every
/// probability is exact. Source: McKenna, Sheldon 2020 (arXiv 2010.12603), Algorithm 1; proof:
/// docs/mechanisms/pca-gauss.md.
/// Preconditions: at least one score, each below 2^62; 2^-kChoiceBits <= epsilon <=
/// kMostChoiceEpsilon.
/// @returns the place of the candidate
std::size_t permuteAndFlip(std::span<const std::uint64_t> scores, double epsilon, Drbg& random);

}  // namespace pm
