#pragma once

// Shared by experiments on canonical correlations: data of two views, their estimates and scores.

#include <Eigen/Core>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace two_views {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Second moments of two views together, divided by the number of rows and the largest squared
/// length.
struct Data {
  std::string name;
  Matrix covariance;
  int dx = 0;  ///< number of columns of the first view
  double rows = 0;
  int components = 0;
};

struct Estimate {
  Vector correlations;
  Matrix x;
  Matrix y;
  int above = -1;  ///< pairs above the noise floor
};

/// Covariance of centred rows divided by the largest length.
inline Matrix scaledCovariance(const Matrix& rows) {
  const double longest = rows.rowwise().norm().maxCoeff();
  return pm::multiplyTransposed(rows, rows) / (longest * longest * double(rows.rows()));
}

/// Scores of the leading principal components.
inline Matrix principalScores(Matrix rows, int components) {
  rows.rowwise() -= rows.colwise().mean().eval();
  const pm::Spectrum decomposed = pm::spectrum(pm::multiplyTransposed(rows, rows));
  return pm::multiply(rows, decomposed.vectors.leftCols(components));
}

constexpr int kDigitComponents = 50;

/// Upper and lower halves of the digits, 50 principal components each, side by side.
inline Matrix digitScores(const std::filesystem::path& file) {
  constexpr int kPixels = 784;
  constexpr int kHalf = kPixels / 2;
  std::ifstream in(file, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), {});
  const auto n = static_cast<Eigen::Index>(bytes.size()) / kPixels;
  Matrix scores(n, 2 * kDigitComponents);
  for (int half = 0; half < 2; ++half) {
    Matrix pixels(n, kHalf);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (int j = 0; j < kHalf; ++j) {
        pixels(i, j) = static_cast<unsigned char>(
            bytes[static_cast<std::size_t>(i * kPixels + half * kHalf + j)]);
      }
    }
    scores.middleCols(half * kDigitComponents, kDigitComponents) =
        principalScores(pixels, kDigitComponents);
  }
  return scores;
}

inline Matrix blockOf(const Data& data, const Matrix& c, int v, int w) {
  const auto start = [&](int view) { return view == 0 ? 0 : data.dx; };
  const auto size = [&](int view) { return view == 0 ? data.dx : int(c.rows()) - data.dx; };
  return c.block(start(v), start(w), size(v), size(w));
}

/// The leading pairs, from the whitening matrix of each view.
inline Estimate whitened(const Data& data, const Matrix& c, const Matrix& a, const Matrix& b) {
  const pm::SingularPairs pairs =
      pm::singularPairs(pm::multiply(pm::multiplyTransposed(a, blockOf(data, c, 0, 1)), b));
  const int k = data.components;
  return {pairs.values.head(k), pm::multiply(a, pairs.left.leftCols(k)),
          pm::multiply(b, pairs.right.leftCols(k))};
}

/// The canonical correlations themselves.
inline Vector truthOf(const Data& data) {
  const Matrix& c = data.covariance;
  return whitened(data, c, pm::flooredWhitener(blockOf(data, c, 0, 0), 0),
                  pm::flooredWhitener(blockOf(data, c, 1, 1), 0))
      .correlations;
}

/// This library's result from a noisy covariance.
inline Estimate ours(const Data& data, const Matrix& noisy, const pm::NoiseLaw& law) {
  pm::CcaInput input;
  input.covariance = noisy;
  input.noise = law;
  input.trace_bound = 1;
  input.half = Vector::Ones(noisy.rows());
  input.x.resize(static_cast<std::size_t>(data.dx));
  input.y.resize(static_cast<std::size_t>(noisy.rows() - data.dx));
  std::iota(input.x.begin(), input.x.end(), 0);
  std::iota(input.y.begin(), input.y.end(), data.dx);
  input.components = data.components;
  const pm::Cca result = pm::cca(input).value();
  Estimate estimate{Vector(data.components), result.x.weights, result.y.weights, 0};
  for (int j = 0; j < data.components; ++j) {
    const pm::CanonicalCorrelation& pair = result.correlations[static_cast<std::size_t>(j)];
    estimate.correlations[j] = pair.value;
    estimate.above += pair.below_noise_floor ? 0 : 1;
  }
  return estimate;
}

/// Sum of the true canonical correlations between the subspaces that the weights span.
inline double captured(const Data& data, const Estimate& estimate) {
  const auto between = [&](const Matrix& left, int v, int w, const Matrix& right) {
    return pm::multiply(pm::multiplyTransposed(left, blockOf(data, data.covariance, v, w)), right);
  };
  const Matrix a = pm::flooredWhitener(between(estimate.x, 0, 0, estimate.x), 0);
  const Matrix b = pm::flooredWhitener(between(estimate.y, 1, 1, estimate.y), 0);
  const Matrix cross = between(estimate.x, 0, 1, estimate.y);
  return pm::singularPairs(pm::multiply(pm::multiplyTransposed(a, cross), b)).values.sum();
}

}  // namespace two_views
