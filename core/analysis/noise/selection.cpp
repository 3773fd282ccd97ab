#include "core/analysis/noise/selection.hpp"

#include "core/matrix/packed.hpp"

namespace pm {
namespace {

/// Packed upper triangle of the constant and the chosen features.
std::vector<double> packedOf(const std::vector<double>& packed, int dimension,
                             const std::vector<int>& features) {
  const Eigen::MatrixXd whole = unpacked<double>(packed, dimension + 1);
  std::vector<Eigen::Index> kept{0};
  for (const int feature : features) kept.push_back(feature + 1);
  std::vector<double> result;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = i; j < kept.size(); ++j) result.push_back(whole(kept[i], kept[j]));
  }
  return result;
}

Eigen::VectorXd entriesOf(const Eigen::VectorXd& vector, const std::vector<int>& features) {
  if (vector.size() == 0) return vector;
  Eigen::VectorXd result(static_cast<Eigen::Index>(features.size()));
  for (Eigen::Index i = 0; i < result.size(); ++i) {
    result[i] = vector[features[static_cast<std::size_t>(i)]];
  }
  return result;
}

Eigen::MatrixXd rowsOf(const Eigen::MatrixXd& matrix, const std::vector<int>& features) {
  if (matrix.size() == 0) return matrix;
  Eigen::MatrixXd result(static_cast<Eigen::Index>(features.size()), matrix.cols());
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    result.col(j) = entriesOf(matrix.col(j), features);
  }
  return result;
}

Eigen::MatrixXd selectedBlock(const Eigen::MatrixXd& matrix, const std::vector<int>& features) {
  return rowsOf(rowsOf(matrix, features).transpose(), features);
}

Frame entriesOf(const Frame& frame, const std::vector<int>& features) {
  return {entriesOf(frame.centre, features), entriesOf(frame.units, features)};
}

Error mixedError() {
  return {Code::kInvalidBounds,
          "Features cannot be taken from residuals: adjust those to be analysed, and no others.",
          "mix"};
}

}  // namespace

Result<MomentSums> selected(const MomentSums& sums, const std::vector<int>& features) {
  if (sums.frame.isMixed() || sums.noise_map.size() != 0) return mixedError();
  MomentSums result = sums;
  result.packed = packedOf(sums.packed, sums.dimension, features);
  if (!sums.noise_centres.empty()) {
    result.noise_centres = packedOf(sums.noise_centres, sums.dimension, features);
  }
  result.dimension = static_cast<int>(features.size());
  result.mid = entriesOf(sums.mid, features);
  result.half = entriesOf(sums.half, features);
  result.gaps.excess = entriesOf(sums.gaps.excess, features);
  result.frame = entriesOf(sums.frame, features);
  return result;
}

Result<NoisyCovariance> selected(const NoisyCovariance& data, const std::vector<int>& features) {
  if (data.frame.isMixed()) return mixedError();
  NoisyCovariance result = data;
  result.covariance = selectedBlock(data.covariance, features);
  result.half = entriesOf(data.half, features);
  if (!data.columns.empty()) {
    result.columns.clear();
    for (const int feature : features) {
      result.columns.push_back(data.columns[static_cast<std::size_t>(feature)]);
    }
  }
  result.mean_noise = rowsOf(data.mean_noise, features);
  result.frame = entriesOf(data.frame, features);
  result.centre_spread = selectedBlock(data.centre_spread, features);
  return result;
}

}  // namespace pm
