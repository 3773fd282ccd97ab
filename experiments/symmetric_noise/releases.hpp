// Directions as the methods of Imtiaz and Sarwate 2016 and this library's mechanisms release them.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/power_method.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/research/comparison/comparison.hpp"
#include "core/research/published/entrywise.hpp"
#include "core/research/published/hardt_price.hpp"
#include "core/research/published/ppca_gibbs.hpp"

namespace experiments {

using Matrix = Eigen::MatrixXd;

/// A method under its key of support/methods.mjs.
struct Method {
  std::string_view key;
  std::string_view mechanism;  ///< its name in a registry; empty if it is not in one
  bool own;                    ///< of this library, not of a paper
  bool pure;                   ///< it is asked for, or claimed to have, delta 0
};

/// The paper's methods and this library's.
inline constexpr Method kMethods[] = {
    {"svd", "non-private", false, true},
    {"random", "", false, true},
    {"sn", "symmetric-noise", false, true},
    {"ag", "analyze-gauss-one-over-n", false, false},
    {"ppm", "", false, false},
    {"ppca-gibbs", "", false, true},
    {"two-sided-wishart", "two-sided-wishart", true, true},
    {"gaussian", "gaussian", true, false},
    {"power-method", "power-method", true, false},
    {"ppca", "ppca", true, true},
};

inline const Method* findMethod(std::string_view key) {
  return std::ranges::find(kMethods, key, &Method::key);
}

/// Rounds of both power methods.
constexpr int kPowerRounds = 3;
/// Sweeps of the chain. No number is known to be enough for every data set.
constexpr int kSweeps = 20;

struct Privacy {
  double epsilon;
  double delta;
  pm::Neighbours neighbours;
};

template <class T>
T valueOf(pm::Result<T> result) {
  if (result.ok()) return std::move(result.value());
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::exit(2);
}

inline Matrix orthonormal(const Matrix& columns) {
  return Eigen::HouseholderQR<Matrix>(columns).householderQ() *
         Matrix::Identity(columns.rows(), columns.cols());
}

/// The power method as Hardt and Price print it: in each round the noise is multiplied by the
/// largest entry of V. That is enough for a change of one entry of C by 1, not for a row.
inline Matrix powerMethodForEntries(const Matrix& scatter, const pm::PublishedParams& params,
                                    pm::Drbg& random) {
  Matrix v = orthonormal(pm::normals(scatter.rows(), params.components, random));
  const double sigma = pm::hardtPriceDeviation(params);
  for (int round = 0; round < params.rounds; ++round) {
    const double deviation = sigma * v.cwiseAbs().maxCoeff();
    v = orthonormal(pm::multiply(scatter, v) + deviation * pm::normals(v.rows(), v.cols(), random));
  }
  return v;
}

inline pm::EstimateRun ownRuns(const Method& method, const pm::ComparedRows& rows,
                               const Privacy& privacy) {
  const pm::Mechanism& mechanism = *pm::findMechanism(method.mechanism);
  pm::MechanismParams params{privacy.epsilon, method.pure ? 0 : privacy.delta, privacy.neighbours,
                             pm::Unit::kRow, int(rows.scatter.rows())};
  if (mechanism.directions) params.components = rows.components;
  if (method.key == "power-method") params.options.set(pm::kRounds, kPowerRounds);
  return valueOf(pm::studyRuns(valueOf(mechanism.plan(params)), rows));
}

/// Runs of a method, each of which releases an estimate of C or directions.
inline pm::EstimateRun runsOf(const Method& method, const pm::ComparedRows& rows,
                              const Privacy& privacy) {
  if (method.own) return ownRuns(method, rows, privacy);
  const pm::PublishedParams params{privacy.epsilon, privacy.delta,   privacy.neighbours,
                                   rows.rows,       rows.components, kPowerRounds};
  if (!method.mechanism.empty()) {
    return valueOf(pm::publishedRuns(*pm::findPublished(method.mechanism), params, rows));
  }
  return [&method, &rows, params](pm::Drbg& random) -> pm::Estimate {
    if (method.key == "ppm") return {{}, powerMethodForEntries(rows.scatter, params, random)};
    if (method.key == "random") {
      return {{}, orthonormal(pm::normals(rows.scatter.rows(), params.components, random))};
    }
    return {{},
            pm::gibbsFrame(rows.scatter, params.components, params.epsilon / 2, kSweeps, random)};
  };
}

/// The first k directions of an estimate.
inline Matrix directionsOf(const pm::Estimate& estimate, int components) {
  if (estimate.directions.size() > 0) return estimate.directions;
  return pm::spectrum(estimate.scatter).vectors.leftCols(components);
}

/// tr V^T C V over its maximum for k directions.
inline double capturedEnergy(const Matrix& directions, const pm::ComparedRows& rows) {
  return pm::figuresOf({{}, directions}, rows).share;
}

}  // namespace experiments
