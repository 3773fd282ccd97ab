#include "core/research/idealized/matrix_bingham.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/matrix/spectrum.hpp"
#include "core/random/continuous.hpp"
#include "core/research/idealized/bingham.hpp"
#include "tests/support/matrix_vectors.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace matrix_bingham_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using namespace testing_support;
using namespace idealized;

double macgLogMassOf(const std::vector<double>& alphas, int k, const MacgEnvelope& envelope) {
  double sum = envelope.cap;
  for (const double alpha : alphas) sum -= 0.5 * k * std::log1p(2 * alpha / envelope.b);
  return sum;
}

VectorXd normals(int n, Drbg& random) {
  VectorXd result(n);
  for (int i = 0; i < n; ++i) result[i] = standardNormal(random);
  return result;
}

// Columns of S with S^T S < I, and the state after them.
MatrixXd someColumns(int p, int m, Drbg& random, ChartPast& past) {
  MatrixXd s(p, m);
  for (int j = 0; j < m; ++j) {
    VectorXd z = past.columns() == 0 ? normals(p, random) : VectorXd(p);
    if (past.columns() > 0) {
      z = normals(p, random);
      past.condition(VectorXd::Ones(p), z);
    }
    const double first = standardNormal(random);
    const double length = std::sqrt(first * first + past.squaredLength(z));
    s.col(j) = z / length;
    past.append(s.col(j), std::fabs(first) / length);
  }
  return s;
}

TEST(MatrixBingham, LimitAcceptanceEqualsTheReference) {
  const nlohmann::json vectors = readVectors("ppca.json");
  ASSERT_EQ(vectors["bingham_limit_acceptance"].size(), 8u);
  for (const auto& row : vectors["bingham_limit_acceptance"]) {
    const double expected = row["acc_inf"];
    EXPECT_NEAR(std::exp(binghamLimitLogAcceptance(row["q"])), expected, 1e-12 * expected);
  }
}

TEST(MatrixBingham, MacgAcceptanceAndBoundEqualTheReference) {
  const nlohmann::json vectors = readVectors("ppca.json");
  ASSERT_EQ(vectors["macg"].size(), 2u);
  for (const auto& row : vectors["macg"]) {
    const std::vector<double> alphas = row["alpha"];
    const int k = row["k"];
    const double b = row["b_kent"];
    EXPECT_NEAR(binghamB(alphas), b, 1e-12);
    const MacgEnvelope kent{b, macgLogCap(alphas, k, b), 0};
    EXPECT_NEAR(macgLogAccept(alphas, kent, matrixOf(row["X"])),
                row["log_accept_interlaced"].get<double>(), 1e-12);
    const double mass = row["log_envelope_mass_interlaced"];
    EXPECT_NEAR(macgLogMassOf(alphas, k, kent), mass, 1e-12);
    // The library's b minimises the mass.
    const MacgEnvelope own = macgEnvelope(alphas, k);
    EXPECT_NEAR(own.mass, macgLogMassOf(alphas, k, own), 1e-12);
    for (double other = 0.05; other < 40; other *= 1.1) {
      const MacgEnvelope envelope{other, macgLogCap(alphas, k, other), 0};
      EXPECT_LE(own.mass, macgLogMassOf(alphas, k, envelope) + 1e-9) << other;
    }
  }
}

TEST(MatrixBingham, SacgEnvelopesAndColumnsEqualTheReference) {
  const nlohmann::json row = readVectors("ppca.json")["sacg"];
  const std::vector<double> alphas = row["alpha"];
  const std::vector<std::vector<double>> columns = row["S_columns"], w = row["W"];
  const std::vector<double> gaps[] = {{3, 6}, {2, 5}};
  ChartPast past(2, 2);
  MatrixXd s(2, 2);
  double log_det_m = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const nlohmann::json& column = row["columns"][i];
    for (int r = 0; r < 2; ++r) s(r, int(i)) = columns[i][std::size_t(r)];
    const VectorXd here = s.col(int(i));
    // At the reference's b, which is optimal for this column given the previous one.
    const double b = column["b"];
    VectorXd precision(2), unused = VectorXd::Zero(2);
    double u = 0;
    for (int r = 0; r < 2; ++r) {
      precision[r] = 1 + 2 * gaps[i][std::size_t(r)] / b;
      u += gaps[i][std::size_t(r)] * here[r] * here[r];
    }
    const double log_det = past.condition(precision, unused);
    const double free_b = binghamB(std::vector<double>{0, gaps[i][0], gaps[i][1]});
    EXPECT_NEAR(chartLogEnvelope(gaps[i], b, log_det) - chartLogEnvelope(gaps[i], free_b, 0),
                column["logE_minus_logE_I"].get<double>(), 1e-12);
    EXPECT_NEAR(binghamLogAcceptance(b, u, 3), column["log_acg"].get<double>(), 1e-12);
    EXPECT_NEAR(past.squaredLength(here), 1 - w[i][0] * w[i][0], 1e-12);
    log_det_m += std::log1p(-past.squaredLength(here));
    past.append(here, w[i][0]);
  }
  EXPECT_NEAR(log_det_m, row["logdetM_final"].get<double>(), 1e-12);
  const MatrixXd x = liftChart(s);
  EXPECT_LT((x - matrixOf(row["X"])).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(macgLogAccept(alphas, {1e18, 0, 0}, x), -row["tr_XtAX"].get<double>(), 1e-9);
}

