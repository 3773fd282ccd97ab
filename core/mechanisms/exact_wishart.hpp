#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/mechanisms/dyadic_scale.hpp"
#include "core/random/drbg.hpp"
#include "core/random/exact_normal.hpp"

namespace pm {

/// An n x m matrix of exact normals in panels of at most kColumns columns: entry (i, k) of a panel
/// of w columns is its number i w + k.
class NormalPanels {
 public:
  static constexpr std::size_t kColumns = 128;

  NormalPanels(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns) {}
  virtual ~NormalPanels() = default;
  NormalPanels(const NormalPanels&) = delete;
  NormalPanels& operator=(const NormalPanels&) = delete;

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t count() const { return (columns_ + kColumns - 1) / kColumns; }
  std::size_t columnsOf(std::size_t panel) const {
    return panel + 1 < count() ? kColumns : columns_ - panel * kColumns;
  }
  /// Valid until the next call.
  virtual const ExactNormals& panel(std::size_t index) = 0;

 private:
  std::size_t rows_;
  std::size_t columns_;
};

/// Drawn from `random`, 256 bits a panel, from which the panel's own generator is seeded. Panels
/// are kept while they are few, else drawn again, the same, when they are asked for.
class DrawnPanels final : public NormalPanels {
 public:
  DrawnPanels(std::size_t rows, std::size_t columns, Drbg& random);
  ~DrawnPanels() override;
  const ExactNormals& panel(std::size_t index) override;

 private:
  std::vector<Seed> seeds_;
  std::vector<std::optional<ExactNormals>> panels_;
  bool keeps_;
};

/// How entries were decided.
struct WishartDigits {
  std::size_t by_first_words = 0;  ///< entries that needed exact products of first words
  std::size_t by_more_words = 0;   ///< entries that needed more words
};

/// round(scale (Z Z^T - Y Y^T)), entry by entry, ties up: exactly, as if all digits were known.
/// Without Y, round(scale Z Z^T). `packed` is the upper triangle, row by row. Which entries need
/// more digits depends on the noise alone. Proof: docs/exact-noise.md.
/// Preconditions: Z and Y of equal size, at most 2^31 numbers; the entries fit 2^100.
WishartDigits exactWishart(NormalPanels& z, NormalPanels* y, DyadicScale scale,
                           std::span<Int128> packed);

}  // namespace pm
