// What browsers and Node give to a module: random bytes, and memory or none.
//
// The random generator replaces Emscripten's getentropy, which asks for
// one byte at a time and aborts the module if there is no generator.
#include "core/random/entropy.hpp"

#include <emscripten.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace {

// Without exceptions, `new` of types with a larger alignment, such as 128-bit integers, returns
// null if memory is refused, and its callers would write there. So the module stops.
[[maybe_unused]] const std::new_handler kPrevious = std::set_new_handler([] { std::abort(); });

}  // namespace

// The temporary array is needed because getRandomValues rejects views of shared memory.
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

EM_JS(void, pm_moment, (double* out), {
  HEAPF64.set([Date.now(), performance.now(), performance.timeOrigin], out >> 3);
});
// clang-format on

extern "C" int pmSystemEntropy(std::uint8_t* out, std::size_t bytes) {
  return pm_crypto_random(out, bytes);
}

extern "C" void pmSystemMoment(std::uint8_t* out) {
  static double calls = 0;
  double moment[4] = {};
  pm_moment(moment);
  moment[3] = ++calls;
  static_assert(sizeof moment == pm::kMomentBytes);
  std::memcpy(out, moment, sizeof moment);
}
