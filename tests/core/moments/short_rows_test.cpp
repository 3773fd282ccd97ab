#include "core/moments/short_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/moments/gram_kernel.hpp"
#include "core/moments/intake.hpp"
#include "core/moments/quantiser.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace short_rows_test {

using namespace testing_support;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Column number(double min, double max) { return {Column::Kind::kNumber, min, max, 0}; }
Column category(int levels) { return {Column::Kind::kCategory, 0, 0, levels}; }

RowEncoder encoderOf(std::vector<Column> columns) {
  return std::move(RowEncoder::create(std::move(columns))).value();
}

/// The quantised row and its statistics, by the two passes with divisions.
struct LongWay {
  std::vector<double> q;
  std::uint64_t squared = 0;
  bool plain = false;  ///< no cell missing or clamped, and not longer than the norm
};

LongWay longWay(const RowEncoder& encoder, const std::vector<double>& cells,
                const ShortRows::Grid& grid) {
  LongWay row;
  std::vector<double> scaled(std::size_t(encoder.features()));
  std::vector<ColumnCounts> counts(cells.size());
  const auto missing = encoder.encode(cells, scaled, counts);
  if (!missing.ok() || missing.value() >= 0) return row;
  for (const ColumnCounts& count : counts) {
    if (count.outside > 0) return row;
  }
  for (std::size_t j = 0; j < grid.centre.size(); ++j) {
    scaled[j] = (scaled[j] - grid.centre[j]) / grid.scale[j];
  }
  if (largestCell(scaled) > grid.row_norm) return row;
  row.q.resize(scaled.size());
  row.squared = roundRow(scaled, grid.row_norm, grid.steps, row.q);
  row.plain = true;
  return row;
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// Whether the fast path took the row; if so it must equal the result of the two passes.
bool check(const RowEncoder& encoder, const std::vector<double>& cells,
           const ShortRows::Grid& grid) {
  const ShortRows rows(encoder, grid);
  const std::size_t features = std::size_t(encoder.features());
  std::vector<double> panel(tileCount(features) * kTileStride, -9), q(features);
  double length = 0;
  rows.quantise(cells.data(), 1, panel.data(), &length);
  for (std::size_t j = 0; j < features; ++j) q[j] = panel[panelIndex(j, 0)];
  if (length < 0) return false;
  const LongWay expected = longWay(encoder, cells, grid);
  EXPECT_TRUE(expected.plain);
  EXPECT_TRUE(sameBits(q, expected.q));
  EXPECT_EQ(std::uint64_t(length), expected.squared);
  if (!grid.any_length) {
    EXPECT_LT(length, grid.steps * grid.steps * 63 / 64);
  }
  return true;
}

bool check(const RowEncoder& encoder, const std::vector<double>& cells, double row_norm,
           double steps) {
  return check(encoder, cells, {.row_norm = row_norm, .steps = steps});
}

// Bounds of all kinds: round, odd, one step of a double apart, tiny, huge.
Column anyColumn(UnsafeTestRandom& random) {
  const double a = random.symmetric(), b = random.symmetric();
  switch (random.below(9)) {
    case 0: return number(0, 1);
    case 1: return number(-1000, 1000);
    case 2: return number(1e15, 1e15 + 0.125);
    case 3: return number(0.1, 0.3);
    case 4: return number(-1e308, 1.7e308);
    case 5: return number(1e-320, 2e-320);
    case 6: return category(1 + int(random.below(4)));
    default: return number(std::min(a, b) * 50, std::max(a, b) * 50 + 1e-3);
  }
}

double anyCell(UnsafeTestRandom& random, const Column& column, double row_norm, double steps) {
  if (column.kind == Column::Kind::kCategory) {
    if (random.below(200) == 0) return random.below(2) ? column.levels : 0.5;
    return double(random.below(std::uint64_t(column.levels)));
  }
  const double mid = column.min / 2 + column.max / 2, half = column.max / 2 - column.min / 2;
  switch (random.below(random.below(4) ? 3 : 16)) {
    case 0: return mid + half * 0.6 * random.symmetric();
    case 1: {  // halfway between two grid points, as nearly as doubles allow
      const double k = std::floor(random.symmetric() * steps / row_norm) + 0.5;
      double x = mid + half * (k / steps * row_norm);
      for (std::uint64_t i = random.below(4); i > 0; --i) x = std::nextafter(x, column.max);
      for (std::uint64_t i = random.below(4); i > 0; --i) x = std::nextafter(x, column.min);
      return x;
    }
    case 2: return mid;
    case 3: return column.min;
    case 4: return column.max;
    case 5: return std::nextafter(column.min, -kInfinity);
    case 6: return std::nextafter(column.max, kInfinity);
    case 7: return std::numeric_limits<double>::quiet_NaN();
    case 8: return random.below(2) ? kInfinity : -kInfinity;
    case 9: return 1e300;
    case 10: return std::numeric_limits<double>::denorm_min();
    case 11: return -0.0;
    default: return mid + half * 1e-9 * random.symmetric();
  }
}

TEST(ShortRows, EqualTheIntegersOfTheTwoPassesOrAreLeftToThem) {
  UnsafeTestRandom random(71);
  const double norms[] = {1, 2, std::sqrt(7.0), 3.3, 0.3, 1e-3, 31.6};
  const std::uint64_t studies = repetitions(100'000, 12'000);
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < studies && !HasFailure(); ++i) {
    std::vector<Column> columns(1 + random.below(9), number(-1, 1));
    const bool wild = random.below(2) != 0;
    for (Column& column : columns) {
      column = wild ? anyColumn(random) : number(-1 - 7 * random.uniform(), 3);
    }
    const RowEncoder encoder = encoderOf(columns);
    const double row_norm = norms[random.below(7)];
    const double steps = std::ldexp(1.0, 14 + int(random.below(11))) / (random.below(2) ? 1 : 5);
    for (int row = 0; row < 8; ++row) {
      std::vector<double> cells;
      for (const Column& column : columns) {
        cells.push_back(anyCell(random, column, row_norm, steps));
      }
      taken += check(encoder, cells, row_norm, steps);
    }
  }
  EXPECT_GT(taken, studies / 2);  // of eight times as many
}

