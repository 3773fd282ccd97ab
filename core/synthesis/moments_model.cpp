#include "core/synthesis/moments_model.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/matrix/multiply.hpp"
#include "core/synthesis/levels.hpp"
#include "core/synthesis/repair.hpp"

namespace pm {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

RowModel modelOfMoments(const ScaledMoments& moments, LabelFeatures label, double shareSd) {
  const VectorXd& mean = moments.scaledMean;
  const MatrixXd& covariance = moments.scaledCovariance;
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

  MatrixXd apart = across;
  for (Index c = 0; c < classes; ++c) {
    apart.col(c) *= shares[c] / (shares[c] * shares[c] + shareSd * shareSd);
  }
  const VectorXd centre = multiply(apart, shares);
  apart.colwise() -= centre;
  for (Index i = 0; i < d; ++i) {
    const double between = apart.row(i).cwiseAbs2().dot(shares.transpose());
    const double most = std::max(0.0, within(i, i));
    if (between > most) apart.row(i) *= std::sqrt(most / between);
  }
  within -= multiplyByTranspose(apart * shares.cwiseSqrt().asDiagonal());
  within = nearestCovariance(within);

  RowModel model;
  for (Index c = 0; c < classes; ++c) {
    model.components.push_back({shares[c], others + apart.col(c), within, int(c)});
  }
  return model;
}

}  // namespace pm
