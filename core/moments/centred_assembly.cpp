#include "core/moments/centred_assembly.hpp"

#include <algorithm>
#include <cmath>

#include "core/moments/limits.hpp"
#include "core/square.hpp"

namespace pm {

CentredAssembly::CentredAssembly(std::size_t dimension, double sd)
    : dimension_(dimension), summands_(dimension, sd) {}

Result<CentredAssembly> CentredAssembly::create(int dimension, double sd) {
  if (dimension < 1 || dimension > kMaxFeatures) {
    return Error{Code::kInvalidDimension, "the number of features must be from 1 to 1000",
                 "dimension"};
  }
  return CentredAssembly(std::size_t(dimension), sd);
}

Status CentredAssembly::add(std::span<const double> values, const CentredScale& scale,
                            std::optional<std::uint64_t> rows, const ClippedRows& clipped) {
  if (const Status wrong = summands_.add(values, scale, rows, clipped)) return wrong;
  rows_ += rows.value_or(0);
  rows_are_public_ = rows_are_public_ && rows.has_value();
  ++releases_;
  return {};
}

Status CentredAssembly::addSum(std::span<const Int128> numbers, std::span<const std::int64_t> reach,
                               std::uint64_t releases, std::optional<std::uint64_t> rows) {
  if (releases == 0) return Error{Code::kNoRows, "the sum has no releases", "releases"};
  const Int128 counted = rows ? Int128(*rows) * (1 << CentredSummands::kRowBits) : 0;
  if (rows && !numbers.empty() && numbers[0] != counted) {
    return Error{Code::kNoRows, "the sum's number of rows is not the one in its numbers", "rows"};
  }
  if (const Status wrong = summands_.add(numbers, reach)) return wrong;
  rows_ += rows.value_or(0);
  rows_are_public_ = rows_are_public_ && rows.has_value();
  releases_ += releases;
  return {};
}

Result<CentredSums> CentredAssembly::sum() const {
  if (releases_ == 0) return Error{Code::kNoRows, "there are no releases to sum", "releases"};
  const std::size_t d = dimension_;
  CentredSums sums;
  const std::vector<std::int64_t> common = summands_.meanCentre();
  const double n = summands_.rows();
  const double diagonal = summands_.diagonalVariance();
  double widest = 0;
  for (std::size_t j = 0; j < d; ++j) widest = std::max(widest, summands_.reach(j));
  for (std::size_t j = 0; j < d; ++j) {
    sums.centre.push_back(std::ldexp(double(common[j]), -kCentreBits));
    const double variance = summands_.productVariance(j, j, common);
    // Without noise, the units of one release.
    sums.units.push_back(diagonal > 0 ? std::sqrt(std::sqrt(variance / diagonal))
                                      : summands_.reach(j) / widest);
  }

  double off_diagonal = 0, linear = 0, spread = 0, longest = 0;
  sums.packed.push_back(rows_are_public_ ? double(rows_) : n);
  for (std::size_t j = 0; j < d; ++j) {
    sums.packed.push_back(summands_.linear(j, common[j]) / sums.units[j]);
    linear += summands_.linearVariance(j) / square(sums.units[j]);
    longest = std::max(longest, square(summands_.reach(j) / sums.units[j]));
    spread += summands_.centreSquares(j, common[j]) / square(sums.units[j]);
  }
  const double used = std::max(1.0, sums.packed[0]);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) {
      const double own = sums.units[i] * sums.units[j];
      sums.packed.push_back(summands_.product(i, j, common) / own);
      if (i != j) off_diagonal += summands_.productVariance(i, j, common) / square(own);
      if (releases_ == 1) continue;
      sums.centre_spread.push_back(summands_.clippedSpread(i, j, common) / (used * own));
    }
  }
  sums.clipped = summands_.clipped();
  sums.noise_centres.push_back(1);
  for (std::size_t j = 0; j < d; ++j) {
    sums.noise_centres.push_back(summands_.noisyCentre(j, common[j]) / sums.units[j]);
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) {
      sums.noise_centres.push_back(summands_.noisyCentres(i, j, common) /
                                   (sums.units[i] * sums.units[j]));
    }
  }
  sums.diagonal = std::sqrt(diagonal);
  sums.off_diagonal =
      d > 1 ? std::sqrt(2 * off_diagonal / double(d * (d - 1))) : sums.diagonal / std::sqrt(2.0);
  sums.linear = std::sqrt(linear / double(d));
  sums.mean_squared_radius = longest + (n > 0 ? spread / n : 0);
  if (rows_are_public_) {
    sums.rows = rows_;
  } else {
    sums.count = std::sqrt(summands_.countVariance());
  }
  return sums;
}

}  // namespace pm
