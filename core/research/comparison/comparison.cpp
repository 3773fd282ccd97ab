#include "core/research/comparison/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/matrix/packed.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/moments/limits.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The exact sums of integer rows on the plan's grid with these second moments and mean zero, so
// that the products of the constant coordinate with others are zero.
std::vector<Int128> totalsOf(const Plan& plan, const ComparedRows& rows) {
  const Index d = rows.scatter.rows();
  const Int128 constant = Int128(plan.constant);
  std::vector<Int128> totals(packedSize(std::size_t(d) + 1));
  totals[0] = constant * constant * Int128(rows.rows);
  std::size_t entry = std::size_t(d) + 1;
  for (Index i = 0; i < d; ++i) {
    for (Index j = i; j < d; ++j) {
      totals[entry++] = Int128(std::nearbyint(std::ldexp(rows.scatter(i, j), 2 * plan.bits)));
    }
  }
  return totals;
}

// The value of one released integer.
double unitOf(const Plan& plan) { return std::ldexp(1.0, plan.release_shift - 2 * plan.bits); }

Estimate readMoments(const Plan& plan, Index d, const std::vector<double>& released) {
  // Skip the row of the constant.
  const std::span<const double> products = std::span(released).subspan(std::size_t(d) + 1);
  Estimate estimate{unpacked(products, d, unitOf(plan)), {}};
  estimate.scatter.diagonal().array() -= std::ldexp(plan.noise_mean, -2 * plan.bits);
  return estimate;
}

Estimate readDirections(const Plan& plan, Index d, const std::vector<double>& released) {
  const Index k = plan.params.components, stride = Index(released.size()) / k;
  const bool has_values = stride > d;
  Estimate estimate{{}, MatrixXd(d, k)};
  Eigen::VectorXd values(has_values ? k : 0);
  for (Index j = 0; j < k; ++j) {
    const double* at = released.data() + j * stride;
    if (has_values) values[j] = *at++ * unitOf(plan);
    for (Index i = 0; i < d; ++i) estimate.directions(i, j) = std::ldexp(at[i], -kDirectionBits);
  }
  if (has_values) estimate.scatter = compose({values, estimate.directions});
  return estimate;
}

// tr V^T C V divided by the sum of the k largest eigenvalues.
double shareOf(const MatrixXd& directions, const ComparedRows& rows) {
  const Index k = rows.components;
  double along = 0;
  for (Index j = 0; j < std::min(k, directions.cols()); ++j) {
    along += directions.col(j).dot(rows.scatter * directions.col(j));
  }
  return along / rows.variances.head(k).sum();
}

Spectrum moved(Spectrum spectrum, double most) {
  spectrum.values = spectrum.values.cwiseMax(0.0).cwiseMin(most);
  return spectrum;
}

}  // namespace

Result<ComparedRows> comparedRows(const MatrixXd& mean, double rows, int components) {
  if (mean.rows() < 2 || mean.rows() != mean.cols() || mean.rows() > kMaxFeatures) {
    return Error{Code::kInvalidDimension, "the matrix must be square, at least 2 x 2", "mean"};
  }
  if (!mean.allFinite()) {
    return Error{Code::kNotFinite, "the matrix contains a number that is not finite", "mean"};
  }
  if (!(rows >= 1 && rows <= 0x1p53) || rows != std::floor(rows)) {
    return Error{Code::kNoRows, "rows must be a whole number of at least 1", "rows"};
  }
  if (components < 1 || components > mean.rows()) {
    return Error{Code::kInvalidComponents, "components must be between 1 and the dimension",
                 "components"};
  }
  // Tolerance for numbers rounded to six decimals.
  const double rounding = 1e-6 * double(mean.rows());
  if ((mean - mean.transpose()).cwiseAbs().maxCoeff() > rounding) {
    return Error{Code::kInvalidDimension, "the matrix is not symmetric", "mean"};
  }
  if (mean.trace() > 1 + rounding) {
    return Error{Code::kInvalidRowNorm,
                 "the trace, the mean squared length of rows, must be at most 1", "mean"};
  }
  ComparedRows compared{mean * rows, rows, components, {}};
  compared.variances = eigenvalues(compared.scatter);
  if (!(compared.variances[0] > 0)) {
    return Error{Code::kInvalidDimension, "the matrix is zero", "mean"};
  }
  if (compared.variances[compared.variances.size() - 1] < -rounding * rows) {
    return Error{Code::kInvalidRowNorm,
                 "the matrix has a negative eigenvalue, so it is not a mean of x x^T", "mean"};
  }
  return compared;
}

Result<EstimateRun> studyRuns(const Plan& plan, const ComparedRows& rows) {
  if (plan.release == nullptr) {
    return Error{Code::kInvalidFederation, "a masked release says nothing by itself", "federation"};
  }
  if (rows.rows > double(plan.max_rows)) {
    return Error{Code::kTooManyRows, "more rows than the exact sums of this study can hold",
                 "rows"};
  }
  return EstimateRun([plan, totals = totalsOf(plan, rows), d = rows.scatter.rows()](Drbg& random) {
    std::vector<double> released(plan.length);
    plan.release(plan, totals, random, released);
    return plan.content == Content::kMoments ? readMoments(plan, d, released)
                                             : readDirections(plan, d, released);
  });
}

Result<EstimateRun> publishedRuns(const Published& mechanism, PublishedParams params,
                                  const ComparedRows& rows) {
  params.rows = rows.rows;
  if (const Status wrong = checkPublished(params, rows.scatter)) return *wrong;
  return EstimateRun([&mechanism, params, scatter = rows.scatter](Drbg& random) {
    MatrixXd output = mechanism.run(scatter, params, random);
    switch (mechanism.output) {
      case Output::kMatrix: return Estimate{std::move(output), {}};
      case Output::kDirections: return Estimate{{}, std::move(output)};
      case Output::kWeights: break;
    }
    return Estimate{};
  });
}

ComparisonFigures figuresOf(const Estimate& estimate, const ComparedRows& rows) {
  ComparisonFigures figures{kUnknown, kUnknown, kUnknown};
  const bool has_matrix = estimate.scatter.size() > 0,
             has_directions = estimate.directions.size() > 0;
  if (!estimate.scatter.allFinite() || !estimate.directions.allFinite()) return figures;
  if (has_directions) figures.share = shareOf(estimate.directions, rows);
  if (!has_matrix) return figures;
  const Spectrum found = spectrum(estimate.scatter);
  if (!has_directions) figures.share = shareOf(found.vectors, rows);
  figures.distance = (estimate.scatter - rows.scatter).norm() / rows.rows;
  figures.truncated = (compose(moved(found, rows.rows)) - rows.scatter).norm() / rows.rows;
  return figures;
}

MatrixXd truncated(const MatrixXd& estimate, double most) {
  return compose(moved(spectrum(estimate), most));
}

}  // namespace pm
