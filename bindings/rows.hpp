#pragma once

#include <vector>

#include "bindings/convert.hpp"
#include "core/synthesis/figures.hpp"
#include "core/synthesis/rows.hpp"

// Rows drawn from a model, and their figures.
namespace pm::js {

/// viewPairs: [{ x, y }], lists of features.
std::vector<ViewPair> viewPairsOf(const val& options);

/// Onto `object`, the errors beside them: means, meanErrors, deviations, deviationErrors,
/// correlations, correlationErrors, and lists of canonical and canonicalErrors, one for each pair
/// of views.
void putFigures(val& object, const RowFigures& figures);

/// Onto `object`: values, rows x columns; narrowed, columns; and figures of the rows.
/// @param options viewPairs; components: canonical correlations
Status putRows(val& object, const SyntheticRows& rows, const std::vector<Column>& columns,
               const val& options);

}  // namespace pm::js
