#include "core/moments/gram_kernel.hpp"

#include <algorithm>

#include "core/moments/wide_kernel.hpp"
#include "core/pair.hpp"

// An unrolled loop needs more registers than there are: 18 instead of 28 GFLOP/s in WebAssembly.
#ifdef __clang__
#define PM_KEEP_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define PM_KEEP_ROLLED
#endif

namespace pm {
namespace {

// Tiles that stay in the first-level cache while all tiles before them stream past.
constexpr std::size_t kGroup = 4;

inline Pair load(const double* p) { return *reinterpret_cast<const Pair*>(p); }
inline void addTo(double* p, Pair a) { *reinterpret_cast<Pair*>(p) += a; }

// Adds one 4 x 4 block: eight pairs of sums stay in registers over all rows.
inline void addBlock(const double* left, const double* right, std::size_t rows, double* block) {
  Pair s00{}, s01{}, s10{}, s11{}, s20{}, s21{}, s30{}, s31{};
  const double* const end = left + rows * kTile;
  PM_KEEP_ROLLED
  for (; left != end; left += kTile, right += kTile) {
    const Pair r0 = load(right), r1 = load(right + 2);
    const Pair l0 = broadcast(left[0]);
    s00 += l0 * r0, s01 += l0 * r1;
    const Pair l1 = broadcast(left[1]);
    s10 += l1 * r0, s11 += l1 * r1;
    const Pair l2 = broadcast(left[2]);
    s20 += l2 * r0, s21 += l2 * r1;
    const Pair l3 = broadcast(left[3]);
    s30 += l3 * r0, s31 += l3 * r1;
  }
  addTo(block, s00), addTo(block + 2, s01);
  addTo(block + 4, s10), addTo(block + 6, s11);
  addTo(block + 8, s20), addTo(block + 10, s21);
  addTo(block + 12, s30), addTo(block + 14, s31);
}

// Adds a block on the diagonal, without the two pairs below it; the column sums use the adders that
// they leave free, which are the bottleneck of the kernel.
inline void addDiagonalBlock(const double* tile, std::size_t rows, double* block, double* linear) {
  Pair s00{}, s01{}, s10{}, s11{}, s21{}, s31{}, t0{}, t1{};
  const double* const end = tile + rows * kTile;
  PM_KEEP_ROLLED
  for (; tile != end; tile += kTile) {
    const Pair r0 = load(tile), r1 = load(tile + 2);
    const Pair l0 = broadcast(tile[0]);
    s00 += l0 * r0, s01 += l0 * r1;
    const Pair l1 = broadcast(tile[1]);
    s10 += l1 * r0, s11 += l1 * r1;
    s21 += broadcast(tile[2]) * r1;
    s31 += broadcast(tile[3]) * r1;
    t0 += r0, t1 += r1;
  }
  addTo(block, s00), addTo(block + 2, s01);
  addTo(block + 4, s10), addTo(block + 6, s11);
  addTo(block + 10, s21), addTo(block + 14, s31);
  addTo(linear, t0), addTo(linear + 2, t1);
}

}  // namespace

void addGramPanelInPairs(const double* panel, std::size_t tiles, std::size_t rows, double* blocks,
                         double* linear) {
  for (std::size_t first = 0; first < tiles; first += kGroup) {
    const std::size_t end = std::min(first + kGroup, tiles);
    for (std::size_t i = 0; i < end; ++i) {
      const double* const left = panel + i * kTileStride;
      double* block = blocks + blockIndex(i, std::max(i, first), tiles) * kTile * kTile;
      for (std::size_t j = std::max(i, first); j < end; ++j, block += kTile * kTile) {
        if (i == j) {
          addDiagonalBlock(left, rows, block, linear + i * kTile);
        } else {
          addBlock(left, panel + j * kTileStride, rows, block);
        }
      }
    }
  }
}

void addGramPanel(const double* panel, std::size_t tiles, std::size_t rows, double* blocks,
                  double* linear) {
  static const GramKernel kernel =
      wideKernels().empty() ? addGramPanelInPairs : wideKernels().front();
  kernel(panel, tiles, rows, blocks, linear);
}

}  // namespace pm
