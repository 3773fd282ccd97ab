#include "core/random/exact_normal.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/random/below_exp.hpp"
#include "core/random/bernoulli.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

/// e^{-a^2/2} at the left end of cell j is e^{-j^2/kSteepness}, and within the cell x^2 - a^2 =
/// 2 y (2 j + y) / kSteepness.
constexpr std::uint32_t kSteepness = 2 * kCellsPerUnit * kCellsPerUnit;

/// A uniform number in (0, 1) with the words that were looked at.
class LazyUniform {
 public:
  explicit LazyUniform(Drbg& random) : words_{random.next64()} {}

  std::uint64_t word(std::size_t depth, Drbg& random) {
    if (depth == words_.size()) words_.push_back(random.next64());
    return words_[depth];
  }

  bool isBelow(LazyUniform& other, Drbg& random) {
    for (std::size_t depth = 0;; ++depth) {
      const std::uint64_t own = word(depth, random), others = other.word(depth, random);
      if (own != others) return own < others;
    }
  }

  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

/// Whether a uniform number is below (2 j + y) / (2 j + 1).
bool isBelowRatio(std::uint64_t j, LazyUniform& y, Drbg& random) {
  if (uniformBelow(2 * j + 1, random) < 2 * j) return true;
  return LazyUniform(random).isBelow(y, random);
}

/// Bernoulli(e^{-t}) with t = y (2 j + y) / steepness, given whether a first uniform number was
/// below (2 j + 1) / steepness <= 1. Von Neumann's comparison: of uniform numbers y > u1 > u2 ...,
/// each kept with probability (2 j + y) / steepness, exactly n follow with probability t^n / n! -
/// t^(n+1) / (n+1)!, and the sum over even n is e^{-t}.
bool survives(bool is_first_below, std::uint64_t j, std::uint64_t steepness, LazyUniform& y,
              Drbg& random) {
  bool is_even = true;
  bool is_below = is_first_below;
  for (LazyUniform last = y; is_below && isBelowRatio(j, y, random);) {
    LazyUniform next(random);
    if (!next.isBelow(last, random)) break;
    is_even = !is_even;
    last = std::move(next);
    is_below = uniformBelow(steepness, random) < 2 * j + 1;
  }
  return is_even;
}

/// A cell beyond the table, or 0 where the proposal is rejected: cell 256 + 32 g + c, c < 32, is
/// proposed with weight tail_height 2^-g and kept with probability scale e^{-j^2/2048} over that.
std::uint64_t tailCell(const NormalTable& table, Drbg& random) {
  int group = 0;
  std::uint64_t word = random.next64();
  for (; word == 0; word = random.next64()) group += 64;
  group += std::countl_zero(word);
  const std::uint64_t place = random.next64() % kCellsPerUnit;
  const std::uint64_t j =
      NormalTable::kCells + place + std::uint64_t(kCellsPerUnit) * unsigned(group);
  const std::uint64_t multiple = table.scale() / table.tailHeight();
  return belowExp(multiple, 0, j * j, kSteepness, group, random) ? j : 0;
}

/// The same decision for a cell of any place, in parts where its slope is steep.
bool survivesTail(std::uint64_t j, LazyUniform& y, Drbg& random) {
  const std::uint64_t parts = 1 + 2 * j / kSteepness;
  const std::uint64_t steepness = parts * kSteepness;
  for (std::uint64_t part = 0; part < parts; ++part) {
    if (!survives(uniformBelow(steepness, random) < 2 * j + 1, j, steepness, y, random)) {
      return false;
    }
  }
  return true;
}

}  // namespace

NormalTable::NormalTable(std::uint64_t scale, std::uint64_t tail_height, int index_bits)
    : scale_(scale), tail_height_(tail_height), index_bits_(index_bits) {
  below_[0] = 0;
  for (std::uint64_t j = 0; j < kCells; ++j) {
    below_[j + 1] = below_[j] + ceilOfExp(scale, j * j, kSteepness);
  }
  below_[kCells + 1] = below_[kCells] + 2 * kCellsPerUnit * tail_height;
  int j = 0;
  for (std::uint64_t slot = 0; slot < 256; ++slot) {
    while (j < kCells && below_[j + 1] <= slot << (index_bits - 8)) ++j;
    guide_[slot] = std::uint16_t(j);
  }
}

const NormalTable& NormalTable::standard() {
  static const NormalTable table(std::uint64_t{25} << 42, 2, 52);
  return table;
}

ExactNormals::ExactNormals(std::size_t count, Drbg& random, const NormalTable& table) {
  cells_.reserve(count);
  first_.reserve(count);
  for (std::size_t word = 0; word < 4; ++word) {
    const std::uint64_t bits = random.next64();
    std::memcpy(key_.data() + 8 * word, &bits, 8);
  }
  while (first_.size() < count) {
    // From the lowest bit: the sign, the first comparison, the cell.
    const std::uint64_t word = random.next64();
    const std::uint64_t index = word >> (64 - table.indexBits());
    if (index >= table.total()) continue;
    std::uint64_t j = std::uint64_t(table.cellOf(index));
    const bool is_tail = j == NormalTable::kCells;
    if (is_tail) {
      j = tailCell(table, random);
      if (j == 0) continue;
    } else if (index + 1 == table.below(int(j) + 1) &&
               !belowExp(table.scale(), table.below(int(j) + 1) - table.below(int(j)) - 1, j * j,
                         kSteepness, 0, random)) {
      continue;
    }
    const bool is_first_below = (word >> 1) % kSteepness < 2 * j + 1;
    std::uint64_t first;
    if (!is_tail && !is_first_below) {
      first = random.next64();
    } else {
      LazyUniform y(random);
      if (is_tail ? !survivesTail(j, y, random) : !survives(true, j, kSteepness, y, random)) {
        continue;
      }
      first = y.word(0, random);
      if (y.words().size() > 1) {
        more_.push_back({first_.size(), {y.words().begin() + 1, y.words().end()}});
      }
    }
    cells_.push_back(std::uint32_t(2 * j | (word & 1)));
    first_.push_back(first);
  }
}

ExactNormals::~ExactNormals() {
  wipe(cells_);
  wipe(first_);
  wipe(key_);
  for (Looked& looked : more_) wipe(looked.words);
}

void ExactNormals::readWords(std::size_t first, std::size_t depth,
                             std::span<std::uint64_t> out) const {
  if (depth == 0) {
    std::copy_n(first_.begin() + std::ptrdiff_t(first), out.size(), out.begin());
    return;
  }
  constexpr std::size_t kBlocks = 4, kWords = 8 * kBlocks;
  std::uint64_t words[kWords];
  ChaChaNonce nonce{};
  std::memcpy(nonce.data(), &depth, sizeof depth);
  for (std::size_t i = first, end = first + out.size(); i < end;) {
    const std::size_t batch = i / kWords;
    chacha20Keystream(key_, nonce, std::uint32_t(batch * kBlocks), kBlocks,
                      reinterpret_cast<std::uint8_t*>(words));
    for (; i < end && i / kWords == batch; ++i) out[i - first] = words[i % kWords];
  }
  wipe(words, sizeof words);
  for (const Looked& looked : more_) {
    const bool is_asked = looked.number >= first && looked.number < first + out.size();
    if (is_asked && depth <= looked.words.size()) {
      out[looked.number - first] = looked.words[depth - 1];
    }
  }
}

}  // namespace pm
