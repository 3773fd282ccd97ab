#include "core/moments/gram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/moments/limits.hpp"
#include "core/moments/quantiser.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace gram_test {

using namespace testing_support;

using IntegerRows = std::vector<std::vector<std::int64_t>>;

std::uint64_t squaredLength(const std::vector<std::int64_t>& q) {
  std::uint64_t sum = 0;
  for (const std::int64_t v : q) sum += std::uint64_t(v * v);
  return sum;
}

void addRow(ExactGram& gram, const std::vector<std::int64_t>& q) {
  gram.add(std::vector<double>(q.begin(), q.end()), squaredLength(q));
}

std::vector<Int128> totalsOf(const IntegerRows& rows, int features, int bits) {
  ExactGram gram(features, bits);
  for (const auto& q : rows) addRow(gram, q);
  auto totals = gram.totals();
  return totals.ok() ? totals.value() : std::vector<Int128>{};
}

// The sums by the obvious triple loop.
std::vector<Int128> obviousTotals(const IntegerRows& rows, int features, int bits) {
  std::vector<Int128> packed;
  for (int i = 0; i <= features; ++i) {
    for (int j = i; j <= features; ++j) {
      Int128 sum = 0;
      for (const auto& q : rows) {
        const std::int64_t constant = std::int64_t(constantCoordinate(bits));
        const std::int64_t left = i == 0 ? constant : q[std::size_t(i - 1)];
        const std::int64_t right = j == 0 ? constant : q[std::size_t(j - 1)];
        sum += Int128(left) * right;
      }
      packed.push_back(sum);
    }
  }
  return packed;
}

// Integer rows within the ball of radius 2^bits.
IntegerRows integerRows(std::size_t count, int features, int bits, UnsafeTestRandom& random) {
  IntegerRows rows(count, std::vector<std::int64_t>(std::size_t(features)));
  const std::uint64_t reach = std::uint64_t(std::ldexp(1.0, bits) / std::sqrt(double(features)));
  for (auto& q : rows) {
    for (std::int64_t& v : q) {
      v = std::int64_t(random.below(2 * reach + 1)) - std::int64_t(reach);
    }
  }
  return rows;
}

TEST(ExactGram, EqualsTheObviousTripleLoopForEveryShapeOfTileAndPanel) {
  UnsafeTestRandom random(40);
  for (const int bits : {kMinBits, 20, 22, kMaxBits}) {
    for (const int features : {1, 2, 3, 4, 5, 7, 8, 13, 21}) {
      for (const std::size_t count : {1, 2, 31, 32, 33, 127, 128, 129, 511, 512, 513, 1100}) {
        const IntegerRows rows = integerRows(count, features, bits, random);
        ASSERT_TRUE(totalsOf(rows, features, bits) == obviousTotals(rows, features, bits))
            << bits << " bits, " << features << " features, " << count << " rows";
      }
    }
  }
}

TEST(ExactGram, IsExactUpToTheLargestExactDoubleInEveryPartialSum) {
  // Equal rows of nearly the largest length. Their squares are odd, so one row too many before a
  // flush would lose the last bit.
  for (const int bits : {20, 22, kMaxBits}) {
    const std::int64_t most = (std::int64_t{1} << bits) - 1;
    const IntegerRows rows(20'001, std::vector<std::int64_t>{most, 0, 0});
    EXPECT_TRUE(totalsOf(rows, 3, bits) == obviousTotals(rows, 3, bits)) << bits;
    const IntegerRows negative(20'001, std::vector<std::int64_t>{0, -most});
    EXPECT_TRUE(totalsOf(negative, 2, bits) == obviousTotals(negative, 2, bits)) << bits;
  }
}

TEST(ExactGram, DoesNotDependOnTheOrderOfTheRows) {
  UnsafeTestRandom random(41);
  IntegerRows rows = integerRows(1500, 6, 22, random);
  const std::vector<Int128> expected = totalsOf(rows, 6, 22);
  std::reverse(rows.begin(), rows.end());
  EXPECT_TRUE(totalsOf(rows, 6, 22) == expected);
  for (std::size_t i = rows.size() - 1; i > 0; --i) {
    std::swap(rows[i], rows[random.below(i + 1)]);
  }
  EXPECT_TRUE(totalsOf(rows, 6, 22) == expected);
}

TEST(ExactGram, GivesTotalsBetweenRows) {
  UnsafeTestRandom random(42);
  const IntegerRows rows = integerRows(700, 5, 22, random);
  ExactGram gram(5, 22);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    addRow(gram, rows[i]);
    if (i % 97 == 0) {
      ASSERT_TRUE(gram.totals().ok());
    }
  }
  EXPECT_EQ(gram.rows(), 700u);
  EXPECT_TRUE(gram.totals().value() == obviousTotals(rows, 5, 22));
}

TEST(ExactGram, RejectsTotalsWhoseTraceDiffersFromTheSumOfSquaredLengths) {
  UnsafeTestRandom random(43);
  const IntegerRows rows = integerRows(300, 3, 22, random);
  for (const int lie : {-1, 1, 1000}) {
    ExactGram gram(3, 22);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint64_t length = squaredLength(rows[i]);
      gram.add(std::vector<double>(rows[i].begin(), rows[i].end()),
               i == 150 ? length + std::uint64_t(std::int64_t(lie)) : length);
    }
    const auto totals = gram.totals();
    ASSERT_FALSE(totals.ok());
    EXPECT_EQ(totals.error().code, Code::kIntegrity);
  }
  // A damaged row: one cell is off by one.
  ExactGram gram(3, 22);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<double> q(rows[i].begin(), rows[i].end());
    if (i == 7) q[1] += 1;
    gram.add(q, squaredLength(rows[i]));
  }
  EXPECT_FALSE(gram.totals().ok());
}

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t state) : state_(state) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

