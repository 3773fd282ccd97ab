#include "core/analysis/methods/cca.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace cca_test {

using fixtures::Deterministic;
using fixtures::indices;
using fixtures::matrixOf;
using fixtures::parseTable;
using fixtures::readDataOrSayWhy;
using fixtures::readVectors;
using fixtures::sumsOf;
using fixtures::vectorOf;

constexpr double kTolerance = 1e-10;

/// Analysis without noise of the first `dx` columns of a covariance against the rest.
CcaInput exact(const Eigen::MatrixXd& covariance, int dx) {
  const int d = static_cast<int>(covariance.rows());
  return {{covariance, {}, 1e6, Eigen::VectorXd::Ones(d), {}},
          indices(0, dx),
          indices(dx, d - dx),
          std::min(dx, d - dx)};
}

/// From rows to an analysis without noise.
CcaInput exactOfRows(const Eigen::MatrixXd& rows, int dx) {
  const MomentSums sums = sumsOf(rows);
  CcaInput input = exact(assembleMoments(sums).value().scaled_covariance, dx);
  input.half = sums.half;
  return input;
}

Eigen::VectorXd valuesOf(const Cca& result) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(result.correlations.size()));
  for (Eigen::Index j = 0; j < values.size(); ++j) {
    values[j] = result.correlations[static_cast<std::size_t>(j)].value;
  }
  return values;
}

Eigen::VectorXd correlationsOfRows(const Eigen::MatrixXd& rows, int dx) {
  const auto result = cca(exactOfRows(rows, dx));
  EXPECT_TRUE(result.ok());
  return valuesOf(result.value());
}

double correlation(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const Eigen::VectorXd u = a.array() - a.mean();
  const Eigen::VectorXd v = b.array() - b.mean();
  return u.dot(v) / (u.norm() * v.norm());
}

TEST(ExactCca, GivesTheReferenceCorrelationsAndWeights) {
  const auto vectors = readVectors("analysis.json")["cca"];
  const auto result = cca(exact(matrixOf(vectors["C"]), vectors["dx"].get<int>()));
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(valuesOf(result.value()).isApprox(vectorOf(vectors["rho"]), kTolerance));
  const Eigen::MatrixXd weights = matrixOf(vectors["U_columns"]);
  for (int j = 0; j < 2; ++j) {
    const double sign = weights.col(j).dot(result.value().x.weights.col(j)) < 0 ? -1 : 1;
    EXPECT_TRUE(result.value().x.weights.col(j).isApprox(sign * weights.col(j), kTolerance));
  }
}

TEST(ExactCca, GivesTheTextbookCorrelationsOfLinnerud) {
  const auto sample = readVectors("linnerud.json");
  const Eigen::VectorXd values = correlationsOfRows(matrixOf(sample["rows"]), 3);
  EXPECT_LT((values - vectorOf(sample["canonicalCorrelations"])).cwiseAbs().maxCoeff(), 5e-5);
}

TEST(ExactCca, GivesTheTextbookCorrelationsOfMmreg) {
  const std::string text = readDataOrSayWhy("mmreg/mmreg.csv");
  if (text.empty()) return;
  const Eigen::VectorXd values = correlationsOfRows(parseTable(text, ','), 3);
  EXPECT_LT((values - Eigen::Vector3d(0.4641, 0.1675, 0.1040)).cwiseAbs().maxCoeff(), 5e-5);
}

TEST(ExactCca, GivesTheTextbookCorrelationsOfIris) {
  const std::string text = readDataOrSayWhy("iris/iris.csv");
  if (text.empty()) return;
  const Eigen::VectorXd values = correlationsOfRows(parseTable(text, ',').leftCols(4), 2);
  EXPECT_LT((values - Eigen::Vector2d(0.9410, 0.1239)).cwiseAbs().maxCoeff(), 5e-5);
}

TEST(ExactCca, WeightsMakeVariatesOfUnitVarianceThatCorrelateAsReported) {
  const Eigen::MatrixXd rows = matrixOf(readVectors("linnerud.json")["rows"]);
  const Cca result = cca(exactOfRows(rows, 3)).value();
  const Eigen::MatrixXd x = rows.leftCols(3) * result.x.weights;
  const Eigen::MatrixXd y = rows.rightCols(3) * result.y.weights;
  for (int i = 0; i < 3; ++i) {
    const double variance = (x.col(i).array() - x.col(i).mean()).square().mean();
    EXPECT_NEAR(variance, 1, kTolerance);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(correlation(x.col(i), x.col(j)), i == j ? 1 : 0, kTolerance);
      EXPECT_NEAR(correlation(x.col(i), y.col(j)), i == j ? valuesOf(result)[i] : 0, kTolerance);
    }
  }
}

