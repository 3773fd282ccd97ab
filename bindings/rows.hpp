#pragma once

#include <vector>

#include "bindings/fields/synthesis.hpp"
#include "bindings/matrices.hpp"

// Rows drawn from a model, and their figures.
namespace pm::js {

/// viewPairs: [{ x, y }], lists of features.
std::vector<ViewPair> viewPairsOf(const val& options);

/// Rows and what they look like.
/// @param options viewPairs; components: canonical correlations
Result<DrawnRows> drawnRows(SyntheticRows rows, const std::vector<Column>& columns,
                            const val& options);

}  // namespace pm::js
