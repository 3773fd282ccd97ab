#include "core/matrix/spectrum.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <tuple>

#include "core/matrix/cholesky.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/tridiagonal.hpp"
#include "core/matrix/twisted.hpp"
#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace spectrum_test {

using fixtures::Deterministic;

TEST(Spectrum, ComposesToTheMatrixWithTheLargestEigenvalueFirst) {
  Deterministic random(21);
  const Eigen::MatrixXd matrix = random.noise(9, fixtures::rotationInvariant(1));
  const Spectrum decomposed = spectrum(matrix);
  EXPECT_LT((compose(decomposed) - matrix).norm(), 1e-12);
  for (int i = 1; i < 9; ++i) EXPECT_GE(decomposed.values[i - 1], decomposed.values[i]);
}

TEST(Spectrum, ReadsOnlyTheSymmetricPart) {
  Eigen::Matrix2d matrix;
  matrix << 1, 0.5, -0.5, 2;
  EXPECT_TRUE(spectrum(matrix).values.isApprox(Eigen::Vector2d(2, 1), 1e-14));
}

// Sizes on both sides of a tile, a strip, a block of reflectors and a batch of rotations.
constexpr int kSizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 34, 65, 130};

TEST(Spectrum, EqualsEigensUpToRoundingIncludingSigns) {
  Deterministic random(31);
  for (const int size : kSizes) {
    const Eigen::MatrixXd matrix = random.noise(size, fixtures::rotationInvariant(1));
    const Spectrum own = spectrum(matrix);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> slow(matrix);
    EXPECT_LT((own.values - slow.eigenvalues().reverse()).norm(), 1e-13 * size) << size;
    EXPECT_LT((own.vectors - slow.eigenvectors().rowwise().reverse()).norm(), 1e-12 * size) << size;
    EXPECT_LT((own.values - eigenvalues(matrix)).norm(), 1e-13 * size) << size;
  }
}

TEST(Spectrum, HoldsForEqualAndMissingEigenvaluesAndForAnyScale) {
  Deterministic random(32);
  for (const double scale : {1e-200, 1.0, 1e200}) {
    Eigen::VectorXd values(40);
    values << Eigen::VectorXd::Constant(15, 2), Eigen::VectorXd::Constant(15, 1),
        Eigen::VectorXd::Zero(10);
    const Eigen::MatrixXd axes = random.orthogonal(40);
    const Eigen::MatrixXd matrix = axes * values.asDiagonal() * axes.transpose() * scale;
    const Spectrum found = spectrum(matrix);
    EXPECT_LT((found.values / scale - values).norm(), 1e-12);
    EXPECT_LT(
        (found.vectors.transpose() * found.vectors - Eigen::MatrixXd::Identity(40, 40)).norm(),
        1e-12);
    EXPECT_LT((compose(found) / scale - matrix / scale).norm(), 1e-12);
  }
  EXPECT_EQ(spectrum(Eigen::MatrixXd::Zero(6, 6)).values, Eigen::VectorXd::Zero(6));
  EXPECT_EQ(spectrum(Eigen::MatrixXd(0, 0)).values.size(), 0);
}

TEST(MultiplyByEigenvectors, IsTheProductWithThoseOfTheSpectrum) {
  for (const int size : kSizes) {
    Deterministic random(36);
    const Eigen::MatrixXd matrix = random.noise(size, fixtures::rotationInvariant(1));
    const Eigen::MatrixXd any = random.normals(11, size);
    Eigen::MatrixXd product = any;
    const Eigen::VectorXd values = multiplyByEigenvectors(matrix, product);
    // The same order and signs in both, so that columns match.
    const Spectrum decomposed = spectrum(matrix);
    for (int j = 0; j < size; ++j) {
      Eigen::Index same;
      EXPECT_LT((values.array() - decomposed.values[j]).abs().minCoeff(&same), 1e-12 * size);
      EXPECT_LT((product.col(same) - any * decomposed.vectors.col(j)).norm(), 1e-9) << size;
    }
  }
}

