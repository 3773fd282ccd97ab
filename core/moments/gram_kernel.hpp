#pragma once

#include <cstddef>

namespace pm {

/// Columns of a tile; panels hold whole tiles, padded with zero columns.
constexpr std::size_t kTile = 4;
/// Rows a panel holds. Two tiles of it fit the smallest first-level cache.
constexpr std::size_t kPanelRows = 256;

/// The tiles that `columns` columns need.
constexpr std::size_t tileCount(std::size_t columns) { return (columns + kTile - 1) / kTile; }

/// Adds the upper block triangle of panel^T panel to `blocks`.
///   blocks[b][i][j] += sum_r panel[I][r][i] * panel[J][r][j],  b = the pair I <= J, row by row.
/// `panel` is tiles x kPanelRows x kTile, of which the first `rows` rows count; `blocks` is
/// tileCount (tileCount + 1) / 2 blocks of kTile x kTile. Diagonal blocks are computed whole.
/// With integers so small that every partial sum stays within 2^53 the result is exact in any
/// order of summation, so vector width and fused multiply-add do not matter.
/// Preconditions: both 16-byte aligned, rows <= kPanelRows.
void addGramPanel(const double* panel, std::size_t tiles, std::size_t rows, double* blocks);

}  // namespace pm
