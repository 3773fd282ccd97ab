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
#include "core/synthesis/plan/plan.hpp"

namespace pm {

/// Private rows of integers, in blocks of memory that are never moved and are wiped on destruction.
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

/// Collects rows for one synthesis. Only the local counts can be read, and `synthesise` closes the
/// table.
class SynthesisTable {
 public:
  /// Errors: those of `planSynthesis`.
  static Result<SynthesisTable> create(SynthesisTerms terms);

  const SynthesisPlan& plan() const { return plan_; }
  const IntakeCounts& counts() const { return counts_; }

  /// Adds rows, row-major, one number per column, the label among them (see RowEncoder::encode). On
  /// an error no later row is read and the table is closed. Errors: those of Intake::add;
  /// kTooManyRows for a spectrum of more than kMaxRowsOfSpectrum rows.
  Status add(std::span<const double> cells);

  /// Adds public rows, which are used for the projection only and are not counted. Errors: those of
  /// `add`, and kInvalidSynthesis if the projection does not use public rows.
  Status addPublic(std::span<const double> cells);

  /// Integers on the grid, to be read by a synthesis only.
  struct Rows {
    Rows(int width, int labels) : values(width), classes(labels) {}
    /// Features without the label, of length at most 2^kRowBits; then a number label, on a grid of
    /// 2^kRowBits steps per unit.
    IntegerRows values;
    /// For a class label its level, -1 if it is missing or the row is centred (with public labels
    /// only if it is missing). Otherwise no rows.
    IntegerRows classes;
  };

  /// Can be called once. Errors: kNoRows, kAlreadyReleased.
  Result<Rows> take();
  /// The sums of the public rows. Errors: kNoRows, kIntegrity.
  Result<GramSums> publicSums();

 private:
  SynthesisTable(SynthesisPlan plan, RowEncoder encoder);
  Status addRow(std::span<const double> cells);
  /// Writes the features' integers to quantised_ and returns their squared length.
  std::uint64_t quantise();

  SynthesisPlan plan_;
  RowEncoder encoder_;
  std::size_t label_at_, label_width_;  ///< the label's features; width 0 without one
  IntakeCounts counts_;
  Rows rows_;
  std::unique_ptr<ExactGram> public_;
  IntakeCounts public_counts_;
  std::vector<double> scaled_, features_, quantised_;
  bool closed_ = false;
};

}  // namespace pm