TEST(ExactCca, LoadingsAreCorrelationsOfFeaturesWithTheirVariate) {
  const Eigen::MatrixXd rows = matrixOf(readVectors("linnerud.json")["rows"]);
  const Cca result = cca(exactOfRows(rows, 3)).value();
  for (int j = 0; j < 3; ++j) {
    Eigen::Index largest = 0;
    result.x.loadings.col(j).cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(result.x.loadings(largest, j), 0);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(result.x.loadings(i, j),
                  correlation(rows.col(i), rows.leftCols(3) * result.x.weights.col(j)), kTolerance);
      EXPECT_NEAR(result.y.loadings(i, j),
                  correlation(rows.col(3 + i), rows.rightCols(3) * result.y.weights.col(j)),
                  kTolerance);
    }
  }
}

TEST(ExactCca, LoadingsAreCorrelationsWithTheOwnAndCrossLoadingsWithTheOtherVariate) {
  const Eigen::MatrixXd rows = matrixOf(readVectors("linnerud.json")["rows"]);
  const Cca result = cca(exactOfRows(rows, 3)).value();
  const Eigen::MatrixXd x = rows.leftCols(3) * result.x.weights;
  const Eigen::MatrixXd y = rows.rightCols(3) * result.y.weights;
  for (int j = 0; j < 3; ++j) {
    double own = 0;
    double other = 0;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(result.x.loadings(i, j), correlation(rows.col(i), x.col(j)), 1e-9);
      EXPECT_NEAR(result.x.cross_loadings(i, j), correlation(rows.col(i), y.col(j)), 1e-9);
      EXPECT_NEAR(result.y.cross_loadings(i, j), correlation(rows.col(3 + i), x.col(j)), 1e-9);
      own += std::pow(correlation(rows.col(i), x.col(j)), 2) / 3;
      other += std::pow(correlation(rows.col(i), y.col(j)), 2) / 3;
    }
    EXPECT_NEAR(result.x.variance_extracted[j], own, 1e-9);
    EXPECT_NEAR(result.x.redundancy[j], other, 1e-9);
  }
}

TEST(ExactCca, DoesNotDependOnUnitsOrOnTheOrderOfFeatures) {
  Deterministic random(51);
  const Eigen::MatrixXd mixing = random.normals(5, 5);
  const Eigen::MatrixXd rows = random.normals(80, 5) * mixing;
  Eigen::MatrixXd other(80, 5);
  other << 1e4 * rows.col(1), 3 - rows.col(0).array(), 1e-3 * rows.col(4), rows.col(2), rows.col(3);
  EXPECT_TRUE(correlationsOfRows(other, 2).isApprox(correlationsOfRows(rows, 2), 1e-9));
}

TEST(ExactCca, FindsNarrowColumnsInWideBounds) {
  Deterministic random(52);
  const Eigen::MatrixXd root = random.normals(4, 4);
  Eigen::MatrixXd covariance = root * root.transpose();
  const Eigen::VectorXd values = valuesOf(cca(exact(covariance, 2)).value());
  const Eigen::Vector4d narrow(1, 1e-3, 1, 1e-3);
  covariance = 0.1 * narrow.asDiagonal() * covariance * narrow.asDiagonal();
  EXPECT_TRUE(valuesOf(cca(exact(covariance, 2)).value()).isApprox(values, 1e-8));
}

TEST(ExactCca, TakesViewsInAnyOrderFromAnywhere) {
  Deterministic random(53);
  const Eigen::MatrixXd root = random.normals(5, 5);
  CcaInput input = exact(root * root.transpose(), 2);
  input.x = {3, 0};
  input.y = {4, 1};
  const Cca forward = cca(input).value();
  input.x = {0, 3};
  const Cca swapped = cca(input).value();
  EXPECT_TRUE(valuesOf(forward).isApprox(valuesOf(swapped), kTolerance));
  EXPECT_TRUE(forward.x.weights.isApprox(swapped.x.weights.colwise().reverse(), kTolerance));
  EXPECT_TRUE(forward.y.weights.isApprox(swapped.y.weights, kTolerance));
}

