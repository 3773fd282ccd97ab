#pragma once

#include <cmath>

namespace pm {

/// The smallest value that a search has found, and its argument.
struct Minimum {
  double argument;
  double value;
};

/// Golden-section search for the minimum of f on [low, high]. Each step shrinks the interval by the
/// factor 0.618. If f has several minima, the search ends near one of them.
template <class Function>
Minimum goldenSection(double low, double high, int steps, Function f) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double fa = f(a), fb = f(b);
  for (int i = 0; i < steps; ++i) {
    if (fa < fb) {
      high = b, b = a, fb = fa;
      a = high - ratio * (high - low), fa = f(a);
    } else {
      low = a, a = b, fa = fb;
      b = low + ratio * (high - low), fb = f(b);
    }
  }
  return fa < fb ? Minimum{a, fa} : Minimum{b, fb};
}

}  // namespace pm
