#pragma once

#include <array>
#include <cstddef>

namespace pm {

/// Adaptive clipping chooses among the public radii R, 5R/7, R/2, 5R/14, R/4, 5R/28, R/8, each
/// about 1/sqrt 2 times the one before. Their ratios are rational, so one row of integers serves
/// all of them: see `ClipLadder`.
constexpr int kClipLevels = 7;

/// The largest number of radii in a ladder.
constexpr int kMostClipLevels = 24;

/// Radii R_l = R m_0 / m_l, the longest first, for ascending integers m_l. A row that is p on the
/// grid of step m_0 R 2^-b is m_l p on the grid of step R_l 2^-b. By default the ladder of adaptive
/// clipping.
struct ClipLadder {
  int levels = kClipLevels;
  std::array<int, kMostClipLevels> multiples = {5, 7, 10, 14, 20, 28, 40};

  /// R_l / R. Precondition: 0 <= level < levels.
  double ratio(int level) const { return double(multiples[0]) / multiples[std::size_t(level)]; }
};

/// R_l of adaptive clipping. Precondition: 0 <= level < kClipLevels.
inline double clipRadius(double row_norm, int level) {
  return row_norm * ClipLadder().ratio(level);
}

}  // namespace pm
