#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/int128.hpp"
#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/moments/intake.hpp"
#include "core/result.hpp"

// Converts between plain JavaScript objects and the core's types, without computing anything.
namespace pm::js {

using emscripten::val;

/// object[key] = value. Not inline, which would double the size of the bindings.
void put(val& object, const char* key, const val& value);
void put(val& object, const char* key, bool value);
void put(val& object, const char* key, double value);
void put(val& object, const char* key, const std::string& value);
void put(val& object, const char* key, std::string_view value);
/// Without this overload a pointer would become a boolean.
inline void put(val& object, const char* key, const char* value) {
  put(object, key, std::string_view(value));
}

/// { ok: true }
val success();
/// { ok: false, code, message, field?, row?, column? }
val failure(const Error& error);

/// A copy as a Float64Array, as a view would become invalid when the memory grows.
val float64Array(const double* data, std::size_t size);
val float64Array(const std::vector<double>& values);
val uint8Array(const std::vector<std::uint8_t>& bytes);

/// The numbers of a Float64Array or an array; empty for anything else.
std::vector<double> numbers(const val& array);
/// A copy of a Uint8Array.
std::vector<std::uint8_t> bytesIn(const val& array);
/// A number of rows, or nothing if it is null.
std::optional<std::uint64_t> countIn(const val& rows);
/// A number property; NaN if it is absent or not a number.
double number(const val& object, const char* key);
/// An integer property; 0 if it is absent, not a number or too large for an int.
int integer(const val& object, const char* key);
/// A string property; empty if it is absent or not a string.
std::string text(const val& object, const char* key);

std::string decimal(Uint128 value);

/// The value of a string property, looked up in `names`. Error: `otherwise`.
template <class T>
Result<T> named(const val& object, const char* key, Code otherwise,
                std::initializer_list<std::pair<const char*, T>> names) {
  const std::string wanted = text(object, key);
  for (const auto& [name, value] : names) {
    if (wanted == name) return value;
  }
  return Error{otherwise, "unknown " + std::string(key), key};
}

/// The neighbour relation of a spec. Error: kInvalidNeighbours.
Result<Neighbours> neighboursOf(const val& spec);
/// The unit of privacy of a spec. Error: kInvalidUnit.
Result<Unit> unitOf(const val& spec);
Error unknownMechanism();
/// Reads the parameters of a spec, with the options of its mechanism. Errors: kInvalidNeighbours,
/// kInvalidUnit, kInvalidFederation, kInvalidMechanism (an option).
Status readParams(const val& spec, const Mechanism& mechanism, MechanismParams& params);
/// The plan of a spec's mechanism, with noise shared as in its `federation` and, if it has a
/// `frame`, the constant coordinate of rows about a centre. Errors:
/// kInvalidMechanism, kInvalidNeighbours, kInvalidUnit, kInvalidFederation, and those of the
/// mechanism.
Result<Plan> planOf(const val& spec);
/// [{ kind: "number", min, max } | { kind: "category", levels }]
std::vector<Column> columnsOf(const val& columns);
/// { missing }. Error: kInvalidMissingRule.
Result<MissingRule> missingRuleOf(const val& options);
/// { centre, scale, radius, levels }
Coordinates coordinatesOf(const val& object);
/// An empty intake for { spec, columns, missing } and its plan; with private centring also
/// { coordinates }, those of the survey. Errors: kInvalidMissingRule,
/// kInvalidDimension and those of Intake::create.
Result<Intake> intakeOf(const val& options, const Plan& plan);
}  // namespace pm::js
