#pragma once

// Header only: the suites are globbed as *_test.cpp.

#ifndef JSON_NOEXCEPTION
#define JSON_NOEXCEPTION
#endif

#include <Eigen/Core>
#include <Eigen/QR>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/analysis/noise/noise_law.hpp"
#include "core/matrix/packed.hpp"
#include "tests/support/matrix_vectors.hpp"
#include "tests/support/vectors.hpp"

namespace pm::fixtures {

inline std::string readAll(std::ifstream& file) {
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

using testing_support::matrixOf;
using testing_support::readVectors;
using testing_support::vectorOf;

/// A file of the folder PM_DATA (default: ../shared/data beside the project), or nothing if it does
/// not exist; then prints that the test is skipped.
inline std::string readDataOrSayWhy(const std::string& file) {
  const char* folder = std::getenv("PM_DATA");
  const std::string path =
      (folder != nullptr ? std::string(folder)
                         : testing_support::vectorsFolder() + "/../../../shared/data") +
      "/" + file;
  std::ifstream stream(path);
  if (!stream) {
    std::cout << "skipped: " << file << " is not in the data folder (PM_DATA)\n";
    return {};
  }
  return readAll(stream);
}

/// Numbers of a table, one row per line; `separator` between cells, the first line left out.
inline Eigen::MatrixXd parseTable(const std::string& text, char separator) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<double>& row = rows.emplace_back();
    std::istringstream cells(line);
    std::string cell;
    while (std::getline(cells, cell, separator)) row.push_back(std::strtod(cell.c_str(), nullptr));
  }
  Eigen::MatrixXd table(static_cast<Eigen::Index>(rows.size()),
                        static_cast<Eigen::Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[0].size(); ++j) {
      table(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
    }
  }
  return table;
}

/// The same numbers for the same seed on every machine, unlike the standard distributions.
class Deterministic {
 public:
  explicit Deterministic(std::uint64_t seed) : state_(seed) {}

  /// In (0, 1).
  double uniform() {
    // SplitMix64 (Steele, Lea & Flood 2014).
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    z ^= z >> 31U;
    return (static_cast<double>(z >> 11U) + 0.5) * 0x1p-53;
  }

  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  Eigen::MatrixXd normals(int rows, int columns) {
    Eigen::MatrixXd matrix(rows, columns);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) matrix(i, j) = normal();
    }
    return matrix;
  }

  /// A symmetric matrix of noise of the given law.
  Eigen::MatrixXd noise(int dimension, const NoiseLaw& law) {
    Eigen::MatrixXd matrix(dimension, dimension);
    for (int i = 0; i < dimension; ++i) {
      matrix(i, i) = law.diagonal * normal();
      for (int j = i + 1; j < dimension; ++j)
        matrix(i, j) = matrix(j, i) = law.off_diagonal * normal();
    }
    return matrix;
  }

  Eigen::MatrixXd orthogonal(int dimension) {
    return Eigen::HouseholderQR<Eigen::MatrixXd>(normals(dimension, dimension)).householderQ();
  }

 private:
  std::uint64_t state_;
};

/// Rotation-invariant noise with off-diagonal sd `sd`.
inline NoiseLaw rotationInvariant(double sd) { return {std::numbers::sqrt2 * sd, sd}; }

/// The upper triangle, row-major.
inline std::vector<double> pack(const Eigen::MatrixXd& matrix) {
  std::vector<double> packed;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = i; j < matrix.cols(); ++j) packed.push_back(matrix(i, j));
  }
  return packed;
}

/// Exact sums of `rows` (original units) with bounds at the minimum and maximum of each column. A
/// constant column gets bounds 1 below and above.
inline MomentSums sumsOf(const Eigen::MatrixXd& rows) {
  MomentSums sums;
  sums.dimension = static_cast<int>(rows.cols());
  sums.constant = std::sqrt(0.5 * sums.dimension);
  sums.rows = static_cast<double>(rows.rows());
  const Eigen::VectorXd low = rows.colwise().minCoeff();
  const Eigen::VectorXd high = rows.colwise().maxCoeff();
  sums.mid = (low + high) / 2;
  sums.half = (high - low) / 2;
  for (Eigen::Index j = 0; j < rows.cols(); ++j) {
    if (sums.half[j] == 0) sums.half[j] = 1;
  }
  Eigen::MatrixXd augmented(rows.rows(), rows.cols() + 1);
  augmented.col(0).setConstant(sums.constant);
  augmented.rightCols(rows.cols()) =
      (rows.rowwise() - sums.mid.transpose()).array().rowwise() / sums.half.transpose().array();
  const Eigen::MatrixXd products = augmented.transpose() * augmented;
  sums.packed = pack(products);
  return sums;
}

/// A frame with centres in (-0.8, 0.8), and units between 2^-`span` and 1.
inline Frame someFrame(int dimension, double span, std::uint64_t seed) {
  Deterministic random(seed);
  Frame frame{Eigen::VectorXd(dimension), Eigen::VectorXd(dimension)};
  for (int j = 0; j < dimension; ++j) {
    frame.centre[j] = 1.6 * random.uniform() - 0.8;
    frame.units[j] = std::exp2(-span * random.uniform());
  }
  return frame;
}

/// The same rows in the coordinates of a frame. The noise of the result is that of `sums`.
inline MomentSums inFrame(const MomentSums& sums, const Frame& frame) {
  const int d = sums.dimension;
  Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(d + 1, d + 1);
  turn.col(0).tail(d) = -frame.centre.cwiseQuotient(frame.units) / sums.constant;
  turn.diagonal().tail(d) = frame.units.cwiseInverse();
  const Eigen::MatrixXd moments = unpacked(std::span<const double>(sums.packed), d + 1);
  MomentSums moved = sums;
  moved.packed = pack(turn * moments * turn.transpose());
  moved.mid = sums.mid + sums.half.cwiseProduct(frame.centre);
  moved.half = sums.half.cwiseProduct(frame.units);
  moved.frame = frame;
  return moved;
}

/// from, from + 1, .., from + count - 1.
inline std::vector<int> indices(int from, int count) {
  std::vector<int> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), from);
  return result;
}

}  // namespace pm::fixtures
