#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

namespace pm {

/// Overwrites memory with zeros in a way the compiler may not remove: the empty asm statement
/// claims to read it. memset takes 0.05 ns a number in WebAssembly; a loop over bytes took 2.5.
inline void wipe(void* data, std::size_t bytes) {
  if (bytes == 0) return;
  std::memset(data, 0, bytes);
  __asm__ volatile("" : : "r"(data) : "memory");
}

/// Overwrites all numbers of a vector or matrix.
template <class Numbers>
void wipe(Numbers& numbers) {
  wipe(numbers.data(), std::size_t(numbers.size()) * sizeof(*numbers.data()));
}

/// For vectors of private numbers: overwrites memory before it is given back, also when they grow.
template <class Number>
struct WipingAllocator {
  // NOLINTNEXTLINE(readability-identifier-naming): the standard library's name
  using value_type = Number;

  WipingAllocator() = default;
  template <class Other>
  explicit WipingAllocator(const WipingAllocator<Other>&) {}

  Number* allocate(std::size_t count) { return std::allocator<Number>().allocate(count); }
  void deallocate(Number* numbers, std::size_t count) {
    wipe(numbers, count * sizeof(Number));
    std::allocator<Number>().deallocate(numbers, count);
  }
  friend bool operator==(const WipingAllocator&, const WipingAllocator&) { return true; }
};

/// Numbers that are overwritten when they go.
using PrivateNumbers = std::vector<double, WipingAllocator<double>>;

}  // namespace pm
