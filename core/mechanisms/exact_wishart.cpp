#include "core/mechanisms/exact_wishart.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#include "core/moments/gram_kernel.hpp"
#include "core/random/words.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

static_assert(NormalPanels::kColumns <= kPanelRows);

/// Digits that first words decide beyond twice those of the high parts.
constexpr int kExtraBits = 28;

/// The upper block triangle of sums of squares and products of columns of panels.
class Blocks {
 public:
  explicit Blocks(std::size_t tiles)
      : tiles_(tiles), sums_(tiles * (tiles + 1) / 2 * kTile * kTile), linear_(tiles * kTile) {}
  ~Blocks() { wipe(sums_); }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  void add(const std::vector<double>& panel, std::size_t rows) {
    addGramPanel(panel.data(), tiles_, rows, sums_.data(), linear_.data());
  }
  /// Precondition: i <= j.
  double at(std::size_t i, std::size_t j) const {
    const std::size_t block = blockIndex(i / kTile, j / kTile, tiles_) * kTile * kTile;
    return sums_[block + i % kTile * kTile + j % kTile];
  }

 private:
  std::size_t tiles_;
  std::vector<double> sums_;
  std::vector<double> linear_;
};

struct Interval {
  Int128 low, high;
};

/// floor(x 2^-shift + 1/2). Precondition: 1 <= shift <= 126.
Int128 nearest(Int128 x, int shift) { return (x + (Int128(1) << (shift - 1))) >> shift; }

/// Bounds of the entries of Z Z^T - Y Y^T, in multiples of 2^-fractionBits().
///
/// With only its first word, a normal is H + R: H the nearest multiple of 2^-h, so that all sums of
/// products of two H are exact in doubles, and |R| <= 2^-(h+1), exact in a double as well. Then
///   z z' = H H' + A R' + R A',  A = H + R/2,
/// and with p = 2^-q A + 2^q R, m = 2^-q A - 2^q R the last two are (p p' - m m') / 2, whose
/// rounding errors are small beside 2^-h.
class FirstWordBounds {
 public:
  FirstWordBounds(std::size_t n, std::size_t columns)
      : n_(n),
        columns_(columns),
        high_bits_((51 - std::bit_width(columns + 32)) / 2),
        balance_(high_bits_ / 2 + 1),
        tiles_(tileCount(n)),
        high_z_(tiles_),
        high_y_(tiles_),
        plus_(tiles_),
        minus_(tiles_),
        high_panel_(tiles_ * kTileStride),
        plus_panel_(high_panel_.size()),
        minus_panel_(high_panel_.size()) {}
  ~FirstWordBounds() {
    wipe(high_panel_);
    wipe(plus_panel_);
    wipe(minus_panel_);
  }
  FirstWordBounds(const FirstWordBounds&) = delete;
  FirstWordBounds& operator=(const FirstWordBounds&) = delete;

  int fractionBits() const { return 2 * high_bits_ + kExtraBits; }

