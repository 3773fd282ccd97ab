#include "core/synthesis/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/int128.hpp"
#include "core/random/bernoulli.hpp"

namespace pm {
namespace {

// True with probability exp(-a / 2^(kChoiceBits + 1)).
bool flip(Uint128 a, Drbg& random) {
  constexpr Uint128 one = Uint128{1} << (kChoiceBits + 1);
  for (; a > one; a -= one) {
    if (!bernoulliExp(one, one, random)) return false;
  }
  return bernoulliExp(a, one, random);
}

}  // namespace

std::size_t permuteAndFlip(std::span<const std::uint64_t> scores, double epsilon, Drbg& random) {
  const Uint128 steps = Uint128(std::ldexp(epsilon, kChoiceBits));
  const std::uint64_t best = *std::max_element(scores.begin(), scores.end());
  std::vector<std::size_t> left(scores.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (;;) {
    const std::size_t place = std::size_t(uniformBelow(left.size(), random));
    const std::size_t candidate = left[place];
    if (flip(steps * (best - scores[candidate]), random)) return candidate;
    std::swap(left[place], left.back());
    left.pop_back();
  }
}

}  // namespace pm
