#include "core/research/idealized/matrix_bingham.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/random/continuous.hpp"
#include "core/research/idealized/bingham.hpp"

namespace pm::idealized {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double dot(const MatrixXd& a, int i, const MatrixXd& b, int j) {
  double sum = 0;
  for (int r = 0; r < a.rows(); ++r) sum += a(r, i) * b(r, j);
  return sum;
}

// target column j += factor times source column i.
void addTo(MatrixXd& target, int j, double factor, const MatrixXd& source, int i) {
  for (int r = 0; r < target.rows(); ++r) target(r, j) += factor * source(r, i);
}

// Gram-Schmidt from column `from`, each column twice against the previous ones. Columns are normal
// variates, so none is in the span of the others.
void orthonormalise(MatrixXd& x, int from) {
  for (int j = from; j < x.cols(); ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < j; ++i) addTo(x, j, -dot(x, i, x, j), x, i);
      const double length = std::sqrt(dot(x, j, x, j));
      for (int r = 0; r < x.rows(); ++r) x(r, j) /= length;
    }
  }
}

void fillNormal(MatrixXd& x, int from, Drbg& random) {
  for (int j = from; j < x.cols(); ++j) {
    for (int r = 0; r < x.rows(); ++r) x(r, j) = standardNormal(random);
  }
}

// 0 and the gaps of column i: alphas[k + j] - alphas[i].
std::vector<double> columnAlphas(std::span<const double> alphas, int k, int i) {
  std::vector<double> result(alphas.size() - std::size_t(k) + 1, 0.0);
  for (std::size_t j = 1; j < result.size(); ++j) {
    result[j] = alphas[std::size_t(k) + j - 1] - alphas[std::size_t(i)];
  }
  return result;
}

}  // namespace

double macgLogAccept(std::span<const double> alphas, const MacgEnvelope& envelope,
                     const MatrixXd& frame) {
  const int q = int(frame.rows()), k = int(frame.cols());
  MatrixXd weighted = frame;
  for (int r = 0; r < q; ++r) {
    for (int j = 0; j < k; ++j) weighted(r, j) *= alphas[std::size_t(r)];
  }
  MatrixXd h(k, k);  // I + 2 X^T A X / b, then its Cholesky factor in the lower triangle
  double trace = 0, log_det = 0;
  for (int j = 0; j < k; ++j) {
    for (int i = j; i < k; ++i) h(i, j) = 2 * dot(frame, i, weighted, j) / envelope.b;
    trace += h(j, j) * envelope.b / 2;
    h(j, j) += 1;
  }
  for (int j = 0; j < k; ++j) {
    for (int l = 0; l < j; ++l) {
      for (int i = j; i < k; ++i) h(i, j) -= h(i, l) * h(j, l);
    }
    log_det += std::log(h(j, j));
    const double root = std::sqrt(h(j, j));
    for (int i = j; i < k; ++i) h(i, j) /= root;
  }
  return 0.5 * q * log_det - trace - envelope.cap;
}

MatrixXd drawMacg(std::span<const double> alphas, int k, const MacgEnvelope& envelope, Drbg& random,
                  std::uint64_t& proposals) {
  MatrixXd x(alphas.size(), k);
  do {
    ++proposals;
    fillNormal(x, 0, random);
    for (int r = 0; r < x.rows(); ++r) {
      const double sd = 1 / std::sqrt(1 + 2 * alphas[std::size_t(r)] / envelope.b);
      for (int j = 0; j < k; ++j) x(r, j) *= sd;
    }
    orthonormalise(x, 0);
  } while (!(std::log(uniformOpen(random)) < macgLogAccept(alphas, envelope, x)));
  return x;
}

ChartPast::ChartPast(int p, int columns) : u_(p, columns) {}

double ChartPast::squaredLength(const VectorXd& s) const {
  double sum = 0;
  for (int r = 0; r < s.size(); ++r) sum += s[r] * s[r];
  for (int l = 0; l < columns_; ++l) {
    double product = 0;
    for (int r = 0; r < s.size(); ++r) product += u_(r, l) * s[r];
    sum += product * product;
  }
  return sum;
}

void ChartPast::append(const VectorXd& s, double w0) {
  for (int r = 0; r < s.size(); ++r) u_(r, columns_) = s[r] / w0;
  for (int l = 0; l < columns_; ++l) {
    double product = 0;
    for (int r = 0; r < s.size(); ++r) product += u_(r, l) * s[r];
    addTo(u_, columns_, product / w0, u_, l);
  }
  ++columns_;
}

double ChartPast::condition(const VectorXd& precision, VectorXd& z) const {
  // Rank-one updates: with Q = P^-1, P + u u^T has the inverse Q - a a^T/(1 + tau), a = Q u, tau =
  // u^T a, and (I - c a u^T) z has that covariance if z has covariance Q, c = 1/(1 + tau + sqrt(1 +
  // tau)).
  const int p = int(z.size());
  MatrixXd a(p, columns_);
  std::vector<double> one_tau(std::size_t(columns_), 0.0);
  double log_det = 0;
  for (int l = 0; l < columns_; ++l) {
    for (int r = 0; r < p; ++r) a(r, l) = u_(r, l) / precision[r];
    for (int m = 0; m < l; ++m) addTo(a, l, -dot(a, m, u_, l) / one_tau[std::size_t(m)], a, m);
    const double sum = one_tau[std::size_t(l)] = 1 + dot(a, l, u_, l);
    double along = 0;
    for (int r = 0; r < p; ++r) along += u_(r, l) * z[r];
    along /= sum + std::sqrt(sum);
    for (int r = 0; r < p; ++r) z[r] -= along * a(r, l);
    log_det += std::log(sum);
  }
  return log_det;
}