/// Eigenvalues of T, largest first, by Eigen.
Eigen::VectorXd valuesOf(const Tridiagonal& form) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(form.diagonal, form.subdiagonal, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().reverse();
}

Eigen::MatrixXd wholeOf(const Tridiagonal& form) {
  Eigen::MatrixXd whole = form.diagonal.asDiagonal();
  whole.diagonal(-1) = form.subdiagonal;
  whole.diagonal(1) = form.subdiagonal;
  return whole;
}

TEST(TwistedVectors, AreOrthogonalEigenvectorsOfTheLargestEigenvalues) {
  for (const int size : kSizes) {
    Deterministic random(51);
    const Tridiagonal form = tridiagonalise(random.noise(size, fixtures::rotationInvariant(0.3)));
    const Eigen::VectorXd values = valuesOf(form);
    for (const int count : {1, (size + 1) / 2, size}) {
      const std::optional<Eigen::MatrixXd> found = twistedVectors(form, values, count);
      ASSERT_TRUE(found) << size;
      const Eigen::MatrixXd images = wholeOf(form) * *found;
      EXPECT_LT((images - *found * values.head(count).asDiagonal()).norm(), 1e-12 * size) << size;
      const auto identity = Eigen::MatrixXd::Identity(count, count);
      EXPECT_LT((found->transpose() * *found - identity).norm(), 1e-9) << size;
    }
  }
}

TEST(TwistedVectors, OfNearlyEqualEigenvaluesAreOrthogonalOrThereAreNone) {
  for (const double apart : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 0.0}) {
    Deterministic random(52);
    Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(12, 1, 0.1);
    values[5] = values[4] - apart;
    values[6] = values[5] - apart;
    const Eigen::MatrixXd axes = random.orthogonal(12);
    const Tridiagonal form = tridiagonalise(axes * values.asDiagonal() * axes.transpose());
    const std::optional<Eigen::MatrixXd> found = twistedVectors(form, valuesOf(form), 12);
    if (!found) {
      EXPECT_LT(apart, 1e-9);
      continue;
    }
    const auto identity = Eigen::MatrixXd::Identity(12, 12);
    EXPECT_LT((found->transpose() * *found - identity).norm(), 1e-9) << apart;
    EXPECT_LT((*found * values.asDiagonal() * found->transpose() - wholeOf(form)).norm(), 1e-9)
        << apart;
  }
}

TEST(TwistedVectors, AreNotFoundForAMultipleOfTheIdentity) {
  const Tridiagonal form = tridiagonalise(0.5 * Eigen::MatrixXd::Identity(5, 5));
  EXPECT_FALSE(twistedVectors(form, Eigen::VectorXd::Constant(5, 0.5), 5));
}

TEST(Recomposed, WithEqualValuesIsExactlyAMultipleOfTheIdentity) {
  Deterministic random(55);
  const Eigen::MatrixXd matrix = random.noise(20, fixtures::rotationInvariant(1));
  const auto constant = [](const Eigen::VectorXd& values) -> Eigen::VectorXd {
    return Eigen::VectorXd::Constant(values.size(), 0.3);
  };
  EXPECT_EQ(recomposed(matrix, constant), 0.3 * Eigen::MatrixXd::Identity(20, 20));
}

TEST(MultiplyOrthogonalBy, IsTheProductWithTheWholeMatrixAndTheSameForEachColumn) {
  for (const int size : kSizes) {
    Deterministic random(54);
    const Tridiagonal form = tridiagonalise(random.noise(size, fixtures::rotationInvariant(1)));
    const Eigen::MatrixXd any = random.normals(size, 7);
    Eigen::MatrixXd together = any;
    multiplyOrthogonalBy(form, together);
    EXPECT_LT((together - orthogonalOf(form) * any).norm(), 1e-13 * size) << size;
    for (int j = 0; j < 7; ++j) {
      Eigen::MatrixXd alone = any.col(j);
      multiplyOrthogonalBy(form, alone);
      EXPECT_EQ(alone, together.col(j)) << size;
    }
  }
}

