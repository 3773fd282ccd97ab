#pragma once

namespace pm {

/// P(Z <= z), Z standard normal.
double normalBelow(double z);

/// The z that a standard normal number exceeds in size with probability 1 - level.
/// @param level in (0, 1)
double normalReach(double level);

}  // namespace pm
