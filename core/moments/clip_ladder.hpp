#pragma once

#include <array>
#include <cstddef>

namespace pm {

/// The public radii among which adaptive clipping chooses: R, 5R/7, R/2, 5R/14, R/4, 5R/28, R/8,
/// each about 1/sqrt 2 of the one before. As their ratios are those of whole numbers, one row of
/// integers serves all of them: see `kClipMultiples`.
constexpr int kClipLevels = 7;

/// 5R / R_l. A row p on the grid of step 5R 2^-b is, in units of R_l 2^-b, this many times p.
constexpr std::array<int, kClipLevels> kClipMultiples = {5, 7, 10, 14, 20, 28, 40};

/// R_l. Precondition: 0 <= level < kClipLevels.
inline double clipRadius(double row_norm, int level) {
  return row_norm * (double(kClipMultiples[0]) / kClipMultiples[std::size_t(level)]);
}

}  // namespace pm
