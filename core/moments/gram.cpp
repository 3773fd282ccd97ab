#include "core/moments/gram.hpp"

#include <algorithm>

#include "core/moments/gram_kernel.hpp"
#include "core/moments/limits.hpp"
#include "core/pair.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

template <class T>
void wipeVector(std::vector<T>& v) {
  wipe(v.data(), v.size() * sizeof(T));
}

// Adds exact sums to the totals and resets them.
void moveTo(std::vector<Int128>& totals, std::vector<double>& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    totals[i] += std::int64_t(sums[i]);
    sums[i] = 0;
  }
}

Int128 diagonalOf(const GramSums& sums, std::size_t d) {
  Int128 trace = 0;
  std::size_t entry = d;
  for (std::size_t i = 0; i < d; entry += d - i, ++i) trace += sums.packed[entry];
  return trace;
}

}  // namespace

GramSums::~GramSums() { wipeVector(packed); }

bool plausible(const GramSums& sums, int features, int bits) {
  const std::size_t d = std::size_t(features);
  if (sums.rows == 0) return sums.packed.empty() && sums.trace == 0;
  if (sums.packed.size() != d + packedSize(d)) return false;
  const Int128 most = Int128(sums.rows) << (2 * bits);
  for (const Int128 entry : sums.packed) {
    if (entry > most || entry < -most) return false;
  }
  return diagonalOf(sums, d) == Int128(sums.trace);
}

ExactGram::ExactGram(int features, int bits, Constant constant)
    : features_(features),
      constant_(Int128(constantCoordinate(bits, constant))),
      tiles_(tileCount(std::size_t(features))),
      // |q_i q_j| <= 2^(2 bits), so this many rows keep every partial sum within 2^53.
      rows_between_flushes_(std::size_t{1} << std::min(53 - 2 * bits, 20)),
      panel_capacity_(std::min(kPanelRows, rows_between_flushes_)),
      linear_(tiles_ * kTile),
      panel_(tiles_ * kTileStride),
      linear_block_(linear_.size()),
      blocks_(packedSize(tiles_) * kTile * kTile),
      block_totals_(blocks_.size()) {}

ExactGram::~ExactGram() {
  wipeVector(linear_);
  wipeVector(panel_);
  wipeVector(linear_block_);
  wipeVector(blocks_);
  wipeVector(block_totals_);
}

void ExactGram::addRow(const double* q, std::uint64_t squared_length) {
  const double* const end = q + features_;
  double* target = nextRows();
  for (; end - q >= std::ptrdiff_t(kTile); q += kTile, target += kTileStride) {
    storePair(target, loadPair(q));
    storePair(target + 2, loadPair(q + 2));
  }
  while (q != end) *target++ = *q++;
  addPlaced(1, squared_length);
}

void ExactGram::addFromPanel(const double* row, std::uint64_t squared_length) {
  double* target = nextRows();
  for (std::size_t tile = 0; tile < tiles_; ++tile, row += kTileStride, target += kTileStride) {
    storePair(target, loadPair(row));
    storePair(target + 2, loadPair(row + 2));
  }
  addPlaced(1, squared_length);
}

void ExactGram::multiplyPanel() {
  addGramPanel(panel_.data(), tiles_, panel_rows_, blocks_.data(), linear_block_.data());
  rows_ += panel_rows_;
  trace_ += panel_trace_;
  block_rows_ += panel_rows_;
  panel_rows_ = 0;
  panel_trace_ = 0;
  if (block_rows_ + kPanelRows > rows_between_flushes_) flushBlocks();
}

void ExactGram::flushBlocks() {
  moveTo(block_totals_, blocks_);
  moveTo(linear_, linear_block_);
  block_rows_ = 0;
}

// Entry (i, j), i <= j, of the sum of q q^T.
Int128& ExactGram::blockTotal(std::size_t i, std::size_t j) {
  const std::size_t block = blockIndex(i / kTile, j / kTile, tiles_);
  return block_totals_[(block * kTile + i % kTile) * kTile + j % kTile];
}

void ExactGram::add(const GramSums& sums) {
  if (sums.rows == 0) return;
  const std::size_t d = std::size_t(features_);
  const Int128* entry = sums.packed.data();
  for (std::size_t i = 0; i < d; ++i) linear_[i] += *entry++;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) blockTotal(i, j) += *entry++;
  }
  rows_ += sums.rows;
  trace_ += sums.trace;
}

// Moves all sums out of the panel and checks their trace.
Status ExactGram::finish() {
  multiplyPanel();
  flushBlocks();
  Int128 trace = 0;
  for (std::size_t i = 0; i < std::size_t(features_); ++i) trace += blockTotal(i, i);
  if (trace == Int128(trace_)) return std::nullopt;
  return Error{Code::kIntegrity,
               "the sums do not add up (trace check): do not use this machine's result"};
}

Result<GramSums> ExactGram::sums() {
  if (const Status damaged = finish()) return *damaged;
  GramSums sums;
  if (rows_ == 0) return sums;
  const std::size_t d = std::size_t(features_);
  sums.rows = rows_;
  sums.trace = trace_;
  sums.packed.reserve(d + packedSize(d));
  sums.packed.assign(linear_.begin(), linear_.begin() + std::ptrdiff_t(d));
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) sums.packed.push_back(blockTotal(i, j));
  }
  return sums;
}

Status ExactGram::addTo(std::span<Int128> packed, int multiple) {
  if (const Status damaged = finish()) return *damaged;
  const std::size_t d = std::size_t(features_);
  Int128* entry = packed.data() + 1;
  for (std::size_t i = 0; i < d; ++i) *entry++ += constant_ * multiple * linear_[i];
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) *entry++ += multiple * multiple * blockTotal(i, j);
  }
  return std::nullopt;
}

Result<std::vector<Int128>> ExactGram::totals() {
  std::vector<Int128> packed(packedSize(std::size_t(features_) + 1));
  packed[0] = constant_ * constant_ * Int128(rows());
  if (const Status damaged = addTo(packed, 1)) return *damaged;
  return packed;
}

}  // namespace pm
