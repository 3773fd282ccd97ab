#include "core/matrix/multiply.hpp"

#include <algorithm>
#include <vector>

#include "core/pair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kTile = 4;

/// Steps of the sum that are taken at a time: a tile of either factor is then 8 kB, and both fit
/// the first-level cache.
constexpr Index kDepth = 256;

/// A factor as the kernel reads it: entry (i, k) of the left one, (k, j) of the right one, is at
/// data[line * i + step * k], with i or j counting lines and k steps.
struct Factor {
  const double* data;
  Index line;
  Index step;
  Index lines;
};

Index tilesOf(Index lines) { return (lines + kTile - 1) / kTile; }

/// Steps first .. first + depth of all lines: tile by tile, step by step, padded with zeros.
void pack(const Factor& factor, Index first, Index depth, std::vector<double>& packed) {
  double* out = packed.data();
  for (Index line = 0; line < factor.lines; line += kTile) {
    const Index width = std::min(kTile, factor.lines - line);
    const double* from = factor.data + line * factor.line + first * factor.step;
    for (Index k = 0; k < depth; ++k, from += factor.step, out += kTile) {
      for (Index i = 0; i < kTile; ++i) out[i] = i < width ? from[i * factor.line] : 0;
    }
  }
}

/// The 4 x 4 product of two tiles, column by column: eight pairs of sums stay in registers.
void multiplyTiles(const double* left, const double* right, Index depth, double* block) {
  Pair s00{}, s01{}, s10{}, s11{}, s20{}, s21{}, s30{}, s31{};
  for (Index k = 0; k < depth; ++k, left += kTile, right += kTile) {
    const Pair l0 = loadPair(left), l1 = loadPair(left + 2);
    const Pair r0 = both(right[0]);
    s00 += l0 * r0, s01 += l1 * r0;
    const Pair r1 = both(right[1]);
    s10 += l0 * r1, s11 += l1 * r1;
    const Pair r2 = both(right[2]);
    s20 += l0 * r2, s21 += l1 * r2;
    const Pair r3 = both(right[3]);
    s30 += l0 * r3, s31 += l1 * r3;
  }
  const Pair sums[8] = {s00, s01, s10, s11, s20, s21, s30, s31};
  for (int i = 0; i < 8; ++i) storePair(block + 2 * i, sums[i]);
}

/// What of a product need not be computed.
enum class Skip {
  kNothing,
  kUpperResult,  ///< blocks above the diagonal of the result
  kUpperRight,   ///< zeros above the diagonal of the right factor
};

MatrixXd product(const Factor& left, const Factor& right, Index depth, Skip skip) {
  MatrixXd result = MatrixXd::Zero(left.lines, right.lines);
  const Index most = std::min(depth, kDepth);
  std::vector<double> lefts(static_cast<std::size_t>(tilesOf(left.lines) * kTile * most));
  std::vector<double> rights(static_cast<std::size_t>(tilesOf(right.lines) * kTile * most));
  double block[kTile * kTile];
  for (Index first = 0; first < depth; first += kDepth) {
    const Index steps = std::min(kDepth, depth - first);
    pack(left, first, steps, lefts);
    pack(right, first, steps, rights);
    for (Index j = 0; j < right.lines; j += kTile) {
      const Index columns = std::min(kTile, right.lines - j);
      const Index zeros = skip == Skip::kUpperRight ? std::clamp<Index>(j - first, 0, steps) : 0;
      for (Index i = skip == Skip::kUpperResult ? j : 0; i < left.lines; i += kTile) {
        const Index rows = std::min(kTile, left.lines - i);
        multiplyTiles(lefts.data() + i * steps + zeros * kTile,
                      rights.data() + j * steps + zeros * kTile, steps - zeros, block);
        for (Index c = 0; c < columns; ++c) {
          double* out = &result(i, j + c);
          for (Index r = 0; r < rows; ++r) out[r] += block[kTile * c + r];
        }
      }
    }
  }
  return result;
}

}  // namespace

MatrixXd multiply(const MatrixXd& a, const MatrixXd& b) {
  return product({a.data(), 1, a.rows(), a.rows()}, {b.data(), b.rows(), 1, b.cols()}, a.cols(),
                 Skip::kNothing);
}

MatrixXd multiplyTransposed(const MatrixXd& a, const MatrixXd& b) {
  return product({a.data(), a.rows(), 1, a.cols()}, {b.data(), b.rows(), 1, b.cols()}, a.rows(),
                 Skip::kNothing);
}

MatrixXd multiplyByLower(const MatrixXd& a, const MatrixXd& b) {
  return product({a.data(), 1, a.rows(), a.rows()}, {b.data(), b.rows(), 1, b.cols()}, a.cols(),
                 Skip::kUpperRight);
}

MatrixXd multiplyByTranspose(const MatrixXd& a) {
  const Factor factor{a.data(), 1, a.rows(), a.rows()};
  MatrixXd result = product(factor, factor, a.cols(), Skip::kUpperResult);
  for (Index j = 0; j < result.cols(); ++j) {
    for (Index i = 0; i < j; ++i) result(i, j) = result(j, i);
  }
  return result;
}

}  // namespace pm
