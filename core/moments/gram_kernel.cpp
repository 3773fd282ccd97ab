#include "core/moments/gram_kernel.hpp"

namespace pm {
namespace {

// Two doubles: f64x2 in WebAssembly with SIMD, SSE2 or NEON natively, two scalars elsewhere. Eigen
// has no WebAssembly packets; this is all the kernel needs, and intrinsics measured the same.
typedef double Pair __attribute__((vector_size(16)));
inline Pair load(const double* p) { return *reinterpret_cast<const Pair*>(p); }
inline Pair loadBoth(const double* p) { return Pair{*p, *p}; }
inline void store(double* p, Pair a) { *reinterpret_cast<Pair*>(p) = a; }

// One 4 x 4 block: eight pairs of sums stay in registers over all rows.
inline void addBlock(const double* left, const double* right, std::size_t rows, double* block) {
  Pair s00{}, s01{}, s10{}, s11{}, s20{}, s21{}, s30{}, s31{};
  const double* const end = left + rows * kTile;
  for (; left != end; left += kTile, right += kTile) {
    const Pair r0 = load(right), r1 = load(right + 2);
    const Pair l0 = loadBoth(left);
    s00 += l0 * r0, s01 += l0 * r1;
    const Pair l1 = loadBoth(left + 1);
    s10 += l1 * r0, s11 += l1 * r1;
    const Pair l2 = loadBoth(left + 2);
    s20 += l2 * r0, s21 += l2 * r1;
    const Pair l3 = loadBoth(left + 3);
    s30 += l3 * r0, s31 += l3 * r1;
  }
  const Pair sums[8] = {s00, s01, s10, s11, s20, s21, s30, s31};
  for (int i = 0; i < 8; ++i) store(block + 2 * i, load(block + 2 * i) + sums[i]);
}

}  // namespace

void addGramPanel(const double* panel, std::size_t tiles, std::size_t rows, double* blocks) {
  const std::size_t tile_size = kPanelRows * kTile;
  for (std::size_t i = 0; i < tiles; ++i) {
    for (std::size_t j = i; j < tiles; ++j, blocks += kTile * kTile) {
      addBlock(panel + i * tile_size, panel + j * tile_size, rows, blocks);
    }
  }
}

}  // namespace pm
