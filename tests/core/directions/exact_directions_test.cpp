// Directions and subspaces: what is rounded is the real number of the law, whatever path decides.
#include "core/directions/exact_directions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "core/directions/exact_frames.hpp"
#include "core/matrix/spectrum.hpp"
#include "tests/support/bingham_law.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/exact_directions.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace exact_directions_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using namespace testing_support;

constexpr int kBits = 22;

MatrixXd randomScatter(int d, double size, UnsafeTestRandom& random) {
  MatrixXd rows(d + 2, d);
  for (double& entry : rows.reshaped()) entry = random.symmetric();
  return rows.transpose() * rows * size;
}

// Eigenvectors that are turned and stretched, so that the factor matters.
class Skewed final : public Eigenbasis {
 public:
  Skewed(std::span<const Int128> scatter, int dimension, double by)
      : Eigenbasis(scatter, dimension, kBits) {
    UnsafeTestRandom random(9);
    for (double& entry : spectrum_.vectors.reshaped()) entry += by * random.symmetric();
    boundErrors();
  }
};

TEST(DrawDirection, RoundsAsNumbersOf512BitsDo) {
  UnsafeTestRandom cases(1);
  for (int i = 0; i < 300; ++i) {
    const int d = 2 + int(cases.below(4));
    const MatrixXd scatter = randomScatter(d, 3, cases);
    Eigenbasis basis(gridTriangle(scatter, kBits), d, kBits);
    std::vector<double> out(std::size_t(d), 0.0);
    std::uint64_t undecided = 0;
    if (i % 2 == 1) {
      Drbg other(unsafeTestSeed(std::uint64_t(1000 + i)));
      drawDirection(basis, 1, other, out, undecided);
      basis.leave(out);
    }
    Drbg random(unsafeTestSeed(std::uint64_t(i))), same(unsafeTestSeed(std::uint64_t(i)));
    drawDirection(basis, 1, random, out, undecided);
    const BinghamEnvelope envelope(basis.exponents(1));
    const EigenbasisFactor factor(basis, 1, envelope.alphas, 1);
    const Proposal proposal = drawBingham(envelope, &factor, same, undecided);
    const Maker<Wide> make{8};
    const std::vector<Wide> y = basis.inSpace(binghamPoint(envelope, proposal, make), false, make);
    Wide squared = make(0);
    for (const Wide& entry : y) squared = squared + entry * entry;
    for (std::size_t j = 0; j < out.size(); ++j) {
      EXPECT_EQ(Int128(out[j]), (y[j] / sqrt(squared)).nearest(kDirectionBits)) << i;
    }
  }
}

// p-value of the squares of directions in the axes, against their exact means and covariances.
template <class Basis>
double squaresPValue(const Basis& basis, const std::vector<double>& alphas, int count,
                     std::uint64_t& undecided) {
  const Eigen::Index free = Eigen::Index(alphas.size()) - 1;
  VectorXd means = VectorXd::Zero(free);
  MatrixXd covariance(free, free);
  Drbg random(unsafeTestSeed(5));
  std::vector<double> out(alphas.size());
  for (int n = 0; n < count; ++n) {
    drawDirection(basis, 1, random, out, undecided);
    for (Eigen::Index i = 0; i < free; ++i) {
      means[i] +=
          std::ldexp(out[std::size_t(i)] * out[std::size_t(i)], -2 * kDirectionBits) / count;
    }
  }
  for (Eigen::Index i = 0; i < free; ++i) {
    const double mean = binghamMoment(alphas, std::size_t(i));
    means[i] -= mean;
    for (Eigen::Index j = 0; j < free; ++j) {
      covariance(i, j) = binghamMoment(alphas, std::size_t(i), std::size_t(j)) -
                         mean * binghamMoment(alphas, std::size_t(j));
    }
  }
  return chiSquareTail(count * means.dot(covariance.ldlt().solve(means)), double(free));
}

