#include "core/random/words.hpp"

namespace pm {

void addWord(Words& x, std::size_t from, std::uint64_t word) {
  for (std::size_t i = from; word != 0 && i < x.size(); ++i) {
    x[i] += word;
    word = x[i] < word ? 1 : 0;
  }
}

void add(Words& x, const Words& y) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Uint128 sum = Uint128(x[i]) + y[i] + carry;
    x[i] = std::uint64_t(sum);
    carry = std::uint64_t(sum >> 64);
  }
}

void subtract(std::span<std::uint64_t> x, std::span<const std::uint64_t> y) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Uint128 difference = Uint128(x[i]) - y[i] - borrow;
    x[i] = std::uint64_t(difference);
    borrow = std::uint64_t(difference >> 64) & 1;
  }
}

void negate(Words& x) {
  for (std::uint64_t& word : x) word = ~word;
  addWord(x, 0, 1);
}

void addProduct(Words& x, std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const Uint128 sum = Uint128(a[i]) * b[j] + x[i + j] + carry;
      x[i + j] = std::uint64_t(sum);
      carry = std::uint64_t(sum >> 64);
    }
    addWord(x, i + b.size(), carry);
  }
}

Int128 nearestOfProduct(Words x, std::uint64_t m, int shift) {
  const bool is_negative = isNegative(x);
  if (is_negative) negate(x);
  Words product(x.size() + 1, 0);
  addProduct(product, x, std::span(&m, 1));
  if (is_negative) negate(product);
  addWord(product, std::size_t(shift - 1) / 64, std::uint64_t{1} << (shift - 1) % 64);
  const std::uint64_t fill = isNegative(product) ? ~std::uint64_t{0} : 0;
  const auto word = [&](std::size_t i) { return i < product.size() ? product[i] : fill; };
  const std::size_t first = std::size_t(shift) / 64, bits = std::size_t(shift) % 64;
  const auto shifted = [&](std::size_t i) {
    return bits == 0 ? word(i) : word(i) >> bits | word(i + 1) << (64 - bits);
  };
  return Int128(Uint128(shifted(first + 1)) << 64 | shifted(first));
}

Words floorSqrt(Words x) {
  // Digit by digit: what is left of x stays at least 0 while root 2^(2 bit) is subtracted. Below
  // the word of that bit, root is 0.
  Words root(x.size(), 0);
  std::size_t used = x.size();
  while (used > 0 && x[used - 1] == 0) --used;
  for (std::size_t bit = 64 * used; bit > 0;) {
    bit -= 2;
    const std::size_t lowest = bit / 64;
    const std::uint64_t one = std::uint64_t{1} << bit % 64;
    root[lowest] |= one;
    std::size_t top = used - 1;
    while (top > lowest && x[top] == root[top]) --top;
    const bool fits = x[top] >= root[top];
    if (fits) subtract(std::span(x).subspan(lowest), std::span(root).subspan(lowest));
    root[lowest] ^= one;
    for (std::size_t i = lowest; i < used; ++i) {
      root[i] = root[i] >> 1 | (i + 1 < used ? root[i + 1] << 63 : 0);
    }
    if (fits) root[lowest] |= one;
  }
  return root;
}

}  // namespace pm
