#include "core/research/synthesizers/sir.hpp"

#include "core/privacy/sensitivity.hpp"

namespace pm {
namespace {

double gainOf(double m, int components, SensitivityGain gain) {
  const double p = components;
  switch (gain) {
    case SensitivityGain::kQuadratic: return m / p * m / p;
    case SensitivityGain::kLinear: return m / p;
    case SensitivityGain::kUpper: return m * (m + 1) / (p * (p + 1));
    case SensitivityGain::kCorrected:
      return (m + 1) / 2 / unitBallSensitivity(components, Neighbours::kReplaceOne).upper_l1;
    case SensitivityGain::kSpectrum: break;
  }
  return 1;
}

}  // namespace

double signalToSensitivity(std::span<const double> singular_values, int components,
                           SensitivityGain gain) {
  double whole = 0, kept = 0;
  for (std::size_t i = 0; i < singular_values.size(); ++i) {
    const double power = singular_values[i] * singular_values[i];
    whole += power;
    if (i < std::size_t(components)) kept += power;
  }
  return gainOf(double(singular_values.size()), components, gain) * kept / whole;
}

double identitySignalToNoise(double x, double a, double epsilon, double q) {
  return x * x * epsilon * epsilon / (8 * a * a * q * q);
}

}  // namespace pm
