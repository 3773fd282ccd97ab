#include "core/matrix/multiply.hpp"

#include <algorithm>
#include <memory>

#include "core/pair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kTile = 4;

/// Steps of the sum per pass: a tile of either factor is then 8 kB, and both fit the first-level
/// cache.
constexpr Index kDepth = 256;

/// A factor as the kernel reads it: entry (i, k) of the left factor is at data[line * i + step *
/// k], and entry (k, j) of the right one at data[line * j + step * k].
struct Factor {
  const double* data;
  Index line;
  Index step;
  Index lines;
};

Index tilesOf(Index lines) { return (lines + kTile - 1) / kTile; }

/// Packs steps first .. first + depth of all lines tile by tile, step by step, padded with zeros.
void pack(const Factor& factor, Index first, Index depth, double* out) {
  for (Index line = 0; line < factor.lines; line += kTile) {
    const Index width = std::min(kTile, factor.lines - line);
    const double* from = factor.data + line * factor.line + first * factor.step;
    if (width == kTile && factor.line == 1) {
      // Two copies per step: entry by entry, packing took a third of the time of a small product.
      for (Index k = 0; k < depth; ++k, from += factor.step, out += kTile) {
        storePair(out, loadPair(from));
        storePair(out + 2, loadPair(from + 2));
      }
      continue;
    }
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
    const Pair r0 = broadcast(right[0]);
    s00 += l0 * r0, s01 += l1 * r0;
    const Pair r1 = broadcast(right[1]);
    s10 += l0 * r1, s11 += l1 * r1;
    const Pair r2 = broadcast(right[2]);
    s20 += l0 * r2, s21 += l1 * r2;
    const Pair r3 = broadcast(right[3]);
    s30 += l0 * r3, s31 += l1 * r3;
  }
  const Pair sums[8] = {s00, s01, s10, s11, s20, s21, s30, s31};
  for (int i = 0; i < 8; ++i) storePair(block + 2 * i, sums[i]);
}

/// Parts of a product that need not be computed: blocks above the diagonal of the result, and steps
/// where a factor is zero, for the tile of rows from i and columns from j.
struct Skip {
  bool upper_result = false;
  bool lower_left = false;   ///< the left factor is lower triangular: steps after i
  bool lower_right = false;  ///< the right one is: steps before j
  bool upper_right = false;  ///< the right one is upper triangular: steps after j
};

MatrixXd product(const Factor& left, const Factor& right, Index depth, Skip skip) {
  MatrixXd result = zeros(left.lines, right.lines);
  const Index most = std::min(depth, kDepth);
  // Not zeroed, as packing fills the whole buffer.
  const auto room = [most](const Factor& factor) {
    return std::unique_ptr<double[]>(
        new double[static_cast<std::size_t>(tilesOf(factor.lines) * kTile * most)]);
  };
  // For a matrix times its own transpose, pack once.
  const bool same = left.data == right.data && left.line == right.line;
  const std::unique_ptr<double[]> lefts = room(left);
  const std::unique_ptr<double[]> others = same ? nullptr : room(right);
  const double* rights = same ? lefts.get() : others.get();
  double block[kTile * kTile];
  for (Index first = 0; first < depth; first += kDepth) {
    const Index steps = std::min(kDepth, depth - first);
    pack(left, first, steps, lefts.get());
    if (!same) pack(right, first, steps, others.get());
    for (Index j = 0; j < right.lines; j += kTile) {
      const Index columns = std::min(kTile, right.lines - j);
      for (Index i = skip.upper_result ? j : 0; i < left.lines; i += kTile) {
        const Index rows = std::min(kTile, left.lines - i);
        const Index begin = skip.lower_right ? std::clamp<Index>(j - first, 0, steps) : 0;
        Index end = steps;
        if (skip.lower_left) end = std::min(end, i + kTile - first);
        if (skip.upper_right) end = std::min(end, j + kTile - first);
        if (end <= begin) continue;
        multiplyTiles(lefts.get() + i * steps + begin * kTile, rights + j * steps + begin * kTile,
                      end - begin, block);
        for (Index c = 0; c < columns; ++c) {
          double* out = &result(i, j + c);
          for (Index r = 0; r < rows; ++r) out[r] += block[kTile * c + r];
        }
      }
    }
  }
  return result;
}

void mirrorLower(MatrixXd& matrix) {
  for (Index j = 0; j < matrix.cols(); ++j) {
    for (Index i = 0; i < j; ++i) matrix(i, j) = matrix(j, i);
  }
}

Factor byRows(const MatrixXd& a) { return {a.data(), 1, a.rows(), a.rows()}; }

Factor byColumns(const MatrixXd& a) { return {a.data(), a.rows(), 1, a.cols()}; }

}  // namespace

MatrixXd zeros(Index rows, Index columns) {
  MatrixXd result(rows, columns);
  std::fill_n(result.data(), result.size(), 0.0);
  return result;
}

MatrixXd transposed(const MatrixXd& a) {
  const Index rows = a.rows(), columns = a.cols();
  MatrixXd result(columns, rows);
  for (Index i = 0; i < rows; ++i) {
    double* out = result.data() + i * columns;
    // Indexed from the start, as a matrix without columns has no data to point into.
    for (Index j = 0; j < columns; ++j) out[j] = a.data()[i + j * rows];
  }
  return result;
}

MatrixXd multiply(const MatrixXd& a, const MatrixXd& b) {
  return product(byRows(a), byColumns(b), a.cols(), {});
}

MatrixXd multiplyTransposed(const MatrixXd& a, const MatrixXd& b) {
  return product(byColumns(a), byColumns(b), a.rows(), {});
}

MatrixXd multiplyLowers(const MatrixXd& a, const MatrixXd& b) {
  return product(byRows(a), byColumns(b), a.cols(),
                 {.upper_result = true, .lower_left = true, .lower_right = true});
}

MatrixXd multiplyByTranspose(const MatrixXd& a) {
  MatrixXd result = product(byRows(a), byRows(a), a.cols(), {.upper_result = true});
  mirrorLower(result);
  return result;
}

MatrixXd multiplyLowerByTranspose(const MatrixXd& a) {
  MatrixXd result =
      product(byRows(a), byRows(a), a.cols(), {.upper_result = true, .upper_right = true});
  mirrorLower(result);
  return result;
}

}  // namespace pm
