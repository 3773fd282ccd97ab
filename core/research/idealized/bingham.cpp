#include "core/research/idealized/bingham.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "core/matrix/multiply.hpp"
#include "core/random/continuous.hpp"
#include "core/random/exact_bingham.hpp"
#include "core/wipe.hpp"

namespace pm::idealized {
namespace {

using Eigen::Index;

// Turns the spectrum of C on a subspace into that on the part orthogonal to the vector with
// coordinates x.
// H = I - v v^T, v = (x + s e_1)/sqrt(1 + |x_1|), s the sign of x_1, maps e_1 to -s x, so its other
// columns are an orthonormal basis of the complement.
void restrictToComplement(Spectrum& remaining, std::span<const double> x) {
  const Index q = remaining.values.size(), d = remaining.vectors.rows();
  const Eigen::VectorXd& values = remaining.values;
  Eigen::VectorXd v(q), w(q), image = Eigen::VectorXd::Zero(d);
  const double root = std::sqrt(1 + std::fabs(x[0]));
  double inner = 0;
  for (Index i = 0; i < q; ++i) {
    v[i] = (x[std::size_t(i)] + (i == 0 ? std::copysign(1.0, x[0]) : 0)) / root;
    inner += v[i] * v[i] * values[i];
    for (Index r = 0; r < d; ++r) image[r] += remaining.vectors(r, i) * v[i];
  }
  for (Index i = 0; i < q; ++i) w[i] = values[i] * v[i] - inner / 2 * v[i];
  // H diag(values) H = diag(values) - v w^T - w v^T.
  Eigen::MatrixXd restricted(q - 1, q - 1), basis(d, q - 1);
  for (Index j = 1; j < q; ++j) {
    for (Index i = 1; i < q; ++i) {
      restricted(i - 1, j - 1) = (i == j ? values[i] : 0) - (v[i] * w[j] + w[i] * v[j]);
    }
    for (Index r = 0; r < d; ++r) basis(r, j - 1) = remaining.vectors(r, j) - image[r] * v[j];
  }
  const Spectrum inside = spectrum(restricted);
  remaining = {inside.values, multiply(basis, inside.vectors)};
}

}  // namespace

double binghamLogAcceptance(double b, double u, int q) {
  const double over = (b - q + 2 * u) / q;  // t - 1
  return q * (std::log1p(over) - over) / 2;
}

void sampleBingham(std::span<const double> alphas, Drbg& random, std::span<double> x) {
  const int q = int(alphas.size());
  const double b = binghamB(alphas);
  for (;;) {
    double squared = 0, u = 0;
    for (std::size_t i = 0; i < alphas.size(); ++i) {
      x[i] = standardNormal(random) / std::sqrt(1 + 2 * alphas[i] / b);
      squared += x[i] * x[i];
      u += alphas[i] * x[i] * x[i];
    }
    if (!(squared > 0)) continue;
    if (std::log(uniformOpen(random)) >= binghamLogAcceptance(b, u / squared, q)) continue;
    const double length = std::sqrt(squared);
    for (double& entry : x) entry /= length;
    return;
  }
}

Eigen::MatrixXd drawDirections(Spectrum remaining, std::span<const double> kappas, Drbg& random) {
  const Index d = remaining.values.size();
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(d, Index(kappas.size()));
  std::vector<double> alphas, x;
  for (std::size_t i = 0; i < kappas.size(); ++i) {
    const Index q = remaining.values.size();
    alphas.resize(std::size_t(q));
    x.resize(std::size_t(q));
    for (Index j = 0; j < q; ++j) {
      alphas[std::size_t(j)] = kappas[i] * (remaining.values[0] - remaining.values[j]);
    }
    sampleBingham(alphas, random, x);
    for (Index j = 0; j < q; ++j) {
      for (Index r = 0; r < d; ++r) {
        directions(r, Index(i)) += remaining.vectors(r, j) * x[std::size_t(j)];
      }
    }
    if (i + 1 < kappas.size()) restrictToComplement(remaining, x);
  }
  wipe(remaining.vectors);
  return directions;
}

}  // namespace pm::idealized
