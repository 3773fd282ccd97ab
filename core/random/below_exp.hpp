#pragma once

#include <cstdint>

#include "core/random/drbg.hpp"

namespace pm {

/// Whether U 2^-zeros < multiple e^{-a/b} - whole for a fresh uniform real U in [0,1), exactly: the
/// digits of U are drawn, and those of the exponential computed in integers, 64 at a time, until
/// they differ. Slow; for decisions that a sampler seldom needs. Where the right side is negative
/// the answer is no.
/// Preconditions: multiple < 2^63, a < 2^40, 1 <= b < 2^24, zeros >= 0.
bool belowExp(std::uint64_t multiple, std::uint64_t whole, std::uint64_t a, std::uint32_t b,
              int zeros, Drbg& random);

/// The least whole number not below multiple e^{-a/b}. Same preconditions.
std::uint64_t ceilOfExp(std::uint64_t multiple, std::uint64_t a, std::uint32_t b);

}  // namespace pm
