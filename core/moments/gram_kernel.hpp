#pragma once

#include <cstddef>

namespace pm {

/// Columns in a tile; panels hold whole tiles, padded with zero columns.
constexpr std::size_t kTile = 4;
/// Rows in a panel: five of its tiles, 20 KB, fit the smallest first-level cache.
constexpr std::size_t kPanelRows = 128;
/// Distance from one tile of a panel to the next. Without the 8, the tiles of a row would lie 4096
/// bytes apart, all in one set of the first-level cache: at d = 100 a row took 440 ns instead of
/// 405 (WebAssembly).
constexpr std::size_t kTileStride = kPanelRows * kTile + 8;

/// Index of column `column` of row `row` in a panel.
constexpr std::size_t panelIndex(std::size_t column, std::size_t row) {
  return column / kTile * kTileStride + row * kTile + column % kTile;
}

/// Number of tiles that hold `columns` columns.
constexpr std::size_t tileCount(std::size_t columns) { return (columns + kTile - 1) / kTile; }

/// Index of block (i, j), i <= j, in the packed upper block triangle of `tiles` tiles.
constexpr std::size_t blockIndex(std::size_t i, std::size_t j, std::size_t tiles) {
  return i * (2 * tiles - i + 1) / 2 + (j - i);
}

/// Adds the upper block triangle of panel^T panel to `blocks`, and the panel's columns to `linear`.
///   blocks[blockIndex(I, J)][i][j] += sum_r panel[I][r][i] * panel[J][r][j],  I <= J,
///   linear[I][i] += sum_r panel[I][r][i].
/// `panel` is an array of tiles, kTileStride numbers apart, kPanelRows x kTile each, of which the
/// first `rows` rows are used; `blocks` is tileCount (tileCount + 1) / 2 blocks of kTile x kTile,
/// whose entries below the diagonal are meaningless; `linear` is tileCount x kTile.
/// If the numbers are integers and every partial sum stays within 2^53, the result is exact in any
/// order of summation, so vector width and fused multiply-add do not matter.
/// Preconditions: all arrays 16-byte aligned, rows <= kPanelRows.
/// The kernel is the fastest one for this processor, chosen when it is first called.
void addGramPanel(const double* panel, std::size_t tiles, std::size_t rows, double* blocks,
                  double* linear);

/// The same in plain IEEE operations on pairs, for every processor.
void addGramPanelInPairs(const double* panel, std::size_t tiles, std::size_t rows, double* blocks,
                         double* linear);

}  // namespace pm
