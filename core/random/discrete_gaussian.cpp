#include "core/random/discrete_gaussian.hpp"

#include "core/random/bernoulli.hpp"

namespace pm {
namespace {

#include "core/random/half_normal_table.inc"

// Whether the 191-bit uniform with the top 63 bits u lies below entry k; the lower 128 bits are
// drawn only on a tie of the upper ones, so that one word decides but for 2^-55 of the draws.
struct HalfNormal {
  std::uint64_t top;
  std::uint64_t lower[2] = {0, 0};
  bool drawn = false;

  bool below(int k, Drbg& random) {
    const std::uint64_t(&entry)[3] = kHalfNormal[k];
    if (top != entry[0]) return top < entry[0];
    if (!drawn) {
      lower[0] = random.next64();
      lower[1] = random.next64();
      drawn = true;
    }
    return lower[0] != entry[1] ? lower[0] < entry[1] : lower[1] < entry[2];
  }
};

std::uint64_t sampleBlock(std::uint64_t word, Drbg& random) {
  HalfNormal u{word >> 1};
  int k = kGuide[u.top >> 55];
  while (!u.below(k, random)) ++k;
  return std::uint64_t(k);
}

std::int64_t sampleOne(std::uint64_t w, Uint128 denominator, Drbg& random) {
  for (;;) {
    const std::uint64_t word = random.next64();
    const std::uint64_t k = sampleBlock(word, random);
    const std::uint64_t j = uniformBelow(w, random);
    const Uint128 numerator = Uint128(j) * (2 * k * w + j);
    if (!bernoulliExp(numerator, denominator, random)) continue;
    const std::int64_t v = std::int64_t(k * w + j);
    const bool negative = word & 1;
    if (negative && v == 0) continue;  // zero has one sign
    return negative ? -v : v;
  }
}

}  // namespace

void fillDiscreteGaussian(std::uint64_t w, std::int64_t* out, std::size_t count, Drbg& random) {
  const Uint128 denominator = Uint128(512) * w * w;
  for (std::size_t i = 0; i < count; ++i) out[i] = sampleOne(w, denominator, random);
}

}  // namespace pm