TEST(DrawDirection, HasTheLawOfTheMatrixInAnyBasisOfProposals) {
  const std::vector<double> alphas = {0, 1, 4};
  const MatrixXd scatter = Eigen::Vector3d(4, 3, 0).asDiagonal();
  const std::vector<Int128> triangle = gridTriangle(scatter, kBits);
  std::uint64_t undecided = 0;
  const int count = int(draws(20'000));
  EXPECT_GT(squaresPValue(Eigenbasis(triangle, 3, kBits), alphas, count, undecided), kAlarm);
  EXPECT_LT(undecided, 5u);
  const int fewer = int(draws(1'500));
  EXPECT_GT(squaresPValue(Skewed(triangle, 3, 0.05), alphas, fewer, undecided), kAlarm);
  EXPECT_GT(undecided, std::uint64_t(fewer));
}

TEST(DrawDirection, OfASkewedBasisWithoutTheFactorHasAnotherLaw) {
  if (kSlowBuild) return;  // too few draws to tell
  const std::vector<double> alphas = {0, 1, 4};
  const MatrixXd scatter = Eigen::Vector3d(4, 3, 0).asDiagonal();
  const Skewed basis(gridTriangle(scatter, kBits), 3, 0.3);
  const BinghamEnvelope envelope(basis.exponents(1));
  Drbg random(unsafeTestSeed(6));
  std::uint64_t undecided = 0;
  VectorXd mean = VectorXd::Zero(3);
  constexpr int kCount = 20'000;
  for (int n = 0; n < kCount; ++n) {
    const Proposal proposal = drawBingham(envelope, nullptr, random, undecided);
    std::vector<double> x, y(3);
    for (std::size_t i = 0; i < 3; ++i) x.push_back(envelope.spreads[i] * proposal.normal(i));
    basis.inSpace(x, false, y);
    const Eigen::Map<VectorXd> u(y.data(), 3);
    mean += u.cwiseAbs2() / u.squaredNorm() / kCount;
  }
  // Standard errors are at most 1/2 over the root of the count.
  EXPECT_GT(std::fabs(mean[0] - binghamMoment(alphas, 0)), 6 * 0.5 / std::sqrt(kCount));
}

TEST(Eigenbasis, GoesOnInTheComplementOfReleasedDirections) {
  // A first draw that ignores the matrix, then one that can only find the best direction of the
  // restriction: the same as an explicit projection. Likewise after two.
  for (const std::uint64_t seed : {1, 2, 3}) {
    const int d = 12;
    UnsafeTestRandom cases(seed);
    const MatrixXd scatter = randomScatter(d, 1, cases);
    Drbg random(unsafeTestSeed(seed));
    Eigenbasis basis(gridTriangle(scatter, kBits), d, kBits);
    std::uint64_t undecided = 0;
    MatrixXd drawn(d, 4);
    std::vector<double> out(std::size_t(d), 0.0);
    for (const Eigen::Index i : {0, 1, 2, 3}) {
      drawDirection(basis, i % 2 == 0 ? 0 : kMaxKappa, random, out, undecided);
      basis.leave(out);
      for (int r = 0; r < d; ++r) {
        drawn(r, i) = std::ldexp(out[std::size_t(r)], -kDirectionBits);
      }
      if (i % 2 == 0) continue;
      const MatrixXd before = drawn.leftCols(i);
      const MatrixXd keep = MatrixXd::Identity(d, d) - before * before.transpose();
      const VectorXd best = spectrum(keep * scatter * keep).vectors.col(0);
      EXPECT_NEAR(std::fabs(best.dot(drawn.col(i))), 1, 1e-4) << i;
    }
    EXPECT_EQ(basis.size(), d - 4);
    EXPECT_LT((drawn.transpose() * drawn - MatrixXd::Identity(4, 4)).cwiseAbs().maxCoeff(), 1e-4);
  }
}

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

// The Euclidean distance of the values of a basis from those of the integers, in numbers with 11
// bits more than doubles have.
double distanceOfValues(const Eigenbasis& basis, const std::vector<Int128>& triangle) {
  const int d = basis.dimension();
  LongMatrix scatter(d, d);
  const Int128* entry = triangle.data();
  for (int i = 0; i < d; ++i) {
    for (int j = i; j < d; ++j) scatter(i, j) = scatter(j, i) = static_cast<long double>(*entry++);
  }
  scatter *= std::ldexp(1.0L, -2 * kBits);
  const LongMatrix exact = Eigen::SelfAdjointEigenSolver<LongMatrix>(scatter).eigenvalues();
  return double((basis.values().cast<long double>() - exact.reverse()).norm());
}

TEST(Eigenbasis, TheBoundOfItsEigenvaluesTogetherHoldsAndIsSmall) {
  UnsafeTestRandom cases(4);
  for (const int d : {1, 2, 7, 40}) {
    const MatrixXd full = randomScatter(d, 100, cases), column = full.col(0) / full.norm();
    const MatrixXd tied = MatrixXd::Identity(d, d) * 1000 + column * column.transpose();
    for (const MatrixXd& scatter : {full, tied, MatrixXd(column * column.transpose() * 1e6)}) {
      const std::vector<Int128> triangle = gridTriangle(scatter, kBits);
      const Eigenbasis basis(triangle, d, kBits);
      EXPECT_LE(distanceOfValues(basis, triangle), basis.valueError());
      EXPECT_LT(basis.valueError(), 1e-15 * (d + 8) * (d + 8) * scatter.norm());
    }
    // Whatever the vectors and values are.
    const std::vector<Int128> triangle = gridTriangle(full, kBits);
    for (const double by : {1e-12, 1e-6, 1e-3}) {
      const Skewed skewed(triangle, d, by);
      EXPECT_LE(distanceOfValues(skewed, triangle), skewed.valueError());
    }
  }
}

TEST(Eigenbasis, CountsEigenvaluesExactlyWhereDoublesMayBeTooFarOff) {
  UnsafeTestRandom cases(5);
  const int d = 6, rows = 1000;
  MatrixXd scatter = randomScatter(d, 1, cases);
  scatter *= rows / scatter.trace();
  const std::vector<Int128> triangle = gridTriangle(scatter, kBits);
  const std::uint64_t error = eigenvalueError(d, kBits, rows);
  const Eigenbasis basis(triangle, d, kBits);
  std::vector<Int128> values = {7, -7};
  basis.addValues(error, values);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(std::ldexp(double(values[std::size_t(i)]), -2 * kBits), basis.values()[i], 1e-12);
  }
  for (const double by : {1e-9, std::numeric_limits<double>::quiet_NaN()}) {
    std::vector<Int128> counted = {7, -7};
    Skewed(triangle, d, by).addValues(error, counted);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LE(std::fabs(double(counted[i] - values[i])), double(error) + 1);
    }
  }
  // Integers of which the eigenvalues are known: 5, 5, 0 and -3 grid units.
  const std::vector<Int128> axes = {5, 0, 0, 0, 0, 0, 0, -3, 0, 5};
  std::vector<Int128> counted(4);
  Skewed(axes, 4, 1).addValues(0, counted);
  EXPECT_EQ(counted, (std::vector<Int128>{5, 5, 0, -3}));
}

TEST(EigenvalueError, IsInGridUnitsAndRoundedUp) {
  EXPECT_EQ(eigenvalueError(10, 22, 1 << 20), 324u << 14);
  EXPECT_EQ(eigenvalueError(10, 22, 1), 6u);  // 324 / 64
  EXPECT_EQ(eigenvalueError(1, 14, 1), 1u);
  EXPECT_EQ(eigenvalueError(1000, 24, 1 << 22), std::uint64_t{1008 * 1008} << 20);
}

TEST(EigenbasisFactor, IsCloseToOneForHundredFeaturesAndManyRows) {
  constexpr int kFeatures = 100;
  constexpr double kRows = 1e6;
  UnsafeTestRandom cases(3);
  MatrixXd rows(3 * kFeatures, kFeatures);
  for (double& entry : rows.reshaped()) entry = cases.symmetric();
  rows.rowwise().normalize();
  const MatrixXd scatter = rows.transpose() * rows * (kRows / double(rows.rows()));
  const Eigenbasis basis(gridTriangle(scatter, kBits), kFeatures, kBits);
  // At epsilon 1, and where padding stops being enough.
  const auto bound = [&](double kappa) {
    const PrivateNumbers alphas = basis.exponents(kappa);
    return EigenbasisFactor(basis, kappa, alphas, 1).bound();
  };
  EXPECT_LT(bound(0.5), 1e-6);
  EXPECT_LT(bound(1e10 / kRows), 0.01);
}

TEST(DrawSubspace, IsAProjectionOfItsRankUpToRounding) {
  UnsafeTestRandom cases(7);
  Drbg random(unsafeTestSeed(7));
  std::uint64_t undecided = 0;
  for (const int d : {2, 5, 9}) {
    const Eigenbasis basis(gridTriangle(randomScatter(d, 5, cases), kBits), d, kBits);
    for (int k = 1; k < d; ++k) {
      std::vector<double> out(packedSize(std::size_t(d)));
      drawSubspace(basis, k, 1, random, out, undecided);
      MatrixXd projection(d, d);
      const double* entry = out.data();
      for (int i = 0; i < d; ++i) {
        for (int j = i; j < d; ++j) {
          EXPECT_EQ(*entry, std::nearbyint(*entry));
          projection(i, j) = projection(j, i) = std::ldexp(*entry++, -kProjectionBits);
        }
      }
      EXPECT_NEAR(projection.trace(), k, d * 0x1p-20);
      EXPECT_LT((projection * projection - projection).cwiseAbs().maxCoeff(), d * 0x1p-19);
      std::vector<double> directions(std::size_t(d * k), 0.0);
      directionsOf(out, d, k, directions);
      const MatrixXd frame = Eigen::Map<const MatrixXd>(directions.data(), d, k) * 0x1p-16;
      EXPECT_LT((frame * frame.transpose() - projection).cwiseAbs().maxCoeff(), 1e-4) << d << k;
    }
  }
}

// A factor of 1 whose bound leaves most decisions to more words.
class Vague final : public BinghamFactor {
 public:
  double bound() const override { return 0.5; }
  Wide logAt(std::span<const Wide>, Maker<Wide> make) const override { return make(0); }
};

using Draw = std::unique_ptr<DrawnFrame> (*)(std::span<const double>, int, const BinghamFactor*,
                                             Drbg&, std::uint64_t&, std::uint64_t&);

std::unique_ptr<DrawnFrame> byMacg(std::span<const double> alphas, int k,
                                   const BinghamFactor* factor, Drbg& random,
                                   std::uint64_t& undecided, std::uint64_t& proposals) {
  return drawMacg(alphas, k, macgEnvelope(alphas, k), factor, random, undecided, proposals);
}

// Means of the projection's diagonal.
VectorXd meanDiagonal(Draw draw, const BinghamFactor* factor, int count, std::uint64_t& undecided) {
  const std::vector<double> alphas = {0, 1, 2.5, 4, 7};
  Drbg random(unsafeTestSeed(8));
  std::uint64_t proposals = 0;
  VectorXd mean = VectorXd::Zero(5);
  for (int n = 0; n < count; ++n) {
    const auto frame = draw(alphas, 2, factor, random, undecided, proposals);
    mean += orthonormalBasis(*frame, 2).rowwise().squaredNorm() / count;
  }
  return mean;
}

TEST(DrawFrame, HasTheSameLawWhereMoreWordsDecide) {
  const Vague vague;
  for (const Draw draw : {&byMacg, &drawSacg}) {
    std::uint64_t few = 0, many = 0;
    const int count = int(draws(20'000)), fewer = int(draws(4'000));
    const VectorXd plain = meanDiagonal(draw, nullptr, count, few);
    const VectorXd wide = meanDiagonal(draw, &vague, fewer, many);
    EXPECT_LT(few, 5u);
    EXPECT_GT(many, std::uint64_t(fewer) / 4);
    // Entries lie between 0 and 1; 5.5 standard errors of both means.
    EXPECT_LT((plain - wide).cwiseAbs().maxCoeff(),
              5.5 * 0.5 * std::sqrt(1.0 / count + 1.0 / fewer));
  }
}

TEST(DrawFrame, HasTheSameDigitsInDoublesAndInMoreWords) {
  const std::vector<double> alphas = {0, 1, 2.5, 4, 7, 30};
  Drbg random(unsafeTestSeed(10));
  std::uint64_t undecided = 0, proposals = 0;
  for (const Draw draw : {&byMacg, &drawSacg}) {
    for (int k = 1; k <= 3; ++k) {
      for (int n = 0; n < 20; ++n) {
        const auto frame = draw(alphas, k, nullptr, random, undecided, proposals);
        const std::vector<Ball> balls = frame->basis(Maker<Ball>{});
        const std::vector<Wide> wide = frame->basis(Maker<Wide>{6});
        for (std::size_t i = 0; i < balls.size(); ++i) {
          const double distance = std::fabs(balls[i].mid() - wide[i].mid());
          EXPECT_LE(distance, balls[i].radius() + 0x1p-50 * std::fabs(wide[i].mid()));
          EXPECT_LT(wide[i].radius(), 1e-85);
        }
      }
    }
  }
}

}  // namespace exact_directions_test
}  // namespace pm
