#include "core/synthesis/rows/censored.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/analysis/noise/normal.hpp"

namespace pm {
namespace {

/// Number of deviations from the mean beyond which less than 1e-11 of a normal law lies, both tails
/// together.
constexpr double kReach = 6.9;
constexpr int kSteps = 100;
constexpr double kExact = 1e-13;

double density(double z) {
  constexpr double kScale = 1 / (std::numbers::sqrt2 * 1.7724538509055160273);
  return kScale * std::exp(-z * z / 2);
}

/// Both bounds in latent deviations, and the normal densities there.
struct Edges {
  double low, high, at_low, at_high;
};

Edges edgesOf(const Censored& latent) {
  const double low = (-1 - latent.mean) / latent.deviation;
  const double high = (1 - latent.mean) / latent.deviation;
  return {low, high, density(low), density(high)};
}

}  // namespace

CensoredMoments censoredMoments(const Censored& latent) {
  const auto& [mean, deviation] = latent;
  if (deviation == 0) {
    const double at = std::clamp(mean, -1.0, 1.0);
    return {at, at * at, std::abs(mean) < 1 ? 1.0 : 0.0, 0, 0, 2 * at};
  }
  const Edges edges = edgesOf(latent);
  const double below = normalBelow(edges.low);
  const double above = normalBelow(-edges.high);
  CensoredMoments moments;
  // Subtracting the smaller tails avoids cancellation.
  moments.inside = edges.low > 0    ? normalBelow(-edges.low) - above
                   : edges.high < 0 ? normalBelow(edges.high) - below
                                    : 1 - below - above;
  const double first =
      edges.at_low - edges.at_high;  // first moment of the standardised variable inside
  const double second = moments.inside + edges.low * edges.at_low - edges.high * edges.at_high;
  const double sum = mean * moments.inside + deviation * first;
  moments.mean = sum + above - below;
  moments.square =
      mean * sum + mean * deviation * first + deviation * deviation * second + above + below;
  moments.mean_by_deviation = first;
  moments.square_by_mean = 2 * sum;
  moments.square_by_deviation = 2 * (mean * first + deviation * second);
  return moments;
}

bool isUncensored(double mean, double deviation) {
  return std::abs(mean) + kReach * deviation <= 1;
}

void censoredSeries(const Censored& latent, double* terms) {
  std::fill(terms, terms + kSeriesTerms, 0.0);
  if (latent.deviation == 0) return;
  const Edges edges = edgesOf(latent);
  terms[0] = latent.deviation * censoredMoments(latent).inside;
  // He_k / sqrt(k!) times the density by recurrence, so that nothing overflows.
  double low = edges.at_low, low_before = 0;
  double high = edges.at_high, high_before = 0;
  for (int k = 2; k <= kSeriesTerms; ++k) {
    terms[k - 1] = latent.deviation * (low - high) / std::sqrt(double(k) * (k - 1));
    const double order = k - 2;
    const double scale = 1 / std::sqrt(order + 1);
    const double next_low = scale * (edges.low * low - std::sqrt(order) * low_before);
    const double next_high = scale * (edges.high * high - std::sqrt(order) * high_before);
    low_before = low;
    high_before = high;
    low = next_low;
    high = next_high;
  }
}

double latentCorrelation(const double* products, int terms, double covariance) {
  double low = -1;
  double high = 1;
  double at = 0;
  for (int i = 0; i < kSteps; ++i) {
    double sum = 0;
    double slope = 0;
    for (int k = terms - 1; k >= 0; --k) {
      slope = slope * at + (k + 1) * products[k];
      sum = sum * at + products[k];
    }
    const double miss = covariance - sum * at;
    (miss > 0 ? low : high) = at;
    if (std::abs(miss) < kExact || high - low < kExact) break;
    const double next = at + miss / slope;
    at = next > low && next < high ? next : (low + high) / 2;
  }
  // Bisection approaches a bound without reaching it.
  return high - low < kExact && std::abs(at) > 1 - 2 * kExact ? std::copysign(1.0, at) : at;
}

}  // namespace pm
