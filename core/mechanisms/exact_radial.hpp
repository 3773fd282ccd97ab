#pragma once

#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/mechanisms/dyadic_scale.hpp"
#include "core/random/drbg.hpp"

namespace pm {

/// round(scale x_i / d_i), ties up, exactly, for a vector x of density proportional to exp(-|x|_2):
/// d_i is sqrt 2 where `is_halved`
/// says so of i, else 1; empty for none. x = g |h| with standard normal vectors g
/// of x.size() and h of x.size() + 1 entries, a scale mixture of normals; docs/exact-noise.md.
void exactRadial(DyadicScale scale, const std::vector<bool>& is_halved, Drbg& random,
                 std::span<Int128> out);

}  // namespace pm