TEST(ExactCca, GivesAConstantColumnNoWeightAndNoLoading) {
  Eigen::MatrixXd rows = matrixOf(readVectors("linnerud.json")["rows"]);
  const Eigen::VectorXd without = correlationsOfRows(rows, 3);
  Eigen::MatrixXd with(20, 7);
  with << Eigen::VectorXd::Constant(20, 0.3), rows;
  const Cca result = cca(exactOfRows(with, 4)).value();
  EXPECT_TRUE(valuesOf(result).isApprox(without, kTolerance));
  EXPECT_TRUE(result.x.weights.row(0).isZero());
  EXPECT_TRUE(result.x.loadings.row(0).isZero());
}

TEST(ExactCca, OfAViewThatDoesNotVaryIsZeroThroughout) {
  // 0.3^2 - 0.09 is not zero in floating point: the rounding of a constant is not a correlation.
  MomentSums sums = sumsOf(matrixOf(readVectors("linnerud.json")["rows"]));
  Eigen::MatrixXd second = assembleMoments(sums).value().second_moments;
  second.row(1).setConstant(0);
  second.row(1) = 0.3 / sums.constant * second.row(0);
  second.col(1) = second.row(1).transpose();
  second(1, 1) = 0.3 / sums.constant * second(0, 1);
  sums.packed = fixtures::pack(second);
  CcaInput input = exact(assembleMoments(sums).value().scaled_covariance, 3);
  input.x = {0};
  input.components = 1;
  const Cca result = cca(input).value();
  EXPECT_EQ(result.correlations[0].value, 0);
  EXPECT_TRUE(result.correlations[0].below_noise_floor);
  EXPECT_TRUE(result.x.weights.isZero());
  EXPECT_TRUE(result.y.weights.isZero());
  EXPECT_TRUE(result.y.loadings.isZero());
}

TEST(ExactCca, IsNotChangedByADuplicateColumn) {
  const Eigen::MatrixXd rows = matrixOf(readVectors("linnerud.json")["rows"]);
  Eigen::MatrixXd with(20, 7);
  with << rows.leftCols(3), 7 - 2 * rows.col(1).array(), rows.rightCols(3);
  const Cca result = cca(exactOfRows(with, 4)).value();
  EXPECT_TRUE(valuesOf(result).isApprox(correlationsOfRows(rows, 3), 1e-9));
  EXPECT_NEAR(result.x.loadings(1, 0), -result.x.loadings(3, 0), 1e-9);
}

TEST(ExactCca, OfViewsThatDetermineEachOtherIsOneAndNeverMore) {
  Deterministic random(54);
  const Eigen::MatrixXd x = random.normals(40, 3);
  Eigen::MatrixXd rows(40, 6);
  rows << x, x * random.normals(3, 3);
  const Eigen::VectorXd values = correlationsOfRows(rows, 3);
  EXPECT_LE(values.maxCoeff(), 1);
  EXPECT_GT(values.minCoeff(), 1 - 1e-9);
}

TEST(ExactCca, WithMoreColumnsThanRowsIsOneAndFinite) {
  const Cca result = cca(exactOfRows(Deterministic(55).normals(6, 20), 10)).value();
  EXPECT_NEAR(valuesOf(result).head(5).minCoeff(), 1, 1e-6);
  EXPECT_LE(valuesOf(result).maxCoeff(), 1);
  EXPECT_LT(valuesOf(result).tail(5).maxCoeff(), 1e-6);
  EXPECT_TRUE(result.x.weights.allFinite() && result.y.loadings.allFinite());
}

TEST(ExactCca, OfASingleRowIsZero) {
  const Cca result = cca(exactOfRows(Eigen::RowVector4d(3, 1, 4, 1), 2)).value();
  EXPECT_TRUE(valuesOf(result).isZero());
  EXPECT_TRUE(result.x.weights.isZero());
}

/// Rows of one number and one category in view x, two numbers in view y.
struct Census {
  Eigen::MatrixXd rows;
  std::vector<int> columns{0, 1, 1, 1, 2, 3};
};

