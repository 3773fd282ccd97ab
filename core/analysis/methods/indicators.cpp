#include "core/analysis/methods/indicators.hpp"

#include <algorithm>
#include <cmath>

namespace pm {

Eigen::MatrixXd varyingDirections(const std::vector<int>& view, const std::vector<int>& columns) {
  const auto d = static_cast<Eigen::Index>(view.size());
  if (columns.empty()) return Eigen::MatrixXd::Identity(d, d);
  const auto column_of = [&](int feature) { return columns[static_cast<std::size_t>(feature)]; };

  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(d, d);
  Eigen::Index used = 0;
  std::vector<bool> done(view.size(), false);
  for (std::size_t first = 0; first < view.size(); ++first) {
    if (done[first]) continue;
    std::vector<Eigen::Index> members;
    for (std::size_t i = first; i < view.size(); ++i) {
      if (column_of(view[i]) != column_of(view[first])) continue;
      members.push_back(static_cast<Eigen::Index>(i));
      done[i] = true;
    }
    const auto levels = std::count(columns.begin(), columns.end(), column_of(view[first]));
    const bool complete = levels > 1 && levels == static_cast<long>(members.size());
    if (!complete) {
      for (const Eigen::Index i : members) basis(i, used++) = 1;
      continue;
    }
    for (std::size_t k = 1; k < members.size(); ++k, ++used) {
      const double count = static_cast<double>(k);
      const double scale = 1 / std::sqrt(count * (count + 1));
      for (std::size_t i = 0; i < k; ++i) basis(members[i], used) = scale;
      basis(members[k], used) = -count * scale;
    }
  }
  return basis.leftCols(used);
}

}  // namespace pm
