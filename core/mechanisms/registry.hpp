#pragma once

#include <span>
#include <string_view>

#include "core/mechanisms/record.hpp"

namespace pm {

/// All mechanisms a study can name. The first is the default, the first with a pure budget the
/// default where delta is 0.
std::span<const Mechanism> mechanisms();

/// The same with the words about them. Not linked into what a page loads.
std::span<const MechanismRecord* const> mechanismRecords();

/// By name; nullptr where there is none.
const Mechanism* findMechanism(std::string_view name);

}  // namespace pm
