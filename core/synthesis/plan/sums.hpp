#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/moments/gram.hpp"
#include "core/result.hpp"
#include "core/synthesis/plan/noise.hpp"
#include "core/synthesis/plan/table.hpp"

namespace pm {

/// The exact sums of a query, private until noise is added; wiped on destruction.
class QuerySums {
 public:
  explicit QuerySums(const Step& step);
  ~QuerySums();
  QuerySums(const QuerySums&) = delete;
  QuerySums& operator=(const QuerySums&) = delete;

  std::span<Int128> block(int block);
  /// Adds the noise. Call once, before reading any numbers.
  void release(NoiseSource& noise) { noise.add(step_, sums_); }

  /// Results in units of the query.
  double number(int block, int i) const;
  Eigen::VectorXd vector(int block) const;
  Eigen::MatrixXd matrix(int block) const;

 private:
  const Step& step_;
  std::size_t block_size_;
  std::vector<Int128> sums_;
};

/// The exact sum of w w^T over integer rows w of length at most 2^bits. If `labelled`, rows end
/// with a further entry of at most 2^bits.
class Scatter {
 public:
  Scatter(int size, int bits, bool labelled = false);
  ~Scatter();
  Scatter(const Scatter&) = delete;
  Scatter& operator=(const Scatter&) = delete;

  /// Adds the first `size` entries of a row on the grid of 2^kRowBits.
  void add(std::span<const std::int32_t> row);
  /// Adds the row minus a released mean, clipped to `radius`, on a grid of 2^bits steps per radius.
  /// Row and mean are in units of the unit ball.
  void addResidual(std::span<const std::int32_t> row, const Eigen::VectorXd& mean, double radius);
  /// Adds the row in units of R, clipped to length 1, with its label unchanged, on the grid of
  /// 2^bits.
  void addShortened(std::span<const std::int32_t> row, double radius);
  /// Adds the packed upper triangle to `packed`. Error kIntegrity.
  Status addTo(std::span<Int128> packed);
  /// Adds that of the sum of (constant, w)(constant, w)^T to `packed`. Error kIntegrity.
  Status addMomentsTo(std::span<Int128> packed, std::uint64_t constant);

 private:
  int bits_;
  bool labelled_;
  ExactGram gram_;
  std::vector<double> residual_, quantised_;
};

}  // namespace pm