// Digest of the feature block: the packed entries after the row of the constant.
std::uint64_t digestOf(const std::vector<Int128>& totals, std::size_t features) {
  StreamDigest digest;
  for (std::size_t i = features + 1; i < totals.size(); ++i) {
    digest.add(std::uint64_t(totals[i]));
    digest.add(std::uint64_t(Uint128(totals[i]) >> 64));
  }
  return digest.value();
}

TEST(ExactGram, HasTheReferenceDigestForRowsInBothOrders) {
  const auto vectors = readVectors("noise.json")["accumulator_digests"];
  ASSERT_EQ(vectors.size(), 3u);
  for (const auto& vector : vectors) {
    const std::size_t n = vector["N"].get<std::size_t>(), d = vector["D"].get<std::size_t>();
    SplitMix64 generator(7);
    const double size = std::sqrt(2.7 / double(d));
    std::vector<double> x(n * d);
    for (double& v : x) {
      v = (double(std::int64_t(generator.next() >> 11)) * 0x1p-52 - 1.0) * size;
    }
    for (const bool backwards : {false, true}) {
      if (backwards && kSlowBuild && d == 1000) continue;  // the same loop for a sixth time
      ExactGram gram(int(d), 22);
      std::vector<double> q(d);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = backwards ? n - 1 - i : i;
        const std::uint64_t squared =
            quantiseRow(std::span<const double>(x.data() + row * d, d), 1, 22, q);
        gram.add(q, squared);
      }
      const auto totals = gram.totals();
      ASSERT_TRUE(totals.ok());
      EXPECT_EQ(digestOf(totals.value(), d), integerOf(vector["fnv64"])) << n << " x " << d;
    }
  }
}

// Rows on which a floating-point sum changes by more than one row: 2^k ones (or one fewer), then
// 2^k rows so small that each is rounded up to twice its size if added to 2^k or more, and is added
// exactly otherwise.
std::vector<double> roundingRows(int k, bool with_the_row) {
  const std::size_t count = std::size_t{1} << k;
  std::vector<double> rows(with_the_row ? count : count - 1, 1.0);
  rows.insert(rows.end(), count, std::nextafter(std::sqrt(std::ldexp(1.0, k - 53)), 1.0));
  return rows;
}

TEST(ExactGram, ChangesByExactlyOneRowOnDataWhereAFloatingPointSumChangesByMore) {
  const auto reference = readVectors("noise.json")["float_sum_attack"];
  for (const int k : {16, kSlowBuild ? 18 : 20}) {
    Int128 totals[2];
    double floats[2];
    for (const bool with_the_row : {false, true}) {
      ExactGram gram(1, 22);
      double q[1], sum = 0;
      for (const double z : roundingRows(k, with_the_row)) {
        sum += z * z;
        const std::uint64_t squared = quantiseRow(std::span<const double>(&z, 1), 1, 22, q);
        gram.add(q, squared);
      }
      totals[with_the_row] = gram.totals().value()[2];
      floats[with_the_row] = sum;
    }
    EXPECT_TRUE(totals[true] - totals[false] == Int128(1) << 44) << "k = " << k;
    const auto& expected = reference["C(X)-C(X')"];
    if (expected.contains(std::to_string(k))) {
      EXPECT_NEAR(floats[true] - floats[false], realOf(expected[std::to_string(k)]), 1e-10);
      EXPECT_GT(floats[true] - floats[false], 1.0);
    }
  }
}

TEST(ConstantCoordinate, IsTheSameFractionOfTheUnitOnEveryGridAndItsSquareNearlyHalf) {
  const double share = std::ldexp(double(constantCoordinate(kMaxBits)), -kMaxBits);
  EXPECT_NEAR(share * share, 0.5, 3e-5);
  EXPECT_LE(share, 1) << "the sensitivity under replace-one assumes a <= 1";
  for (int bits = kMinBits; bits <= kMaxBits; ++bits) {
    const std::uint64_t a = constantCoordinate(bits);
    EXPECT_EQ(std::ldexp(double(a), -bits), share) << bits;
    EXPECT_EQ(augmentedNormSquared(bits), (std::uint64_t{1} << (2 * bits)) + a * a);
  }
}

}  // namespace gram_test
}  // namespace pm
