#include "core/research/synthesizers/pca_gauss_paper.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/matrix/multiply.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/research/published/entrywise.hpp"
#include "core/research/synthesizers/basis.hpp"
#include "core/research/synthesizers/gaussian_rows.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

// Shares of mean and covariance in algorithm 3, from the authors' code.
constexpr double kMeanShare = 0.1, kCovarianceShare = 0.9;

// The vector subtracted from the rows: their mean as published, or zero.
RowVectorXd centreOf(const MatrixXd& rows, Centre centre) {
  return centre == Centre::kData ? meanOf(rows) : RowVectorXd::Zero(rows.cols()).eval();
}

bool privateBasis(const SynthesisParams& params) {
  return params.basis != BasisSource::kPublicRows;
}

double modelEpsilon(const SynthesisParams& params) {
  return privateBasis(params) ? (1 - params.basis_share) * params.epsilon : params.epsilon;
}

// Centred rows and P / sqrt(m).
struct Projected {
  RowVectorXd centre;
  MatrixXd projection;
  MatrixXd z;
};

Projected projected(const SynthesisData& data, const SynthesisParams& params, Drbg& random) {
  Projected result;
  result.centre = centreOf(data.secret.rows, params.centre);
  const MatrixXd rows = data.secret.rows.rowwise() - result.centre;
  if (privateBasis(params)) {
    result.projection = publishedLaplaceBasis(
        rows, params.components, params.basis_share * params.epsilon, params.basis, random);
  } else {
    const MatrixXd open = data.open.rows.rowwise() - centreOf(data.open.rows, params.centre);
    result.projection = leadingEigenvectors(secondMoments(open), params.components);
  }
  result.projection /= std::sqrt(double(rows.cols()));
  result.z = multiply(rows, result.projection);
  return result;
}

// Adds the projected centre back.
void uncentre(MatrixXd& drawn, const Projected& from) {
  drawn.rowwise() += (from.centre * from.projection).eval();
}

// n times the L1 sensitivity of the matrix of second moments, all entries, with a number label.
double labelledMoves(double p) {
  return std::min((p + 1) * (p + 1), 2 * std::numbers::sqrt2 * (p + 1));
}

}  // namespace

double claimedSpectrumSensitivity(double p, double n, double a) { return p * a * a / n; }

double claimedMeanSensitivity(double p, double n, double a) { return 2 * p * a / n; }

double claimedLabelledSensitivity(double p, double n, double a, double b) {
  return (p * p * a * a + 4 * p * a * b + b * b) / n;
}

double ownBasisLimit(double m, double n) { return (m * m + 4 * m) / (4 * n + 1); }

MatrixXd noisySpectrum(const MatrixXd& rows, const SynthesisParams& params, Drbg& random) {
  const MatrixXd centred = rows.rowwise() - centreOf(rows, params.centre);
  const MatrixXd moments = secondMoments(centred);
  const MatrixXd p = leadingEigenvectors(moments, params.components);
  const MatrixXd projected = multiplyTransposed(p, multiply(moments, p)) / double(rows.cols());
  const double moves = claimedSpectrumSensitivity(params.components, double(rows.rows()));
  return plusLaplace(projected, moves / params.epsilon, random);
}

PublishedSynthesis pcaGauss1(const SynthesisData& data, const SynthesisParams& params,
                             Drbg& random) {
  const MatrixXd noisy = noisySpectrum(data.secret.rows, params, random);
  const RowComponent law =
      componentOf({RowVectorXd::Zero(params.components), noisy}, params.repair);
  return {drawComponents({law}, LabelKind::kNone, params.drawn, random), {}};
}

std::optional<Guarantee> pcaGauss1Guarantee(const SynthesisParams& params, Index, Index) {
  if (params.centre == Centre::kData) return {};
  const double p = params.components;
  const std::pair<std::string_view, double> step{"spectrum", params.epsilon * std::min(p, 2.0) / p};
  return pureSynthesis({&step, 1});
}

