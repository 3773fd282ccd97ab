#include "core/synthesis/plan/sums.hpp"

#include <cmath>

#include "core/matrix/packed.hpp"
#include "core/moments/quantiser.hpp"
#include "core/wipe.hpp"

namespace pm {

QuerySums::QuerySums(const Step& step)
    : step_(step),
      block_size_(step.query.entries() / std::size_t(step.query.blocks)),
      sums_(step.query.entries()) {}

QuerySums::~QuerySums() { wipe(sums_.data(), sums_.size() * sizeof(Int128)); }

std::span<Int128> QuerySums::block(int block) {
  return std::span(sums_).subspan(std::size_t(block) * block_size_, block_size_);
}

double QuerySums::number(int block, int i) const {
  return double(sums_[std::size_t(block) * block_size_ + std::size_t(i)]) * step_.query.unit;
}

Eigen::VectorXd QuerySums::vector(int block) const {
  Eigen::VectorXd result(step_.query.size);
  for (int i = 0; i < step_.query.size; ++i) result[i] = number(block, i);
  return result;
}

Eigen::MatrixXd QuerySums::matrix(int block) const {
  const std::span<const Int128> packed(sums_);
  return unpacked(packed.subspan(std::size_t(block) * block_size_, block_size_), step_.query.size,
                  step_.query.unit);
}

Scatter::Scatter(int size, int bits, bool labelled)
    : bits_(bits),
      labelled_(labelled),
      gram_(size, bits + labelled),
      residual_(std::size_t(size)),
      quantised_(std::size_t(size)) {}

Scatter::~Scatter() {
  for (std::vector<double>* numbers : {&residual_, &quantised_}) {
    wipe(numbers->data(), numbers->size() * sizeof(double));
  }
}

void Scatter::add(std::span<const std::int32_t> row) {
  std::uint64_t squared = 0;
  for (std::size_t i = 0; i < quantised_.size(); ++i) {
    quantised_[i] = row[i];
    squared += std::uint64_t(std::int64_t(row[i]) * row[i]);
  }
  gram_.add(quantised_, squared);
}

void Scatter::addResidual(std::span<const std::int32_t> row, const Eigen::VectorXd& mean,
                          double radius) {
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    residual_[i] = std::ldexp(double(row[i]), -kRowBits) - mean[Eigen::Index(i)];
  }
  gram_.add(quantised_, quantiseRow(residual_, radius, bits_, quantised_));
}

void Scatter::addShortened(std::span<const std::int32_t> row, double radius) {
  const std::size_t features = residual_.size() - labelled_;
  for (std::size_t i = 0; i < features; ++i) residual_[i] = std::ldexp(double(row[i]), -kRowBits);
  std::uint64_t squared = quantiseRow(std::span(residual_).first(features), radius, bits_,
                                      std::span(quantised_).first(features));
  if (labelled_) {
    double& label = quantised_.back() = std::nearbyint(std::ldexp(row.back(), bits_ - kRowBits));
    squared += std::uint64_t(label * label);
  }
  gram_.add(quantised_, squared);
}

Status Scatter::addTo(std::span<Int128> packed) {
  if (gram_.rows() == 0) return {};
  Result<GramSums> sums = gram_.sums();
  if (!sums.ok()) return sums.error();
  const Int128* from = sums.value().packed.data() + residual_.size();  // after the sum of rows
  for (Int128& total : packed) total += *from++;
  return {};
}

Status Scatter::addMomentsTo(std::span<Int128> packed, std::uint64_t constant) {
  if (gram_.rows() == 0) return {};
  Result<GramSums> sums = gram_.sums();
  if (!sums.ok()) return sums.error();
  const Int128* from = sums.value().packed.data();
  packed[0] += Int128(sums.value().rows) * constant * constant;
  for (std::size_t i = 1; i < packed.size(); ++i) {
    packed[i] += *from++ * Int128(i <= residual_.size() ? constant : 1);
  }
  return {};
}

}  // namespace pm
