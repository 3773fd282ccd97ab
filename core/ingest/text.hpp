#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pm {

/// Bytes of a file, in any encoding.
using Bytes = std::span<const std::uint8_t>;

/// A line ends at LF, CR or CRLF.
inline bool isLineEnd(std::uint8_t byte) { return byte == '\n' || byte == '\r'; }

/// The character before the decimals of a number.
enum class DecimalMark : char { kPoint = '.', kComma = ',' };

inline DecimalMark otherMark(DecimalMark mark) {
  return mark == DecimalMark::kPoint ? DecimalMark::kComma : DecimalMark::kPoint;
}

/// Length of the space at the start of `bytes`: 0 if they start with something else, -1 if they
/// end too early to tell. Spaces are those that ECMAScript's trim() removes, in UTF-8.
int spaceLength(Bytes bytes);

/// The text without the spaces at both ends.
Bytes trimmed(Bytes text);

/// Whether the bytes are well-formed UTF-8 (Unicode 15, table 3-7): no overlong forms, surrogates,
/// or numbers above U+10FFFF.
bool isUtf8(Bytes bytes);

/// Parses a plain decimal number, [+-]?(d+[.]?d*|[.]d+)([eE][+-]?d+)?, with `mark` in place of the
/// point, ignoring spaces around it. U+2212, the minus sign, may replace the hyphen. Rounds to
/// nearest, ties to even; underflow is 0. NaN for any other text, and on overflow.
double numberIn(Bytes text, DecimalMark mark);

/// Whether a text is a number with thousands separators, with decimals after a point or comma or
/// without, ignoring spaces around it: [+-]?[1-9]d{0,2}(s d{2,3})* s d{3}([.,]d*)?, where every s
/// is the same one of the point, the comma, ', U+2019 and the spaces U+0020, U+00A0, U+2009 and
/// U+202F, and differs from the decimal mark. Groups of two digits occur in lakhs. Some, such as
/// 1.234, are numbers for numberIn() too. U+2212 counts as a minus.
bool isGroupedNumber(Bytes text);

/// Whether a text would be a number, with either mark or grouped, if it were not for one or more
/// of: a dash in place of the minus (U+2010 to U+2014, U+FE63, U+FF0D), digits, plus or marks that
/// are full-width (U+FF0B to U+FF19) or Arabic (U+0660 to U+0669, U+06F0 to U+06F9, U+066B,
/// U+066C), a percent sign after it (%, U+FF05, U+066A), a currency sign before or after it ($,
/// U+00A3, U+00A5, U+20AC, U+20B9), a sign after it or apart from it, or parentheses around it. The
/// result is unspecified for texts that numberIn() or isGroupedNumber() accept.
bool isFormattedNumber(Bytes text);

}  // namespace pm
