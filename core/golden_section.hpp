#pragma once

#include <cmath>

namespace pm {

/// The least value that a search has come upon, and where.
struct Least {
  double at;
  double value;
};

/// Golden-section search for the minimum of f on [low, high], an interval that each step makes
/// shorter by the factor 0.618. Where f has more minima than one it ends near one of them.
template <class Function>
Least goldenSection(double low, double high, int steps, Function f) {
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
  return fa < fb ? Least{a, fa} : Least{b, fb};
}

}  // namespace pm
