#include "core/privacy/guarantee.hpp"

namespace pm {

const char* name(Neighbours neighbours) {
  return neighbours == Neighbours::kReplaceOne ? "replace-one" : "add-remove";
}

const char* name(Unit unit) { return unit == Unit::kRow ? "row" : "participant"; }

const char* name(Numerics numerics) { return numerics == Numerics::kExact ? "exact" : "idealized"; }

}  // namespace pm
