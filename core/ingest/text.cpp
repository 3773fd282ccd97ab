#include "core/ingest/text.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/ingest/number.hpp"
#include "core/ingest/private_bytes.hpp"

namespace pm {
namespace {

bool isSpaceByte(std::uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

// Whether three bytes are a space in UTF-8.
bool endsSpace(std::uint8_t first, std::uint8_t second, std::uint8_t third) {
  switch (first) {
    case 0xE1: return second == 0x9A && third == 0x80;  // U+1680
    case 0xE2:
      if (second == 0x81) return third == 0x9F;  // U+205F
      // U+2000 to U+200A, U+2028, U+2029, U+202F
      return second == 0x80 &&
             ((third >= 0x80 && third <= 0x8A) || third == 0xA8 || third == 0xA9 || third == 0xAF);
    case 0xE3: return second == 0x80 && third == 0x80;  // U+3000
    case 0xEF: return second == 0xBB && third == 0xBF;  // U+FEFF
    default: return false;
  }
}

bool startsSpace(std::uint8_t first, std::uint8_t second) {
  switch (first) {
    case 0xE1: return second == 0x9A;
    case 0xE2: return second == 0x80 || second == 0x81;
    case 0xE3: return second == 0x80;
    case 0xEF: return second == 0xBB;
    default: return false;
  }
}

int spaceLengthBefore(Bytes bytes) {
  const std::size_t size = bytes.size();
  if (size >= 1 && isSpaceByte(bytes[size - 1])) return 1;
  if (size >= 2 && bytes[size - 2] == 0xC2 && bytes[size - 1] == 0xA0) return 2;
  if (size >= 3 && endsSpace(bytes[size - 3], bytes[size - 2], bytes[size - 1])) return 3;
  return 0;
}

bool startsWith(Bytes text, Bytes start) {
  return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin());
}

bool isDigit(std::uint8_t byte) { return byte >= '0' && byte <= '9'; }

// Removes the digits at the start and returns their number.
std::size_t takeDigits(Bytes& text) {
  std::size_t count = 0;
  while (count < text.size() && isDigit(text[count])) ++count;
  text = text.subspan(count);
  return count;
}

// The thousands separator at the start of the text, or an empty text.
Bytes separatorAt(Bytes text) {
  if (text.empty()) return {};
  if (text[0] == '.' || text[0] == ',' || text[0] == '\'' || text[0] == ' ') return text.first(1);
  if (text.size() >= 2 && text[0] == 0xC2 && text[1] == 0xA0) return text.first(2);
  const bool is_long = text.size() >= 3 && text[0] == 0xE2 && text[1] == 0x80 &&
                       (text[2] == 0x89 || text[2] == 0x99 || text[2] == 0xAF);
  return text.first(is_long ? 3 : 0);
}

constexpr std::uint8_t kMinusSign[] = {0xE2, 0x88, 0x92};

// The text with hyphens in place of minus signs, stored in `room`; the text itself if it has none.
Bytes withHyphens(Bytes text, PrivateBytes& room) {
  static constexpr std::uint8_t kHyphen[] = {'-'};
  auto from = text.begin();
  for (;;) {
    const auto found = std::search(from, text.end(), std::begin(kMinusSign), std::end(kMinusSign));
    if (found == text.end()) break;
    room.append({from, found});
    room.append(kHyphen);
    from = found + std::ssize(kMinusSign);
  }
  if (from == text.begin()) return text;
  room.append({from, text.end()});
  return room.all();
}

// The UTF-8 character at the start of a text that is not empty, and its length. A byte that does
// not start a valid character counts as one.
struct Character {
  char32_t code;
  std::size_t length;
};

Character characterAt(Bytes text) {
  const auto rest = [&](std::size_t i) {
    return i < text.size() && (text[i] & 0xC0) == 0x80 ? char32_t(text[i] & 0x3F) : U'\xFFFF';
  };
  const std::uint8_t first = text[0];
  if (first >= 0xC2 && first < 0xE0 && rest(1) < 0x40) return {(first & 0x1Fu) << 6 | rest(1), 2};
  if (first >= 0xE0 && first < 0xF0 && rest(1) < 0x40 && rest(2) < 0x40) {
    return {(first & 0x0Fu) << 12 | rest(1) << 6 | rest(2), 3};
  }
  return {first, 1};
}

// The ASCII equivalent of a character in a number, or 0 if it has none. Every currency sign maps to
// $.
std::uint8_t plainCharacter(char32_t code) {
  if (code < 0x80) return std::uint8_t(code);
  // Full-width forms of + , - . / 0 to 9.
  if (code >= 0xFF0B && code <= 0xFF19) return std::uint8_t(code - 0xFF0B + '+');
  if (code >= 0x0660 && code <= 0x0669) return std::uint8_t(code - 0x0660 + '0');
  if (code >= 0x06F0 && code <= 0x06F9) return std::uint8_t(code - 0x06F0 + '0');
  if (code >= 0x2010 && code <= 0x2014) return '-';
  switch (code) {
    case 0x2212:
    case 0xFE63: return '-';
    case 0x066B: return '.';
    case 0x066C: return ',';
    case 0x066A:
    case 0xFF05: return '%';
    case 0x00A3:
    case 0x00A5:
    case 0x20AC:
    case 0x20B9: return '$';
    default: return 0;
  }
}

// Removes a character from one end, and the spaces next to it.
bool takeFirst(Bytes& text, std::string_view any) {
  if (text.empty() || any.find(char(text.front())) == any.npos) return false;
  text = trimmed(text.subspan(1));
  return true;
}

bool takeLast(Bytes& text, std::string_view any) {
  if (text.empty() || any.find(char(text.back())) == any.npos) return false;
  text = trimmed(text.first(text.size() - 1));
  return true;
}

bool isContinuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

}  // namespace

int spaceLength(Bytes bytes) {
  if (bytes.empty()) return -1;
  const std::uint8_t first = bytes[0];
  if (isSpaceByte(first)) return 1;
  if (first < 0xC2) return 0;
  const bool could_be =
      first == 0xC2 || first == 0xE1 || first == 0xE2 || first == 0xE3 || first == 0xEF;
  if (bytes.size() == 1) return could_be ? -1 : 0;
  if (first == 0xC2) return bytes[1] == 0xA0 ? 2 : 0;
  if (!startsSpace(first, bytes[1])) return 0;
  if (bytes.size() == 2) return -1;
  return endsSpace(first, bytes[1], bytes[2]) ? 3 : 0;
}

Bytes trimmed(Bytes text) {
  for (int length; (length = spaceLength(text)) > 0;) text = text.subspan(std::size_t(length));
  for (int length; (length = spaceLengthBefore(text)) > 0;) {
    text = text.first(text.size() - std::size_t(length));
  }
  return text;
}

bool isUtf8(Bytes bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint8_t first = bytes[at++];
    if (first < 0x80) continue;
    if (first < 0xC2 || first > 0xF4) return false;
    const std::size_t more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if (bytes.size() - at < more) return false;
    // The second byte reveals overlong forms, surrogates and code points above U+10FFFF.
    const std::uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (bytes[at] < least || bytes[at] > most) return false;
    for (std::size_t i = 1; i < more; ++i) {
      if (!isContinuation(bytes[at + i])) return false;
    }
    at += more;
  }
  return true;
}

