// The browser's and Node's source of randomness. The hook is our own because Emscripten's
// getentropy asks for one byte at a time and aborts the module where there is no source.
#include "core/random/entropy.hpp"

#include <emscripten.h>

// The temporary is needed: getRandomValues refuses views of shared memory.
// clang-format off
EM_JS(int, pm_crypto_random, (std::uint8_t* out, std::size_t bytes), {
  const source = globalThis.crypto;
  if (!source || typeof source.getRandomValues !== 'function') return 1;
  const values = new Uint8Array(bytes);
  try {
    source.getRandomValues(values);
  } catch (error) {
    return 2;
  }
  HEAPU8.set(values, out);
  values.fill(0);
  return 0;
});
// clang-format on

extern "C" int pmSystemEntropy(std::uint8_t* out, std::size_t bytes) {
  return pm_crypto_random(out, bytes);
}