TEST(MatrixBingham, AColumnGivenThePastHasItsCovariance) {
  Drbg random(unsafeTestSeed(1));
  const int p = 5, m = 3;
  ChartPast past(p, m);
  const MatrixXd s = someColumns(p, m, random, past);
  const VectorXd precision{{1.0, 1.5, 4.0, 30.0, 1e4}};
  // The inverse of M^-1 + D - I, and the linear map that `condition` applies.
  const MatrixXd m_inverse = (MatrixXd::Identity(p, p) - s * s.transpose()).inverse();
  MatrixXd wanted = m_inverse - MatrixXd::Identity(p, p);
  wanted.diagonal() += precision;
  MatrixXd map(p, p);
  double log_det = 0;
  for (int j = 0; j < p; ++j) {
    VectorXd z = VectorXd::Zero(p);
    z[j] = 1 / std::sqrt(precision[j]);
    log_det = past.condition(precision, z);
    map.col(j) = z;
  }
  EXPECT_LT((map * map.transpose() * wanted - MatrixXd::Identity(p, p)).cwiseAbs().maxCoeff(),
            1e-9);
  EXPECT_NEAR(log_det, std::log(wanted.determinant() / precision.prod()), 1e-9);
  EXPECT_NEAR(past.squaredLength(s.col(0)), s.col(0).dot(m_inverse * s.col(0)), 1e-9);
}

// The largest acceptance probability, over the frames of k axes and random frames, that this cap
// implies.
double largestLogAccept(const std::vector<double>& alphas, int k, const MacgEnvelope& envelope) {
  const int q = int(alphas.size());
  double largest = -1e300;
  for (unsigned set = 0; set < 1u << q; ++set) {
    if (__builtin_popcount(set) != k) continue;
    MatrixXd x = MatrixXd::Zero(q, k);
    for (int i = 0, j = 0; i < q; ++i) {
      if (set >> i & 1) x(i, j++) = 1;
    }
    largest = std::max(largest, macgLogAccept(alphas, envelope, x));
  }
  Drbg random(unsafeTestSeed(2));
  for (int i = 0; i < 300; ++i) {
    const MatrixXd x = sampleMatrixBingham(std::vector<double>(std::size_t(q), 0.0), k, random);
    largest = std::max(largest, macgLogAccept(alphas, envelope, x));
  }
  return largest;
}

TEST(MatrixBingham, MacgAcceptanceNeverExceedsOne) {
  const std::vector<double> spectra[] = {{0, 1, 3, 6, 7},
                                         {0, 0, 0, 0, 0},
                                         {0, 9, 9, 9, 30},
                                         {0, 0, 0, 40, 50},
                                         {0, 100, 2e3, 1e4, 1e6}};
  for (const auto& alphas : spectra) {
    for (const int k : {1, 2, 3}) {
      EXPECT_LE(largestLogAccept(alphas, k, macgEnvelope(alphas, k)), 1e-9) << alphas[1];
    }
  }
  // With one eigenvalue clamped too low, the cap is not a bound.
  const std::vector<double>& alphas = spectra[0];
  MacgEnvelope wrong = macgEnvelope(alphas, 2);
  wrong.b = 0.5, wrong.cap = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const double eta = std::clamp((5 - wrong.b) / 2, alphas[i], alphas[i + 1]);
    wrong.cap += 2.5 * std::log1p(2 * eta / wrong.b) - eta;
  }
  EXPECT_GT(largestLogAccept(alphas, 2, wrong), 0.1);
}

TEST(MatrixBingham, FramesAreOrthonormalAtEveryConcentrationAndShape) {
  Drbg random(unsafeTestSeed(3));
  for (const double scale : {0.0, 1.0, 1e3, 1e9, 0x1p90}) {
    for (int k = 1; k <= 6; ++k) {
      std::vector<double> alphas;
      for (int i = 0; i < 6; ++i) alphas.push_back(scale * i / 5);
      const MatrixXd x = sampleMatrixBingham(alphas, k, random);
      ASSERT_EQ(x.rows(), 6);
      ASSERT_EQ(x.cols(), k);
      EXPECT_LT((x.transpose() * x - MatrixXd::Identity(k, k)).cwiseAbs().maxCoeff(), 1e-12);
      if (scale >= 1e9) {
        // The law is concentrated at its mode, the first k axes.
        EXPECT_LT(x.bottomRows(6 - k).norm(), 1e-2) << k;
      }
    }
  }
}

TEST(MatrixBingham, ALiftedChartIsABasisWithTheChartBelow) {
  Drbg random(unsafeTestSeed(4));
  ChartPast past(6, 4);
  const MatrixXd s = someColumns(6, 4, random, past);
  const MatrixXd x = liftChart(s);
  EXPECT_LT((x.transpose() * x - MatrixXd::Identity(4, 4)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(MatrixXd(x.bottomRows(6)), s);
  EXPECT_LT((x.topRows(4) - x.topRows(4).transpose()).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace matrix_bingham_test
}  // namespace pm
