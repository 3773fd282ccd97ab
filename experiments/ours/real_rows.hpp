// The real sets on which this library's own claims are tested, and one that is simulated, as rows
// of length at most 1 about their mean.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace ours {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The cells of a set without its labels.
struct RealSet {
  std::string name;
  MatrixXd cells;  ///< rows x columns
};

/// Normal rows with these variances along random directions.
MatrixXd normalRows(Index rows, const VectorXd& variances, std::uint64_t seed);

/// 5000 rows of 20 columns; the k-th variance is 1 / k.
RealSet simulatedSet();

/// The sets of the folder that are there, and the simulated one; a word about each that is not.
std::vector<RealSet> setsFrom(const std::filesystem::path& folder,
                              std::initializer_list<const char*> names);

/// Whether all cells of a column are 0 or 1.
bool isIndicator(const MatrixXd& cells, Index column);

/// Columns in units of half their range, 0 if that is 0. Indicators stay as they are, as a study
/// encodes them.
MatrixXd inRanges(MatrixXd cells);

/// The covariance of such rows about their mean, in units of the longest squared length about it.
MatrixXd centredCovariance(MatrixXd rows);

}  // namespace ours