  void add(const ExactNormals& normals, std::size_t columns, bool is_negative) {
    const double unit = std::ldexp(1.0, -high_bits_);
    const double down = std::ldexp(1.0, -balance_), up = std::ldexp(1.0, balance_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < columns; ++k) {
        const std::size_t at = i / kTile * kTileStride + k * kTile + i % kTile;
        const auto [high, rest] = split(normals, i * columns + k);
        const double middle = high * unit + rest / 2;
        high_panel_[at] = high;
        plus_panel_[at] = down * middle + up * rest;
        minus_panel_[at] = down * middle - up * rest;
      }
    }
    (is_negative ? high_y_ : high_z_).add(high_panel_, columns);
    (is_negative ? minus_ : plus_).add(plus_panel_, columns);
    (is_negative ? plus_ : minus_).add(minus_panel_, columns);
    panels_ += 1;
  }

  /// Whether no sum of high parts can have been rounded. By Cauchy and Schwarz the diagonal tells.
  bool isExact() const {
    for (std::size_t i = 0; i < n_; ++i) {
      if (high_z_.at(i, i) >= 0x1p53 || high_y_.at(i, i) >= 0x1p53) return false;
    }
    return true;
  }

  Interval at(std::size_t i, std::size_t j) const {
    const Int128 high = Int128(high_z_.at(i, j)) - Int128(high_y_.at(i, j));
    const double low = std::ldexp((plus_.at(i, j) - minus_.at(i, j)) / 2, fractionBits());
    const Int128 middle = (high << kExtraBits) + Int128(std::nearbyint(low));
    const Int128 error = Int128(errorOf(i, j)) + 2;
    return {middle - error, middle + error};
  }

 private:
  struct Parts {
    double high;  ///< H, in multiples of 2^-h
    double rest;  ///< R
  };

  /// In integers, so that the parts do not depend on rounding.
  Parts split(const ExactNormals& normals, std::size_t number) const {
    const int kept = high_bits_ - kCellBits;
    const std::uint64_t word = normals.firstWord(number);
    std::uint64_t high = normals.cell(number) << kept | word >> (64 - kept);
    auto rest = std::int64_t(word << kept >> kept);
    if (rest >> (63 - kept) != 0) {
      ++high;
      rest -= std::int64_t{1} << (64 - kept);
    }
    const double sign = normals.isNegative(number) ? -1 : 1;
    return {sign * double(high), sign * 0x1p-69 * double(rest)};
  }

  /// In the same multiples. Sums of at most kPanelRows products, then of panels, with the roundings
  /// of p, m, their products and the two last differences; twice, to cover this bound's own. Then
  /// the digits after the first word: with |z| <= 1 + z^2 they change a sum by at most
  /// sum_k (|z_ik| + |z_jk| + 1) units.
  double errorOf(std::size_t i, std::size_t j) const {
    const double steps = double(kPanelRows + panels_ + 10);
    const double lengths =
        std::sqrt((plus_.at(i, i) + minus_.at(i, i)) * (plus_.at(j, j) + minus_.at(j, j)));
    const double squares = std::ldexp(
        high_z_.at(i, i) + high_z_.at(j, j) + high_y_.at(i, i) + high_y_.at(j, j), -2 * high_bits_);
    const double unread = (2 * squares + 6 * double(columns_)) * std::ldexp(1.0, -kCellBits - 64);
    return std::ldexp(2 * steps * 0x1p-53 * lengths + unread, fractionBits());
  }

  std::size_t n_;
  std::size_t columns_;
  int high_bits_;
  int balance_;
  std::size_t tiles_;
  std::size_t panels_ = 0;
  Blocks high_z_, high_y_, plus_, minus_;
  std::vector<double> high_panel_, plus_panel_, minus_panel_;
};

/// The absolute values of a panel with their first `depth` words, in multiples of
/// 2^-(64 depth + 5).
class PanelDigits {
 public:
  PanelDigits(const ExactNormals& normals, std::size_t depth)
      : normals_(normals), depth_(depth), words_(normals.size() * (depth + 1)) {
    Words read(normals.size());
    for (std::size_t d = 0; d < depth; ++d) {
      normals.readWords(0, d, read);
      for (std::size_t i = 0; i < read.size(); ++i) {
        words_[i * (depth + 1) + depth - 1 - d] = read[i];
      }
    }
    for (std::size_t i = 0; i < read.size(); ++i) words_[i * (depth + 1) + depth] = normals.cell(i);
    wipe(read);
  }
  ~PanelDigits() { wipe(words_); }
  PanelDigits(const PanelDigits&) = delete;
  PanelDigits& operator=(const PanelDigits&) = delete;

  /// Least significant word first.
  std::span<const std::uint64_t> at(std::size_t i) const {
    return std::span(words_).subspan(i * (depth_ + 1), depth_ + 1);
  }
  bool isNegative(std::size_t i) const { return normals_.isNegative(i); }

 private:
  const ExactNormals& normals_;
  std::size_t depth_;
  Words words_;
};

/// An entry whose bounds round to different integers.
struct OpenEntry {
  std::size_t i, j, packed;
  Words positive, negative, error;
};

