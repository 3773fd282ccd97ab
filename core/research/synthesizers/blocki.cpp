#include "core/research/synthesizers/blocki.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/random/continuous.hpp"
#include "core/research/published/entrywise.hpp"
#include "core/research/synthesizers/gaussian_rows.hpp"
#include "core/synthesis/rows/repair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

double lengthSquared(const SynthesisParams& params) {
  return params.label == LabelKind::kNumber ? 3 : 2;
}

// Squared maximum distance of two rows: |x/sqrt m| <= 1, and labels are in [-1, 1].
double apartSquared(const SynthesisParams& params) {
  return params.label == LabelKind::kNumber ? 8 : 4;
}

// The published w^2, for rows of these lengths.
double publishedNoiseSquared(const SynthesisParams& params) {
  const double w = publishedSketchNoise(params.sketch_rows, params.epsilon, params.delta);
  return w * w * apartSquared(params);
}

double enoughNoiseSquared(const SynthesisParams& params) {
  return lengthSquared(params) *
         sketchNoiseSquared(params.sketch_rows, params.epsilon, params.delta);
}

// Scatters of (1, z, label), one per class.
std::vector<MatrixXd> scattersOf(const MatrixXd& z, const Eigen::VectorXd& labels,
                                 const SynthesisParams& params) {
  MatrixXd rows(z.rows(), z.cols() + 1);
  rows << Eigen::VectorXd::Ones(z.rows()), z;
  std::vector<MatrixXd> scatters;
  if (params.label == LabelKind::kClass) {
    for (int level = 0; level < params.classes; ++level) {
      const MatrixXd of = rowsOfClass({rows, labels}, level);
      scatters.push_back(multiplyTransposed(of, of));
    }
  } else {
    if (params.label == LabelKind::kNumber) rows = withLabels(rows, labels);
    scatters.push_back(multiplyTransposed(rows, rows));
  }
  return scatters;
}

// The normal law of one class from its noisy scatter. The number of rows is public without classes.
RowComponent lawOf(const MatrixXd& scatter, Index n, int level, const SynthesisParams& params) {
  const Index q = scatter.rows() - 1;
  const double count = level < 0 ? double(n) : std::max(1.0, scatter(0, 0));
  const double longest = lengthSquared(params) - 1;
  const Eigen::VectorXd mean = shortened(scatter.col(0).tail(q) / count, std::sqrt(longest));
  const MatrixXd about = scatter.bottomRightCorner(q, q) / count - mean * mean.transpose();
  return {count, mean, nearestCovariance(about, longest), level};
}

PublishedSynthesis drawnFrom(const std::vector<MatrixXd>& scatters, const MatrixXd& projection,
                             const SynthesisData& data, const SynthesisParams& params,
                             Drbg& random) {
  std::vector<RowComponent> laws;
  for (std::size_t c = 0; c < scatters.size(); ++c) {
    const int level = params.label == LabelKind::kClass ? int(c) : -1;
    laws.push_back(lawOf(scatters[c], data.secret.rows.rows(), level, params));
  }
  return {drawComponents(laws, params.label, params.drawn, random), projection};
}

PublishedSynthesis sketched(const SynthesisData& data, const SynthesisParams& params,
                            double w_squared, Drbg& random) {
  const Index m = data.secret.rows.cols();
  const MatrixXd projection = MatrixXd::Identity(m, m) / std::sqrt(double(m));
  std::vector<MatrixXd> scatters =
      scattersOf(data.secret.rows / std::sqrt(double(m)), data.secret.labels, params);
  for (MatrixXd& scatter : scatters) {
    const MatrixXd draws = normals(params.sketch_rows, scatter.rows(), random);
    scatter = scatterOf(sketchOf(scatter, w_squared, draws), w_squared);
  }
  return drawnFrom(scatters, projection, data, params, random);
}

Guarantee approximate(const SynthesisParams& params) {
  MechanismParams plain{};
  plain.epsilon = params.epsilon;
  plain.delta = params.delta;
  plain.neighbours = Neighbours::kReplaceOne;
  return guaranteeFor(plain, Numerics::kIdealized);
}

Guarantee sketchGuarantee(const SynthesisParams& params, double w_squared) {
  Guarantee g = approximate(params);
  g.epsilon = sketchEpsilon(w_squared / lengthSquared(params), params.sketch_rows, params.delta);
  return g;
}

// Normal entries of variance 1/p over the largest singular value, so that lengths do not grow.
MatrixXd shrinkingProjection(Index m, const SynthesisParams& params) {
  Drbg open = simulationDrbg(params.public_seed);
  const MatrixXd r = normals(m, params.components, open);
  return r / std::sqrt(eigenvalues(multiplyTransposed(r, r))[0]);
}

