// Writes two simulated tables, as experiments/support/data_sets.mjs writes real ones, with 60
// columns of rank 4 and noise: `simulated_classes`, two clouds that are 5 standard deviations
// apart, and `simulated_numbers`, whose label is linear in the four factors.
//   simulated_rows <folder> <rows>
#include <Eigen/Core>
#include <cstdlib>
#include <filesystem>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/research/published/entrywise.hpp"
#include "experiments/support/table_file.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using experiments::CellsByRow;

constexpr Index kFactors = 4, kColumns = 60;
constexpr double kApart = 5, kNoise = 0.5, kScale = 12;
constexpr double kLabelDeviation = 0.4, kLabelNoise = 0.03;

/// Columns from -1 to 1, and the label.
CellsByRow tableOf(const MatrixXd& factors, const VectorXd& labels, pm::Drbg& random) {
  const MatrixXd weights = pm::normals(kFactors, kColumns, random);
  const MatrixXd noise = kNoise * pm::normals(factors.rows(), kColumns, random);
  CellsByRow cells(factors.rows(), kColumns + 1);
  cells.leftCols(kColumns) = ((factors * weights + noise) / kScale).cwiseMax(-1).cwiseMin(1);
  cells.col(kColumns) = labels;
  return cells;
}

CellsByRow classes(Index rows, pm::Drbg& random) {
  MatrixXd factors = pm::normals(rows, kFactors, random);
  VectorXd labels(rows);
  for (Index i = 0; i < rows; ++i) {
    labels[i] = double(random.next64() & 1);
    factors(i, 0) += kApart * (labels[i] - 0.5);
  }
  return tableOf(factors, labels, random);
}

CellsByRow numbers(Index rows, pm::Drbg& random) {
  const MatrixXd factors = pm::normals(rows, kFactors, random);
  const VectorXd direction = pm::normals(kFactors, 1, random).col(0).normalized();
  const VectorXd noise = kLabelNoise * pm::normals(rows, 1, random).col(0);
  const VectorXd labels = (kLabelDeviation * factors * direction + noise).cwiseMax(-1).cwiseMin(1);
  return tableOf(factors, labels, random);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::filesystem::path folder = argv[1];
  const Index rows = std::atoi(argv[2]);
  pm::Drbg random = pm::simulationDrbg(4);
  experiments::writeTableFile(folder, "simulated_classes", classes(rows, random));
  experiments::writeTableFile(folder, "simulated_numbers", numbers(rows, random));
}
