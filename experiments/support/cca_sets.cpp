#include "experiments/support/cca_sets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/random/continuous.hpp"
#include "experiments/support/table_file.hpp"
#include "experiments/support/two_views.hpp"

namespace two_views {
namespace {

// Scores of the leading principal components.
MatrixXd principalScores(MatrixXd rows, int components) {
  rows.rowwise() -= rows.colwise().mean().eval();
  const pm::Spectrum decomposed = pm::spectrum(pm::multiplyTransposed(rows, rows));
  return pm::multiply(rows, decomposed.vectors.leftCols(components));
}

// Centres the columns and divides by the largest length.
MatrixXd centredAndScaled(MatrixXd rows) {
  rows.rowwise() -= rows.colwise().mean().eval();
  return rows / rows.rowwise().norm().maxCoeff();
}

// Two random sets of centred orthonormal columns, in which the i-th columns have the i-th
// correlation.
std::pair<MatrixXd, MatrixXd> profiles(Index subjects, const VectorXd& correlations) {
  pm::Drbg random = pm::simulationDrbg(2);
  const Index k = correlations.size();
  MatrixXd columns(subjects, 2 * k);
  for (Index i = 0; i < columns.size(); ++i) columns(i) = pm::standardNormal(random);
  columns.rowwise() -= columns.colwise().mean().eval();
  columns *= pm::flooredWhitener(pm::multiplyTransposed(columns, columns), 0);
  MatrixXd second(subjects, k);
  for (Index i = 0; i < k; ++i) {
    const double r = correlations[i];
    second.col(i) = r * columns.col(i) + std::sqrt(1 - r * r) * columns.col(k + i);
  }
  return {columns.leftCols(k), second};
}

// Five smooth blobs on a grid of 50 x 50, in place of the spatial maps of functional magnetic
// resonance imaging, which are not public.
MatrixXd blobs() {
  constexpr int kSide = 50;
  constexpr std::array<std::array<double, 3>, 5> kPlaces{
      {{12, 12, 5}, {12, 38, 4}, {26, 24, 7}, {38, 10, 4}, {39, 39, 6}}};
  MatrixXd maps(5, kSide * kSide);
  for (int k = 0; k < 5; ++k) {
    const auto [x, y, width] = kPlaces[std::size_t(k)];
    for (int i = 0; i < kSide * kSide; ++i) {
      const double dx = i % kSide - x, dy = i / kSide - y;
      maps(k, i) = std::exp(-(dx * dx + dy * dy) / (2 * width * width));
    }
  }
  return maps;
}

}  // namespace

Set digitHalves(const std::filesystem::path& folder, Index most) {
  constexpr int kComponents = 50, kHalf = 392;
  MatrixXd pixels = experiments::readTableFile(folder, "mnist");
  const Index n = std::min(most, pixels.rows());
  MatrixXd rows(n, 2 * kComponents);
  rows << principalScores(pixels.topRows(n).leftCols(kHalf), kComponents),
      principalScores(pixels.topRows(n).middleCols(kHalf, kHalf), kComponents);
  rows.rowwise().normalize();
  return {"mnist", std::move(rows), kComponents, kComponents, 25, 10};
}

Set fiveSources(Index n) {
  constexpr int kColumns = 20, kSources = 5;
  pm::Drbg random = pm::simulationDrbg(3);
  MatrixXd rows(n, 2 * kColumns);
  for (Index r = 0; r < n; ++r) {
    const double source = 1 + std::floor(kSources * pm::uniformOpen(random));
    const double spread = std::sqrt(source);
    for (int c = 0; c < kColumns; ++c) {
      rows(r, c) = source + spread * pm::standardNormal(random);
      rows(r, kColumns + c) = 2 * source - 5 + spread * pm::standardNormal(random);
    }
  }
  return {"synthetic", centredAndScaled(std::move(rows)), kColumns, kSources, kSources, kSources};
}

Set imaging(const std::filesystem::path& folder, Index subjects) {
  constexpr int kComponents = 5;
  VectorXd correlations(kComponents);
  correlations << .9, .7, .5, .3, .1;
  const MatrixXd eeg = experiments::readTableFile(folder, "eeg").transpose();
  const auto [first, second] = profiles(subjects, correlations);
  // The principal components of profiles x maps depend on the maps only through their products.
  const auto scores = [](const MatrixXd& profile, const MatrixXd& maps) {
    const pm::Spectrum inner = pm::spectrum(pm::multiplyByTranspose(maps));
    const MatrixXd root = inner.vectors * inner.values.cwiseMax(0).cwiseSqrt().asDiagonal();
    return centredAndScaled(principalScores(profile * root, kComponents));
  };
  MatrixXd rows(subjects, 2 * kComponents);
  rows << scores(first, blobs()), scores(second, eeg);
  return {"imaging", centredAndScaled(std::move(rows)), kComponents, kComponents, 3, 0};
}

Set students(const std::filesystem::path& folder) {
  constexpr int kRepeats = 20;
  MatrixXd rows = experiments::readTableFile(folder, "mmreg");
  rows.rowwise() -= rows.colwise().mean().eval();
  rows.array().rowwise() /= rows.array().square().colwise().mean().sqrt().eval();
  return {"students", centredAndScaled(rows.replicate(kRepeats, 1)), 3, 3, 2, 0};
}

}  // namespace two_views
