#include "core/moments/quantiser.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/pair.hpp"

namespace pm {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Replaces every x by f(x), two cells at a time, and returns the sum of squares of the results,
// integers within 2^24.
template <class F>
inline std::uint64_t mapRow(std::span<const double> x, std::span<double> q, F f) {
  // Squares are at most 2^48, so a lane holds 32 of them exactly.
  constexpr std::size_t kExact = 64;
  const std::size_t whole = x.size() & ~std::size_t{1};
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < whole;) {
    const std::size_t end = std::min(whole, i + kExact);
    Pair squares{};
    for (; i < end; i += 2) {
      const Pair rounded = f(loadPair(x.data() + i));
      storePair(q.data() + i, rounded);
      squares += rounded * rounded;
    }
    length += std::uint64_t(std::int64_t(squares[0])) + std::uint64_t(std::int64_t(squares[1]));
  }
  if (whole < x.size()) {
    const double last = f(broadcast(x[whole]))[0];
    q[whole] = last;
    length += std::uint64_t(std::int64_t(last * last));
  }
  return length;
}

// The factor by which step 3 multiplies a row.
Pair toSphere(std::uint64_t length, int bits) {
  return broadcast(double(std::uint64_t{1} << bits) / std::sqrt(double(length)));
}

}  // namespace

double largestCell(std::span<const double> x) {
  const std::size_t whole = x.size() & ~std::size_t{1};
  Pair largest{};
  PairMask finite = ~PairMask{};
  for (std::size_t i = 0; i < whole; i += 2) {
    const Pair size = magnitude(loadPair(x.data() + i));
    finite &= size < broadcast(kInfinity);
    largest = pairMax(size, largest);
  }
  const double last = whole < x.size() ? std::fabs(x[whole]) : 0;
  if ((finite[0] & finite[1]) == 0 || !(last < kInfinity)) return kInfinity;
  return std::max(std::max(largest[0], largest[1]), last);
}

std::uint64_t roundRow(std::span<const double> x, double row_norm, double steps,
                       std::span<double> q) {
  const Pair divisor = broadcast(row_norm), scale = broadcast(steps);
  return mapRow(x, q, [=](Pair a) { return roundTiesToEven(a / divisor * scale); });
}

std::uint64_t scaleToSphere(std::span<double> q, std::uint64_t length, int bits) {
  const std::uint64_t limit = std::uint64_t{1} << (2 * bits);
  const Pair factor = toSphere(length, bits);
  length = mapRow(q, q, [=](Pair a) { return truncate(a * factor); });
  // Not reached for bits <= 24, where truncation always suffices; it makes the bound
  // unconditional.
  while (length > limit) {
    double& top = *std::max_element(q.begin(), q.end(),
                                    [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    top -= std::copysign(1.0, top);
    length = mapRow(q, q, [](Pair a) { return a; });
  }
  return length;
}

std::uint64_t scaleTiles(const double* row, std::size_t tiles, std::size_t stride,
                         std::uint64_t length, int bits, double* scaled) {
  // Squares are at most 2^48, so a lane holds those of 16 tiles exactly.
  constexpr std::size_t kExact = 16;
  const Pair factor = toSphere(length, bits);
  length = 0;
  for (std::size_t tile = 0; tile < tiles;) {
    const std::size_t end = std::min(tiles, tile + kExact);
    Pair squares{};
    for (; tile < end; ++tile, row += stride, scaled += stride) {
      const Pair left = truncate(loadPair(row) * factor);
      const Pair right = truncate(loadPair(row + 2) * factor);
      storePair(scaled, left);
      storePair(scaled + 2, right);
      squares += left * left + right * right;
    }
    length += std::uint64_t(std::int64_t(squares[0])) + std::uint64_t(std::int64_t(squares[1]));
  }
  return length;
}

std::uint64_t quantiseRow(std::span<const double> x, double row_norm, int bits,
                          std::span<double> q) {
  const double largest = largestCell(x);
  if (largest == kInfinity) {
    std::fill(q.begin(), q.end(), 0.0);
    return 0;
  }
  const double scale = double(std::uint64_t{1} << bits);
  const std::uint64_t length = roundRow(x, std::max(largest, row_norm), scale, q);
  return length > std::uint64_t{1} << (2 * bits) ? scaleToSphere(q, length, bits) : length;
}

}  // namespace pm
