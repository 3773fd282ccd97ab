#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace pm {

/// Sixteen bytes of text at once, in compiler vectors that map to SIMD instructions natively and in
/// WebAssembly.
class Chunk {
 public:
  static constexpr std::ptrdiff_t kBytes = 16;

  /// The bytes that match.
  class Mask {
   public:
    Mask operator|(const Mask& other) const { return Mask(bytes_ | other.bytes_); }
    bool any() const { return (half(0) | half(1)) != 0; }
    int count() const { return (std::popcount(half(0)) + std::popcount(half(1))) / 8; }
    /// Index of the first match. Precondition: any().
    int first() const {
      return half(0) != 0 ? std::countr_zero(half(0)) / 8 : 8 + std::countr_zero(half(1)) / 8;
    }

   private:
    friend class Chunk;
    // 0xFF where a byte matches, 0 elsewhere.
    typedef signed char Found __attribute__((vector_size(kBytes)));
    typedef std::uint64_t Halves __attribute__((vector_size(kBytes)));

    explicit Mask(Found bytes) : bytes_(bytes) {}
    std::uint64_t half(int index) const { return Halves(bytes_)[index]; }

    Found bytes_;
  };

  explicit Chunk(const std::uint8_t* at) { std::memcpy(&bytes_, at, kBytes); }

  Mask operator==(std::uint8_t byte) const { return Mask(bytes_ == byte); }

 private:
  typedef std::uint8_t Vector __attribute__((vector_size(kBytes)));
  Vector bytes_;
};

}  // namespace pm
