#include "experiments/ours/real_rows.hpp"

#include <Eigen/QR>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "core/random/continuous.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/table_file.hpp"

namespace ours {

MatrixXd normalRows(Index rows, const VectorXd& variances, std::uint64_t seed) {
  pm::Drbg random = experiments::seeded(seed);
  const Index d = variances.size();
  const auto normals = [&](Index n) {
    return MatrixXd(MatrixXd::NullaryExpr(n, d, [&]() { return pm::standardNormal(random); }));
  };
  const MatrixXd axes = Eigen::HouseholderQR<MatrixXd>(normals(d)).householderQ();
  return normals(rows) * variances.cwiseSqrt().asDiagonal() * axes.transpose();
}

RealSet simulatedSet() {
  return {"simulated", normalRows(5000, VectorXd::LinSpaced(20, 1, 20).cwiseInverse(), 1)};
}

std::vector<RealSet> setsFrom(const std::filesystem::path& folder,
                              std::initializer_list<const char*> names) {
  std::vector<RealSet> sets;
  for (const std::string name : names) {
    if (!experiments::haveTable(folder, name)) {
      std::printf("%s: skipped, it is not there\n", name.c_str());
      continue;
    }
    const MatrixXd cells = experiments::readTableFile(folder, name);
    const bool labelled = name != "adult" && name != "mmreg" && name != "eeg";
    sets.push_back({name, cells.leftCols(cells.cols() - (labelled ? 1 : 0))});
  }
  sets.push_back(simulatedSet());
  return sets;
}

bool isIndicator(const MatrixXd& cells, Index column) {
  const auto values = cells.col(column).array();
  return (values * (values - 1)).abs().maxCoeff() == 0;
}

MatrixXd inRanges(MatrixXd cells) {
  for (Index j = 0; j < cells.cols(); ++j) {
    if (isIndicator(cells, j)) continue;
    const double low = cells.col(j).minCoeff(), high = cells.col(j).maxCoeff();
    const double half = high > low ? (high - low) / 2 : 1;
    cells.col(j) = (cells.col(j).array() - (low + high) / 2) / half;
  }
  return cells;
}

MatrixXd centredCovariance(MatrixXd rows) {
  rows.rowwise() -= rows.colwise().mean().eval();
  rows /= rows.rowwise().norm().maxCoeff();
  MatrixXd covariance = MatrixXd::Zero(rows.cols(), rows.cols());
  covariance.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose(), 1 / double(rows.rows()));
  return covariance.selfadjointView<Eigen::Lower>();
}

}  // namespace ours
