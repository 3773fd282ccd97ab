// The bounds on the sums of a survey, against every pair of integers that a column can take on
// coarse grids.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/privacy/sensitivity.hpp"

namespace pm {
namespace survey_sensitivity_test {

constexpr int kLeastBits = 2;
constexpr int kMostBits = 9;

struct Bound {
  std::uint64_t squared;
  std::uint64_t absolute;
};

Bound boundOf(int numbers, int categories, int bits, Neighbours neighbours) {
  return {std::uint64_t(surveySensitivitySquared(numbers, categories, bits, neighbours)),
          surveySensitivityL1(numbers, categories, bits, neighbours)};
}

// The definition of r, halves up, without dividing by H.
std::int64_t shiftedSquare(std::int64_t q, int bits) {
  const std::int64_t steps = std::int64_t{1} << bits;
  std::int64_t r = 0;
  while (2 * q * q >= (2 * r + 1) * steps) ++r;
  return r - steps / 2;
}

// The integers that a row adds to the sums of one column.
using Entries = std::vector<std::int64_t>;

std::vector<Entries> numberEntries(int bits) {
  const std::int64_t steps = std::int64_t{1} << bits;
  std::vector<Entries> entries;
  for (std::int64_t q = -steps; q <= steps; ++q) entries.push_back({q, shiftedSquare(q, bits)});
  return entries;
}

// A category of three levels; all zero in a row with a missing cell.
std::vector<Entries> categoryEntries(int bits) {
  const std::int64_t steps = std::int64_t{1} << bits;
  return {{0, 0, 0}, {steps, 0, 0}, {0, steps, 0}, {0, 0, steps}};
}

Bound changeOf(const Entries& x, const Entries& y) {
  Bound change{0, 0};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t size = std::uint64_t(std::abs(x[i] - y[i]));
    change.squared += size * size;
    change.absolute += size;
  }
  return change;
}

// The largest change by one neighbour step, over all values.
Bound largestChange(const std::vector<Entries>& values, Neighbours neighbours) {
  const std::vector<Entries> none = {Entries(values.front().size())};
  Bound most{0, 0};
  for (const Entries& x : values) {
    for (const Entries& y : neighbours == Neighbours::kAddRemove ? none : values) {
      const Bound change = changeOf(x, y);
      most.squared = std::max(most.squared, change.squared);
      most.absolute = std::max(most.absolute, change.absolute);
    }
  }
  return most;
}

Bound countChange(int bits, Neighbours neighbours) {
  if (neighbours == Neighbours::kReplaceOne) return {0, 0};
  return {std::uint64_t{1} << (2 * bits), std::uint64_t{1} << bits};
}

void expectLargestChange(int numbers, int categories, std::vector<Entries> (*entries)(int bits)) {
  for (int bits = kLeastBits; bits <= kMostBits; ++bits) {
    for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
      const Bound bound = boundOf(numbers, categories, bits, neighbours);
      const Bound most = largestChange(entries(bits), neighbours);
      const Bound count = countChange(bits, neighbours);
      EXPECT_EQ(most.squared + count.squared, bound.squared) << bits << " bits";
      EXPECT_EQ(most.absolute + count.absolute, bound.absolute) << bits << " bits";
    }
  }
}

TEST(SurveySensitivity, OfANumberIsTheLargestChangeOverAllPairsOfIntegers) {
  expectLargestChange(1, 0, numberEntries);
}

TEST(SurveySensitivity, OfACategoryIsTheLargestChangeOverAllPairsOfLevels) {
  expectLargestChange(0, 1, categoryEntries);
}

// With a last number for the count of missing cells. They have q = r = 0.
std::vector<Entries> countedNumberEntries(int bits) {
  std::vector<Entries> entries = numberEntries(bits);
  for (Entries& entry : entries) entry.push_back(0);
  entries.push_back({0, 0, std::int64_t{1} << bits});
  return entries;
}

std::vector<Entries> countedCategoryEntries(int bits) {
  std::vector<Entries> entries = categoryEntries(bits);
  for (Entries& entry : entries) entry.push_back(0);
  entries.front().back() = std::int64_t{1} << bits;
  return entries;
}

