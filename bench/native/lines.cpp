// Answers `gram D N` and `eigen D` with `ready`, and `run TIMES` with `MILLISECONDS CHECK`, where
// MILLISECONDS is the mean of TIMES runs.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include "bench/native/algebra.hpp"

int main() {
  for (std::string command; std::cin >> command;) {
    if (command == "gram") {
      int d = 0, n = 0;
      std::cin >> d >> n;
      setUpGram(d, n);
      std::puts("ready");
    } else if (command == "eigen") {
      int d = 0;
      std::cin >> d;
      setUpEigen(d);
      std::puts("ready");
    } else {
      int times = 0;
      std::cin >> times;
      double check = 0;
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < times; ++i) check = run();
      const std::chrono::duration<double, std::milli> spent =
          std::chrono::steady_clock::now() - start;
      std::printf("%.6f %.17g\n", spent.count() / times, check);
    }
    std::fflush(stdout);
  }
}
