#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/moments/intake.hpp"
#include "core/moments/survey.hpp"
#include "core/result.hpp"

namespace pm {

/// Serialises a part for another process or worker of the same version on the same machine. The
/// bytes are as private as the part: the caller must wipe them.
std::vector<std::uint8_t> bytesOf(const IntakePart& part);
std::vector<std::uint8_t> bytesOf(const SurveyPart& part);

/// Reads a serialised part. Error kIntegrity for bytes that are not a part. `merge` checks whether
/// the part fits.
Result<IntakePart> partOf(std::span<const std::uint8_t> bytes);
Result<SurveyPart> surveyPartOf(std::span<const std::uint8_t> bytes);

}  // namespace pm
