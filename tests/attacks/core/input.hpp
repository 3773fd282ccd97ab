#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <type_traits>

namespace pm::fuzz {

/// Ends the program, as a finding of the fuzzer, with a sentence that says what is wrong.
inline void require(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", sentence);
  std::abort();
}

/// The fuzzer's bytes, taken from the front; zeros beyond their end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const std::size_t size = std::min(sizeof value, rest_.size());
    if (size > 0) std::memcpy(&value, rest_.data(), size);
    rest_ = rest_.subspan(size);
    return value;
  }

  std::span<const std::uint8_t> rest() const { return rest_; }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace pm::fuzz
