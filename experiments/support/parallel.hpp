// Independent parts of an experiment, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace experiments {

/// Calls `part(i)` for i = 0 .. count - 1, several at a time and in any order.
template <class Part>
void inParallel(std::size_t count, Part part) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads(std::max(1u, std::thread::hardware_concurrency()));
  for (std::jthread& thread : threads) {
    thread = std::jthread([&] {
      for (std::size_t i = next++; i < count; i = next++) part(i);
    });
  }
}

}  // namespace experiments