TEST(Recomposed, IsTheFunctionOfTheMatrixForAnyEigenvaluesAndScale) {
  const auto floored = [](const Eigen::VectorXd& values) -> Eigen::VectorXd {
    return values.cwiseMax(0.0).array() + 0.25 * values.cwiseAbs().maxCoeff();
  };
  const auto slow = [&](const Eigen::MatrixXd& matrix) {
    Spectrum changed = spectrum(matrix);
    changed.values = floored(changed.values);
    return compose(changed);
  };
  for (const int size : kSizes) {
    Deterministic random(53);
    const Eigen::MatrixXd matrix = random.noise(size, fixtures::rotationInvariant(1));
    for (const double scale : {1e-200, 1.0, 1e200}) {
      const Eigen::MatrixXd difference =
          recomposed(scale * matrix, floored) / scale - slow(scale * matrix) / scale;
      EXPECT_LT(difference.norm(), 1e-9 * size);
    }
    // Equal eigenvalues, zeros and a matrix of one number.
    const Eigen::MatrixXd half = random.normals(size, (size + 1) / 2);
    const Eigen::MatrixXd singular = half * half.transpose();
    EXPECT_LT((recomposed(singular, floored) - slow(singular)).norm(), 1e-9 * size * size);
    const Eigen::MatrixXd identity = 2 * Eigen::MatrixXd::Identity(size, size);
    EXPECT_LT((recomposed(identity, floored) - 1.25 * identity).norm(), 1e-12 * size);
  }
  EXPECT_EQ(recomposed(Eigen::MatrixXd(0, 0), floored).size(), 0);
}

TEST(Cholesky, EqualsEigensIfAllEigenvaluesAreAboveTheFloorAndIsNothingOtherwise) {
  for (const int size : kSizes) {
    Deterministic random(37);
    const Eigen::MatrixXd any = random.normals(size, size);
    const Eigen::MatrixXd matrix = any * any.transpose() + Eigen::MatrixXd::Identity(size, size);
    const double least = eigenvalues(matrix)[size - 1];
    EXPECT_FALSE(choleskyAbove(matrix, least * (1 + 1e-9)));
    ASSERT_TRUE(choleskyAbove(matrix, least * (1 - 1e-9)));
    const Eigen::MatrixXd lower = *choleskyAbove(matrix, 0);
    EXPECT_LT((lower - Eigen::MatrixXd(matrix.llt().matrixL())).norm(), 1e-11 * size);
    Eigen::MatrixXd divided = any.topRows((size + 1) / 2);
    divideByTransposed(lower, divided);
    EXPECT_LT((divided * lower.transpose() - any.topRows((size + 1) / 2)).norm(), 1e-11 * size);
  }
}

TEST(LowerRoot, IsCholeskysOrItsLimitForASingularMatrix) {
  for (const int size : kSizes) {
    Deterministic random(39);
    const Eigen::MatrixXd any = random.normals(size, size);
    const Eigen::MatrixXd regular = any * any.transpose() + Eigen::MatrixXd::Identity(size, size);
    EXPECT_LT((lowerRoot(regular) - *choleskyAbove(regular, 0)).norm(), 1e-12 * size);

    // Half the rank: the leading columns are those of a nearby matrix of full rank.
    const Eigen::MatrixXd half = any.leftCols((size + 1) / 2);
    const Eigen::MatrixXd singular = half * half.transpose();
    const Eigen::MatrixXd root = lowerRoot(singular);
    EXPECT_LT((root * root.transpose() - singular).norm(), 1e-9 * size) << size;
    EXPECT_EQ(Eigen::MatrixXd(root.triangularView<Eigen::StrictlyUpper>()).norm(), 0);
    EXPECT_GE(root.diagonal().minCoeff(), 0);
    const Eigen::MatrixXd moved = singular + 1e-9 * Eigen::MatrixXd::Identity(size, size);
    EXPECT_LT((lowerRoot(moved).leftCols(half.cols()) - root.leftCols(half.cols())).norm(),
              1e-4 * size);
  }
}

