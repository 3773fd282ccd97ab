// Analyses of real tables without noise, compared with results of numpy from the rows
// (tests/vectors/analysis_reference.py). The vectors hold moments and results, no rows.
#include <gtest/gtest.h>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/methods/pca.hpp"
#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace reference_test {

using fixtures::matrixOf;
using fixtures::readVectors;
using fixtures::vectorOf;

/// Relative to the largest entry of the reference.
constexpr double kTolerance = 1e-9;

struct Table {
  std::string name;
  nlohmann::json expected;
  AssembledMoments moments;
  NoisyCovariance data;
};

std::vector<Table> tables() {
  std::vector<Table> result;
  const nlohmann::json vectors = readVectors("analysis_reference.json");
  for (const auto& [name, expected] : vectors.items()) {
    MomentSums sums;
    sums.packed = expected["sums"].get<std::vector<double>>();
    sums.mid = vectorOf(expected["mid"]);
    sums.half = vectorOf(expected["half"]);
    sums.dimension = static_cast<int>(sums.half.size());
    sums.constant = expected["constant"].get<double>();
    sums.rows = expected["rows"].get<double>();
    const AssembledMoments moments = assembleMoments(sums).value();
    const double bound = sums.dimension;
    result.push_back(
        {name, expected, moments, {moments.scaled_covariance, {}, bound, sums.half, {}}});
  }
  return result;
}

double distance(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected) {
  return (found - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

/// For columns with arbitrary signs.
double distanceUpToSigns(Eigen::MatrixXd found, const Eigen::MatrixXd& expected) {
  for (Eigen::Index j = 0; j < found.cols(); ++j) {
    if (found.col(j).dot(expected.col(j)) < 0) found.col(j) *= -1;
  }
  return distance(found, expected);
}

TEST(Reference, HasAtLeastSixTables) { EXPECT_GE(tables().size(), 6U); }

TEST(Reference, MeansAndCovariancesAreThoseOfTheRows) {
  for (const Table& table : tables()) {
    EXPECT_LT(distance(table.moments.mean, vectorOf(table.expected["mean"])), kTolerance)
        << table.name;
    const auto expected = table.expected["covariance"].get<std::vector<double>>();
    const std::vector<double> found = fixtures::pack(table.moments.covariance);
    // Columns differ in scale by orders of magnitude, so each covariance is relative to its two
    // columns.
    std::size_t next = 0;
    for (Eigen::Index i = 0; i < table.data.half.size(); ++i) {
      for (Eigen::Index j = i; j < table.data.half.size(); ++j, ++next) {
        EXPECT_NEAR(found[next], expected[next],
                    kTolerance * table.data.half[i] * table.data.half[j])
            << table.name;
      }
    }
  }
}

TEST(Reference, PrincipalComponentsAreTheSingularVectorsOfTheCentredRows) {
  for (const Table& table : tables()) {
    const auto& expected = table.expected["pca"];
    PcaInput input{table.data, static_cast<int>(table.data.half.size())};
    const Pca result = pca(input).value();
    const Eigen::VectorXd eigenvalues = vectorOf(expected["eigenvalues"]);
    for (Eigen::Index j = 0; j < eigenvalues.size(); ++j) {
      EXPECT_NEAR(result.explained[static_cast<std::size_t>(j)].value, eigenvalues[j], kTolerance)
          << table.name;
    }
    const Eigen::MatrixXd vectors = matrixOf(expected["vectors"]);
    EXPECT_LT(distanceUpToSigns(result.loadings.leftCols(vectors.cols()), vectors), kTolerance)
        << table.name;
  }
}

TEST(Reference, CanonicalCorrelationsAndWeightsAreThoseOfOrthonormalBasesOfTheViews) {
  for (const Table& table : tables()) {
    const auto& expected = table.expected["cca"];
    const Eigen::VectorXd correlations = vectorOf(expected["correlations"]);
    CcaInput input;
    static_cast<NoisyCovariance&>(input) = table.data;
    input.x = expected["views"][0].get<std::vector<int>>();
    input.y = expected["views"][1].get<std::vector<int>>();
    input.components = static_cast<int>(correlations.size());
    const Cca result = cca(input).value();
    for (Eigen::Index j = 0; j < correlations.size(); ++j) {
      EXPECT_NEAR(result.correlations[static_cast<std::size_t>(j)].value, correlations[j],
                  kTolerance)
          << table.name;
    }
    EXPECT_LT(distanceUpToSigns(input.half(input.x).asDiagonal() * result.x.weights,
                                input.half(input.x).asDiagonal() * matrixOf(expected["x"])),
              kTolerance)
        << table.name;
    EXPECT_LT(distanceUpToSigns(input.half(input.y).asDiagonal() * result.y.weights,
                                input.half(input.y).asDiagonal() * matrixOf(expected["y"])),
              kTolerance)
        << table.name;
  }
}

TEST(Reference, MaxvarEigenvaluesAreThoseOfOrthonormalBasesOfTheViews) {
  for (const Table& table : tables()) {
    const auto& expected = table.expected["gcca"];
    const Eigen::VectorXd eigenvalues = vectorOf(expected["eigenvalues"]);
    GccaInput input;
    static_cast<NoisyCovariance&>(input) = table.data;
    input.views = expected["views"].get<std::vector<std::vector<int>>>();
    input.components = static_cast<int>(eigenvalues.size());
    const Gcca result = gcca(input).value();
    for (Eigen::Index j = 0; j < eigenvalues.size(); ++j) {
      EXPECT_NEAR(result.components[static_cast<std::size_t>(j)].eigenvalue, eigenvalues[j],
                  kTolerance)
          << table.name;
    }
  }
}

}  // namespace reference_test
}  // namespace pm
