#pragma once

#include <cstdint>
#include <vector>

#include "core/moments/intake.hpp"
#include "core/moments/limits.hpp"

namespace pm::fuzz {

/// Terms of a study of three columns, one of them a category; the bits of `choice` decide the rest.
inline IntakeTerms termsOf(std::uint8_t choice) {
  IntakeTerms terms{};
  terms.columns = {{Column::Kind::kNumber, -1, 1, 0},
                   {Column::Kind::kCategory, 0, 0, 3},
                   {Column::Kind::kNumber, 18, 90, 0}};
  terms.row_norm = (choice & 1) != 0 ? 0.75 : 1.75;
  terms.missing = (choice & 2) != 0 ? MissingRule::kCentre : MissingRule::kPairwise;
  terms.neighbours = (choice & 4) != 0 ? Neighbours::kReplaceOne : Neighbours::kAddRemove;
  terms.bits = (choice & 8) != 0 ? 22 : kMinBits;
  terms.max_rows = 1000;
  terms.adaptive = (choice & 16) != 0;
  return terms;
}

}  // namespace pm::fuzz
