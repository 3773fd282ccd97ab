#include "core/analysis/methods/indicators.hpp"

#include <algorithm>
#include <cmath>

namespace pm {
namespace {

/// Places in a view of the features of one study column.
struct Group {
  std::vector<Eigen::Index> members;
  bool complete = false;  ///< all indicators of a category
};

/// @param columns not empty
std::vector<Group> groupsOf(const std::vector<int>& view, const std::vector<int>& columns) {
  const auto column_of = [&](int feature) { return columns[static_cast<std::size_t>(feature)]; };
  std::vector<Group> groups;
  std::vector<bool> done(view.size(), false);
  for (std::size_t first = 0; first < view.size(); ++first) {
    if (done[first]) continue;
    Group& group = groups.emplace_back();
    for (std::size_t i = first; i < view.size(); ++i) {
      if (column_of(view[i]) != column_of(view[first])) continue;
      group.members.push_back(static_cast<Eigen::Index>(i));
      done[i] = true;
    }
    const auto levels = std::count(columns.begin(), columns.end(), column_of(view[first]));
    group.complete = levels > 1 && levels == static_cast<long>(group.members.size());
  }
  return groups;
}

double unitAt(const std::vector<int>& view, const Frame& frame, Eigen::Index place) {
  return frame.isIdentity() ? 1 : frame.units[view[static_cast<std::size_t>(place)]];
}

}  // namespace

Eigen::MatrixXd varyingDirections(const std::vector<int>& view, const std::vector<int>& columns,
                                  const Frame& frame) {
  const auto d = static_cast<Eigen::Index>(view.size());
  if (columns.empty()) return Eigen::MatrixXd::Identity(d, d);

  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(d, d);
  Eigen::Index used = 0;
  for (const Group& group : groupsOf(view, columns)) {
    const std::vector<Eigen::Index>& members = group.members;
    if (!group.complete) {
      for (const Eigen::Index i : members) basis(i, used++) = 1;
      continue;
    }
    double before = std::pow(unitAt(view, frame, members[0]), 2);
    for (std::size_t k = 1; k < members.size(); ++k, ++used) {
      const double own = unitAt(view, frame, members[k]);
      const double scale = 1 / std::sqrt(before * (before + own * own));
      for (std::size_t i = 0; i < k; ++i) {
        basis(members[i], used) = unitAt(view, frame, members[i]) * own * scale;
      }
      basis(members[k], used) = -before * scale;
      before += own * own;
    }
  }
  return basis.leftCols(used);
}

void centreWeights(const std::vector<int>& view, const std::vector<int>& columns,
                   const Frame& frame, Eigen::MatrixXd& weights) {
  if (frame.isIdentity() || columns.empty()) return;
  for (const Group& group : groupsOf(view, columns)) {
    if (!group.complete) continue;
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(weights.cols());
    for (const Eigen::Index i : group.members) sum += weights.row(i) / unitAt(view, frame, i);
    sum /= static_cast<double>(group.members.size());
    for (const Eigen::Index i : group.members) weights.row(i) -= unitAt(view, frame, i) * sum;
  }
}

}  // namespace pm
