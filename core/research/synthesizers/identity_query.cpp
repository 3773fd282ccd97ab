#include "core/research/synthesizers/identity_query.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/random/bernoulli.hpp"
#include "core/research/published/entrywise.hpp"
#include "core/research/synthesizers/basis.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr int kMostExact = 10;
constexpr double kRidge = 0.01;

// The epsilon for a basis from private rows, for rows, and for class labels.
struct QueryShares {
  double basis, rows, labels;
};

QueryShares sharesOf(const SynthesisParams& params, bool own_basis) {
  const double basis = own_basis ? params.basis_share * params.epsilon : 0;
  const double rest = params.epsilon - basis;
  const bool apart = params.label == LabelKind::kClass && !params.labels_public;
  const double labels = apart ? params.label_share * rest : 0;
  return {basis, rest - labels, labels};
}

Guarantee identityGuarantee(const SynthesisParams& params, bool own_basis) {
  const QueryShares shares = sharesOf(params, own_basis);
  std::vector<std::pair<std::string_view, double>> steps;
  if (shares.basis > 0) steps.emplace_back("basis", shares.basis);
  steps.emplace_back("rows", shares.rows);
  if (shares.labels > 0) steps.emplace_back("labels", shares.labels);
  Guarantee g = pureSynthesis(steps);
  if (params.label != LabelKind::kNone && params.labels_public) assumePublicLabels(g);
  return g;
}

PublishedSynthesis onto(const MatrixXd& projection, double moves, const SynthesisData& data,
                        const SynthesisParams& params, bool own_basis, Drbg& random) {
  LabelledRows labelled = identityQuery(multiply(data.secret.rows, projection), data.secret.labels,
                                        moves, params, sharesOf(params, own_basis).rows, random);
  if (params.label == LabelKind::kClass && !params.labels_public) {
    for (double& label : labelled.labels) {
      label = randomisedResponse(int(label), params.classes, sharesOf(params, own_basis).labels,
                                 random);
    }
  }
  return {labelled, projection};
}

bool ownBasis(const SynthesisParams& params) { return params.basis == BasisSource::kLaplace; }

}  // namespace

MatrixXd bernoulliProjection(Index m, int p, std::uint64_t public_seed) {
  Drbg random = simulationDrbg(public_seed);
  MatrixXd phi(m, p);
  for (double& entry : phi.reshaped()) {
    entry = (random.next64() >> 63 != 0 ? 1 : -1) / std::sqrt(double(p));
  }
  return phi;
}

double projectedMoves(const MatrixXd& phi) {
  const Index m = phi.rows(), p = phi.cols();
  const double longest = std::sqrt(std::max(0.0, eigenvalues(multiplyTransposed(phi, phi))[0]));
  double moves = std::min(2 * phi.cwiseAbs().sum(), 2 * std::sqrt(double(m * p)) * longest);
  if (p > kMostExact) return moves;
  double exact = 0;
  for (unsigned signs = 0; signs < 1u << (p - 1);
       ++signs) {  // the remaining signs are negations of these
    Eigen::VectorXd sum = phi.col(p - 1);
    for (Index k = 0; k + 1 < p; ++k) sum += (signs >> k & 1 ? -1.0 : 1.0) * phi.col(k);
    exact = std::max(exact, 2 * sum.cwiseAbs().sum());
  }
  return std::min(moves, exact);
}

double movesWithLabel(double moves, const SynthesisParams& params) {
  const bool joint = params.label == LabelKind::kNumber && !params.labels_public;
  return moves + (joint ? 2 : 0);
}

LabelledRows identityQuery(const MatrixXd& z, const Eigen::VectorXd& labels, double moves,
                           const SynthesisParams& params, double epsilon, Drbg& random) {
  const double scale = movesWithLabel(moves, params) / epsilon;
  LabelledRows noisy{plusLaplace(z, scale, random), labels};
  if (params.label == LabelKind::kNumber && !params.labels_public) {
    noisy.labels = plusLaplace(labels, scale, random);
  }
  return noisy;
}

double keepProbability(int classes, double epsilon) {
  return 1 / (1 + (classes - 1) * std::exp(-epsilon));
}

int randomisedResponse(int label, int classes, double epsilon, Drbg& random) {
  if (uniformOpen(random) < keepProbability(classes, epsilon)) return label;
  const int other = int(uniformBelow(std::uint64_t(classes - 1), random));
  return other < label ? other : other + 1;
}

PublishedSynthesis jiangPca(const SynthesisData& data, const SynthesisParams& params,
                            Drbg& random) {
  const MatrixXd& rows = data.secret.rows;
  const MatrixXd basis =
      ownBasis(params)
          ? laplaceBasis(rows, params.components, params.basis_share * params.epsilon, random)
          : leadingEigenvectors(secondMoments(data.open.rows), params.components);
  return onto(basis / std::sqrt(double(rows.cols())), 2 * std::sqrt(double(params.components)),
              data, params, ownBasis(params), random);
}

std::optional<Guarantee> jiangPcaGuarantee(const SynthesisParams& params, Index, Index) {
  Guarantee g = identityGuarantee(params, ownBasis(params));
  if (!ownBasis(params)) assumePublicRows(g);
  return g;
}

PublishedSynthesis jiangLda(const SynthesisData& data, const SynthesisParams& params,
                            Drbg& random) {
  const MatrixXd direction = discriminant(data.open, kRidge);
  return onto(direction / std::sqrt(double(direction.rows())), 2, data, params, false, random);
}

std::optional<Guarantee> jiangLdaGuarantee(const SynthesisParams& params, Index, Index) {
  Guarantee g = identityGuarantee(params, false);
  assumePublicRows(g);
  return g;
}

PublishedSynthesis liBernoulli(const SynthesisData& data, const SynthesisParams& params,
                               Drbg& random) {
  const Index m = data.secret.rows.cols();
  const MatrixXd phi = bernoulliProjection(m, params.components, params.public_seed);
  const double root = std::sqrt(double(m));
  return onto(phi / root, projectedMoves(phi) / root, data, params, false, random);
}

std::optional<Guarantee> liBernoulliGuarantee(const SynthesisParams& params, Index, Index) {
  return identityGuarantee(params, false);
}

}  // namespace pm
