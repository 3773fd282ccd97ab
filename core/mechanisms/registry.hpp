#pragma once

#include <span>
#include <string_view>

#include "core/mechanisms/record.hpp"

namespace pm {

/// All mechanisms that a study can name. The first is the default for delta above 0, the first
/// with a pure budget the default for delta 0.
std::span<const Mechanism> mechanisms();

/// The same with their texts. Not linked into the modules that pages load.
std::span<const MechanismRecord* const> mechanismRecords();

/// The mechanism of that name, or nullptr.
const Mechanism* findMechanism(std::string_view name);

}  // namespace pm