MatrixXd noisyLabelledMoments(const MatrixXd& z, double epsilon, Drbg& random) {
  const double moves = claimedLabelledSensitivity(double(z.cols() - 1), double(z.rows()));
  return plusLaplace(secondMoments(z), moves / epsilon, random);
}

PublishedSynthesis pcaGauss2(const SynthesisData& data, const SynthesisParams& params,
                             Drbg& random) {
  const Projected from = projected(data, params, random);
  const double label_centre = centreOf(data.secret.labels, params.centre)[0];
  const MatrixXd z = withLabels(from.z, data.secret.labels.array() - label_centre);
  const MatrixXd noisy = noisyLabelledMoments(z, modelEpsilon(params), random);
  const RowComponent law = componentOf({RowVectorXd::Zero(z.cols()), noisy}, params.repair);
  LabelledRows drawn = drawComponents({law}, LabelKind::kNumber, params.drawn, random);
  uncentre(drawn.rows, from);
  drawn.labels.array() += label_centre;
  return {drawn, from.projection};
}

std::optional<Guarantee> pcaGauss2Guarantee(const SynthesisParams& params, Index, Index m) {
  if (params.centre == Centre::kData) return {};
  std::vector<std::pair<std::string_view, double>> steps;
  if (privateBasis(params)) {
    const double columns = double(m);
    const double noise = params.basis == BasisSource::kLaplaceCode
                             ? codeCovarianceSensitivity(columns, 1)
                             : claimedCovarianceSensitivity(columns, 1);
    const Sensitivity moves = unitBoxSensitivity(int(m), Neighbours::kReplaceOne);
    steps.emplace_back("basis", params.basis_share * params.epsilon * moves.full_l1 / noise);
  }
  const double p = params.components;
  steps.emplace_back("moments",
                     modelEpsilon(params) * labelledMoves(p) / claimedLabelledSensitivity(p, 1));
  Guarantee g = pureSynthesis(steps);
  if (!privateBasis(params)) assumePublicRows(g);
  return g;
}

NoisyGaussian publishedGaussian(const MatrixXd& z, Centre centre, double epsilon, Drbg& random) {
  const double p = double(z.cols()), n = double(z.rows());
  const double mean_scale = claimedMeanSensitivity(p, n) / (kMeanShare * epsilon);
  const double scale = claimedCovarianceSensitivity(p, n) / (kCovarianceShare * epsilon);
  const RowVectorXd noisy_mean = plusLaplace(meanOf(z), mean_scale, random);
  MatrixXd noisy = plusLaplace(secondMoments(z.rowwise() - centreOf(z, centre)), scale, random);
  if (centre == Centre::kPublic) noisy -= noisy_mean.transpose() * noisy_mean;
  return {noisy_mean, noisy};
}

RowComponent componentOf(const NoisyGaussian& noisy, Repair repair) {
  return {1, noisy.mean.transpose(), repaired(noisy.covariance, repair)};
}

std::vector<RowComponent> publishedClasses(const LabelledRows& z, const SynthesisParams& params,
                                           double epsilon, Drbg& random) {
  std::vector<RowComponent> laws;
  for (int level = 0; level < params.classes; ++level) {
    const MatrixXd of = rowsOfClass(z, level);
    if (of.rows() == 0) continue;
    laws.push_back(
        componentOf(publishedGaussian(of, Centre::kData, epsilon, random), params.repair));
    laws.back().level = level;
  }
  return laws;
}

PublishedSynthesis pcaGauss3(const SynthesisData& data, const SynthesisParams& params,
                             Drbg& random) {
  const Projected from = projected(data, params, random);
  const std::vector<RowComponent> laws =
      publishedClasses({from.z, data.secret.labels}, params, modelEpsilon(params), random);
  LabelledRows drawn = drawComponents(laws, LabelKind::kClass, params.drawn, random);
  uncentre(drawn.rows, from);
  return {drawn, from.projection};
}

}  // namespace pm
