#include "core/synthesis/plan/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/int128.hpp"
#include "core/random/bernoulli.hpp"

namespace pm {

std::size_t permuteAndFlip(std::span<const std::uint64_t> scores, double epsilon, Drbg& random) {
  const Uint128 steps = Uint128(std::ldexp(epsilon, kChoiceBits));
  const std::uint64_t best = *std::max_element(scores.begin(), scores.end());
  std::vector<std::size_t> left(scores.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (;;) {
    const std::size_t place = std::size_t(uniformBelow(left.size(), random));
    const std::size_t candidate = left[place];
    const Uint128 behind = steps * (best - scores[candidate]);
    if (bernoulliExpBeyond(behind, Uint128{1} << (kChoiceBits + 1), random)) return candidate;
    std::swap(left[place], left.back());
    left.pop_back();
  }
}

}  // namespace pm
