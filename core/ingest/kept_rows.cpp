#include "core/ingest/kept_rows.hpp"

#include <algorithm>

#include "core/wipe.hpp"

namespace pm {
namespace {

// Cells of a block, at first and at most; each new one is as large as all before it.
constexpr std::uint64_t kFirstBlock = 1 << 13;
constexpr std::uint64_t kLargestBlock = 1 << 19;

}  // namespace

KeptRows::KeptRows(std::size_t columns, std::uint64_t most_cells, Overflow overflow)
    : columns_(columns), most_(most_cells), overflow_(overflow) {}

Status KeptRows::keep(std::span<const double> rows) {
  if (!is_open_) return std::nullopt;
  if (cells_ + rows.size() > most_) {
    forget();
    if (overflow_ == Overflow::kForget) return std::nullopt;
    return Error{Code::kUnsupportedData,
                 "private centring reads rows twice, and this stream has too many to keep in "
                 "memory: pass a file, or let the study name clipping adaptive or fixed"};
  }
  while (!rows.empty()) {
    Block& block = roomyBlock();
    const std::size_t count = std::min(rows.size(), block.size - block.filled);
    std::copy_n(rows.data(), count, block.cells.get() + block.filled);
    block.filled += count;
    cells_ += count;
    rows = rows.subspan(count);
  }
  return std::nullopt;
}

// The last block, or a new one if it is full. Blocks hold whole rows, and are not zeroed: that
// would touch their memory twice.
KeptRows::Block& KeptRows::roomyBlock() {
  if (blocks_.empty() || blocks_.back().filled == blocks_.back().size) {
    const auto most = std::size_t(std::clamp(cells_, kFirstBlock, kLargestBlock));
    const std::size_t size = (most + columns_ - 1) / columns_ * columns_;
    blocks_.push_back({std::unique_ptr<double[]>(new double[size]), size, 0});
  }
  return blocks_.back();
}

Status KeptRows::passTo(RowSink& sink) {
  Status status;
  for (std::size_t b = 0; b < blocks_.size() && !status; ++b) {
    status = sink.take({blocks_[b].cells.get(), blocks_[b].filled});
  }
  forget();
  return status;
}

void KeptRows::forget() {
  for (Block& block : blocks_) wipe(block.cells.get(), block.filled * sizeof(double));
  blocks_.clear();
  cells_ = 0;
  is_open_ = false;
}

}  // namespace pm
