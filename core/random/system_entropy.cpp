// The native source. In WebAssembly, bindings/entropy.cpp defines these functions instead.
#ifndef __EMSCRIPTEN__

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "core/random/entropy.hpp"

extern "C" int pmSystemEntropy(std::uint8_t* out, std::size_t bytes) {
  // Up to 256 bytes, getrandom(2) either returns all or fails; a seed has 64.
  return getrandom(out, bytes, 0) == static_cast<ssize_t>(bytes) ? 0 : 2;
}

extern "C" void pmSystemMoment(std::uint8_t* out) {
  static std::atomic<std::uint32_t> calls = 0;
  timespec wall{}, monotonic{};
  clock_gettime(CLOCK_REALTIME, &wall);
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  const auto nanoseconds = [](const timespec& time) {
    return std::uint64_t(time.tv_sec) * 1'000'000'000 + std::uint64_t(time.tv_nsec);
  };
  const std::uint64_t moment[] = {nanoseconds(wall), nanoseconds(monotonic), ++calls,
                                  std::uint64_t(getpid())};
  static_assert(sizeof moment == pm::kMomentBytes);
  std::memcpy(out, moment, sizeof moment);
}

#endif
