#include "core/research/published/ppca_gibbs.hpp"

#include <vector>

#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/research/idealized/bingham.hpp"
#include "core/research/idealized/matrix_bingham.hpp"

namespace pm {

using Eigen::MatrixXd;

MatrixXd gibbsFrame(const MatrixXd& scatter, int k, double kappa, int sweeps, Drbg& random) {
  const int d = int(scatter.rows()), rest = d - k + 1;
  MatrixXd x = idealized::sampleMatrixBingham(std::vector<double>(std::size_t(d), 0.0), k, random);
  // Below every eigenvalue of C on the complement of the other columns.
  const double below = -1 - scatter.norm();
  for (int step = 0; step < sweeps * k; ++step) {
    const int j = step % k;
    MatrixXd others = x;
    others.col(j).setZero();
    const MatrixXd held = multiply(others, others.transpose());
    const MatrixXd free = MatrixXd::Identity(d, d) - held;
    // First the eigenvectors on the complement, then the span of the other columns.
    const Spectrum s = spectrum(multiply(free, multiply(scatter, free)) + below * held);
    std::vector<double> alphas, z(std::size_t(rest), 0.0);
    for (int i = 0; i < rest; ++i) alphas.push_back(kappa * (s.values[0] - s.values[i]));
    idealized::sampleBingham(alphas, random, z);
    x.col(j).setZero();
    for (int i = 0; i < rest; ++i) x.col(j) += z[std::size_t(i)] * s.vectors.col(i);
  }
  return x;
}

MatrixXd ppcaGibbs(const MatrixXd& scatter, const PublishedParams& params, Drbg& random) {
  return gibbsFrame(scatter, params.components, params.epsilon / 2, kGibbsSweeps, random);
}

}  // namespace pm
