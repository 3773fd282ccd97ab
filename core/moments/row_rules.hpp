#pragma once

#include <cstdint>
#include <span>

#include "core/moments/encoding.hpp"
#include "core/moments/intake.hpp"
#include "core/result.hpp"

namespace pm {

// What all intakes of rows do alike, whatever they keep of them.

/// Encodes the next row, counts it in `counts` as handed in, centred or dropped, and says whether
/// it counts. A centred row is all zero. Errors: kInvalidLevel, kMissingCell, with the row's place.
Result<bool> encodeByRule(const RowEncoder& encoder, MissingRule rule,
                          std::span<const double> cells, std::span<double> scaled,
                          IntakeCounts& counts);

/// Whether a row in scaled units is longer than the norm, by more than rounding.
bool isLonger(std::span<const double> row, double row_norm);

Error alreadyReleased();
Error notWholeRows();
Error noRows();
Error tooManyRows(std::int64_t row = -1);

}  // namespace pm
