#include "experiments/support/two_views.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/continuous.hpp"
#include "experiments/support/k_means.hpp"

namespace two_views {
namespace {

MatrixXd blockOf(const Set& set, const MatrixXd& c, int v, int w) {
  const auto start = [&](int view) { return view == 0 ? 0 : set.dx; };
  const auto size = [&](int view) { return view == 0 ? set.dx : set.dy(); };
  return c.block(start(v), start(w), size(v), size(w));
}

// The first columns of a matrix; zeros where it has fewer.
MatrixXd leading(const MatrixXd& columns, Index count) {
  MatrixXd result = MatrixXd::Zero(columns.rows(), count);
  const Index there = std::min(count, columns.cols());
  result.leftCols(there) = columns.leftCols(there);
  return result;
}

// The leading pairs, from a matrix that whitens each view. No correlation is above 1.
Estimate whitened(const Set& set, const MatrixXd& c, const MatrixXd& a, const MatrixXd& b) {
  const pm::SingularPairs pairs =
      pm::singularPairs(pm::multiply(pm::multiplyTransposed(a, blockOf(set, c, 0, 1)), b));
  return {leading(pairs.values.cwiseMin(1.0).transpose(), set.pairs).transpose(),
          leading(pm::multiply(a, pairs.left), set.directions),
          leading(pm::multiply(b, pairs.right), set.directions)};
}

// The textbook's inverse square root, with the absolute value of an eigenvalue that noise made
// negative.
MatrixXd plainWhitener(const MatrixXd& block) {
  const pm::Spectrum decomposed = pm::spectrum(block);
  return decomposed.vectors * decomposed.values.cwiseAbs().cwiseSqrt().cwiseInverse().asDiagonal();
}

MatrixXd orthonormal(const MatrixXd& weights) {
  const double largest = weights.cwiseAbs().maxCoeff();
  if (!(largest > 0)) return MatrixXd(weights.rows(), 0);
  const MatrixXd scaled = weights / largest;
  return pm::multiply(scaled, pm::flooredWhitener(pm::multiplyTransposed(scaled, scaled), 0));
}

}  // namespace

MatrixXd secondMoments(const Set& set, Index from, Index count) {
  const MatrixXd part = set.rows.middleRows(from, count);
  return pm::multiplyTransposed(part, part) / double(count);
}

Estimate readPlainly(const Set& set, const MatrixXd& noisy, const pm::NoiseLaw&) {
  return whitened(set, noisy, plainWhitener(blockOf(set, noisy, 0, 0)),
                  plainWhitener(blockOf(set, noisy, 1, 1)));
}

Estimate readFloored(const Set& set, const MatrixXd& noisy, const pm::NoiseLaw& law) {
  const double edge = pm::spectralEdge(law, set.dimension());
  return whitened(set, noisy, pm::flooredWhitener(blockOf(set, noisy, 0, 0), edge),
                  pm::flooredWhitener(blockOf(set, noisy, 1, 1), edge));
}

Estimate readRidged(const Set& set, const MatrixXd& noisy, const pm::NoiseLaw& law) {
  const double edge = pm::spectralEdge(law, set.dimension());
  const MatrixXd clean = pm::projectTrace(noisy, 1).value();
  return whitened(set, clean, pm::ridgedWhitener(blockOf(set, clean, 0, 0), edge),
                  pm::ridgedWhitener(blockOf(set, clean, 1, 1), edge));
}

Estimate readDenoised(const Set& set, const MatrixXd& noisy, const pm::NoiseLaw& law) {
  const MatrixXd clean = pm::denoised(noisy, law, 1);
  return whitened(set, clean, pm::flooredWhitener(blockOf(set, clean, 0, 0), 0),
                  pm::flooredWhitener(blockOf(set, clean, 1, 1), 0));
}

Estimate readAware(const Set& set, const MatrixXd& noisy, const pm::NoiseLaw& law) {
  pm::CcaInput input;
  input.covariance = noisy;
  input.noise = law;
  input.trace_bound = 1;
  input.half = VectorXd::Ones(set.dimension());
  input.x.resize(std::size_t(set.dx));
  input.y.resize(std::size_t(set.dy()));
  std::iota(input.x.begin(), input.x.end(), 0);
  std::iota(input.y.begin(), input.y.end(), set.dx);
  input.components = std::max(set.pairs, set.directions);
  const pm::Cca result = pm::cca(input).value();
  Estimate estimate{VectorXd(set.pairs), result.x.weights.leftCols(set.directions),
                    result.y.weights.leftCols(set.directions)};
  for (int j = 0; j < set.pairs; ++j) {
    estimate.correlations[j] = result.correlations[std::size_t(j)].value;
  }
  return estimate;
}

Estimate randomDirections(const Set& set, pm::Drbg& random) {
  Estimate estimate{{}, MatrixXd(set.dx, set.directions), MatrixXd(set.dy(), set.directions)};
  for (MatrixXd* weights : {&estimate.x, &estimate.y}) {
    for (Index i = 0; i < weights->size(); ++i) (*weights)(i) = pm::standardNormal(random);
  }
  return estimate;
}

Judge::Judge(const Set& set)
    : set_(set),
      truth_(secondMoments(set, 0, set.rows.rows())),
      optimal_(readPlainly(set, truth_)) {
  all_ = sumBetween(optimal_);
  if (set.clusters == 0) return;
  // Rows far apart in the set, the same for all estimates.
  const Index count = std::min<Index>(kClustered, set.rows.rows());
  clustered_.resize(set.dx, count);
  for (Index i = 0; i < count; ++i) {
    clustered_.col(i) = set.rows.row(i * set.rows.rows() / count).head(set.dx);
  }
}

Score Judge::score(const Estimate& estimate, bool with_clusters) const {
  Score score;
  score.captured = sumBetween(estimate) / all_;
  if (estimate.correlations.size() > 0) {
    score.error = (estimate.correlations - optimal_.correlations).norm() / double(set_.pairs);
  }
  if (set_.clusters > 0 && with_clusters) {
    const MatrixXd basis = orthonormal(estimate.x);
    score.clusters = 0;
    if (basis.cols() > 0) {
      const MatrixXd projected = pm::multiplyTransposed(basis, clustered_);
      score.clusters = experiments::KMeans(projected, set_.clusters).index();
    }
  }
  return score;
}

double Judge::sumBetween(const Estimate& estimate) const {
  const auto between = [&](const MatrixXd& left, int v, int w, const MatrixXd& right) {
    return pm::multiply(pm::multiplyTransposed(left, blockOf(set_, truth_, v, w)), right);
  };
  const MatrixXd x = orthonormal(estimate.x), y = orthonormal(estimate.y);
  if (x.cols() == 0 || y.cols() == 0) return 0;
  const MatrixXd a = pm::flooredWhitener(between(x, 0, 0, x), 0);
  const MatrixXd b = pm::flooredWhitener(between(y, 1, 1, y), 0);
  const MatrixXd cross = between(x, 0, 1, y);
  return pm::singularPairs(pm::multiply(pm::multiplyTransposed(a, cross), b)).values.sum();
}

pm::NoiseLaw upperTriangle(double deviation) { return {deviation, deviation}; }

pm::NoiseLaw rotationInvariant(double epsilon, double delta, double rows, double growth) {
  const double deviation = std::sqrt(growth) / (pm::gdpOfEpsilonDelta(epsilon, delta) * rows);
  return {std::numbers::sqrt2 * deviation, deviation};
}

MatrixXd withNoise(const MatrixXd& moments, const pm::NoiseLaw& law, pm::Drbg& random) {
  const pm::NoiseDraw noise(pm::SumNoise::everywhere(law), int(moments.rows()));
  return moments + noise.draw(random).bottomRightCorner(moments.rows(), moments.cols());
}

}  // namespace two_views
