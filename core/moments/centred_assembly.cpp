#include "core/moments/centred_assembly.hpp"

#include <algorithm>
#include <cmath>

#include "core/moments/limits.hpp"
#include "core/square.hpp"

namespace pm {
namespace {

constexpr int kRowBits = 10;
constexpr double kCentreSteps = double(1 << kCentreBits);

bool usable(const CentredScale& scale) {
  for (const double v : {scale.radius, scale.unit, scale.constant}) {
    if (!(v > 0) || !std::isfinite(v)) return false;
  }
  const auto centred = [](double c) { return std::abs(c) <= 1; };
  const auto scaled = [](double s) { return s > 0 && s <= 1; };
  return std::all_of(scale.centre.begin(), scale.centre.end(), centred) &&
         std::all_of(scale.scale.begin(), scale.scale.end(), scaled);
}

std::int64_t stepsOf(double centre) { return std::int64_t(std::nearbyint(centre * kCentreSteps)); }

double rowsOf(Int128 rows) { return std::ldexp(double(rows), -kRowBits); }

double meanSquare(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += square(value);
  return sum / double(values.size());
}

}  // namespace

CentredAssembly::CentredAssembly(std::size_t dimension)
    : dimension_(dimension),
      centres_(dimension),
      centre_products_(packedSize(dimension)),
      linear_(dimension),
      mixed_(dimension * dimension),
      products_(packedSize(dimension)),
      noise_(packedSize(dimension)),
      linear_noise_(dimension),
      mixed_noise_(dimension * dimension),
      squared_noise_(dimension * dimension),
      noisy_(dimension),
      clipped_(dimension),
      reach_(dimension) {}

Result<CentredAssembly> CentredAssembly::create(int dimension) {
  if (dimension < 1 || dimension > kMaxFeatures) {
    return Error{Code::kInvalidDimension, "the number of features must be from 1 to 1000",
                 "dimension"};
  }
  return CentredAssembly(std::size_t(dimension));
}

Status CentredAssembly::add(std::span<const double> values, const CentredScale& scale,
                            std::optional<std::uint64_t> rows, const ClippedRows& clipped) {
  const std::size_t d = dimension_;
  if (values.size() != packedSize(d + 1) || scale.centre.size() != d || scale.scale.size() != d) {
    return Error{Code::kWrongLength, "the release does not have the study's number of features",
                 "values"};
  }
  const auto whole = [](double v) { return std::abs(v) <= 0x1p53 && v == std::nearbyint(v); };
  if (!std::all_of(values.begin(), values.end(), whole)) {
    return Error{Code::kNotFinite, "a value is not a whole number within 2^53", "values"};
  }
  if (!usable(scale)) {
    return Error{Code::kNotFinite, "a unit, centre or scale is not a number within its range",
                 "centring"};
  }

  const double mean_unit = scale.unit / scale.constant;
  const double counted = (values[0] * scale.unit - scale.mean) / square(scale.constant);
  const Int128 n =
      rows ? Int128(*rows) << kRowBits : Int128(std::nearbyint(std::ldexp(counted, kRowBits)));
  counts_ += n;
  rows_ += rows.value_or(0);
  rows_are_public_ = rows_are_public_ && rows.has_value();
  count_noise_.add(square(scale.diagonal / square(scale.constant)));
  diagonal_noise_.add(square(scale.diagonal));
  const double scales = meanSquare(scale.scale);
  noisy_.add(square(scale.off_diagonal / scale.constant) * scales, scale.centre);
  const double used = std::max(1.0, rowsOf(n));
  clipped_.add(used * square(std::clamp(clipped.rows / used, 0.0, 1.0)), scale.centre);
  lost_.add(clipped.lost * scales);
  std::size_t product = 0, entry = d + 1;
  for (std::size_t i = 0; i < d; ++i) {
    const std::int64_t centre = stepsOf(scale.centre[i]);
    const double s = scale.scale[i];
    centres_[i] += n * centre;
    linear_[i].add(values[1 + i] * mean_unit * s);
    linear_noise_[i].add(square(scale.off_diagonal / scale.constant * s));
    reach_[i] = std::max(reach_[i], scale.radius * s);
    for (std::size_t j = 0; j < d; ++j) {
      const double own = scale.scale[j];
      const double noise = square(scale.off_diagonal / scale.constant * own);
      mixed_[i * d + j].add(double(centre) * (values[1 + j] * mean_unit * own));
      mixed_noise_[i * d + j].add(double(centre) * noise);
      squared_noise_[i * d + j].add(square(double(centre)) * noise);
    }
    for (std::size_t j = i; j < d; ++j, ++product, ++entry) {
      const double own = s * scale.scale[j];
      const double mean = i == j ? scale.mean : 0;
      centre_products_[product] += n * centre * stepsOf(scale.centre[j]);
      products_[product].add((values[entry] * scale.unit - mean) * own);
      noise_[product].add(square((i == j ? scale.diagonal : scale.off_diagonal) * own));
    }
  }
  ++releases_;
  return std::nullopt;
}

Result<CentredSums> CentredAssembly::sum() const {
  if (releases_ == 0) return Error{Code::kNoRows, "there are no releases to sum", "releases"};
  const std::size_t d = dimension_;
  CentredSums sums;
  std::vector<std::int64_t> common(d);
  const double n = rowsOf(counts_);
  for (std::size_t i = 0; i < d; ++i) {
    const double mean = counts_ > 0 ? double(centres_[i]) / double(counts_) : 0;
    common[i] = std::int64_t(std::nearbyint(std::clamp(mean, -kCentreSteps, kCentreSteps)));
    sums.centre.push_back(double(common[i]) / kCentreSteps);
  }

  // Of the entry (i, j): the variance of the noise in sum y_i y_j and, for the distance of centres,
  // in those of (C_i - c_i) y_j and y_i (C_j - c_j).
  const auto moved = [&](std::size_t i, std::size_t j) {
    const double c = double(common[i]);
    const double squares = squared_noise_[i * d + j].value() -
                           2 * c * mixed_noise_[i * d + j].value() +
                           c * c * linear_noise_[j].value();
    return std::max(0.0, squares) / square(kCentreSteps);
  };
  std::vector<double> variances;
  for (std::size_t i = 0, product = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j, ++product) {
      variances.push_back(noise_[product].value() + moved(i, j) + moved(j, i) +
                          (i == j ? 2 * moved(i, i) : 0));
    }
  }
  const double diagonal = diagonal_noise_.value();
  for (std::size_t i = 0, product = 0; i < d; product += d - i, ++i) {
    // Without noise, the units of one release.
    const double units = diagonal > 0 ? std::sqrt(std::sqrt(variances[product] / diagonal))
                                      : reach_[i] / *std::max_element(reach_.begin(), reach_.end());
    sums.units.push_back(units);
  }

