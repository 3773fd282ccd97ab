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
#include "core/mechanisms/registry.hpp"
#include "core/moments/intake.hpp"
#include "core/result.hpp"

// Plain JavaScript objects in, plain JavaScript objects out; nothing here computes.
namespace pm::js {

using emscripten::val;

/// object[key] = value. Out of line: written out at every call it would double the bindings' size.
void put(val& object, const char* key, const val& value);
void put(val& object, const char* key, bool value);
void put(val& object, const char* key, double value);
void put(val& object, const char* key, const std::string& value);
void put(val& object, const char* key, std::string_view value);
/// Otherwise a pointer would become a boolean.
inline void put(val& object, const char* key, const char* value) {
  put(object, key, std::string_view(value));
}

/// { ok: true }
val success();
/// { ok: false, code, message, field?, row?, column? }
val failure(const Error& error);

/// A copy as a Float64Array; a view would die with the next growth of the memory.
val float64Array(const double* data, std::size_t size);
val float64Array(const std::vector<double>& values);
val uint8Array(const std::vector<std::uint8_t>& bytes);

/// A Float64Array (or array) of numbers; anything else gives an empty vector.
std::vector<double> numbers(const val& array);
/// A copy of a Uint8Array.
std::vector<std::uint8_t> bytesIn(const val& array);
/// A number of rows, none where it is null.
std::optional<std::uint64_t> countIn(const val& rows);
/// A number property, NaN where it is absent or no number.
double number(const val& object, const char* key);
/// An integer property, 0 where it is absent, no number, or beyond an int.
int integer(const val& object, const char* key);
/// A string property, empty where it is absent or no string.
std::string text(const val& object, const char* key);

std::string decimal(Uint128 value);

/// What a text stands for among `names`. Error: `otherwise`.
template <class T>
Result<T> named(const val& object, const char* key, Code otherwise,
                std::initializer_list<std::pair<const char*, T>> names) {
  const std::string given = text(object, key);
  for (const auto& [name, value] : names) {
    if (given == name) return value;
  }
  return Error{otherwise, "there is no such " + std::string(key), key};
}

/// The neighbour relation of a spec. Error: kInvalidNeighbours.
Result<Neighbours> neighboursOf(const val& spec);
/// The unit of privacy of a spec. Error: kInvalidUnit.
Result<Unit> unitOf(const val& spec);
/// The mechanism of a spec, shared as its `federation` says. Errors: kInvalidMechanism,
/// kInvalidNeighbours, kInvalidUnit, kInvalidFederation, and those of the mechanism.
Result<Plan> planOf(const val& spec);
/// [{ kind: "number", min, max } | { kind: "category", levels }]
std::vector<Column> columnsOf(const val& columns);
/// { missing }. Error: kInvalidMissingRule.
Result<MissingRule> missingRuleOf(const val& options);
/// The terms of { spec, columns, missing } under a plan. Errors: kInvalidMissingRule and those of
/// Intake::create.
Result<Intake> intakeOf(const val& options, const Plan& plan);
}  // namespace pm::js
