#pragma once

#include <span>
#include <vector>

namespace pm {

/// Indices of `values`, the largest value first, ties in their original order. All sorting uses
/// this function, as each instance of std::sort takes 2 kB in the browser.
std::vector<int> descendingOrder(std::span<const double> values);

}  // namespace pm
