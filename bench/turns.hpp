#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace pm::bench {

/// Number of turns of each contender.
constexpr int kRepetitions = 9;

template <class F>
double seconds(F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Contenders take turns, so that a slow moment of the machine affects all of them. Returns the
/// best turn of each, in seconds.
template <class... F>
std::vector<double> bestOf(F... contenders) {
  std::vector<double> best(sizeof...(F), 1e300);
  for (int turn = 0; turn < kRepetitions; ++turn) {
    std::size_t i = 0;
    ((best[i] = std::min(best[i], seconds(contenders)), ++i), ...);
  }
  return best;
}

}  // namespace pm::bench
