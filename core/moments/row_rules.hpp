#pragma once

#include <cstdint>
#include <span>

#include "core/moments/encoding.hpp"
#include "core/moments/intake.hpp"
#include "core/result.hpp"

namespace pm {

// Rules that all intakes share, whatever they compute from the rows.

/// Error kInvalidMissingRule: dropping rows under replace-one would change their public number.
Status checkMissingRule(MissingRule rule, Neighbours neighbours);

/// What a row is used as: not at all, as a row at the centre, or as it is.
enum class RowUse { kDropped, kCentred, kWhole };

/// Error kInvalidMissingRule: a survey has no features that mark gaps for the moments after it.
Status refuseMarks(MissingRule rule);

/// Error kInvalidMissingRule: these sums cannot use a part of a row.
Status refusePartialRows(MissingRule rule);

/// Encodes the next row and updates `counts` (received, centred or dropped). A centred row is all
/// zero. Where gaps are marked or counted, rows are whole. Errors: kInvalidLevel, kMissingCell,
/// with row and column.
Result<RowUse> encodeByRule(const RowEncoder& encoder, MissingRule rule,
                            std::span<const double> cells, std::span<double> scaled,
                            IntakeCounts& counts);

/// Whether a row in scaled units is longer than the norm by more than rounding.
bool isLonger(std::span<const double> row, double row_norm);

/// Adds the counts of other rows. Precondition: both have the same number of columns.
void addCounts(IntakeCounts& counts, const IntakeCounts& more);

Error alreadyReleased();
Error notWholeRows();
Error noRows();
Error tooManyRows(std::int64_t row = -1);
Error wrongPart();

}  // namespace pm
