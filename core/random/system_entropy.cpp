// The native source. In WebAssembly, bindings/entropy.cpp defines pmSystemEntropy instead.
#ifndef __EMSCRIPTEN__

#include <sys/random.h>

#include "core/random/entropy.hpp"

extern "C" int pmSystemEntropy(std::uint8_t* out, std::size_t bytes) {
  // getrandom(2) is complete or fails for up to 256 bytes; a seed is 64.
  return getrandom(out, bytes, 0) == static_cast<ssize_t>(bytes) ? 0 : 2;
}

#endif
