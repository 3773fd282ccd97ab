#include "core/synthesis/rows/figures.hpp"

#include <algorithm>
#include <cmath>

#include "core/analysis/methods/cca.hpp"
#include "core/matrix/multiply.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kBatch = 1024;
/// A variance below this, in scaled units, is rounding error.
constexpr double kLeastVariance = 1e-18;

/// Encodes rows in batches and passes each to `use` as a matrix of rows x features.
template <class Use>
Status eachBatch(const RowEncoder& encoder, std::span<const double> cells, const Use& use) {
  const auto width = std::size_t(encoder.columns());
  const Index rows = Index(cells.size() / width);
  std::vector<ColumnCounts> counts(width);
  std::vector<double> scaled(std::size_t(encoder.features()));
  for (Index first = 0; first < rows; first += kBatch) {
    MatrixXd batch(std::min(kBatch, rows - first), Index(encoder.features()));
    for (Index row = 0; row < batch.rows(); ++row) {
      const auto from = std::size_t(first + row) * width;
      const Result<int> encoded = encoder.encode(cells.subspan(from, width), scaled, counts);
      if (!encoded.ok()) return encoded.error();
      batch.row(row) = Eigen::Map<const Eigen::RowVectorXd>(scaled.data(), batch.cols());
    }
    use(batch);
  }
  return {};
}

/// Sums over rows of products of powers of centred features.
struct PowerSums {
  MatrixXd products;         ///< a b
  MatrixXd squares;          ///< a^2 b^2
  MatrixXd cube_by_feature;  ///< a^3 b
};

// Scaled units, without errors or canonical correlations.
RowFigures figuresFrom(const VectorXd& mean, const MatrixXd& covariance) {
  const Index d = mean.size();
  RowFigures figures;
  const VectorXd variances = covariance.diagonal();
  figures.means = mean;
  figures.deviations = variances.cwiseMax(0.0).cwiseSqrt();
  figures.mean_errors = figures.deviation_errors = VectorXd::Zero(d);
  figures.correlations = figures.correlation_errors = MatrixXd::Zero(d, d);
  for (Index i = 0; i < d; ++i) {
    if (variances[i] <= kLeastVariance) continue;
    for (Index j = 0; j < d; ++j) {
      if (variances[j] <= kLeastVariance) continue;
      figures.correlations(i, j) =
          covariance(i, j) / (figures.deviations[i] * figures.deviations[j]);
    }
  }
  return figures;
}

void addErrors(RowFigures& figures, const PowerSums& sums, double rows) {
  const Index d = figures.means.size();
  const VectorXd variances = sums.products.diagonal() / rows;
  figures.mean_errors = figures.deviations / std::sqrt(rows);
  for (Index i = 0; i < d; ++i) {
    if (variances[i] <= kLeastVariance) continue;
    const double fourth = sums.squares(i, i) / rows;
    figures.deviation_errors[i] =
        std::sqrt(std::max(0.0, fourth - variances[i] * variances[i]) / rows) /
        (2 * figures.deviations[i]);
    for (Index j = 0; j < d; ++j) {
      if (variances[j] <= kLeastVariance) continue;
      const double both = figures.deviations[i] * figures.deviations[j];
      const double r = figures.correlations(i, j);
      const double mixed = sums.squares(i, j) / (rows * both * both);
      const double odd = sums.cube_by_feature(i, j) / (variances[i] * both) +
                         sums.cube_by_feature(j, i) / (variances[j] * both);
      const double even = sums.squares(i, i) / (variances[i] * variances[i]) +
                          sums.squares(j, j) / (variances[j] * variances[j]);
      const double variance = mixed - r * odd / rows + r * r / 4 * (even / rows + 2 * mixed);
      figures.correlation_errors(i, j) = std::sqrt(std::max(0.0, variance) / rows);
    }
  }
}

