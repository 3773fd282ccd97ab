#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/moments/gram_kernel.hpp"
#include "core/moments/limits.hpp"
#include "core/result.hpp"

namespace pm {

/// Exact sums of quantised rows q; private, wiped on destruction.
struct GramSums {
  GramSums() = default;
  GramSums(GramSums&&) = default;
  ~GramSums();

  std::uint64_t rows = 0;
  Uint128 trace = 0;  ///< the squared lengths, counted as the rows came in
  /// Sum of q, then the upper triangle of the sum of q q^T, row by row. Empty if there are no rows.
  std::vector<Int128> packed;
};

/// Whether `sums` are consistent with rows of `features` integers: the number of entries is right,
/// no entry exceeds rows 2^(2 bits) in absolute value, and the diagonal adds up to the trace.
bool plausible(const GramSums& sums, int features, int bits);

/// The exact second-moment matrix sum of augmented rows (A, q) (A, q)^T, in integers. Private. The
/// totals do not depend on row order, chunking, platform or vector width: panels of integer-valued
/// doubles are multiplied while every partial sum stays within 2^53, then moved to 128-bit totals;
/// when they are moved depends only on the number of rows.
class ExactGram {
 public:
  /// Preconditions: 1 <= features <= kMaxFeatures, kMinBits <= bits <= kMaxBits.
  ExactGram(int features, int bits, Constant constant = Constant::kDefault);
  ~ExactGram();
  ExactGram(ExactGram&&) = default;
  ExactGram& operator=(ExactGram&&) = delete;

  int features() const { return features_; }
  std::uint64_t rows() const { return rows_ + panel_rows_; }

  /// Adds one quantised row, `features` integers held in doubles, of squared length
  /// `squared_length` <= 2^(2 bits) as returned by quantiseRow.
  void add(std::span<const double> q, std::uint64_t squared_length) {
    addRow(q.data(), squared_length);
  }

  /// Where the next rows can be placed before they are added: `room` rows of a panel of tiles,
  /// which is as wide as the features (see addGramPanel); its padding must stay zero. Valid until a
  /// row is added in another way.
  double* nextRows() { return panel_.data() + panelIndex(0, panel_rows_); }
  std::size_t room() const { return panel_capacity_ - panel_rows_; }

  /// Adds the first `rows` <= room() rows of those placed, whose squared lengths add up to
  /// `squared_lengths`.
  void addPlaced(std::size_t rows, std::uint64_t squared_lengths) {
    panel_rows_ += rows;
    panel_trace_ += squared_lengths;
    if (panel_rows_ == panel_capacity_) multiplyPanel();
  }

  /// Adds a row that lies in another panel: `row` points to its first number.
  void addFromPanel(const double* row, std::uint64_t squared_length);

  /// Adds the sums of other rows. Precondition: they are plausible.
  void add(const GramSums& sums);

  /// The sums of all rows. Error kIntegrity if the trace differs from the sum of squared lengths
  /// counted as rows came in, which only corrupt memory or code can cause.
  Result<GramSums> sums();

  /// Adds the sums of the augmented rows (A, multiple q), except entry (0, 0), to `packed`: the
  /// upper triangle of a (features + 1)^2 matrix, row by row, constant first.
  /// Error kIntegrity as above.
  Status addTo(std::span<Int128> packed, int multiple);

  /// All sums of the augmented rows (A, q), packed as above. Error kIntegrity as above.
  Result<std::vector<Int128>> totals();

 private:
  // Takes a pointer, as WebAssembly passes a span through memory: 5 of 27 ns a row at 20 features.
  void addRow(const double* q, std::uint64_t squared_length);
  Int128& blockTotal(std::size_t i, std::size_t j);
  Status finish();
  void multiplyPanel();
  void flushBlocks();

  int features_;
  Int128 constant_;
  std::size_t tiles_;
  std::size_t rows_between_flushes_;
  std::size_t panel_capacity_;  // rows
  // Rows and trace before those of the panel.
  std::uint64_t rows_ = 0;
  Uint128 trace_ = 0;
  std::vector<Int128> linear_;  // sum of q, padded to whole tiles
  std::vector<double> panel_;   // tiles x kTileStride
  std::size_t panel_rows_ = 0;
  std::uint64_t panel_trace_ = 0;  // at most 128 rows of 2^48
  // Exact partial sums of at most rows_between_flushes_ rows, laid out as linear_ and as blocks.
  std::vector<double> linear_block_;
  std::vector<double> blocks_;
  std::size_t block_rows_ = 0;
  std::vector<Int128> block_totals_;  // laid out as blocks_
};

}  // namespace pm