Census makeCensus(int count) {
  Deterministic random(56);
  Census census;
  census.rows.setZero(count, 6);
  for (int i = 0; i < count; ++i) {
    const double age = random.normal();
    const int level = static_cast<int>(3 * random.uniform());
    census.rows(i, 0) = age;
    census.rows(i, 1 + level) = 1;
    census.rows(i, 4) = age + level + random.normal();
    census.rows(i, 5) = random.normal() - level;
  }
  return census;
}

TEST(ExactCca, WithAllIndicatorsEqualsThatWithOneLevelLeftOut) {
  const Census census = makeCensus(300);
  Eigen::MatrixXd reference(300, 5);
  reference << census.rows.leftCols(3), census.rows.rightCols(2);
  EXPECT_TRUE(correlationsOfRows(census.rows, 4).isApprox(correlationsOfRows(reference, 3), 1e-9));
}

TEST(ExactCca, DoesNotDependOnWhetherIndicatorsAreDeclared) {
  const Census census = makeCensus(300);
  CcaInput input = exactOfRows(census.rows, 4);
  const Cca unaware = cca(input).value();
  input.columns = census.columns;
  const Cca aware = cca(input).value();
  EXPECT_TRUE(valuesOf(aware).isApprox(valuesOf(unaware), kTolerance));
  EXPECT_TRUE(aware.x.weights.isApprox(unaware.x.weights, 1e-8));
  EXPECT_TRUE(aware.x.loadings.isApprox(unaware.x.loadings, 1e-8));
  EXPECT_NEAR(aware.x.weights.col(0).segment(1, 3).sum(), 0, 1e-12);
}

TEST(ExactCca, KeepsTheSumOfIndicatorsOfWhichSomeAreOutsideTheView) {
  // Two of three levels do not sum to one: whether a row has one of them is information.
  const Census census = makeCensus(300);
  CcaInput input = exactOfRows(census.rows, 4);
  input.x = {1, 2};
  input.components = 1;
  const double unaware = cca(input).value().correlations[0].value;
  input.columns = census.columns;
  EXPECT_NEAR(cca(input).value().correlations[0].value, unaware, kTolerance);
}

TEST(Cca, AcceptsFromOneComponentToTheSizeOfTheSmallerView) {
  CcaInput input = exact(Eigen::MatrixXd::Identity(5, 5), 2);
  for (const int wrong : {-1, 0, 3}) {
    input.components = wrong;
    EXPECT_EQ(cca(input).error().code, Code::kInvalidComponents);
  }
  input.components = 2;
  EXPECT_TRUE(cca(input).ok());
}

TEST(Cca, RejectsEmptyUnknownAndOverlappingViews) {
  const CcaInput good = exact(Eigen::MatrixXd::Identity(4, 4), 2);
  const std::vector<std::vector<int>> wrong_views{{}, {0, 4}, {-1}, {0, 0}, {1, 2}};
  for (const std::vector<int>& view : wrong_views) {
    CcaInput input = good;
    input.x = view;
    input.components = 1;
    EXPECT_EQ(cca(input).error().code, Code::kInvalidView);
  }
  CcaInput input = good;
  input.y = {2, 9};
  EXPECT_EQ(cca(input).error().field, "y");
  EXPECT_EQ(cca(input).error().message, "Feature 9 does not exist: the number of features is 4.");
}

TEST(Cca, RejectsInconsistentInput) {
  const CcaInput good = exact(Eigen::MatrixXd::Identity(4, 4), 2);
  CcaInput input = good;
  input.columns = {0, 1};
  EXPECT_EQ(cca(input).error().code, Code::kWrongLength);
  input = good;
  input.half = Eigen::VectorXd::Ones(3);
  EXPECT_EQ(cca(input).error().code, Code::kWrongLength);
  input = good;
  input.half[2] = 0;
  EXPECT_EQ(cca(input).error().code, Code::kInvalidBounds);
  input = good;
  input.noise.diagonal = -1;
  EXPECT_EQ(cca(input).error().code, Code::kInvalidNoise);
  input = good;
  input.trace_bound = std::numeric_limits<double>::infinity();
  EXPECT_EQ(cca(input).error().code, Code::kInvalidRowNorm);
  input = good;
  input.covariance(0, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(cca(input).error().code, Code::kNotFinite);
}

}  // namespace cca_test
}  // namespace pm
