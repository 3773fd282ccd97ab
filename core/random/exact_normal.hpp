#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/random/chacha20.hpp"
#include "core/random/drbg.hpp"

namespace pm {

/// The sampler divides each unit of the half line into 2^kCellBits cells.
constexpr int kCellBits = 5;
constexpr int kCellsPerUnit = 1 << kCellBits;

/// Weights by which a cell is drawn, whole numbers just above scale e^{-a^2/2}, where a = j / 32 is
/// the left end of cell j < 256; the last weight is for all cells from 256 on, a bound.
class NormalTable {
 public:
  static constexpr int kCells = 8 * kCellsPerUnit;

  /// With `index_bits` random bits for a cell, and `tail_height` the weight at which a cell of the
  /// tail is proposed. Preconditions: tail_height >= scale e^-32 and divides `scale`; 8 <=
  /// index_bits <= 52; the weights, 40.7 scale + 64 tail_height + 256 at most, fit.
  NormalTable(std::uint64_t scale, std::uint64_t tail_height, int index_bits);

  /// The library's: scale 25 2^42, of 52 bits.
  static const NormalTable& standard();

  std::uint64_t scale() const { return scale_; }
  std::uint64_t tailHeight() const { return tail_height_; }
  int indexBits() const { return index_bits_; }
  /// Number of indices below those of cell j.
  std::uint64_t below(int j) const { return below_[j]; }
  std::uint64_t total() const { return below_[kCells + 1]; }
  /// The cell of `index` < total(), kCells for the tail.
  int cellOf(std::uint64_t index) const {
    int j = guide_[index >> (index_bits_ - 8)];
    while (index >= below_[j + 1]) ++j;
    return j;
  }

 private:
  std::uint64_t scale_;
  std::uint64_t tail_height_;
  int index_bits_;
  std::uint64_t below_[kCells + 2];
  std::uint16_t guide_[256];
};

/// Independent standard normal numbers, exactly: each is a sequence of random digits of which as
/// many are drawn as are looked at. What a program computes of them by deciding inequalities with
/// as many digits as it needs has the law of the same function of real normals; no rounding enters.
/// Number i is +-(cell + 0.w0 w1 w2 ...) / 32, with words w of 64 bits.
///
/// The law, by rejection: a cell and a uniform place in it with probabilities proportional to
/// e^{-a^2/2}, kept with probability e^{-(x^2 - a^2)/2} by von Neumann's comparison of uniform
/// numbers, as in Algorithm N of Karney 2016 (arXiv 1303.6257), whose cells are units. Proof:
/// docs/exact-noise.md. About 2.2 words of `random` a number.
///
/// Private: wiped on destruction. Words after the first come from a stream of their own, one for
/// each depth, so that looking at more digits changes no other number.
class ExactNormals {
 public:
  ExactNormals(std::size_t count, Drbg& random, const NormalTable& table = NormalTable::standard());
  ~ExactNormals();
  ExactNormals(ExactNormals&&) = default;
  ExactNormals& operator=(ExactNormals&&) = delete;

  std::size_t size() const { return first_.size(); }
  bool isNegative(std::size_t i) const { return (cells_[i] & 1) != 0; }
  std::uint64_t cell(std::size_t i) const { return cells_[i] >> 1; }
  std::uint64_t firstWord(std::size_t i) const { return first_[i]; }
  /// Words `depth` of the numbers from `first` on.
  void readWords(std::size_t first, std::size_t depth, std::span<std::uint64_t> out) const;

 protected:
  ExactNormals() = default;

  std::vector<std::uint32_t> cells_;  ///< and the sign in the lowest bit
  std::vector<std::uint64_t> first_;
  struct Looked {
    std::size_t number;
    std::vector<std::uint64_t> words;
  };
  /// Words after the first that the sampler looked at, by number.
  std::vector<Looked> more_;
  ChaChaKey key_{};
};

}  // namespace pm
