#pragma once

#include <cstdint>
#include <cstdlib>

namespace pm::testing_support {

/// Whether this build is much slower than the native release build: WebAssembly, or sanitizers.
/// The samples it draws are the same bits, so the statistics of the native build carry over.
#ifdef PM_SLOW_BUILD
constexpr bool kSlowBuild = true;
#else
constexpr bool kSlowBuild = false;
#endif

/// How often to repeat a fuzz or a draw: `full` in the native build, `reduced` in a slow one.
constexpr std::uint64_t repetitions(std::uint64_t full, std::uint64_t reduced) {
  return kSlowBuild ? reduced : full;
}

/// Draws of a law test or an audit: `usual` under `make test`, ten times as many under `make audit`
/// (PM_AUDIT set), a twentieth in a slow build, where only the code path matters.
inline std::uint64_t draws(std::uint64_t usual) {
  if (kSlowBuild) return usual / 20;
  return std::getenv("PM_AUDIT") != nullptr ? 10 * usual : usual;
}

}  // namespace pm::testing_support
