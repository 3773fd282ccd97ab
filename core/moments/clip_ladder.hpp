#pragma once

#include <cmath>
#include <numbers>

namespace pm {

/// The public radii among which adaptive clipping chooses: R, R/sqrt 2, R/2, .. R/8.
constexpr int kClipLevels = 7;

/// R 2^(-level/2). Precondition: 0 <= level < kClipLevels.
inline double clipRadius(double row_norm, int level) {
  const double halved = std::ldexp(row_norm, -(level / 2));
  return level % 2 == 0 ? halved : halved / std::numbers::sqrt2;
}

}  // namespace pm