TEST(LowerRoot, TakesNegativeEigenvaluesAsZero) {
  Deterministic random(40);
  Spectrum mixed = spectrum(random.noise(7, fixtures::rotationInvariant(1)));
  ASSERT_LT(mixed.values[6], -0.1);
  const Eigen::MatrixXd root = lowerRoot(compose(mixed));
  mixed.values = mixed.values.cwiseMax(0.0);
  EXPECT_LT((root * root.transpose() - compose(mixed)).norm(), 1e-9);
  EXPECT_EQ(lowerRoot(Eigen::MatrixXd::Zero(3, 3)).norm(), 0);
}

TEST(Rotations, OfColumnsAreThoseOfTheTextbook) {
  Deterministic random(33);
  Eigen::MatrixXd matrix = random.normals(11, 6);
  Eigen::MatrixXd slow = matrix;
  const std::vector<Sweep> sweeps = {{0, {{0.6, 0.8}, {0.8, -0.6}, {-0.6, 0.8}}}, {3, {{0, 1}}}};
  rotateColumns(sweeps, matrix);
  for (const Sweep& sweep : sweeps) {
    Eigen::Index k = sweep.first;
    for (const auto& [cosine, sine] : sweep.rotations) {
      const Eigen::VectorXd x = slow.col(k), y = slow.col(k + 1);
      slow.col(k) = cosine * x - sine * y;
      slow.col(++k) = sine * x + cosine * y;
    }
  }
  EXPECT_LT((matrix - slow).norm(), 1e-14);
}

TEST(Products, AreThoseOfEigenForAllShapes) {
  Deterministic random(34);
  for (const auto& [rows, depth, columns] :
       {std::tuple{1, 1, 1}, std::tuple{3, 5, 2}, std::tuple{4, 8, 4}, std::tuple{9, 300, 6},
        std::tuple{17, 513, 5}, std::tuple{2, 0, 3}}) {
    const Eigen::MatrixXd a = random.normals(rows, depth), b = random.normals(depth, columns);
    EXPECT_LT((multiply(a, b) - a * b).norm(), 1e-11);
    EXPECT_LT((multiplyTransposed(a.transpose(), b) - a * b).norm(), 1e-11);
    EXPECT_EQ(transposed(a), a.transpose());
    const Eigen::MatrixXd square = multiplyByTranspose(a);
    EXPECT_LT((square - a * a.transpose()).norm(), 1e-10);
    EXPECT_EQ(square, square.transpose());
  }
  for (const int size : {1, 4, 7, 270}) {
    const Eigen::MatrixXd lower = random.normals(size, size).triangularView<Eigen::Lower>();
    const Eigen::MatrixXd other = random.normals(size, size).triangularView<Eigen::Lower>();
    EXPECT_LT((multiplyLowers(lower, other) - lower * other).norm(), 1e-10);
    const Eigen::MatrixXd square = multiplyLowerByTranspose(lower);
    EXPECT_LT((square - lower * lower.transpose()).norm(), 1e-10);
    EXPECT_EQ(square, square.transpose());
  }
}

TEST(SingularPairs, AgreeWithAJacobiDecomposition) {
  Deterministic random(22);
  for (const auto& [rows, columns] : {std::pair{4, 4}, std::pair{3, 8}, std::pair{8, 3}}) {
    const Eigen::MatrixXd matrix = random.normals(rows, columns);
    const SingularPairs pairs = singularPairs(matrix);
    const Eigen::JacobiSVD<Eigen::MatrixXd> reference(matrix);
    EXPECT_LT((pairs.values - reference.singularValues()).norm(), 1e-12);
    EXPECT_LT((pairs.left * pairs.values.asDiagonal() * pairs.right.transpose() - matrix).norm(),
              1e-12);
    const auto identity = Eigen::MatrixXd::Identity(pairs.values.size(), pairs.values.size());
    EXPECT_LT((pairs.left.transpose() * pairs.left - identity).norm(), 1e-12);
    EXPECT_LT((pairs.right.transpose() * pairs.right - identity).norm(), 1e-11);
  }
}

