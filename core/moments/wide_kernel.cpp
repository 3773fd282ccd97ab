#include "core/moments/wide_kernel.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include <algorithm>
#include <array>

#include "core/moments/gram_kernel.hpp"

// Compiled for processors that the rest of the library does not require.
#define PM_AVX2 __attribute__((target("avx2,fma")))
#define PM_AVX512 __attribute__((target("avx512f")))

namespace pm {
namespace {

constexpr std::size_t kBlock = kTile * kTile;

// Adds `kBlocks` adjacent blocks of one row of blocks, a row of the panel at a time: of the 16
// registers, 4 kBlocks hold sums, and each row takes kBlocks + 4 loads for 4 kBlocks
// multiplications.
template <int kBlocks>
PM_AVX2 void addBlocks256(const double* left, const double* right, std::size_t rows,
                          double* blocks) {
  __m256d sums[kBlocks][kTile];
#pragma GCC unroll 8
  for (int n = 0; n < kBlocks; ++n) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kTile; ++i) sums[n][i] = _mm256_setzero_pd();
  }
  const double* const end = left + rows * kTile;
  for (; left != end; left += kTile, right += kTile) {
    __m256d r[kBlocks];
#pragma GCC unroll 8
    for (int n = 0; n < kBlocks; ++n) r[n] = _mm256_loadu_pd(right + n * kTileStride);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kTile; ++i) {
      const __m256d l = _mm256_broadcast_sd(left + i);
#pragma GCC unroll 8
      for (int n = 0; n < kBlocks; ++n) sums[n][i] = _mm256_fmadd_pd(l, r[n], sums[n][i]);
    }
  }
#pragma GCC unroll 8
  for (int n = 0; n < kBlocks; ++n) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kTile; ++i, blocks += kTile) {
      _mm256_storeu_pd(blocks, _mm256_add_pd(_mm256_loadu_pd(blocks), sums[n][i]));
    }
  }
}

PM_AVX2 void addColumns(const double* tile, std::size_t rows, double* linear) {
  __m256d sum = _mm256_loadu_pd(linear);
  for (std::size_t r = 0; r < rows; ++r)
    sum = _mm256_add_pd(sum, _mm256_loadu_pd(tile + r * kTile));
  _mm256_storeu_pd(linear, sum);
}

// One step of the sums of `kBlocks` adjacent blocks: two rows of the panel, one in each half of a
// register.
template <int kBlocks>
PM_AVX512 inline void addRows(__m512d left, const double* right, __m512d (&sums)[kBlocks][kTile]) {
  // Its column 0 in each half, then column 1 and so on.
  const __m512d l[kTile] = {
      _mm512_maskz_permutex_pd(0xFF, left, 0x00), _mm512_maskz_permutex_pd(0xFF, left, 0x55),
      _mm512_maskz_permutex_pd(0xFF, left, 0xAA), _mm512_maskz_permutex_pd(0xFF, left, 0xFF)};
#pragma GCC unroll 8
  for (int n = 0; n < kBlocks; ++n) {
    const __m512d r = _mm512_loadu_pd(right + n * kTileStride);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kTile; ++i) sums[n][i] = _mm512_fmadd_pd(l[i], r, sums[n][i]);
  }
}

template <int kBlocks>
PM_AVX512 void addBlocks512(const double* left, const double* right, std::size_t rows,
                            double* blocks) {
  __m512d sums[kBlocks][kTile];
#pragma GCC unroll 8
  for (int n = 0; n < kBlocks; ++n) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kTile; ++i) sums[n][i] = _mm512_setzero_pd();
  }
  const double* const end = left + (rows & ~std::size_t{1}) * kTile;
  for (; left != end; left += 2 * kTile, right += 2 * kTile) {
    addRows<kBlocks>(_mm512_loadu_pd(left), right, sums);
  }
  // The row after the last one counts as zero.
  if (rows % 2 != 0) addRows<kBlocks>(_mm512_maskz_loadu_pd(0x0F, left), right, sums);
#pragma GCC unroll 8
  for (int n = 0; n < kBlocks; ++n) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kTile; ++i, blocks += kTile) {
      const __m256d sum = _mm256_add_pd(_mm512_maskz_extractf64x4_pd(0x0F, sums[n][i], 0),
                                        _mm512_maskz_extractf64x4_pd(0x0F, sums[n][i], 1));
      _mm256_storeu_pd(blocks, _mm256_add_pd(_mm256_loadu_pd(blocks), sum));
    }
  }
}

using AddBlocks = void (*)(const double* left, const double* right, std::size_t rows,
                           double* blocks);

// `add[n - 1]` adds n blocks. The tiles of a group stay in the first-level cache while all tiles
// before them stream past.
template <std::size_t kGroup>
void addPanel(const std::array<AddBlocks, kGroup>& add, const double* panel, std::size_t tiles,
              std::size_t rows, double* blocks, double* linear) {
  for (std::size_t first = 0; first < tiles; first += kGroup) {
    const std::size_t end = std::min(first + kGroup, tiles);
    for (std::size_t i = 0; i < end; ++i) {
      const std::size_t j = std::max(i, first);
      add[end - j - 1](panel + i * kTileStride, panel + j * kTileStride, rows,
                       blocks + blockIndex(i, j, tiles) * kBlock);
    }
  }
  for (std::size_t i = 0; i < tiles; ++i) {
    addColumns(panel + i * kTileStride, rows, linear + i * kTile);
  }
}

void addGramPanelAvx2(const double* panel, std::size_t tiles, std::size_t rows, double* blocks,
                      double* linear) {
  static constexpr std::array<AddBlocks, 3> kAdd = {addBlocks256<1>, addBlocks256<2>,
                                                    addBlocks256<3>};
  addPanel(kAdd, panel, tiles, rows, blocks, linear);
}

void addGramPanelAvx512(const double* panel, std::size_t tiles, std::size_t rows, double* blocks,
                        double* linear) {
  static constexpr std::array<AddBlocks, 4> kAdd = {addBlocks512<1>, addBlocks512<2>,
                                                    addBlocks512<3>, addBlocks512<4>};
  addPanel(kAdd, panel, tiles, rows, blocks, linear);
}

}  // namespace

std::span<const GramKernel> wideKernels() {
  static constexpr GramKernel kKernels[] = {addGramPanelAvx512, addGramPanelAvx2};
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  static const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f");
  return std::span(kKernels).subspan(has_avx512 ? 0 : has_avx2 ? 1 : 2);
}

}  // namespace pm

#else

namespace pm {

std::span<const GramKernel> wideKernels() { return {}; }

}  // namespace pm

#endif
