#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/result.hpp"

namespace pm {

/// Exact sums of quantised rows q; private, and wiped when it goes out of scope.
struct GramSums {
  GramSums() = default;
  GramSums(GramSums&&) = default;
  ~GramSums();

  std::uint64_t rows = 0;
  Uint128 trace = 0;  ///< the squared lengths, counted as the rows came in
  /// Sum of q, then the upper triangle of the sum of q q^T, row by row. Empty where there are no
  /// rows.
  std::vector<Int128> packed;
};

/// Whether sums of rows of `features` integers can be such sums: as many entries as there must be,
/// none beyond rows 2^(2 bits), and the diagonal adds up to the trace.
bool plausible(const GramSums& sums, int features, int bits);

/// The exact second-moment matrix sum of augmented rows (A, q) (A, q)^T, in integers. Private.
/// The totals do not depend on row order, chunking, platform or vector width: panels of
/// integer-valued doubles are multiplied while every partial sum stays within 2^53, then moved
/// to 128-bit totals; the moment of moving depends on the number of rows only.
class ExactGram {
 public:
  /// Preconditions: 1 <= features <= kMaxFeatures, kMinBits <= bits <= kMaxBits.
  ExactGram(int features, int bits);
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

  /// Adds the sums of other rows. Precondition: they are plausible.
  void add(const GramSums& sums);

  /// The sums of all rows. Error kIntegrity if the trace does not equal the sum of squared lengths
  /// counted on the way in, which only damaged memory or code can cause.
  Result<GramSums> sums();

  /// Adds the sums of the augmented rows (A, multiple q), but for the constant's own entry, onto
  /// `packed`: the upper triangle of a (features + 1)^2 matrix, row by row, constant first.
  /// Error kIntegrity as above.
  Status addTo(std::span<Int128> packed, int multiple);

  /// All sums of the augmented rows (A, q), packed as above. Error kIntegrity as above.
  Result<std::vector<Int128>> totals();

 private:
  // WebAssembly passes a span through memory: 5 ns a row, of 27 at 20 features.
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
  // Of the rows before the panel's.
  std::uint64_t rows_ = 0;
  Uint128 trace_ = 0;
  std::vector<Int128> linear_;  // sum of q, padded to whole tiles
  std::vector<double> panel_;   // tiles x kTileStride
  std::size_t panel_rows_ = 0;
  std::uint64_t panel_trace_ = 0;  // at most 128 rows of 2^48
  // Exact partial sums, of at most rows_between_flushes_ rows; as linear_, and blocks.
  std::vector<double> linear_block_;
  std::vector<double> blocks_;
  std::size_t block_rows_ = 0;
  std::vector<Int128> block_totals_;  // as blocks_
};

}  // namespace pm
