#include "core/analysis/noise/normal.hpp"

#include <cmath>
#include <numbers>

namespace pm {
namespace {

constexpr int kQuantileBisections = 50;

}  // namespace

double normalBelow(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double normalReach(double level) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < kQuantileBisections; ++i) {
    const double middle = (low + high) / 2;
    (normalBelow(-middle) > (1 - level) / 2 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace pm