bool isGroupedNumber(Bytes text) {
  PrivateBytes room;
  text = trimmed(withHyphens(text, room));
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text = text.subspan(1);
  if (text.empty() || text[0] == '0' || takeDigits(text) - 1 > 2) return false;
  const Bytes separator = separatorAt(text);
  if (separator.empty()) return false;
  std::size_t digits = 3;
  while (startsWith(text, separator)) {
    if (digits < 2 || digits > 3) return false;
    text = text.subspan(separator.size());
    digits = takeDigits(text);
  }
  if (digits != 3) return false;
  if (text.empty()) return true;
  // This cannot be the separator: the loop has taken all of those.
  if (text[0] != '.' && text[0] != ',') return false;
  text = text.subspan(1);
  takeDigits(text);
  return text.empty();
}

bool isFormattedNumber(Bytes text) {
  // Most missing cells are empty, or words.
  const auto may_be_digit = [](std::uint8_t byte) { return isDigit(byte) || byte >= 0x80; };
  if (std::none_of(text.begin(), text.end(), may_be_digit)) return false;
  PrivateBytes plain;
  while (!text.empty()) {
    const Character character = characterAt(text);
    const std::uint8_t byte = plainCharacter(character.code);
    plain.append(byte == 0 ? text.first(character.length) : Bytes(&byte, 1));
    text = text.subspan(character.length);
  }
  text = trimmed(plain.all());
  const bool is_open = takeFirst(text, "(");
  // At most one sign and one currency, in either order.
  const bool is_signed = takeFirst(text, "+-");
  const bool is_money = takeFirst(text, "$");
  const bool is_signed_late = !is_signed && is_money && takeFirst(text, "+-");
  if (is_open && !takeLast(text, ")")) return false;
  if (!takeLast(text, "%") && !is_money) takeLast(text, "$");
  if (!is_signed && !is_signed_late) takeLast(text, "+-");
  if (text.empty() || text[0] == '+' || text[0] == '-') return false;
  return !std::isnan(numberIn(text, DecimalMark::kPoint)) ||
         !std::isnan(numberIn(text, DecimalMark::kComma)) || isGroupedNumber(text);
}

double numberIn(Bytes text, DecimalMark mark) {
  PrivateBytes room;
  text = trimmed(withHyphens(text, room));
  if (!text.empty() && text[0] == '+') {
    text = text.subspan(1);
    if (!text.empty() && text[0] == '-') return kMissing;
  }
  const LeadingNumber number =
      leadingNumber(text.data(), text.data(), text.data() + text.size(), mark);
  return number.end == text.data() + text.size() ? number.value : kMissing;
}

}  // namespace pm
