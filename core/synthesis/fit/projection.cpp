#include "core/synthesis/fit/projection.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/moments/quantiser.hpp"
#include "core/random/continuous.hpp"
#include "core/synthesis/plan/sums.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

double rounded(double entry) {
  return std::ldexp(std::nearbyint(std::ldexp(entry, kDirectionBits)), -kDirectionBits);
}

double dot(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  double sum = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Eigen::MatrixXd randomDirections(int features, int components, std::uint64_t seed) {
  Drbg random = simulationDrbg(seed);
  std::vector<Eigen::VectorXd> directions;
  while (int(directions.size()) < components) {
    Eigen::VectorXd next(features);
    for (double& entry : next) entry = standardNormal(random);
    // Two passes are enough (Giraud, Langou & Rozloznik 2005).
    for (int pass = 0; pass < 2; ++pass) {
      for (const Eigen::VectorXd& other : directions) next -= dot(next, other) * other;
    }
    directions.push_back(next / std::sqrt(dot(next, next)));
  }
  Eigen::MatrixXd result(features, components);
  for (int m = 0; m < components; ++m) {
    for (int i = 0; i < features; ++i) result(i, m) = rounded(directions[std::size_t(m)][i]);
  }
  return result;
}

Eigen::MatrixXd leadingDirections(const Eigen::MatrixXd& symmetric, int components) {
  const Spectrum pairs = spectrum(symmetric);
  Eigen::MatrixXd directions(symmetric.rows(), components);
  for (int m = 0; m < components; ++m) {
    Eigen::Index largest = 0;
    for (Eigen::Index i = 1; i < symmetric.rows(); ++i) {
      if (std::fabs(pairs.vectors(i, m)) > std::fabs(pairs.vectors(largest, m))) largest = i;
    }
    const double sign = pairs.vectors(largest, m) < 0 ? -1 : 1;
    for (Eigen::Index i = 0; i < symmetric.rows(); ++i) {
      directions(i, m) = rounded(sign * pairs.vectors(i, m));
    }
  }
  return directions;
}

bool isHeldOut(std::size_t place, double fraction) {
  return std::floor(double(place + 1) * fraction) > std::floor(double(place) * fraction);
}

IntegerRows remaining(IntegerRows rows, double held_out) {
  if (held_out == 0) return rows;
  IntegerRows result{rows.width()};
  std::vector<double> row(std::size_t(rows.width()));
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (isHeldOut(r, held_out)) continue;
    const auto from = rows.row(r);
    std::copy(from.begin(), from.end(), row.begin());
    result.add(row);
  }
  wipe(row.data(), row.size() * sizeof(double));
  return result;
}

IntegerRows projected(const Eigen::MatrixXd& projection, const IntegerRows& rows, double held_out) {
  const std::size_t features = std::size_t(projection.rows());
  const std::size_t components = std::size_t(projection.cols());
  const std::size_t further = std::size_t(rows.width()) - features;
  IntegerRows result{int(components + further)};
  std::vector<double> z(components), out(components + further);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (isHeldOut(r, held_out)) continue;
    const auto q = rows.row(r);
    for (std::size_t m = 0; m < components; ++m) {
      const double* direction = projection.col(Eigen::Index(m)).data();
      double sum = 0;
      for (std::size_t i = 0; i < features; ++i) sum += direction[i] * q[i];
      z[m] = sum;
    }
    quantiseRow(z, std::ldexp(1.0, kRowBits), kRowBits, std::span(out).first(components));
    for (std::size_t i = 0; i < further; ++i) out[components + i] = q[features + i];
    result.add(out);
  }
  wipe(z.data(), z.size() * sizeof(double));
  wipe(out.data(), out.size() * sizeof(double));
  return result;
}

Result<Eigen::MatrixXd> privateDirections(const SynthesisPlan& plan, const IntegerRows& rows,
                                          NoiseSource& noise) {
  const bool split = plan.terms.projection.source == ProjectionSource::kSplit;
  Scatter scatter(plan.features, kRowBits);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (!split || isHeldOut(r, plan.terms.projection.fraction)) scatter.add(rows.row(r));
  }
  QuerySums sums(*plan.projection);
  if (const Status damaged = scatter.addTo(sums.block(0))) return *damaged;
  sums.release(noise);
  return leadingDirections(sums.matrix(0), plan.components);
}

}  // namespace pm
