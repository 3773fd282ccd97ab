#pragma once

#include <cstddef>

namespace pm {

/// Overwrites memory with zeros in a way the compiler may not remove.
inline void wipe(void* data, std::size_t bytes) {
  volatile unsigned char* p = static_cast<volatile unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) p[i] = 0;
}

}  // namespace pm
