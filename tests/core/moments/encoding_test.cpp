#include "core/moments/encoding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace pm {
namespace encoding_test {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Column number(double min, double max) { return {Column::Kind::kNumber, min, max, 0}; }
Column category(int levels) { return {Column::Kind::kCategory, 0, 0, levels}; }

Code codeOf(std::vector<Column> columns, std::int64_t* column = nullptr) {
  const auto encoder = RowEncoder::create(std::move(columns));
  EXPECT_FALSE(encoder.ok());
  if (encoder.ok()) return Code::kIntegrity;
  if (column != nullptr) *column = encoder.error().column;
  return encoder.error().code;
}

struct Encoded {
  std::vector<double> scaled;
  std::vector<ColumnCounts> counts;
  int missing = -2;
  std::optional<Error> error;
};

Encoded encode(std::vector<Column> columns, std::vector<double> cells) {
  const auto encoder = RowEncoder::create(std::move(columns));
  Encoded result;
  result.scaled.resize(std::size_t(encoder.value().features()), -9);
  result.counts.resize(std::size_t(encoder.value().columns()));
  const auto status = encoder.value().encode(cells, result.scaled, result.counts);
  if (status.ok()) {
    result.missing = status.value();
  } else {
    result.error = status.error();
  }
  return result;
}

TEST(RowEncoder, MarksAMissingCellInAFeatureOfItsColumn) {
  const auto encoder = RowEncoder::create({number(-3, 5), category(2), number(0, 1)}, true).value();
  EXPECT_EQ(encoder.features(), 7);
  EXPECT_EQ(encoder.marks(), 4);
  std::vector<double> scaled(7, -9);
  std::vector<ColumnCounts> counts(3);
  EXPECT_EQ(encoder.encode(std::vector<double>{5, kMissing, kInfinity}, scaled, counts).value(), 1);
  EXPECT_EQ(scaled, (std::vector<double>{1, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(encoder.encode(std::vector<double>{1, 1, 1}, scaled, counts).value(), -1);
  EXPECT_EQ(scaled, (std::vector<double>{0, 0, 1, 1, 0, 0, 0}));
}

TEST(RowEncoder, CountsMarksAsFeatures) {
  EXPECT_TRUE(RowEncoder::create(std::vector<Column>(500, number(0, 1)), true).ok());
  EXPECT_FALSE(RowEncoder::create(std::vector<Column>(501, number(0, 1)), true).ok());
}

TEST(RowEncoder, MapsTheBoundsOfANumberToMinusOneAndOneAndTheirMiddleToZero) {
  for (const double x : {-3.0, 1.0, 5.0}) {
    const Encoded row = encode({number(-3, 5)}, {x});
    EXPECT_EQ(row.missing, -1);
    EXPECT_EQ(row.scaled, (std::vector<double>{(x - 1) / 4}));
    EXPECT_EQ(row.counts[0].outside, 0u);
  }
}

TEST(RowEncoder, MovesANumberOutsideItsBoundsToTheNearestAndCountsIt) {
  const Encoded row = encode({number(0, 1), number(0, 1), number(0, 1)}, {-1e300, 0.5, 1.0000001});
  EXPECT_EQ(row.scaled, (std::vector<double>{-1, 0, 1}));
  EXPECT_EQ(row.counts[0].outside, 1u);
  EXPECT_EQ(row.counts[1].outside, 0u);
  EXPECT_EQ(row.counts[2].outside, 1u);
}

TEST(RowEncoder, NeverLeavesTheUnitIntervalByRounding) {
  for (const auto& [min, max] : {std::pair{0.1, 0.3}, std::pair{-1e308, 1.7e308},
                                 std::pair{1e-320, 2e-320}, std::pair{1e15, 1e15 + 1}}) {
    for (const double x : {min, max, std::nextafter(min, max), std::nextafter(max, min)}) {
      const Encoded row = encode({number(min, max)}, {x});
      EXPECT_LE(std::fabs(row.scaled[0]), 1.0);
    }
  }
}

TEST(RowEncoder, GivesACategoryOneIndicatorForEachLevel) {
  const Encoded row = encode({number(0, 2), category(3), category(1)}, {2, 1, 0});
  EXPECT_EQ(row.scaled, (std::vector<double>{1, 0, 1, 0, 1}));
}

TEST(RowEncoder, ReportsTheFirstMissingColumnAndCountsAll) {
  const Encoded row = encode({number(0, 2), category(2), number(0, 2), number(0, 2)},
                             {2, kMissing, kInfinity, -kInfinity});
  EXPECT_EQ(row.missing, 1);
  EXPECT_EQ(row.counts[0].missing, 0u);
  EXPECT_EQ(row.counts[1].missing, 1u);
  EXPECT_EQ(row.counts[2].missing, 1u);
  EXPECT_EQ(row.counts[3].missing, 1u);
  EXPECT_EQ(row.counts[2].outside, 0u);
  EXPECT_EQ(row.scaled, (std::vector<double>{1, 0, 0, 0, 0}));
}

TEST(RowEncoder, RejectsALevelThatDoesNotExistAndNamesOnlyTheColumn) {
  for (const double level : {-1.0, 2.0, 0.5, 1e300}) {
    const Encoded row = encode({number(0, 1), category(2)}, {0, level});
    ASSERT_TRUE(row.error);
    EXPECT_EQ(row.error->code, Code::kInvalidLevel);
    EXPECT_EQ(row.error->column, 1);
    EXPECT_EQ(row.error->message.find_first_of("0123456789"), std::string::npos);
  }
}

TEST(RowEncoder, RefusesBoundsThatAreNotAnInterval) {
  for (const auto& bad : {number(1, 1), number(2, 1), number(kMissing, 1), number(0, kMissing),
                          number(-kInfinity, 1), number(0, kInfinity)}) {
    std::int64_t column = -1;
    EXPECT_EQ(codeOf({number(0, 1), bad}, &column), Code::kInvalidBounds);
    EXPECT_EQ(column, 1);
  }
}

TEST(RowEncoder, AcceptsTheWidestPossibleBounds) {
  const double most = std::numeric_limits<double>::max();
  const Encoded row = encode({number(-most, most)}, {most / 2});
  EXPECT_DOUBLE_EQ(row.scaled[0], 0.5);
}

TEST(RowEncoder, RefusesACategoryWithoutLevels) {
  std::int64_t column = -1;
  EXPECT_EQ(codeOf({category(0)}, &column), Code::kInvalidLevels);
  EXPECT_EQ(column, 0);
  EXPECT_EQ(codeOf({number(0, 1), category(-4)}), Code::kInvalidLevels);
}

TEST(RowEncoder, AcceptsOneToAThousandFeatures) {
  EXPECT_EQ(codeOf({}), Code::kInvalidDimension);
  EXPECT_EQ(codeOf(std::vector<Column>(1001, number(0, 1))), Code::kInvalidDimension);
  EXPECT_EQ(codeOf({category(1000), number(0, 1)}), Code::kInvalidDimension);
  EXPECT_EQ(codeOf({category(2147483647), category(2147483647)}), Code::kInvalidDimension);
  EXPECT_EQ(RowEncoder::create(std::vector<Column>(1000, number(0, 1))).value().features(), 1000);
  EXPECT_EQ(RowEncoder::create({category(999), number(0, 1)}).value().features(), 1000);
}

}  // namespace encoding_test
}  // namespace pm
