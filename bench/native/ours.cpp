// The core's exact Gram matrix of quantised rows, and its eigen-decomposition.
#include <Eigen/Core>
#include <vector>

#include "bench/native/algebra.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/moments/gram.hpp"

namespace {

constexpr int kBits = 22;

int dimension = 0;
int rows = 0;
std::vector<double> data;
std::vector<std::uint64_t> lengths;
Eigen::MatrixXd symmetric;  // empty for the Gram matrix

double runGram() {
  pm::ExactGram gram(dimension, kBits);
  const std::size_t d = std::size_t(dimension);
  for (int r = 0; r < rows; ++r) gram.add({data.data() + r * d, d}, lengths[std::size_t(r)]);
  const auto packed = gram.totals().value();
  // The upper triangle, row by row, with the constant coordinate first.
  return double(packed[d + 1]) + double(packed[2 * d]) + double(packed.back());
}

}  // namespace

void setUpGram(int d, int n) {
  dimension = d, rows = n;
  symmetric.resize(0, 0);
  data.resize(std::size_t(d) * std::size_t(n));
  lengths.assign(std::size_t(n), 0);
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] = number(i);
    lengths[i / std::size_t(d)] += std::uint64_t(data[i] * data[i]);
  }
}

void setUpEigen(int d) {
  Eigen::MatrixXd x(d, 2 * d);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = number(std::size_t(i));
  symmetric = x * x.transpose() / (2.0 * d);
}

double run() { return symmetric.size() == 0 ? runGram() : pm::spectrum(symmetric).values[0]; }