TEST(SurveySensitivity, CoversCountsOfMissingCellsOverAllPairsOfValues) {
  for (int bits = kLeastBits; bits <= kMostBits; ++bits) {
    for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
      const Bound count = countChange(bits, neighbours);
      const Bound number = largestChange(countedNumberEntries(bits), neighbours);
      EXPECT_EQ(number.squared + count.squared, boundOf(1, 0, bits, neighbours).squared);
      EXPECT_EQ(number.absolute + count.absolute, surveySensitivityL1(1, 0, bits, neighbours, true))
          << bits << " bits";
      const Bound category = largestChange(countedCategoryEntries(bits), neighbours);
      EXPECT_EQ(category.squared + count.squared, boundOf(0, 1, bits, neighbours).squared);
      EXPECT_EQ(category.absolute + count.absolute,
                surveySensitivityL1(0, 1, bits, neighbours, true));
    }
  }
}

TEST(SurveySensitivity, IsReachedByTheRowsThatTheProofNames) {
  for (int bits = kLeastBits; bits <= kMostBits; ++bits) {
    const std::int64_t steps = std::int64_t{1} << bits;
    const auto entries = [bits](std::int64_t q) { return Entries{q, shiftedSquare(q, bits)}; };
    const Bound replace = boundOf(1, 0, bits, Neighbours::kReplaceOne);
    EXPECT_EQ(changeOf(entries(steps), entries(-steps)).squared, replace.squared);
    EXPECT_EQ(changeOf(entries(steps), entries(-steps / 2)).absolute, replace.absolute);
    const Bound add = boundOf(1, 0, bits, Neighbours::kAddRemove);
    const Entries row = {steps, steps, shiftedSquare(steps, bits)};
    EXPECT_EQ(changeOf(row, Entries(3)).squared, add.squared);
    EXPECT_EQ(changeOf(row, Entries(3)).absolute, add.absolute);
  }
}

TEST(SurveySensitivity, OfSeveralColumnsIsTheSumAndReachedInAllOfThemAtOnce) {
  // Two numbers and a category side by side, so that every pair of whole rows is tried.
  constexpr int kBits = 3;
  std::vector<Entries> rows;
  for (const Entries& x : numberEntries(kBits)) {
    for (const Entries& y : numberEntries(kBits)) {
      for (const Entries& z : categoryEntries(kBits)) {
        Entries row = x;
        row.insert(row.end(), y.begin(), y.end());
        row.insert(row.end(), z.begin(), z.end());
        rows.push_back(std::move(row));
      }
    }
  }
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    const Bound most = largestChange(rows, neighbours), count = countChange(kBits, neighbours);
    const Bound bound = boundOf(2, 1, kBits, neighbours);
    EXPECT_EQ(most.squared + count.squared, bound.squared);
    EXPECT_EQ(most.absolute + count.absolute, bound.absolute);
    const Bound none = boundOf(0, 0, kBits, neighbours), one = boundOf(1, 0, kBits, neighbours),
                category = boundOf(0, 1, kBits, neighbours),
                many = boundOf(700, 300, kBits, neighbours);
    EXPECT_EQ(none.squared, count.squared);
    EXPECT_EQ(none.absolute, count.absolute);
    EXPECT_EQ(many.squared + 999 * count.squared, 700 * one.squared + 300 * category.squared);
    EXPECT_EQ(many.absolute + 999 * count.absolute, 700 * one.absolute + 300 * category.absolute);
  }
}

TEST(SurveySensitivity, WouldBeExceededIfItWereFivePercentSmaller) {
  for (const Neighbours neighbours : {Neighbours::kReplaceOne, Neighbours::kAddRemove}) {
    const Bound most = largestChange(numberEntries(kMostBits), neighbours);
    const Bound count = countChange(kMostBits, neighbours);
    const Bound bound = boundOf(1, 0, kMostBits, neighbours);
    EXPECT_GT(double(most.squared + count.squared), 0.95 * 0.95 * double(bound.squared));
    EXPECT_GT(double(most.absolute + count.absolute), 0.95 * double(bound.absolute));
  }
}

}  // namespace survey_sensitivity_test
}  // namespace pm
