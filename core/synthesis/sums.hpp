#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/moments/gram.hpp"
#include "core/result.hpp"
#include "core/synthesis/noise.hpp"
#include "core/synthesis/table.hpp"

namespace pm {

/// The exact sums of a query, private until they have their noise; wiped.
class QuerySums {
 public:
  explicit QuerySums(const Step& step);
  ~QuerySums();
  QuerySums(const QuerySums&) = delete;
  QuerySums& operator=(const QuerySums&) = delete;

  std::span<Int128> block(int block);
  /// Makes them releasable. Once; only then may numbers be read.
  void release(NoiseSource& noise) { noise.add(step_, sums_); }

  /// In units of the query.
  double number(int block, int i) const;
  Eigen::VectorXd vector(int block) const;
  Eigen::MatrixXd matrix(int block) const;

 private:
  const Step& step_;
  std::size_t block_size_;
  std::vector<Int128> sums_;
};

/// The exact sum of w w^T over integer rows w, at most 2^bits long; `labelled` ones have a further
/// entry, at most 2^bits, as their last.
class Scatter {
 public:
  Scatter(int size, int bits, bool labelled = false);
  ~Scatter();
  Scatter(const Scatter&) = delete;
  Scatter& operator=(const Scatter&) = delete;

  /// The row itself, on the grid of 2^kRowBits; its first `size` entries.
  void add(std::span<const std::int32_t> row);
  /// What is left of the row about a released mean, shortened to `radius` where it is longer, on
  /// the grid of 2^bits to the radius. Row and mean in units of the unit ball.
  void addResidual(std::span<const std::int32_t> row, const Eigen::VectorXd& mean, double radius);
  /// The row in units of R, shortened to 1 where it is longer, and its label as it is, on the grid
  /// of 2^bits.
  void addShortened(std::span<const std::int32_t> row, double radius);
  /// Adds the packed upper triangle. Error kIntegrity.
  Status addTo(std::span<Int128> packed);
  /// Adds that of the sum of (constant, w)(constant, w)^T. Error kIntegrity.
  Status addMomentsTo(std::span<Int128> packed, std::uint64_t constant);

 private:
  int bits_;
  bool labelled_;
  ExactGram gram_;
  std::vector<double> residual_, quantised_;
};

}  // namespace pm
