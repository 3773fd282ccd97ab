// The native source. In WebAssembly, bindings/entropy.cpp defines pmSystemEntropy instead.
#ifndef __EMSCRIPTEN__

#include <sys/random.h>

#include "core/random/entropy.hpp"

extern "C" int pmSystemEntropy(std::uint8_t* out, std::size_t bytes) {
  // Up to 256 bytes, getrandom(2) either returns all or fails; a seed has 64.
  return getrandom(out, bytes, 0) == static_cast<ssize_t>(bytes) ? 0 : 2;
}

#endif
