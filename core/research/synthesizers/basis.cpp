#include "core/research/synthesizers/basis.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/research/published/entrywise.hpp"
#include "core/research/synthesizers/gaussian_rows.hpp"

namespace pm {

using Eigen::Index;
using Eigen::MatrixXd;

MatrixXd secondMoments(const MatrixXd& rows) {
  return multiplyTransposed(rows, rows) / double(rows.rows());
}

Eigen::RowVectorXd meanOf(const MatrixXd& rows) { return rows.colwise().mean(); }

MatrixXd leadingEigenvectors(const MatrixXd& symmetric, int components) {
  return spectrum(symmetric).vectors.leftCols(components);
}

double laplaceBasisScale(Index m, Index n, double epsilon) {
  const Sensitivity moves = unitBoxSensitivity(int(m), Neighbours::kReplaceOne);
  return moves.upper_l1 / (double(n) * epsilon);
}

MatrixXd laplaceBasis(const MatrixXd& rows, int components, double epsilon, Drbg& random) {
  const double scale = laplaceBasisScale(rows.cols(), rows.rows(), epsilon);
  return leadingEigenvectors(plusSymmetricLaplace(secondMoments(rows), scale, random), components);
}

MatrixXd publishedLaplaceBasis(const MatrixXd& rows, int components, double epsilon,
                               BasisSource source, Drbg& random) {
  const bool code = source == BasisSource::kLaplaceCode;
  const double m = double(rows.cols()), n = double(rows.rows());
  const double moves = code ? codeCovarianceSensitivity(m, n) : claimedCovarianceSensitivity(m, n);
  MatrixXd noisy = plusLaplace(secondMoments(rows), moves / epsilon, random);
  if (code) {
    const MatrixXd mirrored = noisy.selfadjointView<Eigen::Lower>();
    noisy.diagonal().array() += 1.1 * std::max(0.0, -eigenvalues(mirrored).minCoeff());
  }
  return singularPairs(noisy / noisy.cwiseAbs().maxCoeff()).right.leftCols(components);
}

double claimedCovarianceSensitivity(double m, double n, double a) { return m * m * a * a / n; }

double codeCovarianceSensitivity(double m, double n, double a) {
  return (m * m + 4 * m + 1) * a * a / n;
}

Eigen::VectorXd discriminant(const LabelledRows& data, double ridge) {
  const Index m = data.rows.cols();
  MatrixXd within = MatrixXd::Zero(m, m);
  Eigen::RowVectorXd means[2];
  for (int level = 0; level < 2; ++level) {
    const MatrixXd of = rowsOfClass(data, level);
    means[level] = meanOf(of);
    const MatrixXd centred = of.rowwise() - means[level];
    within += multiplyTransposed(centred, centred);
  }
  within /= double(data.rows.rows());
  within.diagonal().array() += ridge;
  return within.ldlt().solve((means[1] - means[0]).transpose()).normalized();
}

}  // namespace pm
