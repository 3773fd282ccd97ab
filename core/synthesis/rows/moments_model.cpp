#include "core/synthesis/rows/moments_model.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/matrix/multiply.hpp"
#include "core/synthesis/rows/levels.hpp"
#include "core/synthesis/rows/repair.hpp"

namespace pm {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// @param share_sds of each indicator of the label
RowModel lawOfRows(const ScaledMoments& moments, LabelFeatures label, const VectorXd& share_sds) {
  const VectorXd& mean = moments.scaled_mean;
  const MatrixXd& covariance = moments.scaled_covariance;
  if (label.count == 0) return {{{1, mean, covariance, -1}}};

  const auto at = Index(label.first);
  const auto classes = Index(label.count);
  const Index behind = mean.size() - at - classes;
  const Index d = at + behind;
  VectorXd shares = sharesOf(mean.segment(at, classes)).cwiseMax(1 / moments.rows);
  shares /= shares.sum();

  VectorXd others(d);
  others << mean.head(at), mean.tail(behind);
  MatrixXd across(d, classes);
  across << covariance.block(0, at, at, classes),
      covariance.block(at + classes, at, behind, classes);
  MatrixXd within(d, d);
  within << covariance.topLeftCorner(at, at), covariance.topRightCorner(at, behind),
      covariance.bottomLeftCorner(behind, at), covariance.bottomRightCorner(behind, behind);

  MatrixXd offsets = across;
  for (Index c = 0; c < classes; ++c) {
    offsets.col(c) *= shares[c] / (shares[c] * shares[c] + share_sds[c] * share_sds[c]);
  }
  const VectorXd centre = multiply(offsets, shares);
  offsets.colwise() -= centre;
  for (Index i = 0; i < d; ++i) {
    const double between = offsets.row(i).cwiseAbs2().dot(shares.transpose());
    const double most = std::max(0.0, within(i, i));
    if (between > most) offsets.row(i) *= std::sqrt(most / between);
  }
  within -= multiplyByTranspose(offsets * shares.cwiseSqrt().asDiagonal());
  within = nearestCovariance(within);

  RowModel model;
  for (Index c = 0; c < classes; ++c) {
    model.components.push_back({shares[c], others + offsets.col(c), within, int(c)});
  }
  return model;
}

}  // namespace

RowModel modelOfMoments(const ScaledMoments& moments, LabelFeatures label, double share_sd) {
  return lawOfRows(moments, label, VectorXd::Constant(label.count, share_sd));
}

RowModel modelOfSums(const MomentSums& sums, const ScaledMoments& moments, LabelFeatures label) {
  const Frame& frame = sums.frame;
  ScaledMoments scaled = moments;
  scaled.scaled_mean = frame.mean(moments.scaled_mean);
  scaled.scaled_covariance = frame.covariance(moments.scaled_covariance);
  VectorXd share_sds =
      VectorXd::Constant(label.count, sums.noise.linear / (sums.constant * moments.rows));
  if (!frame.isIdentity()) {
    share_sds = share_sds.cwiseProduct(frame.units.segment(label.first, label.count));
  }
  return lawOfRows(scaled, label, share_sds);
}

}  // namespace pm
