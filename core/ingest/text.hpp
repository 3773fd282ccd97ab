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

/// Whether a text is a number with thousands separators, with decimals after a point, a comma or
/// not at all, spaces around it aside: [+-]?[1-9]d{0,2}(s d{2,3})* s d{3}([.,]d*)?, where all s are
/// one of the point, the comma, ', U+2019 and the spaces U+0020, U+00A0, U+2009 and U+202F, and not
/// what the decimals follow. Groups of two digits are those of lakhs. Some, as 1.234, are numbers
/// for numberIn() too.
bool isGroupedNumber(Bytes text);

}  // namespace pm
