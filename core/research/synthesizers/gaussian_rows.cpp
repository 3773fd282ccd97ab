#include "core/research/synthesizers/gaussian_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/random/continuous.hpp"

namespace pm {

using Eigen::Index;
using Eigen::MatrixXd;

std::vector<Index> rowsOfComponents(const std::vector<RowComponent>& components, int drawn) {
  double whole = 0;
  for (const RowComponent& component : components) whole += component.weight;
  std::vector<Index> counts;
  counts.reserve(components.size());
  for (const RowComponent& component : components) {
    counts.push_back(std::max<Index>(2, Index(std::nearbyint(drawn * component.weight / whole))));
  }
  return counts;
}

LabelledRows drawComponents(const std::vector<RowComponent>& components, LabelKind label, int drawn,
                            Drbg& random) {
  const std::vector<Index> counts =
      components.size() == 1 ? std::vector<Index>{drawn} : rowsOfComponents(components, drawn);
  const Index all = std::accumulate(counts.begin(), counts.end(), Index{0});
  const Index q = components.front().mean.size();
  MatrixXd rows(all, q);
  Eigen::VectorXd labels(label == LabelKind::kNone ? 0 : all);
  Index first = 0;
  for (std::size_t c = 0; c < components.size(); ++c) {
    Spectrum s = spectrum(components[c].covariance);
    s.vectors *= s.values.cwiseMax(0).cwiseSqrt().asDiagonal();
    MatrixXd normals(q, counts[c]);
    simulateNormals({normals.data(), std::size_t(normals.size())}, random);
    rows.middleRows(first, counts[c]) =
        multiply(s.vectors, normals).transpose().rowwise() + components[c].mean.transpose();
    if (label == LabelKind::kClass)
      labels.segment(first, counts[c]).setConstant(components[c].level);
    first += counts[c];
  }
  if (label != LabelKind::kNumber) return {rows, labels};
  return {rows.leftCols(q - 1), rows.col(q - 1)};
}

MatrixXd withLabels(const MatrixXd& rows, const Eigen::VectorXd& labels) {
  MatrixXd joined(rows.rows(), rows.cols() + 1);
  joined << rows, labels;
  return joined;
}

MatrixXd rowsOfClass(const LabelledRows& data, int level) {
  std::vector<Index> of;
  for (Index i = 0; i < data.labels.size(); ++i) {
    if (data.labels[i] == level) of.push_back(i);
  }
  return data.rows(of, Eigen::all);
}

}  // namespace pm
