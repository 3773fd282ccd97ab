#pragma once

namespace pm {

/// P(Z <= z), Z standard normal.
double normalBelow(double z);

/// The z that the absolute value of a standard normal variable exceeds with probability 1 - level.
/// @param level in (0, 1)
double normalReach(double level);

}  // namespace pm
