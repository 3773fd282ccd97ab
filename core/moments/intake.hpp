#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/moments/clip_ladder.hpp"
#include "core/moments/encoding.hpp"
#include "core/moments/gram.hpp"
#include "core/moments/short_rows.hpp"
#include "core/privacy/guarantee.hpp"
#include "core/result.hpp"

namespace pm {

/// What a participant may see about their own rows before a release; private, stays local.
struct IntakeCounts {
  std::uint64_t rows = 0;     ///< rows handed in
  std::uint64_t used = 0;     ///< rows in the sums, centred ones included
  std::uint64_t centred = 0;  ///< rows with a missing cell that count as the public centre
  std::uint64_t dropped = 0;  ///< rows with a missing cell that do not count
  /// Rows longer than each radius of the ladder, by their integers on the grid; rows on R itself
  /// that only rounding makes longer are not counted. With a fixed norm only the first is counted.
  std::array<std::uint64_t, kClipLevels> longer{};
  int level = 0;  ///< the radius that was chosen, 0 before the totals are taken
  /// Rows longer than that radius, scaled onto it.
  std::uint64_t shortened() const { return longer[std::size_t(level)]; }
  std::vector<ColumnCounts> columns;
};

/// The public terms on which rows become moments.
struct IntakeTerms {
  std::vector<Column> columns;
  double row_norm;  ///< R > 0, finite, in scaled units
  MissingRule missing;
  Neighbours neighbours;
  int bits;                ///< of the row grid
  std::uint64_t max_rows;  ///< of the mechanism's plan
  /// Adaptive clipping: sums are kept from which those of every radius of the ladder follow, as
  /// which one is released is decided, privately, when all rows are in.
  bool adaptive = false;
};

/// The exact partial sums of the rows of one intake, for another one; as private as the rows.
struct IntakePart {
  std::uint64_t terms = 0;  ///< fingerprint of the terms
  IntakeCounts counts;
  std::vector<GramSums> sums;  ///< one with a fixed norm, else two for each level
};

/// Rows in, exact integer second moments inside. Nothing that depends on the rows comes out but
/// the local counts and, to a mechanism or another intake, the sums.
class Intake {
 public:
  /// Errors: kInvalidBounds, kInvalidLevels, kInvalidDimension, kInvalidRowNorm,
  /// kInvalidMissingRule (drop under replace-one would change the public number of rows).
  static Result<Intake> create(IntakeTerms terms);

  int features() const { return encoder_.features(); }
  const IntakeCounts& counts() const { return counts_; }

  /// Adds rows, row-major, one number per column (see RowEncoder::encode). On an error no later
  /// row is read and the intake accepts nothing more, so that no half of a data set is released.
  /// Errors: kWrongLength, kMissingCell and kInvalidLevel (row and column, counted from the first
  /// row handed in), kTooManyRows, kAlreadyReleased (after take or an error).
  Status add(std::span<const double> cells);

  /// The sums of all rows so far, once, for `merge` of another intake on the same terms. Integers:
  /// however rows are split among intakes, the merged totals are the same to the last bit.
  /// Errors: kAlreadyReleased, kIntegrity.
  Result<IntakePart> part();

  /// Adds the rows of another intake. On an error nothing was added, and the intake accepts
  /// nothing more. Errors: kIntegrity for a part of other terms, or one that contradicts itself;
  /// kTooManyRows; kAlreadyReleased.
  Status merge(const IntakePart& part);

  /// The exact totals of the rows clipped at a level of the ladder (0 unless the terms are
  /// adaptive), packed (see ExactGram::totals), once. For unit participant: the totals
  /// divided by the number of rows, entry by entry towards zero. Without rows all are zero.
  /// Errors: kNoRows under replace-one, where the number of rows is public; kAlreadyReleased,
  /// kIntegrity.
  Result<std::vector<Int128>> take(Unit unit, int level = 0);

 private:
  Intake(IntakeTerms terms, RowEncoder encoder);
  bool addShort(const double* cells);
  Status addRow(std::span<const double> cells);
  void addClipped();
  void addClipped(std::uint64_t squared);
  ExactGram& gram(std::size_t slot);
  Status check(const IntakePart& part) const;

  IntakeTerms terms_;
  std::uint64_t fingerprint_;
  RowEncoder encoder_;
  ShortRows short_rows_;
  /// Made when their first row comes. A fixed norm has one. Adaptive: a row that is shortened at
  /// the levels k, k + 1, .. only is in `unclipped(k)`, as the p of kClipMultiples, and in
  /// `clipped(k)`, as the row on the sphere that it becomes at all of those levels.
  std::vector<std::unique_ptr<ExactGram>> grams_;
  IntakeCounts counts_;
  std::vector<double> scaled_;
  std::vector<double> quantised_;
  bool closed_ = false;
};

}  // namespace pm