/// Adds the products of the words read, and |z_i| + |z_j| + 1 unit for each to the error.
void addProducts(const PanelDigits& digits, std::size_t columns, bool is_negative,
                 OpenEntry& entry) {
  for (std::size_t k = 0; k < columns; ++k) {
    const std::size_t i = entry.i * columns + k, j = entry.j * columns + k;
    const auto a = digits.at(i), b = digits.at(j);
    const bool subtracts = is_negative != (digits.isNegative(i) != digits.isNegative(j));
    addProduct(subtracts ? entry.negative : entry.positive, a, b);
    addWord(entry.error, 0, 1);
    for (std::size_t word = 0; word < a.size(); ++word) {
      addWord(entry.error, word, a[word]);
      addWord(entry.error, word, b[word]);
    }
  }
}

/// Decides what `depth` words decide; what is left stays open.
void decide(NormalPanels& z, NormalPanels* y, DyadicScale scale, std::size_t depth,
            std::vector<OpenEntry>& open, std::span<Int128> packed) {
  for (OpenEntry& entry : open) {
    entry.positive.assign(2 * depth + 4, 0);
    entry.negative = entry.error = entry.positive;
  }
  for (NormalPanels* side : {&z, y}) {
    if (side == nullptr) continue;
    for (std::size_t p = 0; p < side->count(); ++p) {
      const PanelDigits digits(side->panel(p), depth);
      for (OpenEntry& entry : open) {
        addProducts(digits, side->columnsOf(p), side == y, entry);
      }
    }
  }
  const int shift = scale.log2_denominator + 2 * (kCellBits + 64 * int(depth));
  std::erase_if(open, [&](OpenEntry& entry) {
    Words& high = entry.positive;
    subtract(high, entry.negative);
    Words low = high;
    subtract(low, entry.error);
    add(high, entry.error);
    packed[entry.packed] = nearestOfProduct(std::move(low), scale.numerator, shift);
    return packed[entry.packed] == nearestOfProduct(high, scale.numerator, shift);
  });
}

/// Numbers that are kept, 50 MB of them.
constexpr std::size_t kKept = std::size_t{1} << 22;

}  // namespace

DrawnPanels::DrawnPanels(std::size_t rows, std::size_t columns, Drbg& random)
    : NormalPanels(rows, columns),
      seeds_(count()),
      panels_(count()),
      keeps_(rows * columns <= kKept / 2) {
  for (Seed& seed : seeds_) {
    for (std::size_t at = 0; at < seed.size(); at += 8) {
      const std::uint64_t word = random.next64();
      std::memcpy(seed.data() + at, &word, 8);
    }
  }
}

DrawnPanels::~DrawnPanels() {
  for (Seed& seed : seeds_) wipe(seed);
}

const ExactNormals& DrawnPanels::panel(std::size_t index) {
  std::optional<ExactNormals>& panel = panels_[keeps_ ? index : 0];
  if (!keeps_ || !panel) {
    Drbg random(seeds_[index]);
    panel.emplace(rows() * columnsOf(index), random);
  }
  return *panel;
}

WishartDigits exactWishart(NormalPanels& z, NormalPanels* y, DyadicScale scale,
                           std::span<Int128> packed) {
  const std::size_t n = z.rows();
  std::vector<OpenEntry> open;
  {
    FirstWordBounds bounds(n, z.columns());
    for (NormalPanels* side : {&z, y}) {
      if (side == nullptr) continue;
      for (std::size_t p = 0; p < side->count(); ++p) {
        bounds.add(side->panel(p), side->columnsOf(p), side == y);
      }
    }
    const bool is_exact = bounds.isExact();
    const int shift = bounds.fractionBits() + scale.log2_denominator;
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j, ++at) {
        const Interval about = bounds.at(i, j);
        packed[at] = nearest(about.low * Int128(scale.numerator), shift);
        if (!is_exact || packed[at] != nearest(about.high * Int128(scale.numerator), shift)) {
          open.push_back({i, j, at, {}, {}, {}});
        }
      }
    }
  }
  WishartDigits digits{open.size(), 0};
  for (std::size_t depth = 1; !open.empty(); ++depth) {
    decide(z, y, scale, depth, open, packed);
    if (depth == 1) digits.by_more_words = open.size();
  }
  return digits;
}

}  // namespace pm
