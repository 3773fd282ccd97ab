#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/moments/intake.hpp"
#include "core/result.hpp"

namespace pm {

/// A part as bytes, for another process or worker of the same version on the same machine. As
/// private as the part: the caller wipes them.
std::vector<std::uint8_t> bytesOf(const IntakePart& part);

/// The part again. Error kIntegrity for bytes that hold no part; whether it fits an intake is
/// checked by Intake::merge.
Result<IntakePart> partOf(std::span<const std::uint8_t> bytes);

}  // namespace pm