Status addCanonical(RowFigures& figures, const MatrixXd& covariance, const RowEncoder& encoder,
                    const std::vector<ViewPair>& pairs, int most) {
  CcaInput input;
  input.covariance = covariance;
  input.trace_bound = double(encoder.columns());
  input.half = VectorXd::Ones(covariance.rows());
  for (const RowEncoder::Run& run : encoder.runs()) {
    for (std::size_t c = 0; c < run.columns; ++c) {
      const int features = run.numbers ? 1 : run.levels;
      input.columns.insert(input.columns.end(), std::size_t(features), int(run.column + c));
    }
  }
  for (const auto& [x, y] : pairs) {
    input.x = x;
    input.y = y;
    input.components = std::min({most, int(x.size()), int(y.size())});
    const Result<Cca> analysed = cca(input);
    if (!analysed.ok()) return analysed.error();
    VectorXd values(input.components);
    for (Index k = 0; k < values.size(); ++k) {
      values[k] = analysed.value().correlations[std::size_t(k)].value;
    }
    figures.canonical.push_back(values);
    figures.canonical_errors.push_back(VectorXd::Zero(values.size()));
  }
  return {};
}

void toOriginalUnits(RowFigures& figures, const RowEncoder& encoder) {
  for (const RowEncoder::Run& run : encoder.runs()) {
    if (!run.numbers) continue;
    for (std::size_t c = 0; c < run.columns; ++c) {
      const auto feature = Index(run.feature + c);
      const auto [min, max, mid, half] = encoder.bounds(run.column + c);
      figures.means[feature] = mid + half * figures.means[feature];
      figures.mean_errors[feature] *= half;
      figures.deviations[feature] *= half;
      figures.deviation_errors[feature] *= half;
    }
  }
}

}  // namespace

Result<RowFigures> figuresOf(std::span<const double> cells, const std::vector<Column>& columns,
                             const std::vector<ViewPair>& pairs, int most) {
  const Result<RowEncoder> created = RowEncoder::create(columns);
  if (!created.ok()) return created.error();
  const RowEncoder& encoder = created.value();
  if (cells.empty() || cells.size() % columns.size() != 0) {
    return Error{Code::kWrongLength, "the cells are not whole rows of the columns", "cells"};
  }
  const std::size_t count = cells.size() / columns.size();
  const double rows = double(count);
  const auto d = Index(encoder.features());

  VectorXd mean = VectorXd::Zero(d);
  if (const Status wrong = eachBatch(encoder, cells, [&](const MatrixXd& batch) {
        mean += batch.colwise().sum().transpose();
      })) {
    return *wrong;
  }
  mean /= rows;
  PowerSums sums{zeros(d, d), zeros(d, d), zeros(d, d)};
  if (const Status wrong = eachBatch(encoder, cells, [&](const MatrixXd& batch) {
        const MatrixXd centred = batch.rowwise() - mean.transpose();
        const MatrixXd squared = centred.cwiseAbs2();
        sums.products += multiplyTransposed(centred, centred);
        sums.squares += multiplyTransposed(squared, squared);
        sums.cube_by_feature += multiplyTransposed(squared.cwiseProduct(centred), centred);
      })) {
    return *wrong;
  }
  const MatrixXd covariance = sums.products / rows;
  RowFigures figures = figuresFrom(mean, covariance);
  addErrors(figures, sums, rows);
  if (const Status wrong = addCanonical(figures, covariance, encoder, pairs, most)) return *wrong;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    figures.canonical_errors[i] = (1 - figures.canonical[i].array().square()) / std::sqrt(rows);
  }
  toOriginalUnits(figures, encoder);
  return figures;
}

Result<RowFigures> figuresOfMoments(const VectorXd& mean, const MatrixXd& covariance,
                                    const std::vector<Column>& columns,
                                    const std::vector<ViewPair>& pairs, int most) {
  const Result<RowEncoder> created = RowEncoder::create(columns);
  if (!created.ok()) return created.error();
  const RowEncoder& encoder = created.value();
  RowFigures figures = figuresFrom(mean, covariance);
  if (const Status wrong = addCanonical(figures, covariance, encoder, pairs, most)) return *wrong;
  toOriginalUnits(figures, encoder);
  return figures;
}

}  // namespace pm
