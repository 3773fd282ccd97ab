#include "core/random/chacha20.hpp"

#include <cstring>

namespace pm {
namespace {

// Four blocks side by side: lane l of every vector belongs to block counter + l.
typedef std::uint32_t Lanes __attribute__((vector_size(16)));

Lanes broadcast(std::uint32_t x) { return Lanes{x, x, x, x}; }

template <int kBits>
Lanes rotate(Lanes x) {
  return (x << kBits) | (x >> (32 - kBits));
}

void quarterRound(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  a += b, d = rotate<16>(d ^ a);
  c += d, b = rotate<12>(b ^ c);
  a += b, d = rotate<8>(d ^ a);
  c += d, b = rotate<7>(b ^ c);
}

std::uint32_t loadLittle(const std::uint8_t* p) {
  return std::uint32_t(p[0]) | std::uint32_t(p[1]) << 8 | std::uint32_t(p[2]) << 16 |
         std::uint32_t(p[3]) << 24;
}

void storeLittle(std::uint8_t* p, std::uint32_t x) {
  for (int i = 0; i < 4; ++i) p[i] = std::uint8_t(x >> (8 * i));
}

void fourBlocks(const std::uint32_t (&state)[16], std::uint8_t* out) {
  Lanes initial[16], x[16];
  for (int i = 0; i < 16; ++i) initial[i] = broadcast(state[i]);
  initial[12] += Lanes{0, 1, 2, 3};
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
  for (int i = 0; i < 16; ++i) {
    const Lanes sum = x[i] + initial[i];
    for (int lane = 0; lane < 4; ++lane) storeLittle(out + 64 * lane + 4 * i, sum[lane]);
  }
}

}  // namespace

void chacha20Keystream(const ChaChaKey& key, const ChaChaNonce& nonce, std::uint32_t counter,
                       std::size_t blocks, std::uint8_t* out) {
  std::uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int i = 0; i < 8; ++i) state[4 + i] = loadLittle(key.data() + 4 * i);
  for (int i = 0; i < 3; ++i) state[13 + i] = loadLittle(nonce.data() + 4 * i);
  for (std::size_t done = 0; done < blocks; done += 4) {
    state[12] = counter + std::uint32_t(done);
    fourBlocks(state, out + 64 * done);
  }
}

}  // namespace pm
