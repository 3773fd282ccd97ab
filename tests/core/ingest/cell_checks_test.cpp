#include "core/ingest/cell_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace pm {
namespace cell_checks_test {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnread = std::numeric_limits<double>::infinity();

CsvColumn numbers(std::vector<double> codes = {}) { return {{}, std::move(codes), 0, 10}; }
CsvColumn levels() { return {{"day", "night"}}; }

TEST(CellChecks, CountsInfiniteCellsAndNamesTheFirstRowsThatHaveOne) {
  // Three columns: the last is not one of a pair.
  const std::vector<CsvColumn> columns = {numbers(), levels(), numbers()};
  CellChecks checks(columns, {});
  std::vector<double> rows = {1, 0, 2, kUnread, kUnread, 3, 4, 1, -kUnread, kGap, kGap, kGap};
  checks.check(rows, 100);
  std::vector<double> more = {1, 1, kUnread, 1, 0, kUnread, 1, 0, kUnread, 1, 0, 1e308};
  checks.check(more, 104);
  EXPECT_EQ(checks.found()[0].unreadable, 1u);
  EXPECT_EQ(checks.found()[0].rows, std::vector<std::uint64_t>{101});
  EXPECT_EQ(checks.found()[1].unreadable, 1u);
  EXPECT_EQ(checks.found()[1].rows, std::vector<std::uint64_t>{101});
  EXPECT_EQ(checks.found()[2].unreadable, 4u);
  EXPECT_EQ(checks.found()[2].rows, (std::vector<std::uint64_t>{102, 104, 105}));
}

TEST(CellChecks, NamesEachCodeOnceThatIsOutOfBounds) {
  const std::vector<CsvColumn> columns = {numbers({-9, 5, 99}), numbers()};
  CellChecks checks(columns, {});
  std::vector<double> rows = {5, -9, 99, 1, -9, 99, 99, 3, -8, 3};
  checks.check(rows, 0);
  EXPECT_EQ(checks.found()[0].codes, (std::vector<double>{99, -9}));
  EXPECT_EQ(checks.found()[1].codes, std::vector<double>());
}

TEST(CellChecks, MakesNumbersMissingThatStandForAMissingCellButNoLevels) {
  const std::vector<CsvColumn> columns = {numbers({-9}), levels()};
  CellChecks checks(columns, {-9, 1});
  std::vector<double> rows = {-9, 1, 2, 0, 1, 0};
  checks.check(rows, 0);
  EXPECT_TRUE(std::isnan(rows[0]));
  EXPECT_EQ(rows[1], 1);
  EXPECT_EQ(rows[2], 2);
  EXPECT_TRUE(std::isnan(rows[4]));
  EXPECT_EQ(checks.found()[0].codes, std::vector<double>());
}

TEST(CellChecks, ForgetsWhatWasFound) {
  const std::vector<CsvColumn> columns = {numbers()};
  CellChecks checks(columns, {});
  std::vector<double> rows = {kUnread};
  checks.check(rows, 0);
  checks.reset();
  EXPECT_EQ(checks.found()[0].unreadable, 0u);
}

}  // namespace cell_checks_test
}  // namespace pm