TEST(ShortRows, EqualTheIntegersOfTheTwoPassesInAnyCoordinates) {
  UnsafeTestRandom random(75);
  const std::uint64_t studies = repetitions(60'000, 8'000);
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < studies && !HasFailure(); ++i) {
    std::vector<Column> columns(1 + random.below(9));
    for (Column& column : columns) column = anyColumn(random);
    const RowEncoder encoder = encoderOf(columns);
    std::vector<double> centre, scale;
    for (int j = 0; j < encoder.features(); ++j) {
      centre.push_back(std::nearbyint(random.symmetric() * 0x1p16) * 0x1p-16);
      scale.push_back(std::ldexp(double(8 + random.below(8)), -4 - int(random.below(9))));
    }
    const double row_norm = std::ldexp(1 + random.uniform(), 2 + int(random.below(6)));
    const double steps = std::ldexp(1.0, 14 + int(random.below(9))) / (random.below(2) ? 1 : 5);
    for (int row = 0; row < 8; ++row) {
      std::vector<double> cells;
      std::size_t j = 0;
      for (const Column& column : columns) {
        double cell = anyCell(random, column, row_norm, steps);
        if (column.kind == Column::Kind::kNumber && random.below(2) != 0) {
          // Halfway between two grid points about the centre.
          const double k = std::floor(random.symmetric() * steps / 4) + 0.5;
          const double x = centre[j] + scale[j] * (k / steps * row_norm);
          cell = column.min / 2 + column.max / 2 + (column.max / 2 - column.min / 2) * x;
        }
        cells.push_back(cell);
        j += std::size_t(column.features());
      }
      taken += check(encoder, cells,
                     {.row_norm = row_norm, .steps = steps, .centre = centre, .scale = scale});
    }
  }
  EXPECT_GT(taken, studies / 4);  // of eight times as many
}

TEST(ShortRows, AreNotTakenInCoordinatesOfTinyScales) {
  const RowEncoder encoder = encoderOf({number(-1, 1)});
  const std::vector<double> centre{0.25};
  for (const double scale : {0x1p-12, 0x1p-20}) {
    const std::vector<double> scales{scale};
    EXPECT_FALSE(check(encoder, {0.25},
                       {.row_norm = 4, .steps = 0x1p22, .centre = centre, .scale = scales}));
  }
}

