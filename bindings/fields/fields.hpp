#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// What crosses from C++ to JavaScript is described once, by a function
///
///   template <class Field>
///   void fields(Field& field, const Result& r) {
///     field("rows", r.rows, "Rows that count.");
///     field.when(r.bound > 0, "bound", r.bound);
///     field.oneOf("unit", r.unit, kEveryUnit);
///     field.base(r.guarantee);  // all of its fields
///   }
///
/// beside the struct's namespace. Visited with an ObjectFields (object.hpp) it fills a JavaScript
/// object; visited by tools/records/raw_types.cpp it becomes the TypeScript interface in
/// web/package/src/generated/raw.ts, with the words as its comments.
namespace pm {

/// What a character stands for where it is one of a few.
inline std::string name(char character) { return std::string(1, character); }

}  // namespace pm
