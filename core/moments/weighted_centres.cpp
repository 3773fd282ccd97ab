#include "core/moments/weighted_centres.hpp"

#include "core/moments/limits.hpp"

namespace pm {

WeightedCentres::WeightedCentres(std::size_t dimension)
    : linear_(dimension), products_(packedSize(dimension)) {}

void WeightedCentres::add(double weight, std::span<const double> centre) {
  if (weight == 0) return;
  weight_.add(weight);
  std::size_t product = 0;
  for (std::size_t i = 0; i < centre.size(); ++i) {
    const double weighted = weight * centre[i];
    linear_[i].add(weighted);
    for (std::size_t j = i; j < centre.size(); ++j) products_[product++].add(weighted * centre[j]);
  }
}

std::vector<double> WeightedCentres::about(std::span<const double> middle,
                                           std::span<const double> units) const {
  const std::size_t d = linear_.size();
  std::vector<double> packed{weight()};
  packed.reserve(packedSize(d + 1));
  for (std::size_t i = 0; i < d; ++i) {
    packed.push_back((linear_[i].value() - weight() * middle[i]) / units[i]);
  }
  std::size_t product = 0;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) {
      const double moved = middle[i] * linear_[j].value() + middle[j] * linear_[i].value();
      packed.push_back((products_[product++].value() - moved + weight() * middle[i] * middle[j]) /
                       (units[i] * units[j]));
    }
  }
  return packed;
}

}  // namespace pm
