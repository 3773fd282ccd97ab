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
    /// One bit for each byte, the first in the lowest.
    std::uint32_t bits() const {
#if defined(__wasm_simd128__)
      return std::uint32_t(__builtin_wasm_bitmask_i8x16(bytes_));
#elif defined(__SSE2__)
      return std::uint32_t(__builtin_ia32_pmovmskb128(reinterpret_cast<Chars>(bytes_)));
#else
      // Moves the top bit of the i-th byte to the i-th bit of the top byte.
      const auto gathered = [](std::uint64_t half) {
        return std::uint32_t((half & 0x8080808080808080) * 0x0002040810204081 >> 56);
      };
      return gathered(Halves(bytes_)[0]) | gathered(Halves(bytes_)[1]) << 8;
#endif
    }
    bool any() const { return bits() != 0; }
    int count() const { return std::popcount(bits()); }
    /// Index of the first match. Precondition: any().
    int first() const { return std::countr_zero(bits()); }

   private:
    friend class Chunk;
    // 0xFF where a byte matches, 0 elsewhere.
    typedef signed char Found __attribute__((vector_size(kBytes)));
    typedef char Chars __attribute__((vector_size(kBytes)));
    typedef std::uint64_t Halves __attribute__((vector_size(kBytes)));

    explicit Mask(Found bytes) : bytes_(bytes) {}

    Found bytes_;
  };

  explicit Chunk(const std::uint8_t* at) { std::memcpy(&bytes_, at, kBytes); }

  Mask operator==(std::uint8_t byte) const { return Mask(bytes_ == byte); }
  Mask isDigit() const { return Mask(bytes_ - std::uint8_t('0') < 10); }

 private:
  typedef std::uint8_t Vector __attribute__((vector_size(kBytes)));
  Vector bytes_;
};

}  // namespace pm
