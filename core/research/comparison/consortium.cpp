#include "core/research/comparison/consortium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/checks.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/federation/collusion.hpp"
#include "core/matrix/cholesky.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/packed.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/wishart.hpp"
#include "core/research/published/additive.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// For the sum: off-diagonal entries have 1 / sqrt 2 of the sensitivity, sqrt 2, times 1 / mu.
double pooledDeviation(const ConsortiumSetting& at) {
  return 1 / gdpOfEpsilonDelta(at.epsilon, at.delta);
}

/// For the mean of `rows` rows. `pooled` is pooledDeviation(at), which takes a bisection.
double deviationOf(const ConsortiumWay& way, const ConsortiumSetting& at, double pooled,
                   double rows) {
  return std::sqrt(way.growth(at)) * pooled / rows;
}

double none(const ConsortiumSetting&) { return 0; }
double pooled(const ConsortiumSetting&) { return 1; }
double masked(const ConsortiumSetting& at) { return double(at.sites) / at.honest; }
double joint(const ConsortiumSetting& at) {
  return at.sites * exposure(View::kPairMasks, at.sites, at.honest, 1);
}
double conventional(const ConsortiumSetting& at) { return at.sites; }

/// The classical formula with the sensitivity of add-remove, which is 1 / sqrt 2 of that of
/// replace-one.
double byFormula(const ConsortiumSetting& at) {
  const double ratio =
      classicalDeviation(at.epsilon, at.delta) / pooledDeviation(at) / std::numbers::sqrt2;
  return ratio * ratio;
}

double unlimited(const ConsortiumSetting&) { return kInfinity; }
double asAsked(const ConsortiumSetting& at) { return at.epsilon; }

CcaInput inputOf(const MatrixXd& covariance, int first, double deviation) {
  const auto d = int(covariance.rows());
  CcaInput input;
  input.covariance = covariance;
  input.noise = {std::numbers::sqrt2 * deviation, deviation};
  input.trace_bound = 1;
  input.half = VectorXd::Ones(d);
  input.x.resize(std::size_t(first));
  input.y.resize(std::size_t(std::max(0, d - first)));
  std::iota(input.x.begin(), input.x.end(), 0);
  std::iota(input.y.begin(), input.y.end(), first);
  input.components = std::min(first, d - first);
  return input;
}

/// Makes each column uncorrelated with earlier ones under `block` and scales it to variance 1; a
/// column without remaining variance becomes zero. Gram-Schmidt, twice, as columns may be almost
/// parallel.
void uncorrelate(const MatrixXd& block, MatrixXd& columns) {
  const MatrixXd& c = block;
  for (Index k = 0; k < columns.cols(); ++k) {
    VectorXd own = columns.col(k);
    const double before = std::sqrt(std::max(0.0, own.dot(c * own)));
    for (int pass = 0; pass < 2; ++pass) {
      for (Index j = 0; j < k; ++j) own -= columns.col(j).dot(c * own) * columns.col(j);
    }
    const double left = std::sqrt(std::max(0.0, own.dot(c * own)));
    constexpr double kRounding = 1e-9;
    columns.col(k) = left > kRounding * before ? VectorXd(own / left) : VectorXd::Zero(own.size());
  }
}

// The grid

/// Coordinate of a deviation: linear near 0, then logarithmic.
constexpr double kLeast = 1e-4;
double placeOfDeviation(double deviation) { return std::log1p(deviation / kLeast); }
double deviationAt(int i) {
  if (i < 4) return i == 0 ? 0 : kLeast * std::pow(10, (i - 1) / 3.0);
  constexpr int kDense = 25;
  return i < 4 + kDense ? 1e-3 * std::pow(10, (i - 4) / 10.0) : i == 4 + kDense ? 0.5 : 1;
}

/// Coordinate of a sample size: its relative error, which is 0 for all rows.
constexpr double kFewest = 50;
double placeOfSample(double sample) { return 1 / std::sqrt(std::max(kFewest, sample)); }
double sampleAt(int j) {
  return j + 1 == ConsortiumSurface::kSamples ? kInfinity : kFewest * std::pow(10, 0.75 * j);
}

template <std::size_t kCount>
using Places = std::array<double, kCount>;

const auto& deviationPlaces() {
  static const auto places = [] {
    Places<ConsortiumSurface::kDeviations> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = placeOfDeviation(deviationAt(int(i)));
    return all;
  }();
  return places;
}

