#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/int128.hpp"

namespace pm::testing_support {

/// The folder tests/vectors. Only one source file holds its address, so that a compiler cache can
/// use the objects of all others in another checkout.
std::string vectorsFolder();

/// A file of tests/vectors. A missing or broken file ends the test program, so that no test can
/// pass on nothing.
inline nlohmann::json readVectors(const std::string& file) {
  std::ifstream stream(vectorsFolder() + "/" + file);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
  if (parsed.is_discarded()) std::abort();
  return parsed;
}

/// A number the files hold as a string: decimal, hexadecimal integer or C hexadecimal float.
inline std::uint64_t integerOf(const nlohmann::json& text) {
  return std::strtoull(text.get<std::string>().c_str(), nullptr, 0);
}
inline std::int64_t signedOf(const nlohmann::json& text) {
  return std::strtoll(text.get<std::string>().c_str(), nullptr, 10);
}
inline double realOf(const nlohmann::json& text) {
  return std::strtod(text.get<std::string>().c_str(), nullptr);
}
inline Uint128 wideOf(const nlohmann::json& text) {
  Uint128 value = 0;
  for (const char digit : text.get<std::string>()) value = 10 * value + unsigned(digit - '0');
  return value;
}

inline std::vector<std::uint8_t> bytesOf(const nlohmann::json& hex) {
  const std::string text = hex.get<std::string>();
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(std::uint8_t(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

/// The digest of the reference streams: one step per 64-bit value.
class StreamDigest {
 public:
  void add(std::uint64_t value) { hash_ = (hash_ ^ value) * 1099511628211u; }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 1469598103934665603u;
};

}  // namespace pm::testing_support
