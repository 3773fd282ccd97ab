#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pm {

/// Finds texts in a list: headers have thousands of names, categories hundreds of levels.
class TextIndex {
 public:
  explicit TextIndex(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (std::size_t at = 0; at < texts_.size(); ++at) {
      entries_.push_back({texts_[at], std::uint32_t(at)});
    }
    // Heap sort: std::sort would add 3 kB to every download.
    std::make_heap(entries_.begin(), entries_.end());
    std::sort_heap(entries_.begin(), entries_.end());
  }

  // Entries point into the texts, which stay valid when the list is moved, but not when it is
  // copied.
  TextIndex(TextIndex&&) = default;
  TextIndex& operator=(TextIndex&&) = default;

  const std::vector<std::string>& texts() const { return texts_; }

  struct Found {
    std::size_t times;
    /// Index of the first match; 0 without a match.
    std::uint32_t place;
  };

  Found find(std::string_view text) const {
    const auto first = std::lower_bound(entries_.begin(), entries_.end(), Entry{text, 0});
    auto last = first;
    while (last != entries_.end() && last->first == text) ++last;
    return {std::size_t(last - first), first == last ? 0 : first->second};
  }

 private:
  using Entry = std::pair<std::string_view, std::uint32_t>;

  std::vector<std::string> texts_;
  std::vector<Entry> entries_;
};

}  // namespace pm