/// Ascending coordinates, from large to small samples.
const auto& samplePlaces() {
  static const auto places = [] {
    Places<ConsortiumSurface::kSamples> all{};
    for (std::size_t j = 0; j < all.size(); ++j) {
      all[j] = placeOfSample(sampleAt(int(all.size() - 1 - j)));
    }
    return all;
  }();
  return places;
}

std::size_t cell(int sample, int deviation) {
  return std::size_t(ConsortiumSurface::kQuantities) *
         std::size_t(sample * ConsortiumSurface::kDeviations + deviation);
}

/// The monotone cubic through the points (x, y), x ascending (Fritsch & Carlson 1980, with harmonic
/// means of slopes); constant outside.
template <class Value>
double between(std::span<const double> x, const Value& y, double at) {
  const auto n = x.size();
  at = std::clamp(at, x.front(), x.back());
  const auto above = std::size_t(std::upper_bound(x.begin() + 1, x.end() - 1, at) - x.begin());
  const std::size_t i = above - 1;
  const auto slope = [&](std::size_t k) { return (y(k + 1) - y(k)) / (x[k + 1] - x[k]); };
  const auto tangent = [&](std::size_t k) {
    if (k == 0) return slope(0);
    if (k + 1 == n) return slope(k - 1);
    const double left = slope(k - 1), right = slope(k);
    return left * right <= 0 ? 0 : 2 * left * right / (left + right);
  };
  const double width = x[i + 1] - x[i], t = (at - x[i]) / width;
  const double h = t * t * (3 - 2 * t);
  return (1 - h) * y(i) + h * y(i + 1) +
         width * t * (1 - t) * ((1 - t) * tangent(i) - t * tangent(i + 1));
}

}  // namespace

const std::array<ConsortiumWay, 7>& consortiumWays() {
  static constexpr std::array<ConsortiumWay, 7> kWays{
      {{"non-private", none, unlimited},
       {"pooled", pooled, asAsked},
       {"split", masked, asAsked},
       {"cape", joint, asAsked},
       {"conventional", conventional, asAsked},
       {"local", pooled, asAsked, true},
       {"cape-published", byFormula, publishedCapeEpsilon}}};
  return kWays;
}

Status checkConsortium(const ConsortiumSetting& setting) {
  if (!(setting.epsilon > 0) || !std::isfinite(setting.epsilon)) {
    return Error{Code::kInvalidEpsilon, "epsilon must be a finite number above 0", "epsilon"};
  }
  if (!(setting.delta > 0 && setting.delta < 1)) {
    return Error{Code::kInvalidDelta, "delta must be strictly between 0 and 1", "delta"};
  }
  if (setting.sites < 1) {
    return Error{Code::kInvalidFederation, "there must be at least one site", "sites"};
  }
  if (setting.honest < 1 || setting.honest > setting.sites) {
    return Error{Code::kInvalidFederation, "honest must be between 1 and the number of sites",
                 "honest"};
  }
  return {};
}

double consortiumDeviation(const ConsortiumWay& way, const ConsortiumSetting& setting,
                           double rows) {
  return deviationOf(way, setting, pooledDeviation(setting), rows);
}

double publishedCapeEpsilon(const ConsortiumSetting& setting) {
  const double kappa = pm::kappa(View::kGeneratedMasks, setting.sites, setting.honest, 1);
  const double sigma = classicalDeviation(setting.epsilon, setting.delta);
  return epsilonOfGdp(std::sqrt(2 * kappa) / sigma, setting.delta);
}

Status checkConsortium(const ConsortiumData& data) {
  if (Status wrong = checkCca(inputOf(data.covariance, data.first, 0))) return wrong;
  constexpr double kRounding = 1e-9;
  if (data.covariance.trace() > 1 + kRounding) {
    return Error{Code::kInvalidRowNorm,
                 "the trace, the mean squared length of rows, must be at most 1", "covariance"};
  }
  if (eigenvalues(data.covariance).minCoeff() < -kRounding) {
    return Error{Code::kInvalidRowNorm, "the covariance has a negative eigenvalue", "covariance"};
  }
  if (ConsortiumTruth(data).correlations()[0] < kRounding) {
    return Error{Code::kInvalidView, "the views must not be uncorrelated", "covariance"};
  }
  return {};
}

