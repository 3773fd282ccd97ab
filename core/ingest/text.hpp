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
/// around it aside, with the given mark in place of the point, where U+2212, the minus sign, is as
/// good as the hyphen; rounded to nearest even. NaN where it says anything else, or a number no
/// double can hold. Too small is 0.
double numberIn(Bytes text, DecimalMark mark);

/// Whether a text is a number with thousands separators, with decimals after a point, a comma or
/// not at all, spaces around it aside: [+-]?[1-9]d{0,2}(s d{2,3})* s d{3}([.,]d*)?, where all s are
/// one of the point, the comma, ', U+2019 and the spaces U+0020, U+00A0, U+2009 and U+202F, and not
/// what the decimals follow. Groups of two digits are those of lakhs. Some, as 1.234, are numbers
/// for numberIn() too. U+2212 is a minus here too.
bool isGroupedNumber(Bytes text);

/// Whether a text is plainly a number, with either mark or grouped, but for one or more of: a dash
/// in place of the minus (U+2010 to U+2014, U+FE63, U+FF0D), digits, plus or marks that are
/// full-width (U+FF0B to U+FF19) or Arabic (U+0660 to U+0669, U+06F0 to U+06F9, U+066B, U+066C), a
/// percent sign after it (%, U+FF05, U+066A), a currency sign before or after it ($, U+00A3,
/// U+00A5, U+20AC, U+20B9), a sign after it or apart from it, or parentheses around it. What
/// numberIn() and isGroupedNumber() take is not asked for.
bool isDressedNumber(Bytes text);

}  // namespace pm
