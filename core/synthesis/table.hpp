#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/moments/encoding.hpp"
#include "core/moments/gram.hpp"
#include "core/moments/intake.hpp"
#include "core/result.hpp"
#include "core/synthesis/plan.hpp"

namespace pm {

/// Rows of integers, private: in blocks of memory that are never moved, and wiped at the end.
class IntegerRows {
 public:
  /// Precondition: width >= 1.
  explicit IntegerRows(int width);
  ~IntegerRows();
  IntegerRows(IntegerRows&&) = default;
  IntegerRows& operator=(IntegerRows&&) = delete;

  int width() const { return int(width_); }
  std::size_t rows() const { return rows_; }
  /// Adds a row of integers held in doubles, each below 2^31.
  void add(std::span<const double> row);
  std::span<const std::int32_t> row(std::size_t i) const {
    return {blocks_[i / rows_per_block_].get() + i % rows_per_block_ * width_, width_};
  }

 private:
  std::size_t width_, rows_per_block_, rows_ = 0;
  std::vector<std::unique_ptr<std::int32_t[]>> blocks_;
};

/// Rows in, one synthesis out: nothing that depends on the rows can be read but the local counts,
/// and `synthesise` spends the table.
class SynthesisTable {
 public:
  /// Errors as of `planSynthesis`.
  static Result<SynthesisTable> create(SynthesisTerms terms);

  const SynthesisPlan& plan() const { return plan_; }
  const IntakeCounts& counts() const { return counts_; }

  /// Adds rows, row-major, one number per column, the label among them (see RowEncoder::encode). On
  /// an error no later row is read and the table accepts nothing more. Errors as of Intake::add.
  Status add(std::span<const double> cells);

  /// The same for public rows, of which the projection is made and nothing else. Counted in nothing
  /// above. Errors as of `add`, and kInvalidSynthesis where the projection is another one.
  Status addPublic(std::span<const double> cells);

  /// What a synthesis reads, and no one else: integers on the grid.
  struct Rows {
    Rows(int width, int labels) : values(width), classes(labels) {}
    /// Features without the label, at most 2^kRowBits long; then a number label, 2^kRowBits to 1.
    IntegerRows values;
    /// Of a class label: its level, -1 where it is missing or the row is centred (with public
    /// labels only the former). Else no rows.
    IntegerRows classes;
  };

  /// Once. Errors: kNoRows, kAlreadyReleased.
  Result<Rows> take();
  /// The sums of the public rows. Errors: kNoRows, kIntegrity.
  Result<GramSums> publicSums();

 private:
  SynthesisTable(SynthesisPlan plan, RowEncoder encoder);
  Status addRow(std::span<const double> cells);
  /// Leaves the features' integers in quantised_ and returns their squared length.
  std::uint64_t quantise();

  SynthesisPlan plan_;
  RowEncoder encoder_;
  std::size_t label_at_, label_width_;  ///< the label's features; of width 0 without one
  IntakeCounts counts_;
  Rows rows_;
  std::unique_ptr<ExactGram> public_;
  IntakeCounts public_counts_;
  std::vector<double> scaled_, features_, quantised_;
  bool closed_ = false;
};

}  // namespace pm