  double off_diagonal = 0, linear = 0, spread = 0, longest = 0;
  sums.packed.push_back(rows_are_public_ ? double(rows_) : n);
  for (std::size_t j = 0; j < d; ++j) {
    const double between =
        double(centres_[j] - counts_ * common[j]) / std::ldexp(kCentreSteps, kRowBits);
    sums.packed.push_back((between + linear_[j].value()) / sums.units[j]);
    linear += linear_noise_[j].value() / square(sums.units[j]);
    longest = std::max(longest, square(reach_[j] / sums.units[j]));
  }
  for (std::size_t i = 0, product = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j, ++product) {
      const double own = sums.units[i] * sums.units[j];
      const Int128 between = centre_products_[product] - centres_[i] * common[j] -
                             centres_[j] * common[i] + counts_ * common[i] * common[j];
      const double centres = double(between) / std::ldexp(square(kCentreSteps), kRowBits);
      const auto mixed = [&](std::size_t of, std::size_t with) {
        return (mixed_[of * d + with].value() - double(common[of]) * linear_[with].value()) /
               kCentreSteps;
      };
      sums.packed.push_back((centres + mixed(i, j) + mixed(j, i) + products_[product].value()) /
                            own);
      if (i == j) {
        spread += std::max(0.0, centres) / own;
      } else {
        off_diagonal += variances[product] / square(own);
      }
    }
  }
  sums.diagonal = std::sqrt(diagonal);
  sums.off_diagonal =
      d > 1 ? std::sqrt(2 * off_diagonal / double(d * (d - 1))) : sums.diagonal / std::sqrt(2.0);
  sums.linear = std::sqrt(linear / double(d));
  sums.mean_squared_radius = longest + (n > 0 ? spread / n : 0);

  const double all = std::max(1.0, n);
  sums.trace_lost = lost_.value() / all;
  sums.noise_centres = noisy_.about(sums.centre, sums.units);
  for (double& entry : sums.noise_centres) entry /= noisy_.weight() > 0 ? noisy_.weight() : 1;
  if (releases_ > 1) {
    const std::vector<double> about = clipped_.about(sums.centre, sums.units);
    for (std::size_t k = d + 1; k < about.size(); ++k) sums.centre_spread.push_back(about[k] / all);
  }
  if (rows_are_public_) {
    sums.rows = rows_;
  } else {
    sums.count = std::sqrt(count_noise_.value());
  }
  return sums;
}

}  // namespace pm
