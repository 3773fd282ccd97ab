#include "core/ingest/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/support/effort.hpp"

namespace pm {
namespace number_test {

constexpr int kRepetitions = int(testing_support::repetitions(2'000'000, 200'000));

struct Number {
  double value;
  std::size_t length;
};

// The obvious reader: the grammar character by character, the value by strtod.
Number twinNumber(const std::string& text, char mark) {
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  std::string plain;
  std::size_t at = 0;
  std::size_t digits = 0;
  const auto take = [&](char c) {
    plain += c;
    ++at;
  };
  if (at < text.size() && text[at] == '-') take('-');
  for (; is_digit(at); ++digits) take(text[at]);
  if (at < text.size() && text[at] == mark) take('.');
  for (; is_digit(at); ++digits) take(text[at]);
  if (digits == 0) return {NAN, 0};
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t after = at + 1;
    if (after < text.size() && (text[after] == '+' || text[after] == '-')) ++after;
    if (is_digit(after)) {
      while (at < after) take(text[at]);
      while (is_digit(at)) take(text[at]);
    }
  }
  const double value = std::strtod(plain.c_str(), nullptr);
  return {std::isfinite(value) ? value : NAN, at};
}

// Bit for bit if both are numbers.
bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

// The value read if more text follows, and which fast paths read it, and what the first of them
// did.
struct Reading {
  Number number;
  bool is_plain;
  bool is_short;
  Number as_short;
};

Reading readingOf(const std::string& text, DecimalMark mark) {
  // A separate copy, with as much before the number as may be read, so that the sanitizer detects
  // reads beyond both ends.
  std::vector<std::uint8_t> bytes(std::size_t(kShortNumberBytes), '7');
  bytes.insert(bytes.end(), text.begin(), text.end());
  const std::uint8_t* const first = bytes.data() + kShortNumberBytes;
  const std::uint8_t* const last = bytes.data() + bytes.size();
  const LeadingNumber number = leadingNumber(bytes.data(), first, last, mark);
  const bool is_plain =
      last - first >= kPlainNumberBytes && plainNumber(first, mark).end != nullptr;
  Reading reading{{number.value, std::size_t(number.end - first)}, is_plain, false, {}};
  if (last - first < kShortNumberBytes) return reading;
  const LeadingNumber as_short = shortNumber(first, mark);
  reading.is_short = as_short.end != nullptr;
  if (reading.is_short) reading.as_short = {as_short.value, std::size_t(as_short.end - first)};
  return reading;
}

class Texts {
 public:
  std::size_t pick(std::size_t count) { return random_() % count; }
  bool oneIn(std::size_t count) { return pick(count) == 0; }

  std::string number(char mark) {
    std::string text = oneIn(2) ? "-" : oneIn(40) ? "+" : oneIn(40) ? " " : "";
    text += std::string(oneIn(10) ? pick(6) : 0, '0') + digits(oneIn(8) ? 20 : 9);
    if (!oneIn(4)) text += oneIn(40) ? "." : std::string(1, mark);
    text += digits(oneIn(8) ? 20 : 9) + std::string(oneIn(10) ? pick(6) : 0, '0');
    if (oneIn(10)) text += (oneIn(2) ? "e" : "E") + std::string(1, "+-0"[pick(3)]) + digits(3);
    return text;
  }

  // The text after a number: often the end of a field, otherwise anything.
  std::string rest(std::size_t length) {
    std::string text(1, ",;\t|\n\r\" exE.-+:/\0\x80\xFF"[pick(19)]);
    while (text.size() < length) text += oneIn(2) ? "0123456789.,eE-\n"[pick(16)] : char(pick(256));
    return text;
  }

 private:
  // Below `limit`, with occasional repetitions.
  std::string digits(std::size_t limit) {
    std::string text(pick(limit), char('0' + pick(10)));
    if (oneIn(8)) return text;
    for (char& digit : text) digit = char('0' + pick(10));
    return text;
  }

  std::mt19937 random_{11};
};

TEST(Number, EqualsTheObviousReaderBitForBit) {
  Texts texts;
  int read = 0;
  int are_plain = 0;
  int are_short = 0;
  for (int i = 0; i < kRepetitions; ++i) {
    const DecimalMark mark = texts.oneIn(4) ? DecimalMark::kComma : DecimalMark::kPoint;
    const std::string text = texts.number(char(mark)) + texts.rest(1 + texts.pick(80));
    const Number expected = twinNumber(text, char(mark));
    const Reading found = readingOf(text, mark);
    ASSERT_TRUE(same(found.number.value, expected.value)) << text;
    ASSERT_EQ(found.number.length, expected.length) << text;
    if (found.is_short) {
      ASSERT_TRUE(same(found.as_short.value, expected.value)) << text;
      ASSERT_EQ(found.as_short.length, expected.length) << text;
    }
    read += expected.length > 0;
    are_plain += found.is_plain;
    are_short += found.is_short;
  }
  // All kinds occurred.
  EXPECT_GT(are_short, kRepetitions / 4);
  EXPECT_GT(are_plain, kRepetitions / 4);
  EXPECT_GT(read - are_plain, kRepetitions / 10);
}

TEST(Number, IsReadAtEveryLengthBeforeAndAfterThePoint) {
  Texts texts;
  for (const char* sign : {"", "-"}) {
    for (std::size_t whole = 0; whole <= 20; ++whole) {
      for (std::size_t part = 0; part <= 25; ++part) {
        for (const char mark : {'.', ','}) {
          for (const char* digits : {"0000000000000000000000000", "9999999999999999999999999",
                                     "1000000000000000000000000", "0000000000000000000000001",
                                     "1234567890123456789012345", "2222507385850720138309023"}) {
            const std::string number =
                sign + std::string(digits, whole) + mark + std::string(digits + 25 - part, part);
            const std::string text = number + "\n" + texts.rest(40);
            const Number expected = twinNumber(text, mark);
            const Reading found = readingOf(text, DecimalMark(mark));
            EXPECT_TRUE(same(found.number.value, expected.value)) << text;
            EXPECT_EQ(found.number.length, expected.length) << text;
            EXPECT_EQ(found.is_plain, whole <= 8 && whole + part > 0 && whole + part <= 19) << text;
            const bool is_short = whole + part > 0 && number.size() < 16;
            EXPECT_EQ(found.is_short, is_short) << text;
            if (!is_short) continue;
            EXPECT_TRUE(same(found.as_short.value, expected.value)) << text;
            EXPECT_EQ(found.as_short.length, expected.length) << text;
          }
        }
      }
    }
  }
}

TEST(Number, IsReadOnBothSidesOfTheLargestExactInteger) {
  const std::string rest(40, '\n');
  for (const char* digits : {"9007199254740991", "9007199254740992", "9007199254740993",
                             "9007199254740995", "9999999999999999"}) {
    for (const char* sign : {"", "-"}) {
      const std::string text = sign + std::string(digits).insert(8, ".") + rest;
      const Reading found = readingOf(text, DecimalMark::kPoint);
      EXPECT_TRUE(same(found.number.value, twinNumber(text, '.').value)) << text;
      EXPECT_TRUE(found.is_plain) << text;
    }
  }
}

TEST(Number, ReadsNothingBeyondItsEnd) {
  const std::string text = "-12345678.123456789012345678901234,";
  ASSERT_EQ(std::ptrdiff_t(text.size()), kPlainNumberBytes);
  const Reading found = readingOf(text, DecimalMark::kPoint);
  EXPECT_EQ(found.number.value, -12345678.123456789012345678901234);
  EXPECT_EQ(found.number.length, text.size() - 1);
}

TEST(Number, ReadsNothingBeyondTheBytesOfAShortNumber) {
  const std::string text = "-1234567.123456,.";
  ASSERT_EQ(std::ptrdiff_t(text.size()), kShortNumberBytes);
  const Reading found = readingOf(text, DecimalMark::kPoint);
  EXPECT_EQ(found.as_short.value, -1234567.123456);
  EXPECT_EQ(found.as_short.length, text.size() - 2);
}

TEST(Number, IsNotReadFromDigitsBeforeItsStart) {
  const Reading found = readingOf("1" + std::string(40, ';'), DecimalMark::kPoint);
  EXPECT_TRUE(found.is_short);
  EXPECT_EQ(found.as_short.value, 1);
}

TEST(Number, KeepsTheSignOfZero) {
  const std::string rest(40, ',');
  for (const char* zero : {"-0", "-0.0", "-.0", "-0.", "-00000000.00000000"}) {
    const Reading found = readingOf(zero + rest, DecimalMark::kPoint);
    EXPECT_TRUE(found.is_plain) << zero;
    EXPECT_EQ(found.number.value, 0) << zero;
    EXPECT_TRUE(std::signbit(found.number.value)) << zero;
    EXPECT_EQ(found.is_short, std::strlen(zero) < 16) << zero;
    EXPECT_EQ(std::signbit(found.as_short.value), found.is_short) << zero;
  }
}

}  // namespace number_test
}  // namespace pm
