#pragma once

#include <vector>

#include "bindings/fields/synthesis.hpp"
#include "bindings/matrices.hpp"

// Rows drawn from a model, and their figures.
namespace pm::js {

/// `viewPairs` of the options: [{ x, y }], each a list of features.
std::vector<ViewPair> viewPairsOf(const val& options);

/// The rows with their figures.
/// @param options viewPairs; components, the number of canonical correlations of each pair
Result<DrawnRows> drawnRows(SyntheticRows rows, const std::vector<Column>& columns,
                            const val& options);

}  // namespace pm::js
