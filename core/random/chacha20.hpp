#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pm {

using ChaChaKey = std::array<std::uint8_t, 32>;
using ChaChaNonce = std::array<std::uint8_t, 12>;

/// Writes `blocks` consecutive 64-byte blocks of ChaCha20 keystream, counters
/// `counter`, `counter` + 1, ... Source: RFC 8439, section 2.3.
/// Precondition: `blocks` is a multiple of 4, or `out` holds the next multiple of 4.
void chacha20Keystream(const ChaChaKey& key, const ChaChaNonce& nonce, std::uint32_t counter,
                       std::size_t blocks, std::uint8_t* out);

}  // namespace pm
