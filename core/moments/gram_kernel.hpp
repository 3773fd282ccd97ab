#pragma once

#include <cstddef>

namespace pm {

/// Columns of a tile; panels hold whole tiles, padded with zero columns.
constexpr std::size_t kTile = 4;
/// Rows a panel holds: five tiles of it, 20 KB, fit the smallest first-level cache.
constexpr std::size_t kPanelRows = 128;
/// From one tile of a panel to the next. Without the 8 a row's tiles lay 4096 bytes apart, all in
/// one set of the first-level cache: at d = 100 a row took 440 ns instead of 405 (WebAssembly).
constexpr std::size_t kTileStride = kPanelRows * kTile + 8;

/// The tiles that `columns` columns need.
constexpr std::size_t tileCount(std::size_t columns) { return (columns + kTile - 1) / kTile; }

/// Where block (i, j), i <= j, of the upper block triangle of `tiles` tiles lies among the blocks.
constexpr std::size_t blockIndex(std::size_t i, std::size_t j, std::size_t tiles) {
  return i * (2 * tiles - i + 1) / 2 + (j - i);
}

/// Adds the upper block triangle of panel^T panel to `blocks`, and the panel's columns to `linear`.
///   blocks[blockIndex(I, J)][i][j] += sum_r panel[I][r][i] * panel[J][r][j],  I <= J,
///   linear[I][i] += sum_r panel[I][r][i].
/// `panel` is tiles of kTileStride numbers, kPanelRows x kTile each, of which the first `rows` rows
/// count; `blocks` is tileCount (tileCount + 1) / 2 blocks of kTile x kTile, where what is below
/// the diagonal has no meaning; `linear` is tileCount x kTile.
/// With integers so small that every partial sum stays within 2^53 the result is exact in any
/// order of summation, so vector width and fused multiply-add do not matter.
/// Preconditions: all 16-byte aligned, rows <= kPanelRows.
void addGramPanel(const double* panel, std::size_t tiles, std::size_t rows, double* blocks,
                  double* linear);

}  // namespace pm
