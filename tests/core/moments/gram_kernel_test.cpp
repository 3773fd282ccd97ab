#include "core/moments/gram_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/moments/wide_kernel.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace gram_kernel_test {

using namespace testing_support;

struct Sums {
  std::vector<double> blocks;
  std::vector<double> linear;
};

// Sums of two panels, the second added to the first.
Sums sumsBy(GramKernel kernel, const std::vector<double>& panel, std::size_t tiles,
            std::size_t rows) {
  Sums sums{std::vector<double>(tiles * (tiles + 1) / 2 * kTile * kTile),
            std::vector<double>(tiles * kTile)};
  for (int panels = 0; panels < 2; ++panels) {
    kernel(panel.data(), tiles, rows, sums.blocks.data(), sums.linear.data());
  }
  for (std::size_t i = 0; i < tiles; ++i) {
    double* const block = sums.blocks.data() + blockIndex(i, i, tiles) * kTile * kTile;
    for (std::size_t r = 0; r < kTile; ++r) std::fill(block + r * kTile, block + r * kTile + r, 0);
  }
  return sums;
}

// The same, one product after another: exact, as all are integers.
Sums plainSums(const std::vector<double>& panel, std::size_t tiles, std::size_t rows) {
  Sums sums{std::vector<double>(tiles * (tiles + 1) / 2 * kTile * kTile),
            std::vector<double>(tiles * kTile)};
  for (std::size_t i = 0; i < tiles * kTile; ++i) {
    for (std::size_t r = 0; r < rows; ++r) sums.linear[i] += 2 * panel[panelIndex(i, r)];
    for (std::size_t j = i; j < tiles * kTile; ++j) {
      double& sum =
          sums.blocks[(blockIndex(i / kTile, j / kTile, tiles) * kTile + i % kTile) * kTile +
                      j % kTile];
      for (std::size_t r = 0; r < rows; ++r) {
        sum += 2 * panel[panelIndex(i, r)] * panel[panelIndex(j, r)];
      }
    }
  }
  return sums;
}

TEST(GramKernels, GiveTheSameIntegersForEveryNumberOfTilesAndRows) {
  std::vector<GramKernel> kernels{addGramPanelInPairs};
  kernels.insert(kernels.end(), wideKernels().begin(), wideKernels().end());
  UnsafeTestRandom random(44);
  for (const std::size_t tiles : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13}) {
    std::vector<double> panel(tiles * kTileStride);
    // Products are at most 2^44, so that those of 256 rows stay within 2^53.
    for (double& cell : panel) cell = double(std::int64_t(random.below((2 << 22) + 1)) - (1 << 22));
    for (const std::size_t rows : {0, 1, 2, 3, 64, 127, 128}) {
      const Sums expected = plainSums(panel, tiles, rows);
      for (const GramKernel kernel : kernels) {
        const Sums sums = sumsBy(kernel, panel, tiles, rows);
        ASSERT_TRUE(sums.blocks == expected.blocks) << tiles << " tiles, " << rows << " rows";
        ASSERT_TRUE(sums.linear == expected.linear) << tiles << " tiles, " << rows << " rows";
      }
    }
  }
}

}  // namespace gram_kernel_test
}  // namespace pm
