#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/moments/precise_sum.hpp"

namespace pm {

/// Second moments of the centres of releases, each with a weight that is not negative.
class WeightedCentres {
 public:
  explicit WeightedCentres(std::size_t dimension);

  /// @param centre D, scaled units
  void add(double weight, std::span<const double> centre);

  double weight() const { return weight_.value(); }

  /// The packed upper triangle, row by row, of the sum of weight (1, d)(1, d)^T over the releases,
  /// d = (centre - middle) / units.
  std::vector<double> about(std::span<const double> middle, std::span<const double> units) const;

 private:
  PreciseSum weight_;
  std::vector<PreciseSum> linear_;
  std::vector<PreciseSum> products_;  // packed
};

}  // namespace pm
