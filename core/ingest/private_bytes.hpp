#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/ingest/text.hpp"
#include "core/wipe.hpp"

namespace pm {

/// Text that grows without leaving copies of itself in memory.
class PrivateBytes {
 public:
  PrivateBytes() = default;
  PrivateBytes(PrivateBytes&&) = default;
  ~PrivateBytes() { wipe(); }

  void append(Bytes more) {
    if (size_ + more.size() > bytes_.size()) {
      std::vector<std::uint8_t> larger(std::max(2 * bytes_.size(), size_ + more.size()));
      std::copy_n(bytes_.begin(), size_, larger.begin());
      wipe();
      bytes_ = std::move(larger);
    }
    std::copy(more.begin(), more.end(), bytes_.begin() + std::ptrdiff_t(size_));
    size_ += more.size();
  }

  Bytes all() const { return {bytes_.data(), size_}; }
  /// Empties the text; the next one will overwrite it.
  void clear() { size_ = 0; }
  void wipe() { pm::wipe(bytes_.data(), bytes_.size()); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t size_ = 0;
};

}  // namespace pm
