// Scatter matrices as in the paper: columns standardised, rows scaled to length 1.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

namespace covariance_estimation {

/// C = sum x x^T over n rows of length 1.
struct UnitScatter {
  std::string name;
  double rows = 0;
  Eigen::MatrixXd matrix;

  int dimension() const { return int(matrix.rows()); }
};

/// @param cells rows x columns. A column that is constant becomes 0.
UnitScatter unitScatter(std::string name, Eigen::MatrixXd cells);

/// The features of a set, or an empty matrix, with a word about it, if the set is not there.
Eigen::MatrixXd featuresOf(const std::filesystem::path& folder, const std::string& name,
                           int columns);

constexpr int kWineColumns = 13;
constexpr int kAdultColumns = 108;

/// Variances that fall like 1/i, their axes the coordinates: all mechanisms that are compared here
/// but the Laplace ones have the same error in any other basis.
UnitScatter decayingScatter(double rows, int dimension);

/// The wines, Adult, and a simulated set; sets that are not there are skipped.
std::vector<UnitScatter> comparedSets(const std::filesystem::path& folder);

/// The name of a panel of a figure: a set and one more setting.
std::string caseOf(const std::string& set, double setting);

/// 0 .. columns - 1 in an order that is always the same.
std::vector<int> fixedOrder(int columns);

}  // namespace covariance_estimation
