#include "core/random/chacha20.hpp"

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
// Compiled for processors that the rest of the library does not require.
#define PM_AVX2 __attribute__((target("avx2")))
#endif

// What is inlined is compiled for the processor of the function that it becomes a part of.
#define PM_INLINE [[gnu::always_inline]] inline

namespace pm {
namespace {

// Blocks side by side: lane l of every vector belongs to block counter + l.
typedef std::uint32_t Four __attribute__((vector_size(16)));
typedef std::uint32_t Eight __attribute__((vector_size(32)));

template <int kBits, class Lanes>
PM_INLINE void rotate(Lanes& x) {
  x = (x << kBits) | (x >> (32 - kBits));
}

template <class Lanes>
PM_INLINE void quarterRound(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  a += b, d ^= a, rotate<16>(d);
  c += d, b ^= c, rotate<12>(b);
  a += b, d ^= a, rotate<8>(d);
  c += d, b ^= c, rotate<7>(b);
}

std::uint32_t loadLittle(const std::uint8_t* p) {
  return std::uint32_t(p[0]) | std::uint32_t(p[1]) << 8 | std::uint32_t(p[2]) << 16 |
         std::uint32_t(p[3]) << 24;
}

// Four words of each of four blocks. Vectors are little-endian, as the words of a block are.
PM_INLINE void storeWords(const Four (&words)[4], std::uint8_t* out) {
  const Four low = __builtin_shufflevector(words[0], words[1], 0, 4, 1, 5);
  const Four high = __builtin_shufflevector(words[0], words[1], 2, 6, 3, 7);
  const Four next_low = __builtin_shufflevector(words[2], words[3], 0, 4, 1, 5);
  const Four next_high = __builtin_shufflevector(words[2], words[3], 2, 6, 3, 7);
  const Four blocks[] = {__builtin_shufflevector(low, next_low, 0, 1, 4, 5),
                         __builtin_shufflevector(low, next_low, 2, 3, 6, 7),
                         __builtin_shufflevector(high, next_high, 0, 1, 4, 5),
                         __builtin_shufflevector(high, next_high, 2, 3, 6, 7)};
  for (int block = 0; block < 4; ++block) std::memcpy(out + 64 * block, &blocks[block], 16);
}

template <class Lanes>
PM_INLINE void keystream(const std::uint32_t (&state)[16], std::uint8_t* out) {
  constexpr int kLanes = sizeof(Lanes) / 4;
  Lanes initial[16], x[16];
  for (int i = 0; i < 16; ++i) initial[i] = Lanes{} + state[i];
  for (int lane = 0; lane < kLanes; ++lane) initial[12][lane] += std::uint32_t(lane);
  std::memcpy(x, initial, sizeof x);
  for (int round = 0; round < 10; ++round) {
    quarterRound(x[0], x[4], x[8], x[12]);
    quarterRound(x[1], x[5], x[9], x[13]);
    quarterRound(x[2], x[6], x[10], x[14]);
    quarterRound(x[3], x[7], x[11], x[15]);
    quarterRound(x[0], x[5], x[10], x[15]);
    quarterRound(x[1], x[6], x[11], x[12]);
    quarterRound(x[2], x[7], x[8], x[13]);
    quarterRound(x[3], x[4], x[9], x[14]);
  }
  for (int i = 0; i < 16; ++i) x[i] += initial[i];
  for (int first = 0; first < 16; first += 4) {
    for (int lane = 0; lane < kLanes; lane += 4) {
      Four words[4];
      for (int i = 0; i < 4; ++i) {
        std::memcpy(&words[i], reinterpret_cast<const char*>(&x[first + i]) + 4 * lane, 16);
      }
      storeWords(words, out + 64 * lane + 4 * first);
    }
  }
}

#ifdef PM_AVX2
PM_AVX2 void eightBlocks(const std::uint32_t (&state)[16], std::uint8_t* out) {
  keystream<Eight>(state, out);
}
#endif

/// Writes as many blocks as go side by side here, of those that are left; returns their number.
std::size_t nextBlocks(const std::uint32_t (&state)[16], [[maybe_unused]] std::size_t left,
                       std::uint8_t* out) {
#ifdef PM_AVX2
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (left >= 8 && has_avx2) {
    eightBlocks(state, out);
    return 8;
  }
#endif
  keystream<Four>(state, out);
  return 4;
}

}  // namespace

void chacha20Keystream(const ChaChaKey& key, const ChaChaNonce& nonce, std::uint32_t counter,
                       std::size_t blocks, std::uint8_t* out) {
  std::uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int i = 0; i < 8; ++i) state[4 + i] = loadLittle(key.data() + 4 * i);
  for (int i = 0; i < 3; ++i) state[13 + i] = loadLittle(nonce.data() + 4 * i);
  for (std::size_t done = 0; done < blocks;) {
    state[12] = counter + std::uint32_t(done);
    done += nextBlocks(state, blocks - done, out + 64 * done);
  }
}

}  // namespace pm