ConsortiumTruth::ConsortiumTruth(const ConsortiumData& data)
    : covariance_(data.covariance), first_(data.first) {
  const Cca truth = cca(inputOf(covariance_, first_, 0)).value();
  correlations_.resize(Index(truth.correlations.size()));
  for (Index k = 0; k < correlations_.size(); ++k) {
    correlations_[k] = truth.correlations[std::size_t(k)].value;
  }
}

Recovered ConsortiumTruth::judge(const MatrixXd& estimate, double deviation) const {
  const Cca found = cca(inputOf(estimate, first_, deviation)).value();
  const Index rest = covariance_.rows() - first_, pairs = correlations_.size();
  MatrixXd x = found.x.weights, y = found.y.weights;
  uncorrelate(covariance_.topLeftCorner(first_, first_), x);
  uncorrelate(covariance_.bottomRightCorner(rest, rest), y);
  const MatrixXd cross = covariance_.topRightCorner(first_, rest);
  Recovered recovered;
  for (Index k = 0; k < pairs; ++k) {
    const double own = std::abs(x.col(k).dot(cross * y.col(k)));
    if (k == 0) recovered.first = own;
    recovered.all += own;
    const CanonicalCorrelation& pair = found.correlations[std::size_t(k)];
    const double reported = pair.below_noise_floor ? 0 : pair.value;
    recovered.error += std::abs(reported - correlations_[k]) / double(pairs);
  }
  recovered.first /= correlations_[0];
  recovered.all /= correlations_.sum();
  return recovered;
}

void ConsortiumSurface::run(const ConsortiumData& data, int first, int count,
                            std::span<double> sums) {
  const ConsortiumTruth truth(data);
  const auto d = int(data.covariance.rows());
  const MatrixXd root = lowerRoot(data.covariance);
  const NoiseDraw noise(SumNoise::everywhere({std::numbers::sqrt2, 1}), d);
  for (int number = first; number < first + count; ++number) {
    Drbg random = simulationDrbg(1, std::uint64_t(number));
    const MatrixXd drawn = noise.draw(random).bottomRightCorner(d, d);
    for (int j = 0; j < kSamples; ++j) {
      const double sample = sampleAt(j);
      MatrixXd own = data.covariance;
      if (sample < kInfinity) {
        // The same random numbers for every sample size, as far as their laws allow.
        Drbg rows = simulationDrbg(2, std::uint64_t(number));
        std::vector<double> packed(std::size_t(d) * (std::size_t(d) + 1) / 2, 0.0);
        addWishart(d, sample, 1 / sample, rows, packed);
        const MatrixXd spread = unpacked<double>(packed, d);
        own = multiply(multiply(root, spread), transposed(root));
      }
      for (int i = 0; i < kDeviations; ++i) {
        const double deviation = deviationAt(i);
        const Recovered recovered = truth.judge(own + deviation * drawn, deviation);
        double* sum = sums.data() + cell(j, i);
        sum[0] += recovered.first;
        sum[1] += recovered.all;
        sum[2] += recovered.error;
      }
    }
  }
}

Recovered ConsortiumSurface::at(std::span<const double> sums, int runs, double deviation,
                                double sample) {
  const double place = placeOfDeviation(deviation), strays = placeOfSample(sample);
  const auto quantity = [&](std::size_t q) {
    const auto along_deviation = [&](std::size_t j) {
      const int own = kSamples - 1 - int(j);
      const auto value = [&](std::size_t i) { return sums[cell(own, int(i)) + q]; };
      return between(deviationPlaces(), value, place);
    };
    return between(samplePlaces(), along_deviation, strays) / runs;
  };
  return {quantity(0), quantity(1), quantity(2)};
}

std::array<ConsortiumOutcome, 7> consortiumOutcomes(std::span<const double> sums, int runs,
                                                    const ConsortiumSetting& setting, double rows) {
  std::array<ConsortiumOutcome, 7> outcomes;
  const double pooled = pooledDeviation(setting);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const ConsortiumWay& way = consortiumWays()[i];
    ConsortiumOutcome& outcome = outcomes[i];
    const double used = way.alone ? rows : rows * setting.sites;
    outcome.deviation = deviationOf(way, setting, pooled, used);
    outcome.epsilon = way.epsilon(setting);
    const double sample =
        way.alone && setting.sites > 1 ? rows * setting.sites / (setting.sites - 1.0) : kInfinity;
    outcome.recovered = ConsortiumSurface::at(sums, runs, outcome.deviation, sample);
  }
  return outcomes;
}

}  // namespace pm
