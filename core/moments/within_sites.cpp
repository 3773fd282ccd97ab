#include "core/moments/within_sites.hpp"

#include <algorithm>
#include <cmath>

#include "core/moments/limits.hpp"
#include "core/square.hpp"

namespace pm {
namespace {

/// A private count this many standard deviations of its noise above 0 can be divided by.
constexpr double kLeastSds = 2;

bool allFinite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool allPositive(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [](double v) { return std::isfinite(v) && v > 0; });
}

}  // namespace

WithinSites::WithinSites(std::size_t dimension)
    : dimension_(dimension),
      totals_(dimension),
      linear_noise_(dimension),
      mean_weights_(dimension),
      reach_(dimension),
      products_(packedSize(dimension)),
      entry_noise_(packedSize(dimension)),
      other_noise_(packedSize(dimension)),
      square_weights_(packedSize(dimension)) {}

Result<WithinSites> WithinSites::create(int dimension) {
  if (dimension < 1 || dimension > kMaxFeatures) {
    return Error{Code::kInvalidDimension, "the number of features must be from 1 to 1000",
                 "dimension"};
  }
  return WithinSites(std::size_t(dimension));
}

Status WithinSites::add(std::span<const double> values, const CentredScale& scale,
                        std::optional<std::uint64_t> rows) {
  const std::size_t d = dimension_;
  if (values.size() != packedSize(d + 1)) {
    return Error{Code::kWrongLength, "the release does not have one value per entry of the matrix",
                 "values"};
  }
  if (scale.centre.size() != d || scale.scale.size() != d) {
    return Error{Code::kWrongLength, "there must be a centre and a scale for each feature",
                 "centring"};
  }
  const double facts[] = {scale.radius, scale.unit, scale.constant};
  const double laws[] = {scale.mean, scale.diagonal, scale.off_diagonal};
  if (!allFinite(values) || !allFinite(scale.centre) || !allPositive(scale.scale) ||
      !allPositive(facts) || !allFinite(laws)) {
    return Error{Code::kNotFinite, "the release or its scale contains a number that is not finite",
                 "values"};
  }
  const double c = scale.constant;
  const double count_sd = rows ? 0 : scale.diagonal / square(c);
  const double n = rows ? double(*rows) : (values[0] * scale.unit - scale.mean) / square(c);
  if (!(n >= 2 && n >= kLeastSds * count_sd)) {
    return Error{Code::kNoRows,
                 "it has too few rows for a mean of its own: take it out of the sum, or do not "
                 "remove the effects of sites",
                 "rows"};
  }

  const double entry = square(scale.off_diagonal);
  const double linear = entry / square(c);  // variance of a sum z_j
  double weight = 0;
  std::vector<double> mean(d);
  for (std::size_t j = 0; j < d; ++j) {
    const double own = scale.scale[j];
    mean[j] = values[1 + j] * scale.unit / (c * n) * own;
    weight += linear * square(own) / double(d);
    totals_[j] += n * (scale.centre[j] + mean[j]);
    linear_noise_[j] += linear * square(own);
    reach_[j] = std::max(reach_[j], scale.radius * own);
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < d; ++i) {
    mean_weights_[i] += weight * mean[i];
    for (std::size_t j = i; j < d; ++j, ++at) {
      const double own = scale.scale[i] * scale.scale[j];
      double product = values[1 + d + at] * scale.unit;
      if (i == j) product += linear / n - scale.mean;
      const double between = mean[i] * mean[j];
      products_[at] += own * product - n * between;
      entry_noise_[at] += square(own) * entry;
      other_noise_[at] += square(count_sd * between) +
                          (i == j ? 2 : 1) * linear *
                              (square(mean[i] * scale.scale[j]) + square(mean[j] * scale.scale[i]));
      square_weights_[at] += weight * between;
    }
  }
  weights_ += weight;
  diagonal_ += square(scale.diagonal);
  off_diagonal_ += entry;
  count_ += square(count_sd);
  rows_ += n;
  public_rows_ += rows.value_or(0);
  rows_are_public_ = rows_are_public_ && rows.has_value();
  ++releases_;
  return {};
}

Result<WithinSums> WithinSites::sum() const {
  if (releases_ == 0) return Error{Code::kNoRows, "there are no releases to sum", "releases"};
  const std::size_t d = dimension_;
  const auto place = [d](std::size_t i, std::size_t j) { return i * d - packedSize(i) + j; };
  WithinSums sums;
  const bool is_noisy = off_diagonal_ > 0;
  // Noise of a sum of squares is to be the same in all units; without noise those of one release.
  const double widest = *std::max_element(reach_.begin(), reach_.end());
  double most = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double own =
        is_noisy ? std::sqrt(std::sqrt(entry_noise_[place(j, j)])) : reach_[j] / widest;
    sums.units.push_back(own);
    sums.centre.push_back(totals_[j] / rows_);
    most = std::max(most, own);
  }
  if (is_noisy) {
    for (double& unit : sums.units) unit /= most;
  }

  double linear = 0, diagonal = 0, off_diagonal = 0, longest = 0;
  sums.packed.push_back(rows_are_public_ ? double(public_rows_) : rows_);
  sums.noise_centres.push_back(1);
  for (std::size_t j = 0; j < d; ++j) {
    sums.packed.push_back(0);
    sums.noise_centres.push_back(weights_ > 0 ? -mean_weights_[j] / (weights_ * sums.units[j]) : 0);
    linear += linear_noise_[j] / square(sums.units[j]);
    longest = std::max(longest, square(reach_[j] / sums.units[j]));
  }
  const double ratio = is_noisy ? diagonal_ / off_diagonal_ : 0;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) {
      const std::size_t at = place(i, j);
      const double own = sums.units[i] * sums.units[j];
      sums.packed.push_back(products_[at] / own);
      sums.noise_centres.push_back(weights_ > 0 ? square_weights_[at] / (weights_ * own) : 0);
      if (i == j) {
        diagonal += (ratio * entry_noise_[at] + other_noise_[at]) / square(own);
      } else {
        off_diagonal += (entry_noise_[at] + other_noise_[at]) / square(own);
      }
    }
  }
  sums.diagonal = std::sqrt(diagonal / double(d));
  sums.off_diagonal =
      d > 1 ? std::sqrt(2 * off_diagonal / double(d * (d - 1))) : sums.diagonal / std::sqrt(2.0);
  sums.linear = std::sqrt(linear / double(d));
  sums.mean_squared_radius = longest;
  if (rows_are_public_) {
    sums.rows = public_rows_;
  } else {
    sums.count = std::sqrt(count_);
  }
  return sums;
}

}  // namespace pm
