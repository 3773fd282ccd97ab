#pragma once

namespace pm {

constexpr double square(double x) { return x * x; }

}  // namespace pm
