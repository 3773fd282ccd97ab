#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pm {

/// Bytes of a file, in whatever encoding they turn out to be.
using Bytes = std::span<const std::uint8_t>;

/// LF, CR, and both as CRLF end a line.
inline bool isLineEnd(std::uint8_t byte) { return byte == '\n' || byte == '\r'; }

/// How a column of numbers writes its decimals.
enum class DecimalMark : char { kPoint = '.', kComma = ',' };

inline DecimalMark otherMark(DecimalMark mark) {
  return mark == DecimalMark::kPoint ? DecimalMark::kComma : DecimalMark::kPoint;
}

/// Length of the space at the start of `bytes`: 0 where there is none, -1 where the bytes end
/// before it is clear. Spaces are those that ECMAScript's trim() takes off, in UTF-8.
int spaceLength(Bytes bytes);

/// Without the spaces at both ends.
Bytes trimmed(Bytes text);

/// Whether the bytes are well-formed UTF-8 (Unicode 15, table 3-7): no overlong forms, surrogates,
/// or numbers above U+10FFFF.
bool isUtf8(Bytes bytes);

/// The number a text says: a plain decimal number, [+-]?(d+[.]?d*|[.]d+)([eE][+-]?d+)?, spaces
/// around it aside, with the given mark in place of the point; rounded to nearest even. NaN where
/// it says anything else, or a number no double can hold. Too small is 0.
double numberIn(Bytes text, DecimalMark mark);

}  // namespace pm
