#include "core/research/synthesizers/modips.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/matrix/cholesky.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/packed.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/random/wishart.hpp"
#include "core/research/published/entrywise.hpp"
#include "core/research/synthesizers/basis.hpp"
#include "core/research/synthesizers/gaussian_rows.hpp"
#include "core/research/synthesizers/pca_gauss_paper.hpp"
#include "core/synthesis/rows/repair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

constexpr double kCountShare = 0.05, kMeansShare = 0.1;

// Shares of epsilon for each step.
struct ReleaseShares {
  double counts, means, moments;
};

ReleaseShares sharesOf(const SynthesisParams& params) {
  const double counts = params.label == LabelKind::kClass ? kCountShare : 0;
  return {counts, kMeansShare * (1 - counts), (1 - kMeansShare) * (1 - counts)};
}

MatrixXd intoBox(const MatrixXd& matrix) { return matrix.cwiseMax(-1).cwiseMin(1); }

// One matrix per class; a number label is a column.
std::vector<MatrixXd> groupsOf(const LabelledRows& data, const SynthesisParams& params) {
  if (params.label == LabelKind::kNumber) return {withLabels(data.rows, data.labels)};
  if (params.label == LabelKind::kNone) return {data.rows};
  std::vector<MatrixXd> groups;
  groups.reserve(std::size_t(params.classes));
  for (int level = 0; level < params.classes; ++level) groups.push_back(rowsOfClass(data, level));
  return groups;
}

PublishedSynthesis drawnFrom(std::vector<RowComponent> laws, const std::vector<double>& counts,
                             Index m, const SynthesisParams& params, Drbg& random) {
  if (params.posterior) {
    for (std::size_t c = 0; c < laws.size(); ++c) {
      laws[c] = posteriorDraw(laws[c], counts[c], random);
    }
  }
  return {drawComponents(laws, params.label, params.drawn, random), MatrixXd::Identity(m, m)};
}

}  // namespace

ModipsScales modipsScales(Index q, Index n, const SynthesisParams& params) {
  const ReleaseShares share = sharesOf(params);
  const double columns = double(q),
               upper = unitBoxSensitivity(int(q), Neighbours::kReplaceOne).upper_l1;
  if (params.label != LabelKind::kClass) {
    return {0, 2 * columns / (double(n) * share.means * params.epsilon),
            upper / (double(n) * share.moments * params.epsilon)};
  }
  return {2 / (share.counts * params.epsilon), 2 * columns / (share.means * params.epsilon),
          2 * upper / (share.moments * params.epsilon)};
}

ModipsRelease modipsRelease(const LabelledRows& data, const SynthesisParams& params, Drbg& random) {
  const std::vector<MatrixXd> groups = groupsOf(data, params);
  const bool classes = params.label == LabelKind::kClass;
  const Index n = data.rows.rows();
  const ModipsScales scales = modipsScales(groups[0].cols(), n, params);
  ModipsRelease release;
  for (const MatrixXd& group : groups) {
    const double noise = classes ? scales.counts * standardLaplace(random) : 0;
    release.counts.push_back(std::max(1.0, double(group.rows()) + noise));
  }
  for (std::size_t c = 0; c < groups.size(); ++c) {
    const RowVectorXd sum = groups[c].colwise().sum() / (classes ? 1 : double(n));
    const double count = classes ? release.counts[c] : 1;
    release.means.push_back(intoBox(plusLaplace(sum, scales.means, random) / count));
  }
  for (std::size_t c = 0; c < groups.size(); ++c) {
    const MatrixXd residuals = intoBox(groups[c].rowwise() - release.means[c]);
    const MatrixXd scatter = multiplyTransposed(residuals, residuals) / (classes ? 1 : double(n));
    release.moments.push_back(plusSymmetricLaplace(scatter, scales.moments, random));
  }
  return release;
}

PublishedSynthesis modips(const SynthesisData& data, const SynthesisParams& params, Drbg& random) {
  const ModipsRelease release = modipsRelease(data.secret, params, random);
  std::vector<RowComponent> laws;
  for (std::size_t c = 0; c < release.counts.size(); ++c) {
    const bool classes = params.label == LabelKind::kClass;
    const double over = classes ? release.counts[c] : 1;
    const double trace = double(release.means[c].size());  // a bound for covariances in the box
    laws.push_back({release.counts[c], release.means[c].transpose(),
                    nearestCovariance(release.moments[c] / over, trace), classes ? int(c) : -1});
  }
  return drawnFrom(laws, release.counts, data.secret.rows.cols(), params, random);
}

std::optional<Guarantee> modipsGuarantee(const SynthesisParams& params, Index, Index) {
  const ReleaseShares share = sharesOf(params);
  std::vector<std::pair<std::string_view, double>> steps;
  if (share.counts > 0) steps.emplace_back("counts", share.counts * params.epsilon);
  steps.emplace_back("means", share.means * params.epsilon);
  steps.emplace_back("moments", share.moments * params.epsilon);
  return pureSynthesis(steps);
}

PublishedSynthesis publishedModips(const SynthesisData& data, const SynthesisParams& params,
                                   Drbg& random) {
  const Index m = data.secret.rows.cols();
  if (params.label == LabelKind::kClass) {
    std::vector<double> counts;
    for (const MatrixXd& group : groupsOf(data.secret, params)) {
      if (group.rows() > 0) counts.push_back(double(group.rows()));
    }
    return drawnFrom(publishedClasses(data.secret, params, params.epsilon, random), counts, m,
                     params, random);
  }
  const MatrixXd rows = groupsOf(data.secret, params)[0];
  const RowComponent law =
      componentOf(publishedGaussian(rows, params.centre, params.epsilon, random), params.repair);
  return drawnFrom({law}, {double(rows.rows())}, m, params, random);
}

std::optional<Guarantee> publishedModipsGuarantee(const SynthesisParams& params, Index, Index) {
  if (params.centre == Centre::kData || params.label == LabelKind::kClass) return {};
  return modipsGuarantee(params, 0,
                         0);  // the same steps; the published constants cover all entries
}

RowComponent posteriorDraw(const RowComponent& released, double n, Drbg& random) {
  const Index q = released.mean.size();
  const double freedom = std::max(n - 1, double(q));
  std::vector<double> packed(std::size_t(q * (q + 1) / 2));
  addWishart(int(q), freedom, 1, random, packed);
  // n Sigma = A A^T; with W ~ Wishart(freedom, I), A W^-1 A^T is inverse Wishart of scale n Sigma.
  const MatrixXd root = lowerRoot(n * released.covariance);
  Spectrum inverse = spectrum(unpacked(std::span<const double>(packed), q));
  inverse.values = inverse.values.cwiseInverse();
  RowComponent drawn = released;
  drawn.covariance = multiply(multiply(root, compose(inverse)), root.transpose());
  Eigen::MatrixXd normals(q, 1);
  simulateNormals({normals.data(), std::size_t(q)}, random);
  drawn.mean += multiply(lowerRoot(drawn.covariance), normals) / std::sqrt(n);
  return drawn;
}

}  // namespace pm