TEST(ShortRows, AreTheSameInABlockAsAlone) {
  UnsafeTestRandom random(77);
  // Numbers begin at odd features too, and narrow blocks are read in one step, wide ones in many.
  const std::vector<std::vector<Column>> studies = {
      {number(0, 1)},
      {category(3), number(-1, 2), number(0, 1), number(0, 1), category(2), number(-5, 5)},
      std::vector<Column>(300, number(-2, 2))};
  for (const std::vector<Column>& columns : studies) {
    const RowEncoder encoder = encoderOf(columns);
    const std::size_t width = columns.size(), features = std::size_t(encoder.features());
    const ShortRows rows(encoder, {.row_norm = std::sqrt(double(width)), .steps = 0x1p22});
    for (const std::size_t count : {std::size_t{1}, std::size_t{7}, kPanelRows}) {
      std::vector<double> cells;
      for (std::size_t r = 0; r < count; ++r) {
        const std::size_t odd = random.below(3) == 0 ? random.below(width) : width;
        for (std::size_t c = 0; c < width; ++c) {
          const Column& column = columns[c];
          cells.push_back(c == odd                               ? kInfinity
                          : column.kind == Column::Kind::kNumber ? random.uniform()
                                                                 : double(random.below(2)));
        }
      }
      std::vector<double> panel(tileCount(features) * kTileStride, -9), lengths(count);
      rows.quantise(cells.data(), count, panel.data(), lengths.data());
      std::vector<bool> written(panel.size());
      for (std::size_t r = 0; r < count; ++r) {
        std::vector<double> alone(panel.size());
        double length = 0;
        rows.quantise(cells.data() + r * width, 1, alone.data(), &length);
        EXPECT_EQ(lengths[r], length);
        for (std::size_t j = 0; j < features; ++j) {
          written[panelIndex(j, r)] = true;
          if (length >= 0) {
            EXPECT_EQ(panel[panelIndex(j, r)], alone[panelIndex(j, 0)]);
          }
        }
      }
      for (std::size_t i = 0; i < panel.size(); ++i) {
        EXPECT_TRUE(written[i] || panel[i] == -9) << i;
      }
    }
  }
}

TEST(ShortRows, CanBeOfAnyLength) {
  UnsafeTestRandom random(76);
  const RowEncoder encoder = encoderOf({number(-3, 4), number(0, 1), category(3)});
  const ShortRows::Grid grid{.row_norm = 1, .steps = 0x1p16, .any_length = true};
  int taken = 0;
  for (int row = 0; row < 2000; ++row) {
    taken += check(
        encoder, {0.5 + 3.5 * random.symmetric(), random.uniform(), double(random.below(3))}, grid);
  }
  EXPECT_GT(taken, 1990);
}

TEST(ShortRows, AreNearlyAllRowsOfAStudyWithALargeEnoughNorm) {
  UnsafeTestRandom random(72);
  for (const std::size_t d : {1, 2, 20, 21}) {
    std::vector<Column> columns(d, number(-3, 4));
    columns.push_back(category(3));
    const RowEncoder encoder = encoderOf(columns);
    int taken = 0;
    for (int row = 0; row < 2000; ++row) {
      std::vector<double> cells;
      for (std::size_t c = 0; c < d; ++c) cells.push_back(0.5 + 3.5 * random.symmetric());
      cells.push_back(double(random.below(3)));
      taken += check(encoder, cells, std::sqrt(double(d + 2)), 0x1p22);
    }
    EXPECT_GT(taken, 1990);  // 0.1 of 2000 is expected
  }
}

TEST(ShortRows, IncludeTheBoundsAndNothingBeyond) {
  const RowEncoder encoder = encoderOf({number(-3, 5), number(0, 1), number(0, 1)});
  const auto taken = [&](std::vector<double> cells) { return check(encoder, cells, 3, 0x1p22); };
  EXPECT_TRUE(taken({-3, 0, 1}));
  EXPECT_TRUE(taken({5, 1, 0}));
  for (const std::size_t at : {0, 1, 2}) {
    for (const double bad : {5.0000001, -3.0000001, std::numeric_limits<double>::quiet_NaN(),
                             kInfinity, -kInfinity, 1e300}) {
      std::vector<double> cells = {0, 0.5, 0.5};
      cells[at] = bad;
      EXPECT_FALSE(taken(cells));
    }
  }
}

TEST(ShortRows, AreNotTakenForExtremeScales) {
  for (const double norm : {1e-300, 1e300, 0x1p-1070}) {
    EXPECT_FALSE(check(encoderOf({number(-1, 1)}), {0.25}, norm, 0x1p22));
  }
  const double most = std::numeric_limits<double>::max();
  EXPECT_FALSE(check(encoderOf({number(-most, most)}), {most / 4}, 4, 0x1p22));
  EXPECT_FALSE(check(encoderOf({number(1e-320, 2e-320)}), {1e-320}, 4, 0x1p22));
  // The middle is one of the bounds: the other is moved from 2 to 1.
  EXPECT_FALSE(check(encoderOf({number(1, 1 + 0x1p-52)}), {1 + 0x1p-52}, 4, 0x1p22));
}

// The totals of an intake, computed row by row by the two passes.
struct Expected {
  explicit Expected(const IntakeTerms& terms) : gram(int(terms.columns.size()), terms.bits) {}
  ExactGram gram;
  std::uint64_t longer = 0;
  std::vector<ColumnCounts> counts;
};

