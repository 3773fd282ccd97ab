#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/exact_fractions.hpp"
#include "tests/support/vectors.hpp"

namespace pm::testing_support {

/// A double, its logarithm and its root, cut off after 704 bits.
struct RealCase {
  double x;
  Fraction logarithm;
  Fraction root;
};

inline std::vector<RealCase> realCases() {
  const nlohmann::json vectors = readVectors("reals.json");
  const auto bits = vectors["bits"].get<int>();
  const auto numberOf = [&](const nlohmann::json& hex) {
    std::string text = hex.get<std::string>();
    const bool negative = text[0] == '-';
    if (negative) text.erase(0, 1);
    Words size;
    while (!text.empty()) {
      const std::size_t from = text.size() < 16 ? 0 : text.size() - 16;
      size.push_back(std::stoull(text.substr(from), nullptr, 16));
      text.erase(from);
    }
    return Fraction{{negative, size, -bits / 64}};
  };
  std::vector<RealCase> cases;
  for (const auto& x : vectors["cases"]) {
    cases.push_back({realOf(x["x"]), numberOf(x["log"]), numberOf(x["sqrt"])});
  }
  return cases;
}

}  // namespace pm::testing_support
