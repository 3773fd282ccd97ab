#include "core/mechanisms/exact_radial.hpp"

#include <cstdint>

#include "core/random/exact_normal.hpp"
#include "core/random/words.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

/// |number i| with its first `depth` words, rounded down, in multiples of 2^-(64 depth + 5).
Words digitsOf(const ExactNormals& normals, std::size_t i, std::size_t depth) {
  Words result(depth + 1);
  for (std::size_t d = 0; d < depth; ++d) {
    normals.readWords(i, d, std::span(result).subspan(depth - 1 - d, 1));
  }
  result[depth] = normals.cell(i);
  return result;
}

struct Bounds {
  Words low, high;
};

/// Bounds of |h|, or of |h| / sqrt 2, in the same multiples.
Bounds lengthOf(const ExactNormals& h, std::size_t depth, bool is_halved) {
  Words least(2 * depth + 4, 0), most = least;
  for (std::size_t i = 0; i < h.size(); ++i) {
    Words digits = digitsOf(h, i, depth);
    addProduct(least, digits, digits);
    addWord(digits, 0, 1);
    addProduct(most, digits, digits);
    wipe(digits);
  }
  if (is_halved) {
    const auto halve = [](Words& x) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = x[i] >> 1 | (i + 1 < x.size() ? x[i + 1] << 63 : 0);
      }
    };
    halve(least);
    addWord(most, 0, 1);
    halve(most);
  }
  Bounds result{floorSqrt(least), floorSqrt(most)};
  addWord(result.high, 0, 1);
  result.low.resize(depth + 2);
  result.high.resize(depth + 2);
  return result;
}

}  // namespace

void exactRadial(DyadicScale scale, const std::vector<bool>& is_halved, Drbg& random,
                 std::span<Int128> out) {
  const ExactNormals g(out.size(), random), h(out.size() + 1, random);
  Bounds lengths[2];
  std::size_t depth = 0;
  const auto read = [&](std::size_t to) {
    depth = to;
    for (const bool halved : {false, true}) lengths[halved] = lengthOf(h, depth, halved);
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t to = 1;; ++to) {
      if (to != depth) read(to);
      const Bounds& length = lengths[!is_halved.empty() && is_halved[i]];
      Words digits = digitsOf(g, i, depth), low(2 * depth + 5, 0), high = low;
      addProduct(low, digits, length.low);
      addWord(digits, 0, 1);
      addProduct(high, digits, length.high);
      if (g.isNegative(i)) {
        negate(low);
        negate(high);
      }
      const int shift = scale.log2_denominator + 2 * (kCellBits + 64 * int(depth));
      out[i] = nearestOfProduct(low, scale.numerator, shift);
      const bool is_decided = out[i] == nearestOfProduct(high, scale.numerator, shift);
      wipe(digits);
      wipe(low);
      wipe(high);
      if (is_decided) break;
    }
  }
  for (Bounds& length : lengths) {
    wipe(length.low);
    wipe(length.high);
  }
}

}  // namespace pm
