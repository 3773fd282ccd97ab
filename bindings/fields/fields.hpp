#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// Every struct that crosses from C++ to JavaScript is described once, by a function
///
///   template <class Field>
///   void fields(Field& field, const Result& r) {
///     field("rows", r.rows, "Rows read.");
///     field.when(r.bound > 0, "bound", r.bound);
///     field.oneOf("unit", r.unit, kEveryUnit);
///     field.base(r.guarantee);  // all of its fields
///   }
///
/// in the struct's namespace. Called with an ObjectFields (object.hpp), it fills a JavaScript
/// object. From the same function tools/records/raw_types.cpp prints the TypeScript interface in
/// web/package/src/generated/raw.ts, with the descriptions as comments.
namespace pm {

/// The name of a character that is one of a few choices.
inline std::string name(char character) { return std::string(1, character); }

}  // namespace pm
