#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/moments/encoding.hpp"
#include "core/pair.hpp"

namespace pm {

/// Quantises rows in one pass in the common case: every cell is present and within its bounds, and
/// the row is clearly shorter than the row norm. The integers are bitwise those of RowEncoder and
/// roundRow. All other rows are rejected and take the general path. Whether a row is rejected
/// depends on that row alone.
///
/// Rows are taken in blocks, a few columns at a time, so that the terms of the columns stay in
/// registers, and their integers go where the kernel of the sums reads them: in the tiles of a
/// panel (see addGramPanel).
///
/// The two divisions of a cell become one multiplication by steps / (half row_norm), which is off
/// by less than 2^-25 of a step. That matters only for a cell that lies this close to the midpoint
/// between two integers: two in a million cells come within 2^-20 of it, and their rows are
/// rejected.
///
/// Where gaps are marked, the marks of such a row are 0.
///
/// With coordinates, z_j = (x_j - centre_j) / scale_j takes the place of x_j: the same
/// multiplication, by steps / (half scale row_norm), and a subtraction. If the products can be so
/// large that their error might matter, all rows are rejected.
class ShortRows {
 public:
  struct Grid {
    double row_norm;                      ///< positive, finite
    double steps;                         ///< per row norm, 2 .. 2^24
    std::span<const double> centre = {};  ///< one for each feature, or empty
    std::span<const double> scale = {};   ///< the same
    bool any_length = false;              ///< take rows of any length
  };
  ShortRows(const RowEncoder& encoder, const Grid& grid);

  /// Writes the integers of `rows` rows, feature j of row r to `panel` at panelIndex(j, r), and to
  /// `lengths` their squared lengths, below 63/64 steps^2 unless any length is taken; or -1 for a
  /// row that is rejected, whose integers are unspecified.
  /// `cells`: row-major, one number per column. Precondition: rows <= kPanelRows.
  void quantise(const double* cells, std::size_t rows, double* panel, double* lengths) const;

 private:
  /// Parameters of a pair of columns.
  struct Terms {
    Pair min, max, mid, scale, shift;
  };
  /// One column, or two or four that are adjacent and fill a pair or a row of a tile.
  struct Columns {
    std::size_t column, feature, count;
    Terms terms[2];
  };
  /// The quantised indicators of a category.
  struct Levels {
    std::size_t column, feature;
    std::vector<double> absent, present;
    double squares = 0;  ///< of all that are absent
  };
  /// Some of the rows of a panel.
  struct Block {
    const double* cells;
    std::size_t rows;
    double* panel;
    Pair* squares;  ///< of each row, in two parts; NaN if it is rejected
  };
  template <std::size_t kCount, bool kMoved>
  void quantise(const Columns& columns, const Block& block) const;
  template <bool kMoved>
  void quantise(const Block& block) const;
  void quantise(const Levels& levels, const Block& block) const;

  std::vector<Columns> columns_;
  std::vector<Levels> levels_;
  std::size_t width_;             ///< columns of a row
  bool moved_;                    ///< whether there are coordinates
  std::size_t marks_, features_;  ///< first of the features that mark gaps, and one past the last
  double limit_;                  ///< of the squared length; 0 rejects every row
};

}  // namespace pm
