#include "core/moments/quantiser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/int128.hpp"
#include "core/moments/gram_kernel.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace quantiser_test {

using namespace testing_support;

constexpr int kBits[] = {8, 16, 20, 22, 24};

struct Quantised {
  std::vector<double> q;
  std::uint64_t squared;
};

Quantised quantise(std::span<const double> x, double row_norm, int bits) {
  Quantised result{std::vector<double>(x.size()), 0};
  result.squared = quantiseRow(x, row_norm, bits, result.q);
  return result;
}

// Computed independently of the quantiser's own sum.
Uint128 squaredLength(const std::vector<double>& q) {
  Uint128 sum = 0;
  for (const double v : q)
    sum += Uint128(std::uint64_t(std::fabs(v))) * std::uint64_t(std::fabs(v));
  return sum;
}

double lengthOf(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

TEST(RowQuantiser, GivesTheReferenceIntegers) {
  const auto vectors = readVectors("noise.json")["row_quantiser"];
  ASSERT_EQ(vectors.size(), 15u);
  for (const auto& vector : vectors) {
    std::vector<double> x;
    for (const auto& hex : vector["x_hex"]) x.push_back(realOf(hex));
    const Quantised result = quantise(x, vector["B"].get<double>(), vector["b"].get<int>());
    EXPECT_EQ(result.q, vector["q"].get<std::vector<double>>()) << vector["name"];
    EXPECT_EQ(result.squared, integerOf(vector["norm2"])) << vector["name"];
  }
}

// Rows likely to be quantised to more than the unit length, and rows of every size.
std::vector<double> hostileRow(UnsafeTestRandom& random, double row_norm) {
  const std::size_t d = random.below(50) == 0 ? 1000 : 1 + random.below(24);
  std::vector<double> x(d);
  for (double& v : x) v = random.symmetric();
  const auto scale_to = [&](double length) {
    const double factor = length / std::max(lengthOf(x), 1e-300);
    for (double& v : x) v *= factor;
  };
  switch (random.below(9)) {
    case 0: scale_to(row_norm * random.uniform()); break;
    case 1: scale_to(row_norm * (1 + 1e-9 * random.symmetric())); break;
    case 2: scale_to(row_norm * 3); break;
    case 3:
      for (double& v : x) v *= 1e300;
      break;
    case 4:
      for (double& v : x) v *= 0x1p-1060;
      break;
    case 5: x[random.below(d)] = row_norm * (1 + 0x1p-52 * double(random.below(3))); break;
    case 6: std::fill(x.begin(), x.end(), row_norm / std::sqrt(double(d))); break;
    case 7:  // exactly between two grid points
      for (double& v : x) v = (std::floor(v * 100) + 0.5) * 0x1p-22 * row_norm;
      break;
    default:
      x[random.below(d)] = random.below(2) ? std::numeric_limits<double>::quiet_NaN()
                                           : -std::numeric_limits<double>::infinity();
  }
  return x;
}

TEST(RowQuantiser, NeverReturnsARowLongerThanTheUnit) {
  UnsafeTestRandom random(30);
  const double norms[] = {1, std::sqrt(7.0), 3.3, 1e-300, 1e300, 0x1p-1070};
  const std::uint64_t rows = repetitions(1'500'000, 150'000);
  for (std::uint64_t i = 0; i < rows; ++i) {
    const double row_norm = norms[random.below(random.below(4) ? 3 : 6)];
    const int bits = kBits[random.below(5)];
    const Quantised result = quantise(hostileRow(random, row_norm), row_norm, bits);
    ASSERT_TRUE(squaredLength(result.q) == result.squared) << "row " << i;
    ASSERT_LE(result.squared, std::uint64_t{1} << (2 * bits)) << "row " << i;
    for (const double v : result.q) ASSERT_EQ(v, std::floor(v)) << "row " << i;
  }
}

TEST(RowQuantiser, ChangesACellOfAShortEnoughRowByAtMostHalfAGridStep) {
  UnsafeTestRandom random(31);
  for (const int bits : kBits) {
    const double scale = std::ldexp(1.0, bits);
    for (int i = 0; i < 20'000; ++i) {
      std::vector<double> x(1 + random.below(24));
      for (double& v : x) v = random.symmetric();
      const double shrink = 0.99 * random.uniform() * (1 - 5 / scale) / lengthOf(x) - 3 / scale;
      for (double& v : x) v *= std::max(0.0, shrink) * 2.5;
      const Quantised result = quantise(x, 2.5, bits);
      for (std::size_t c = 0; c < x.size(); ++c) {
        ASSERT_LE(std::fabs(result.q[c] - x[c] / 2.5 * scale), 0.5 + 1e-9);
      }
    }
  }
}

TEST(RowQuantiser, KeepsTheDirectionOfALongRowAndNearlyTheUnitLength) {
  UnsafeTestRandom random(32);
  for (const int bits : kBits) {
    const double scale = std::ldexp(1.0, bits);
    for (int i = 0; i < 5'000; ++i) {
      std::vector<double> x(1 + random.below(24));
      for (double& v : x) v = 10 * random.symmetric();
      const double length = lengthOf(x), room = std::sqrt(double(x.size()));
      if (length < 1) continue;
      const Quantised result = quantise(x, 1, bits);
      for (std::size_t c = 0; c < x.size(); ++c) {
        ASSERT_NEAR(result.q[c] / scale, x[c] / length, (2 + room) / scale);
      }
      ASSERT_GE(std::sqrt(double(result.squared)), scale - 3 * room);
    }
  }
}

TEST(RowQuantiser, IsAFunctionOfTheRowAloneWhereverItLiesInMemory) {
  // A vectorised sum may round differently at another address; then one row more or less would
  // change the clipping of its neighbours.
  UnsafeTestRandom random(33);
  std::vector<double> from(1040), to(1040);
  for (int i = 0; i < 4'000; ++i) {
    const std::vector<double> x = hostileRow(random, 1);
    const Quantised expected = quantise(x, 1, 22);
    for (std::size_t offset = 0; offset < 9; ++offset) {
      std::copy(x.begin(), x.end(), from.begin() + std::ptrdiff_t(offset));
      const std::span<double> target(to.data() + (8 - offset), x.size());
      const std::uint64_t squared =
          quantiseRow(std::span<const double>(from.data() + offset, x.size()), 1, 22, target);
      ASSERT_EQ(squared, expected.squared);
      ASSERT_TRUE(std::equal(target.begin(), target.end(), expected.q.begin()));
    }
  }
}

TEST(RowQuantiser, CountsTheSquaredLengthExactlyBeyondWhatADoubleHolds) {
  // Odd squares next to 2^48: from 33 of them on, a sum in doubles would lose the last bit.
  const std::uint64_t cell = (std::uint64_t{1} << 24) - 1;
  for (const std::size_t size : {31, 63, 64, 65, 66, 129, 1000}) {
    const std::vector<double> x(size, double(cell) * 0x1p-24);
    std::vector<double> q(size);
    EXPECT_EQ(roundRow(x, 1, 0x1p24, q), size * cell * cell) << size;
    EXPECT_EQ(q, std::vector<double>(size, double(cell)));
  }
}

// Sixteen tiles of four columns are summed at a time.
TEST(ScaleTiles, ScalesARowInTilesAsScaleToSphereScalesARow) {
  constexpr int kBits = 22;
  UnsafeTestRandom random(76);
  for (const std::size_t width : {1, 3, 4, 7, 63, 64, 65, 200}) {
    const std::size_t tiles = tileCount(width);
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> row(width), panel(tiles * kTileStride, 0.0);
      std::vector<double> scaled(panel.size(), -1);
      std::uint64_t length = 0;
      const double most = std::ldexp(2 * random.uniform(), kBits);
      for (std::size_t j = 0; j < width; ++j) {
        row[j] = std::nearbyint(most * random.symmetric());
        panel[panelIndex(j, 5)] = row[j];
        length += std::uint64_t(row[j] * row[j]);
      }
      if (length == 0) continue;
      const std::size_t at = panelIndex(0, 5);
      const std::uint64_t found =
          scaleTiles(&panel[at], tiles, kTileStride, length, kBits, &scaled[at]);
      EXPECT_EQ(found, scaleToSphere(row, length, kBits)) << width;
      for (std::size_t j = 0; j < 4 * tiles; ++j) {
        EXPECT_EQ(scaled[panelIndex(j, 5)], j < width ? row[j] : 0) << width;
        EXPECT_EQ(scaled[panelIndex(j, 4)], -1) << "another row";
      }
    }
  }
}

TEST(RowQuantiser, MakesTheWholeRowZeroIfOneCellIsNotANumberOrInfinite) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    for (std::size_t at = 0; at < 3; ++at) {
      std::vector<double> x = {0.5, -0.25, 0.125};
      x[at] = bad;
      const Quantised result = quantise(x, 1, 22);
      EXPECT_EQ(result.q, (std::vector<double>{0, 0, 0}));
      EXPECT_EQ(result.squared, 0u);
    }
  }
}

}  // namespace quantiser_test
}  // namespace pm