TEST(SingularPairs, ThatLeadAreThoseOfAllPairs) {
  for (const auto& [rows, columns] : {std::pair{30, 40}, std::pair{40, 30}, std::pair{3, 2}}) {
    Deterministic random(24);
    const Eigen::MatrixXd matrix = random.normals(rows, columns);
    const SingularPairs all = singularPairs(matrix);
    for (const int count : {1, 2, 3}) {
      const SingularPairs few = singularPairs(matrix, count);
      const Eigen::Index found = std::min<Eigen::Index>(count, all.values.size());
      ASSERT_EQ(few.values.size(), found);
      EXPECT_LT((few.values - all.values.head(found)).norm(), 1e-12 * all.values[0]);
      for (Eigen::Index j = 0; j < found; ++j) {
        EXPECT_NEAR(std::abs(few.left.col(j).dot(all.left.col(j))), 1, 1e-10);
        EXPECT_NEAR(std::abs(few.right.col(j).dot(all.right.col(j))), 1, 1e-10);
        EXPECT_LT((matrix * few.right.col(j) - few.values[j] * few.left.col(j)).norm(), 1e-10);
      }
    }
  }
}

TEST(SingularPairs, ThatLeadArePairsIfValuesAreEqualOrZero) {
  Deterministic random(25);
  for (const double third : {0.9, 0.5, 1e-7, 0.0}) {
    Eigen::VectorXd values = Eigen::VectorXd::Constant(30, std::min(third, 0.1));
    values.head(3) << 0.9, 0.9, third;
    const Eigen::MatrixXd matrix =
        random.orthogonal(30) * values.asDiagonal() * random.orthogonal(30).transpose();
    const SingularPairs few = singularPairs(matrix, 3);
    EXPECT_LT((few.values - values.head(3)).cwiseAbs().maxCoeff(), 1e-11) << third;
    for (int j = 0; j < 3; ++j) {
      EXPECT_LT((matrix * few.right.col(j) - few.values[j] * few.left.col(j)).norm(), 1e-8);
    }
    EXPECT_LT(std::abs(few.left.col(0).dot(few.left.col(1))), 1e-9);
    EXPECT_EQ(few.left.col(2).isZero(0), third == 0);
  }
}

TEST(SingularPairs, LeaveAZeroAmongOrdinaryValuesZero) {
  Deterministic random(23);
  const Eigen::Vector4d values(0.9, 0.5, 1e-3, 0);
  const Eigen::MatrixXd left = random.orthogonal(4);
  const Eigen::MatrixXd matrix = left * values.asDiagonal() * random.orthogonal(4).transpose();
  EXPECT_LT((singularPairs(matrix).values - values).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SingularPairs, AreEmptyForAnEmptyMatrix) {
  const SingularPairs pairs = singularPairs(Eigen::MatrixXd(0, 3));
  EXPECT_EQ(pairs.values.size(), 0);
  EXPECT_EQ(pairs.left.rows(), 0);
  EXPECT_EQ(pairs.right.rows(), 3);
}

TEST(SingularPairs, HaveNoDirectionWhereTheValueIsZero) {
  Eigen::Matrix3d matrix = Eigen::Matrix3d::Zero();
  matrix(0, 1) = 0.5;
  const SingularPairs pairs = singularPairs(matrix);
  EXPECT_NEAR(pairs.values[0], 0.5, 1e-15);
  EXPECT_TRUE(pairs.left.rightCols(2).isZero());
  EXPECT_TRUE(pairs.right.rightCols(2).isZero());
}

}  // namespace spectrum_test
}  // namespace pm
