// The signal-to-sensitivity ratio by which Chanyaswad, Liu and Mittal choose the number of
// directions, for each assumption about the sensitivity, on whole tables; those that no folder has
// are left out.
//   sir <result file> <folder> ...
#include "core/research/synthesizers/sir.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/matrix/spectrum.hpp"
#include "core/research/synthesizers/basis.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/table_file.hpp"

namespace {

using Eigen::MatrixXd;

const std::vector<std::pair<const char*, pm::SensitivityGain>> kGains = {
    {"sir-quadratic", pm::SensitivityGain::kQuadratic},
    {"sir-linear", pm::SensitivityGain::kLinear},
    {"sir-upper", pm::SensitivityGain::kUpper},
    {"sir-corrected", pm::SensitivityGain::kCorrected},
    {"sir-spectrum", pm::SensitivityGain::kSpectrum}};

struct Set {
  const char* name;
  const char* file;
  double highest = 0;  ///< bounds are 0 and this; if it is 0, those of the data
};
constexpr std::array kSets = {
    Set{"digits", "digits", 16}, Set{"wine", "wine"}, Set{"breast_cancer", "breast_cancer"},
    Set{"gfe", "gfe"},           Set{"buzz", "buzz"}, Set{"simulated", "simulated_classes"}};

/// Columns scaled to [-1, 1], about their mean.
MatrixXd scaledRows(const MatrixXd& cells, double highest) {
  Eigen::RowVectorXd half = (cells.colwise().maxCoeff() - cells.colwise().minCoeff()) / 2;
  if (highest > 0) half.setConstant(highest / 2);
  half = (half.array() > 0).select(half, 1);
  const MatrixXd rows = cells.array().rowwise() / half.array();
  return rows.rowwise() - pm::meanOf(rows);
}

/// Standard deviations along the directions of the rows, largest first.
std::vector<double> deviations(const MatrixXd& rows) {
  const Eigen::VectorXd variances = pm::eigenvalues(pm::secondMoments(rows));
  std::vector<double> roots;
  for (const double variance : variances) roots.push_back(std::sqrt(std::max(0.0, variance)));
  return roots;
}

/// 1, 2, 4, ... and all directions.
std::vector<int> componentsUpTo(int all) {
  std::vector<int> tried;
  for (int p = 1; p < all; p *= 2) tried.push_back(p);
  tried.push_back(all);
  return tried;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  experiments::ResultsFile results(argv[1], {"set", "gain", "p", "sir"});
  for (const auto& [name, file, highest] : kSets) {
    for (int i = 2; i < argc; ++i) {
      if (!experiments::haveTable(argv[i], file)) continue;
      const MatrixXd cells = experiments::readTableFile(argv[i], file);
      const MatrixXd rows = scaledRows(cells.leftCols(cells.cols() - 1), highest);
      const std::vector<double> along = deviations(rows);
      for (const auto& [key, gain] : kGains) {
        for (const int p : componentsUpTo(int(along.size()))) {
          results.line(name, key, p, pm::signalToSensitivity(along, p, gain));
        }
      }
    }
  }
}