double chartLogEnvelope(std::span<const double> gaps, double b, double log_det) {
  const double q = double(gaps.size()) + 1;
  double sum = -0.5 * (q - b) + 0.5 * q * std::log(q / b) - 0.5 * log_det;
  for (const double gap : gaps) sum -= 0.5 * std::log1p(2 * gap / b);
  return sum;
}

MatrixXd liftChart(const MatrixXd& s) {
  const int p = int(s.rows()), k = int(s.cols());
  Spectrum squares = spectrum(multiplyTransposed(s, s));
  for (int i = 0; i < k; ++i) {
    squares.values[i] = std::sqrt(std::max(0.0, 1 - squares.values[i]));
  }
  const MatrixXd root = compose(squares);
  MatrixXd x(p + k, k);
  for (int j = 0; j < k; ++j) {
    for (int r = 0; r < k; ++r) x(r, j) = root(r, j);
    for (int r = 0; r < p; ++r) x(k + r, j) = s(r, j);
  }
  return x;
}

MatrixXd drawSacg(std::span<const double> alphas, int k, Drbg& random, std::uint64_t& proposals) {
  const int p = int(alphas.size()) - k;
  const std::vector<double> first_alphas = columnAlphas(alphas, k, 0);
  std::vector<double> b(std::size_t(k), 0.0);
  for (int i = 1; i < k; ++i) b[std::size_t(i)] = binghamB(columnAlphas(alphas, k, i));
  ChartPast past(p, k);
  MatrixXd all(p, k);
  VectorXd s(p), precision(p);
  std::vector<double> sphere(std::size_t(p) + 1);
  // If any column is rejected, start over: the law of earlier columns is correct only among
  // complete draws.
  for (int i = 0; i < k;) {
    const auto gap = [&](int r) {
      return alphas[std::size_t(k) + std::size_t(r)] - alphas[std::size_t(i)];
    };
    double w0 = 0;
    bool accepted = true;
    if (i == 0) {
      ++proposals;
      past.clear();
      sampleBingham(first_alphas, random, sphere);
      w0 = std::fabs(sphere[0]);
      for (int r = 0; r < p; ++r) s[r] = sphere[std::size_t(r) + 1];
    } else {
      const double scale = b[std::size_t(i)];
      for (int r = 0; r < p; ++r) {
        precision[r] = 1 + 2 * gap(r) / scale;
        s[r] = standardNormal(random) / std::sqrt(precision[r]);
      }
      const double log_det = past.condition(precision, s);
      const double first = standardNormal(random);
      const double length = std::sqrt(first * first + past.squaredLength(s));
      w0 = std::fabs(first) / length;
      double u = 0;
      for (int r = 0; r < p; ++r) {
        s[r] /= length;
        u += gap(r) * s[r] * s[r];
      }
      const double log_accept = binghamLogAcceptance(scale, u, p + 1) - log_det / 2;
      accepted = std::log(uniformOpen(random)) < log_accept;
    }
    if (!accepted || !(w0 > 0)) {
      i = 0;
      continue;
    }
    past.append(s, w0);
    for (int r = 0; r < p; ++r) all(r, i) = s[r];
    ++i;
  }
  return liftChart(all);
}

MatrixXd sampleMatrixBingham(std::span<const double> alphas, int k, Drbg& random) {
  const int q = int(alphas.size());
  if (2 * k > q) {
    // tr X^T A X is tr A minus that of the complement, so the complement has the law of -A.
    std::vector<double> mirrored(alphas.rbegin(), alphas.rend());
    for (double& alpha : mirrored) alpha = alphas.back() - alpha;
    MatrixXd x(q, q);
    if (k < q) {
      const MatrixXd rest = sampleMatrixBingham(mirrored, q - k, random);
      for (int r = 0; r < q; ++r) {
        for (int j = 0; j < q - k; ++j) x(r, j) = rest(q - 1 - r, j);
      }
    }
    fillNormal(x, q - k, random);
    orthonormalise(x, q - k);
    MatrixXd frame(q, k);
    for (int j = 0; j < k; ++j) {
      for (int r = 0; r < q; ++r) frame(r, j) = x(r, q - k + j);
    }
    return frame;
  }
  const MacgEnvelope envelope = macgEnvelope(alphas, k);
  const bool one_by_one = k == 1 || chartLogMass(alphas, k) <= envelope.mass;
  std::uint64_t proposals = 0;
  const MatrixXd x = one_by_one ? drawSacg(alphas, k, random, proposals)
                                : drawMacg(alphas, k, envelope, random, proposals);
  MatrixXd turn(k, k);
  fillNormal(turn, 0, random);
  orthonormalise(turn, 0);
  return multiply(x, turn);
}

}  // namespace pm::idealized