TEST(ShortRows, GiveTheSameSumsAndCountsOfAnIntake) {
  UnsafeTestRandom random(73);
  for (const int d : {1, 3, 4, 7, 20}) {
    for (const int bits : {14, 22, 24}) {
      IntakeTerms terms{};
      terms.columns.assign(std::size_t(d), number(-4, 4));
      terms.row_norm = std::sqrt(double(d)) / 2;
      terms.missing = MissingRule::kCentre;
      terms.neighbours = Neighbours::kReplaceOne;
      terms.bits = bits;
      terms.max_rows = 1 << 20;
      const RowEncoder encoder = encoderOf(terms.columns);
      Expected expected(terms);
      expected.counts.resize(std::size_t(d));
      Intake intake = std::move(Intake::create(terms)).value();
      std::vector<double> cells, scaled(static_cast<std::size_t>(d)), q(scaled.size());
      for (int row = 0; row < 700; ++row) {
        std::vector<double> next;
        const double size = 8 * random.uniform();
        for (int c = 0; c < d; ++c) {
          next.push_back(random.below(300) == 0 ? kInfinity : size * random.symmetric());
        }
        cells.insert(cells.end(), next.begin(), next.end());
        const int missing = encoder.encode(next, scaled, expected.counts).value();
        if (missing >= 0) std::fill(scaled.begin(), scaled.end(), 0.0);
        double square = 0;
        for (const double z : scaled) square += z * z;
        expected.longer += std::sqrt(square) > terms.row_norm * (1 + 1e-9);
        const std::uint64_t length = quantiseRow(scaled, terms.row_norm, bits, q);
        expected.gram.add(q, length);
      }
      ASSERT_FALSE(intake.add(cells));
      EXPECT_EQ(intake.counts().rows, 700u);
      EXPECT_EQ(intake.counts().used, 700u);
      EXPECT_EQ(intake.counts().longer[0], expected.longer);
      for (std::size_t c = 0; c < std::size_t(d); ++c) {
        EXPECT_EQ(intake.counts().columns[c].missing, expected.counts[c].missing);
        EXPECT_EQ(intake.counts().columns[c].outside, expected.counts[c].outside);
      }
      EXPECT_EQ(expected.gram.rows(), 700u);
      EXPECT_TRUE(intake.take(Unit::kRow).value() == expected.gram.totals().value());
    }
  }
}

TEST(ShortRows, GiveTheSameSumsForEveryClipRadius) {
  UnsafeTestRandom random(74);
  constexpr int kWidth = 3, kBits = 22;
  constexpr std::uint64_t kUnit = std::uint64_t{1} << (2 * kBits);
  IntakeTerms terms{};
  terms.columns.assign(kWidth, number(-4, 4));
  terms.row_norm = 1;
  terms.missing = MissingRule::kCentre;
  terms.neighbours = Neighbours::kReplaceOne;
  terms.bits = kBits;
  terms.max_rows = 1 << 20;
  terms.adaptive = true;
  const RowEncoder encoder = encoderOf(terms.columns);
  std::vector<double> cells;
  for (int i = 0; i < 600 * kWidth; ++i) {
    cells.push_back(4 * std::exp2(-5 * random.uniform()) * random.symmetric());
  }
  for (int level = 0; level < kClipLevels; ++level) {
    Intake intake = std::move(Intake::create(terms)).value();
    ASSERT_FALSE(intake.add(cells));
    ExactGram expected(kWidth, kBits);
    std::uint64_t longer = 0;
    for (std::size_t at = 0; at < cells.size(); at += kWidth) {
      std::vector<double> scaled(kWidth), q(kWidth);
      std::vector<ColumnCounts> counts(kWidth);
      ASSERT_EQ(encoder.encode({&cells[at], kWidth}, scaled, counts).value(), -1);
      std::uint64_t squared = roundRow(scaled, 1, std::ldexp(1.0, kBits) / 5, q);
      const auto times = [&](int l) {
        const std::uint64_t multiple = std::uint64_t(terms.ladder.multiples[std::size_t(l)]);
        return multiple * multiple * squared;
      };
      if (times(0) > kUnit) {
        squared = quantiseRow(scaled, 1, kBits, q);
        ++longer;
      } else if (times(level) > kUnit) {
        squared = scaleToSphere(q, squared, kBits);
        ++longer;
      } else {
        squared = times(level);
        for (double& v : q) v *= terms.ladder.multiples[std::size_t(level)];
      }
      expected.add(q, squared);
    }
    EXPECT_EQ(intake.counts().longer[std::size_t(level)], longer);
    EXPECT_TRUE(intake.take(Unit::kRow, level).value() == expected.totals().value()) << level;
  }
}

}  // namespace short_rows_test
}  // namespace pm
