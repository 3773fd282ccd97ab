#include "core/ingest/csv_layout.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace pm {
namespace csv_layout_test {

using Names = std::vector<std::string>;

Bytes bytesOf(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

CsvLayout layoutOf(std::string_view file, const Names& wanted, const CsvOptions& options = {}) {
  const auto found = findCsvLayout(bytesOf(file), true, wanted, options);
  EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message);
  return *found.value();
}

std::string codeOf(std::string_view file, const Names& wanted, const CsvOptions& options = {}) {
  const auto found = findCsvLayout(bytesOf(file), true, wanted, options);
  return found.ok() ? "none" : codeName(found.error().code);
}

TEST(CsvLayout, FindsTheWantedColumnsAndTheFirstRow) {
  const CsvLayout layout = layoutOf("a, b ,\"c \"\"d\"\"\"\r\n1,2,3\n", {"c \"d\"", "b"});
  EXPECT_EQ(layout.delimiter, ',');
  EXPECT_EQ(layout.width, 3U);
  EXPECT_EQ(layout.positions, (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(layout.ignored, Names{"a"});
  EXPECT_EQ(layout.header_bytes, 17U);
}

TEST(CsvLayout, CountsTheBytesBeforeTheHeader) {
  EXPECT_EQ(layoutOf("\xEF\xBB\xBF\n\r\na\n1\n", {"a"}).header_bytes, 8U);
  EXPECT_EQ(layoutOf("a", {"a"}).header_bytes, 1U);
  EXPECT_EQ(layoutOf("a\r1\n", {"a"}).header_bytes, 2U);
}

TEST(CsvLayout, NeedsMoreBytesUntilTheHeaderIsComplete) {
  const std::string file = "\xEF\xBB\xBF\r\na,\"b\n\"\r\n1,2\r\n";
  const Names wanted = {"b"};
  const std::size_t end = file.find("1,2");
  for (std::size_t size = 0; size <= file.size(); ++size) {
    const auto found = findCsvLayout(bytesOf(file).first(size), false, wanted, {});
    ASSERT_TRUE(found.ok()) << size << ": " << found.error().message;
    ASSERT_EQ(found.value().has_value(), size >= end) << size;
    EXPECT_EQ(found.value() ? found.value()->header_bytes : end, end);
  }
}

TEST(CsvLayout, ChoosesTheDelimiterWithTheMostWantedColumns) {
  EXPECT_EQ(layoutOf("a,x;b,y;c\n", {"a,x", "b,y"}).delimiter, ';');
  EXPECT_EQ(layoutOf("a,x;b,y;c\n", {"x;b"}).delimiter, ',');
  EXPECT_EQ(layoutOf("a\tb|c\n", {"a"}).delimiter, '\t');
  EXPECT_EQ(layoutOf("a|b\n", {"b"}).delimiter, '|');
  // On a tie the one with the most fields, then the first.
  EXPECT_EQ(layoutOf("a\n", {"a"}).delimiter, ',');
}

TEST(CsvLayout, DoesNotDependOnRows) {
  const CsvLayout plain = layoutOf("a;b\n1;2\n", {"a"});
  const CsvLayout odd = layoutOf("a;b\n\"1,2,3,4\xFF\n", {"a"});
  EXPECT_EQ(plain.delimiter, odd.delimiter);
  EXPECT_EQ(plain.width, odd.width);
  EXPECT_EQ(plain.header_bytes, odd.header_bytes);
}

TEST(CsvLayout, UsesTheDelimiterOfTheOptions) {
  EXPECT_EQ(layoutOf("a,x;b\n", {"a"}, {',', DecimalMark::kComma}).width, 2U);
  EXPECT_EQ(codeOf("a,x;b\n", {"a"}, {';', DecimalMark::kPoint}), "missing-column");
}

TEST(CsvLayout, FindsAColumnThatIsRequestedTwice) {
  EXPECT_EQ(layoutOf("a,b\n", {"b", "b"}).positions, (std::vector<std::uint32_t>{1, 1}));
}

TEST(CsvLayout, RejectsUnreadableHeaders) {
  EXPECT_EQ(codeOf("", {"a"}), "empty-file");
  EXPECT_EQ(codeOf("\xEF\xBB\xBF \n\n", {"a"}), "empty-file");
  EXPECT_EQ(codeOf("\"a,b\n1,2\n", {"a"}), "csv-malformed");
  EXPECT_EQ(codeOf("\"a\"x,b\n", {"b"}), "csv-malformed");
  EXPECT_EQ(codeOf("a,5\" x\n1\" ,b\n", {"a"}), "csv-malformed");
  EXPECT_EQ(codeOf("a,\xE9\n", {"a"}), "csv-encoding");
  EXPECT_EQ(codeOf("\xFF\xFE"
                   "a",
                   {"a"}),
            "csv-encoding");
  EXPECT_EQ(codeOf("\xFE\xFF", {"a"}), "csv-encoding");
  EXPECT_EQ(codeOf(std::string("a\0,\0b\0\n\0", 8), {"a"}), "csv-encoding");
  EXPECT_EQ(codeOf(std::string(kLongestRecord + 1, 'x'), {"a"}), "csv-malformed");
}

TEST(CsvLayout, RejectsHeadersOfMoreFieldsThanAnyTable) {
  const std::string most = "a" + std::string(kMostFields - 1, ',');
  EXPECT_EQ(layoutOf(most + "\n", {"a"}).width, kMostFields);
  EXPECT_EQ(codeOf(most + ",\n", {"a"}), "csv-malformed");
  // Where semicolons are the delimiters, commas do not count.
  EXPECT_EQ(layoutOf("\"" + most + ",\";b\n", {"b"}).delimiter, ';');
}

TEST(CsvLayout, NamesAMissingOrDuplicateColumn) {
  const Names wanted = {"b", "x", "y"};
  const auto missing = findCsvLayout(bytesOf("a,b\n"), true, wanted, {});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Code::kMissingColumn);
  EXPECT_EQ(missing.error().column, 1);
  EXPECT_EQ(missing.error().message,
            "the header has no column \"x\", \"y\"; pass columns to match other names");
  const Names twice = {"a", "b"};
  const auto found = findCsvLayout(bytesOf("b,a,b\n"), true, twice, {});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, Code::kDuplicateHeader);
  EXPECT_EQ(found.error().column, 1);
  // Duplicates of columns that are not wanted do not matter.
  EXPECT_EQ(codeOf("b,a,b\n", {"a"}), "none");
}

}  // namespace csv_layout_test
}  // namespace pm
