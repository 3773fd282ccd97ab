#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "core/moments/encoding.hpp"

namespace pm {

/// FNV-1a over the public terms on which rows are processed, so that sums of other terms are
/// recognised. Detects mistakes, not attacks.
class Fingerprint {
 public:
  void mix(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) {
      hash_ = (hash_ ^ (word >> 8 * byte & 0xff)) * 0x100000001b3;
    }
  }
  void mixReal(double real) {
    std::uint64_t bits;
    std::memcpy(&bits, &real, sizeof bits);  // Emscripten's library has no std::bit_cast yet
    mix(bits);
  }
  void mixColumns(std::span<const Column> columns) {
    for (const Column& column : columns) {
      mix(std::uint64_t(column.kind));
      mixReal(column.min);
      mixReal(column.max);
      mix(std::uint64_t(column.levels));
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace pm
