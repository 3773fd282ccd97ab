// Rounded Wishart noise of given digits, compared with integers of Python and with a slow reference
// that reads 256 bits of every number at once.
#include "core/mechanisms/exact_wishart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/moments/limits.hpp"
#include "core/random/words.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace exact_wishart_test {

using namespace testing_support;

/// Normals of given digits, four words each.
class GivenNormals : public ExactNormals {
 public:
  static constexpr std::size_t kWords = 4;

  void append(bool is_negative, std::uint64_t cell, const std::vector<std::uint64_t>& words) {
    more_.push_back({first_.size(), {words.begin() + 1, words.end()}});
    cells_.push_back(std::uint32_t(2 * cell + (is_negative ? 1 : 0)));
    first_.push_back(words[0]);
  }
};

class GivenPanel final : public NormalPanels {
 public:
  GivenPanel(std::size_t rows, std::size_t columns, GivenNormals normals)
      : NormalPanels(rows, columns), normals_(std::move(normals)) {}
  const ExactNormals& panel(std::size_t) override { return normals_; }
  const GivenNormals& normals() const { return normals_; }

 private:
  GivenNormals normals_;
};

/// From integer and fraction to 32nds and a fraction of one.
GivenPanel panelOf(const nlohmann::json& matrix) {
  GivenNormals normals;
  for (const auto& row : matrix) {
    for (const auto& number : row) {
      std::vector<std::uint64_t> read, words;
      for (const auto& word : number["fraction"]) {
        read.push_back(std::stoull(word.get<std::string>(), nullptr, 16));
      }
      read.push_back(0);
      for (std::size_t d = 0; d + 1 < read.size(); ++d) {
        words.push_back(read[d] << kCellBits | read[d + 1] >> (64 - kCellBits));
      }
      const std::uint64_t cell = number["integer"].get<std::uint64_t>() << kCellBits;
      normals.append(number["sign"].get<int>() < 0, cell | read[0] >> (64 - kCellBits), words);
    }
  }
  return GivenPanel(matrix.size(), matrix[0].size(), std::move(normals));
}

TEST(ExactWishart, OfGivenDigitsHasTheIntegersOfPython) {
  const nlohmann::json cases = readVectors("exact_wishart.json")["cases"];
  ASSERT_GT(cases.size(), 3u);
  for (const auto& part : cases) {
    GivenPanel z = panelOf(part["Z"]), y = panelOf(part["Y"]);
    const auto n = part["n"].get<std::size_t>();
    std::vector<Int128> packed(packedSize(n));
    exactWishart(z, &y,
                 {std::stoull(part["scaleNumerator"].get<std::string>()),
                  part["scaleLog2Denominator"].get<int>()},
                 packed);
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j, ++at) {
        EXPECT_TRUE(packed[at] == signedOf(part["noise"][i][j])) << n << " " << i << " " << j;
      }
    }
  }
}

/// Digits of which many words but the last are 0, a half or all ones, so that bounds often straddle
/// a half.
GivenPanel drawn(std::size_t rows, std::size_t columns, Drbg& random) {
  GivenNormals normals;
  for (std::size_t i = 0; i < rows * columns; ++i) {
    std::vector<std::uint64_t> words;
    for (std::size_t d = 0; d < GivenNormals::kWords; ++d) {
      const std::uint64_t kind = d + 1 < GivenNormals::kWords ? random.next64() % 4 : 3;
      words.push_back(kind == 0   ? 0
                      : kind == 1 ? ~std::uint64_t{0}
                      : kind == 2 ? std::uint64_t{1} << 63
                                  : random.next64());
    }
    normals.append(random.next64() % 2 == 0, random.next64() % 64, words);
  }
  return GivenPanel(rows, columns, std::move(normals));
}

/// The nearest integers to scale (Z Z^T - Y Y^T) of all 256 bits.
std::vector<Int128> reference(const GivenPanel& z, const GivenPanel* y, DyadicScale scale) {
  constexpr std::size_t kWords = GivenNormals::kWords;
  const auto digits = [](const GivenPanel& panel, std::size_t i) {
    Words result(kWords + 1);
    for (std::size_t d = 0; d < kWords; ++d) {
      panel.normals().readWords(i, d, std::span(result).subspan(kWords - 1 - d, 1));
    }
    result[kWords] = panel.normals().cell(i);
    return result;
  };
  std::vector<Int128> packed;
  for (std::size_t i = 0; i < z.rows(); ++i) {
    for (std::size_t j = i; j < z.rows(); ++j) {
      Words sum(2 * kWords + 4, 0);
      for (const GivenPanel* side : {&z, y}) {
        if (side == nullptr) continue;
        for (std::size_t k = 0; k < z.columns(); ++k) {
          const std::size_t a = i * z.columns() + k, b = j * z.columns() + k;
          Words product(sum.size(), 0);
          addProduct(product, digits(*side, a), digits(*side, b));
          const bool is_negative = side->normals().isNegative(a) != side->normals().isNegative(b);
          is_negative == (side == y) ? add(sum, product) : subtract(sum, product);
        }
      }
      const int shift = scale.log2_denominator + 2 * (kCellBits + 64 * int(kWords));
      packed.push_back(nearestOfProduct(sum, scale.numerator, shift));
    }
  }
  return packed;
}