// Renyi divergence of order a between normal laws with variance ratio `ratio`.
double divergence(double ratio, double a) {
  const double mixed = a * ratio + 1 - a;
  if (!(mixed > 0)) return std::numeric_limits<double>::infinity();
  return std::log(ratio) / 2 + std::log(ratio / mixed) / (2 * (a - 1));
}

}  // namespace

double publishedSketchNoise(int r, double epsilon, double delta) {
  return 16 * std::sqrt(r * std::log(2 / delta)) / epsilon * std::log(16 * r / delta);
}

int publishedSketchRows(double eta, double nu) {
  return int(std::ceil(8 * std::log(2 / nu) / (eta * eta)));
}

double sketchEpsilon(double w_squared, int r, double delta) {
  const double up = 1 + 1 / w_squared, down = 1 - 1 / (1 + w_squared);
  double least = std::numeric_limits<double>::infinity();
  const auto attempt = [&](double a) {
    const double at = r * (divergence(up, a) + divergence(down, a)) + std::log1p(-1 / a) -
                      (std::log(delta) + std::log(a)) / (a - 1);
    least = std::min(least, at);
  };
  for (int i = 101; i < 200; ++i) attempt(i / 100.0);
  for (int i = 8; i < 256; ++i) attempt(i / 4.0);
  for (int i = 64; i < 1024; i += 4) attempt(i);
  return std::max(0.0, least);
}

double sketchNoiseSquared(int r, double epsilon, double delta) {
  double low = std::log(1e-3), high = std::log(1e12);
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (sketchEpsilon(std::exp(middle), r, delta) > epsilon ? low : high) = middle;
  }
  return std::exp(high);
}

MatrixXd sketchOf(const MatrixXd& scatter, double w_squared, const MatrixXd& normals) {
  const Spectrum s = spectrum(scatter);
  const Eigen::VectorXd roots = (s.values.cwiseMax(0).array() + w_squared).sqrt();
  return multiply(normals * roots.asDiagonal(), s.vectors.transpose());
}

MatrixXd scatterOf(const MatrixXd& sketch, double w_squared) {
  MatrixXd scatter = multiplyTransposed(sketch, sketch) / double(sketch.rows());
  scatter.diagonal().array() -= w_squared;
  return scatter;
}

PublishedSynthesis publishedBlocki(const SynthesisData& data, const SynthesisParams& params,
                                   Drbg& random) {
  return sketched(data, params, publishedNoiseSquared(params), random);
}

std::optional<Guarantee> publishedBlockiGuarantee(const SynthesisParams& params, Index, Index) {
  return sketchGuarantee(params, publishedNoiseSquared(params));
}

PublishedSynthesis blocki(const SynthesisData& data, const SynthesisParams& params, Drbg& random) {
  return sketched(data, params, enoughNoiseSquared(params), random);
}

std::optional<Guarantee> blockiGuarantee(const SynthesisParams& params, Index, Index) {
  return sketchGuarantee(params, enoughNoiseSquared(params));
}

std::vector<MatrixXd> noisyFeatureScatters(const MatrixXd& z, const Eigen::VectorXd& labels,
                                           const SynthesisParams& params, Drbg& random) {
  const double sigma =
      std::numbers::sqrt2 * lengthSquared(params) / gdpOfEpsilonDelta(params.epsilon, params.delta);
  std::vector<MatrixXd> scatters = scattersOf(z, labels, params);
  for (MatrixXd& scatter : scatters) {
    scatter = plusSymmetric(scatter, [&] { return sigma * standardNormal(random); });
  }
  return scatters;
}

PublishedSynthesis blockiFeatures(const SynthesisData& data, const SynthesisParams& params,
                                  Drbg& random) {
  const Index m = data.secret.rows.cols();
  const MatrixXd projection = shrinkingProjection(m, params) / std::sqrt(double(m));
  const std::vector<MatrixXd> scatters = noisyFeatureScatters(
      multiply(data.secret.rows, projection), data.secret.labels, params, random);
  return drawnFrom(scatters, projection, data, params, random);
}

std::optional<Guarantee> blockiFeaturesGuarantee(const SynthesisParams& params, Index, Index) {
  Guarantee g = approximate(params);
  g.gdp = gdpOfEpsilonDelta(params.epsilon, params.delta);
  g.zcdp = zcdpOfGdp(g.gdp);
  g.epsilon = epsilonOfGdp(g.gdp, params.delta);
  return g;
}

}  // namespace pm
