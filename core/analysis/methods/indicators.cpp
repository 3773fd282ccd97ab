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

/// The number of features of each study column.
/// @param columns not empty
std::vector<Eigen::Index> featuresOfColumns(const std::vector<int>& columns) {
  const int last = *std::max_element(columns.begin(), columns.end());
  std::vector<Eigen::Index> counts(static_cast<std::size_t>(last + 1), 0);
  for (const int column : columns) ++counts[static_cast<std::size_t>(column)];
  return counts;
}

/// In the order of their first features in the view; empty if no column of the view is a category.
std::vector<Group> groupsOf(const std::vector<int>& view, const std::vector<int>& columns) {
  if (columns.empty()) return {};
  const std::vector<Eigen::Index> levels = featuresOfColumns(columns);
  const auto column_of = [&](int feature) {
    return static_cast<std::size_t>(columns[static_cast<std::size_t>(feature)]);
  };
  const bool any = std::any_of(view.begin(), view.end(),
                               [&](int feature) { return levels[column_of(feature)] > 1; });
  if (!any) return {};
  std::vector<Group> groups;
  std::vector<std::size_t> places(levels.size(), view.size());
  for (std::size_t i = 0; i < view.size(); ++i) {
    std::size_t& place = places[column_of(view[i])];
    if (place == view.size()) {
      place = groups.size();
      groups.emplace_back();
    }
    groups[place].members.push_back(static_cast<Eigen::Index>(i));
  }
  for (Group& group : groups) {
    const auto members = static_cast<Eigen::Index>(group.members.size());
    group.complete = members > 1 &&
                     members == levels[column_of(view[static_cast<std::size_t>(group.members[0])])];
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
  const std::vector<Group> groups = groupsOf(view, columns);
  if (groups.empty()) return Eigen::MatrixXd::Identity(d, d);

  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(d, d);
  Eigen::Index used = 0;
  for (const Group& group : groups) {
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
  if (frame.isIdentity()) return;
  for (const Group& group : groupsOf(view, columns)) {
    if (!group.complete) continue;
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(weights.cols());
    for (const Eigen::Index i : group.members) sum += weights.row(i) / unitAt(view, frame, i);
    sum /= static_cast<double>(group.members.size());
    for (const Eigen::Index i : group.members) weights.row(i) -= unitAt(view, frame, i) * sum;
  }
}

}  // namespace pm