TEST(ExactWishart, AgreesWithAReferenceThatReadsAllDigitsAtOnce) {
  Drbg random(unsafeTestSeed(6001));
  std::size_t entries = 0, wide = 0, wider = 0;
  for (std::uint64_t run = 0; run < repetitions(10'000, 300); ++run) {
    const std::size_t n = 1 + random.next64() % 3, columns = 1 + random.next64() % 4;
    GivenPanel z = drawn(n, columns, random), y = drawn(n, columns, random);
    GivenPanel* side = random.next64() % 3 == 0 ? nullptr : &y;
    // Up to 2^98, where a step of the grid is far below the last digit of the first words.
    const DyadicScale scale{1 + (random.next64() >> 25), 38 - int(random.next64() % 98)};
    std::vector<Int128> packed(packedSize(n));
    const WishartDigits digits = exactWishart(z, side, scale, packed);
    ASSERT_TRUE(packed == reference(z, side, scale)) << run;
    entries += packed.size();
    wide += digits.by_first_words;
    wider += digits.by_more_words;
  }
  // Otherwise the ways to decide an entry would not all have been taken.
  EXPECT_GT(entries - wide, entries / 8);
  EXPECT_GT(wide - wider, entries / 64);
  EXPECT_GT(wider, entries / 16);
}

TEST(ExactWishart, OfManyPanelsIsThatOfTheSameNumbersInOne) {
  // 300 columns are three panels.
  Drbg random(unsafeTestSeed(6002));
  DrawnPanels z(6, 300, random), y(6, 300, random);
  GivenNormals one, other;
  for (auto [side, into] : {std::pair(&z, &one), std::pair(&y, &other)}) {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t p = 0; p < side->count(); ++p) {
        const ExactNormals& panel = side->panel(p);
        for (std::size_t k = 0; k < side->columnsOf(p); ++k) {
          const std::size_t at = i * side->columnsOf(p) + k;
          std::vector<std::uint64_t> words(GivenNormals::kWords);
          for (std::size_t d = 0; d < words.size(); ++d) {
            panel.readWords(at, d, std::span(words).subspan(d, 1));
          }
          into->append(panel.isNegative(at), panel.cell(at), words);
        }
      }
    }
  }
  const GivenPanel whole(6, 300, std::move(one)), whole_y(6, 300, std::move(other));
  for (const int log2 : {30, 0, -18}) {
    const DyadicScale scale{std::uint64_t{0xabcdef1234}, log2};
    std::vector<Int128> packed(packedSize(6));
    exactWishart(z, &y, scale, packed);
    EXPECT_TRUE(packed == reference(whole, &whole_y, scale)) << log2;
  }
}

TEST(ScaleAbove, IsTheLeastOfFortyBitsThatIsNotBelow) {
  Drbg random(unsafeTestSeed(6003));
  for (std::uint64_t run = 0; run < repetitions(10'000, 1000); ++run) {
    const std::uint64_t numerator = 1 + (random.next64() >> random.next64() % 64 >> 1);
    const double denominator =
        std::ldexp(1 + double(random.next64() >> 12) * 0x1p-52, int(random.next64() % 60) - 40);
    const DyadicScale scale = scaleAbove(numerator, denominator);
    ASSERT_GE(scale.numerator, 1u);
    ASSERT_LT(scale.numerator, std::uint64_t{1} << 40);
    ASSERT_LE(scale.log2_denominator, 48);
    const double exact = double(numerator) / denominator;
    EXPECT_GE(scale.value(), exact * (1 - 1e-15));
    EXPECT_LE(scale.value(), exact * (1 + 0x1p-39) + 0x1p-48);
  }
  EXPECT_EQ(scaleAbove(1, 1).value(), 1);
  EXPECT_EQ(scaleAbove(std::uint64_t{1} << 45, 1).value(), 0x1p45);
  EXPECT_EQ(scaleAbove(1, 1e300).value(), 0x1p-48);
}

}  // namespace exact_wishart_test
}  // namespace pm
