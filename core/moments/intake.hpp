#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/moments/clip_ladder.hpp"
#include "core/moments/encoding.hpp"
#include "core/moments/gram.hpp"
#include "core/moments/limits.hpp"
#include "core/moments/short_rows.hpp"
#include "core/privacy/guarantee.hpp"
#include "core/result.hpp"
#include "core/wipe.hpp"

namespace pm {

/// What participants may see about their own rows before a release; private, never sent.
struct IntakeCounts {
  std::uint64_t rows = 0;     ///< rows received
  std::uint64_t used = 0;     ///< rows in the sums, including centred ones
  std::uint64_t centred = 0;  ///< rows with a missing cell, replaced by the public centre
  std::uint64_t dropped = 0;  ///< rows with a missing cell, ignored
  /// Rows longer than each radius of the ladder, by their integers on the grid. Rows of length R
  /// that exceed it by rounding alone are not counted. With a fixed norm only the first entry is
  /// used.
  std::array<std::uint64_t, kMostClipLevels> longer{};
  int level = 0;  ///< level of the chosen radius; 0 before the totals are taken
  /// Rows longer than that radius, which were scaled to it.
  std::uint64_t shortened() const { return longer[std::size_t(level)]; }
  std::vector<ColumnCounts> columns;
};

/// The public terms on which rows become moments.
struct IntakeTerms {
  std::vector<Column> columns;
  double row_norm;  ///< R > 0, finite, in scaled units
  MissingRule missing;
  Neighbours neighbours;
  int bits;                ///< bits of the row grid
  std::uint64_t max_rows;  ///< limit of the mechanism's plan
  Constant constant = Constant::kDefault;
  /// Adaptive clipping: keep sums from which those of every radius of the ladder follow, because
  /// the radius to release is chosen, privately, when all rows have arrived.
  bool adaptive = false;
  ClipLadder ladder = {};  ///< the radii, of which `row_norm` is the longest
  /// Rows z_j = (x_j - centre_j) / scale_j of the D scaled features x_j; a row with a missing cell
  /// becomes z = 0, or where gaps are marked or counted only the features of that cell. Marks are
  /// neither moved nor scaled. Empty: z = x.
  std::vector<double> centre = {};
  std::vector<double> scale = {};
};

/// The exact partial sums of one intake, to be merged into another; as private as the rows.
struct IntakePart {
  std::uint64_t terms = 0;  ///< fingerprint of the terms
  IntakeCounts counts;
  std::vector<GramSums> sums;  ///< one with a fixed norm, else two for each level
};

/// Turns rows into exact integer second moments. The only outputs that depend on the rows are the
/// local counts and, for a mechanism or another intake, the sums.
class Intake {
 public:
  /// Errors: kInvalidBounds, kInvalidLevels, kInvalidDimension, kInvalidRowNorm,
  /// kInvalidMissingRule (drop under replace-one would change the public number of rows; mean needs
  /// a centre);
  /// kWrongLength, kInvalidBounds (centre, scale).
  static Result<Intake> create(IntakeTerms terms);

  int features() const { return encoder_.features(); }
  const IntakeCounts& counts() const { return counts_; }
  const ClipLadder& ladder() const { return terms_.ladder; }

  /// Adds rows, row-major, one number per column (see RowEncoder::encode). On an error no later row
  /// is read and the intake is closed, so that half a data set can never be released. Errors:
  /// kWrongLength, kMissingCell and kInvalidLevel (row and column, counted from the first row
  /// received), kTooManyRows, kAlreadyReleased (after take or an error).
  Status add(std::span<const double> cells);

  /// The sums of all rows so far, for a keyed digest of the data; the intake stays open.
  /// Errors: kAlreadyReleased, kIntegrity.
  Result<IntakePart> sums();

  /// The same, for `merge` of another intake on the same terms; can be called once. The sums are
  /// integers, so the merged totals do not depend on how rows are split among intakes.
  /// Errors: kAlreadyReleased, kIntegrity.
  Result<IntakePart> part();

  /// Adds the rows of another intake. On an error nothing is added and the intake is closed.
  /// Errors: kIntegrity for a part of other terms, or an inconsistent one; kTooManyRows;
  /// kAlreadyReleased.
  Status merge(const IntakePart& part);

  /// The exact totals of the rows clipped at a level of the ladder (0 unless the terms are
  /// adaptive), packed (see ExactGram::totals); can be called once. For unit participant, the
  /// totals divided by the number of rows, entry by entry, truncated towards zero. Without rows all
  /// totals are zero. Errors: kNoRows under replace-one, where the number of rows is public;
  /// kAlreadyReleased, kIntegrity.
  Result<std::vector<Int128>> take(Unit unit, int level = 0);

 private:
  Intake(IntakeTerms terms, RowEncoder encoder);
  std::size_t levels() const { return std::size_t(terms_.ladder.levels); }
  std::size_t unclipped(std::size_t k) const { return levels() + k - 1; }
  std::size_t clipped(std::size_t k) const { return k; }
  int multipleAt(std::size_t slot, int level) const;
  bool rowsAddUp(const IntakePart& part) const;
  Status addBlock(std::span<const double> cells, std::size_t rows);
  void addQuantised(const double* row, std::uint64_t squared);
  void moveToCentre(std::span<const double> cells);
  void clearGaps(std::span<const double> cells);
  Status addRow(std::span<const double> cells);
  void addClipped();
  void addClipped(const double* row, std::uint64_t squared);
  std::size_t clippedFrom(std::uint64_t squared) const;
  void addScaled(std::size_t level, std::uint64_t squared);
  void countLonger(std::size_t level);
  ExactGram& gram(std::size_t slot);
  Status check(const IntakePart& part) const;

  IntakeTerms terms_;
  std::uint64_t fingerprint_;
  RowEncoder encoder_;
  ShortRows short_rows_;
  /// Each is created with its first row. A fixed norm has one. Adaptive: a row that is clipped at
  /// the levels k, k + 1, .. only is in `unclipped(k)`, k = 1 .. levels, as the p of ClipLadder,
  /// and in `clipped(k)`, k = 0 .. levels - 1, as the row on the sphere that it becomes at all of
  /// those levels.
  std::vector<std::unique_ptr<ExactGram>> grams_;
  std::vector<std::uint64_t> longest_;  ///< the largest |p|^2 that is not clipped, by level
  IntakeCounts counts_;
  std::vector<double> scaled_;
  std::vector<double> quantised_;
  PrivateNumbers lengths_;  ///< squared, of the rows of a block
  PrivateNumbers panel_;    ///< quantised rows on their way to one of several sums
  bool closed_ = false;
};

}  // namespace pm
