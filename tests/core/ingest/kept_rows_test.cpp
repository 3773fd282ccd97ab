#include "core/ingest/kept_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pm {
namespace kept_rows_test {

class Collector : public RowSink {
 public:
  /// @param most number of cells that it takes
  explicit Collector(std::size_t most = std::size_t(-1)) : most_(most) {}
  Status take(std::span<const double> rows) override {
    views.push_back(rows);
    if (cells.size() + rows.size() > most_) return Error{Code::kTooManyRows, "full"};
    cells.insert(cells.end(), rows.begin(), rows.end());
    return std::nullopt;
  }
  std::vector<double> cells;
  std::vector<std::span<const double>> views;

 private:
  std::size_t most_;
};

std::vector<double> countedTo(std::size_t count) {
  std::vector<double> cells(count);
  for (std::size_t i = 0; i < count; ++i) cells[i] = double(i);
  return cells;
}

TEST(KeptRows, KeepsCopiesThatTheWipingOfTheirSourceLeavesAsTheyAre) {
  KeptRows kept(1, 10, Overflow::kRefuse);
  std::vector<double> source{1, 2, 3};
  EXPECT_FALSE(kept.keep(source));
  std::fill(source.begin(), source.end(), 0.0);
  Collector sink;
  EXPECT_FALSE(kept.passTo(sink));
  EXPECT_EQ(sink.cells, (std::vector<double>{1, 2, 3}));
}

// Two million cells are several blocks, and rows of three fill none of a power of two.
TEST(KeptRows, PassesWholeRowsOnInTheirOrder) {
  const std::size_t columns = 3, rows = 700001;
  const std::vector<double> all = countedTo(columns * rows);
  KeptRows kept(columns, all.size(), Overflow::kRefuse);
  const std::size_t step = columns * 1001;
  for (std::size_t at = 0; at < all.size(); at += step) {
    EXPECT_FALSE(kept.keep({all.data() + at, std::min(step, all.size() - at)}));
  }
  EXPECT_EQ(kept.cells(), all.size());
  Collector sink;
  EXPECT_FALSE(kept.passTo(sink));
  EXPECT_GT(sink.views.size(), 1u);
  for (const auto& view : sink.views) EXPECT_EQ(view.size() % columns, 0u);
  EXPECT_EQ(sink.cells, all);
  EXPECT_EQ(kept.cells(), 0u);
  EXPECT_FALSE(kept.keep(countedTo(columns)));
  EXPECT_EQ(kept.cells(), 0u) << "the first are gone";
}

TEST(KeptRows, KeepsNoneOfAFileThatHasTooMany) {
  KeptRows kept(1, 4, Overflow::kForget);
  EXPECT_FALSE(kept.keep(countedTo(4)));
  EXPECT_EQ(kept.cells(), 4u);
  EXPECT_FALSE(kept.keep(countedTo(1)));
  EXPECT_FALSE(kept.keep(countedTo(1)));
  EXPECT_EQ(kept.cells(), 0u);
  Collector sink;
  EXPECT_FALSE(kept.passTo(sink));
  EXPECT_TRUE(sink.views.empty());
}

TEST(KeptRows, RefusesMoreOfAStreamThanItMayKeep) {
  KeptRows kept(1, 4, Overflow::kRefuse);
  EXPECT_FALSE(kept.keep(countedTo(4)));
  const Status refused = kept.keep(countedTo(1));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, Code::kUnsupportedData);
  EXPECT_NE(refused->message.find("pass a file, or let the study name clipping"),
            std::string::npos);
  EXPECT_EQ(kept.cells(), 0u);
}

TEST(KeptRows, StopsAtTheFirstErrorOfTheSinkAndKeepsNothing) {
  const std::size_t count = 100000;
  KeptRows kept(1, count, Overflow::kRefuse);
  EXPECT_FALSE(kept.keep(countedTo(count)));
  Collector sink(1);
  const Status full = kept.passTo(sink);
  ASSERT_TRUE(full);
  EXPECT_EQ(full->code, Code::kTooManyRows);
  EXPECT_EQ(sink.views.size(), 1u);
  EXPECT_EQ(kept.cells(), 0u);
}

}  // namespace kept_rows_test
}  // namespace pm
