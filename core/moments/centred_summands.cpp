#include "core/moments/centred_summands.hpp"

#include <algorithm>
#include <cmath>

#include "core/square.hpp"

namespace pm {
namespace {

constexpr double kCentreSteps = double(1 << kCentreBits);
constexpr int kShortenedBits = 16;

/// Rows that may have been shortened: this many standard deviations above the noisy number.
constexpr double kDoubt = 2;

/// The limits of rows, of variances of linear sums, of variances in a release's own coordinates,
/// which are used as they are, and of all other numbers. Within them, what follows from the numbers
/// has less than 128 bits.
constexpr int kMostRowsBits = 60;
constexpr int kMostLinearVarianceBits = 80;
constexpr int kMostOwnVarianceBits = 115;
constexpr int kMostBits = 100;

constexpr Int128 powerOfTwo(int bits) { return Int128(1) << bits; }

bool usable(const CentredScale& scale) {
  for (const double v : {scale.radius, scale.unit, scale.constant}) {
    if (!(v > 0) || !std::isfinite(v)) return false;
  }
  const auto centred = [](double c) { return std::abs(c) <= 1; };
  const auto scaled = [](double s) { return s > 0 && s <= 1; };
  const auto present = [](double r) { return r >= kLeastPresent && r <= 1; };
  return std::all_of(scale.present.begin(), scale.present.end(), present) &&
         std::all_of(scale.centre.begin(), scale.centre.end(), centred) &&
         std::all_of(scale.scale.begin(), scale.scale.end(), scaled);
}

double meanSquare(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += square(value);
  return sum / double(values.size());
}

std::int64_t stepsOf(double centre) { return std::int64_t(std::nearbyint(centre * kCentreSteps)); }

/// The nearest multiple of 2^-bits, as a number of these; beyond every limit where it is too large.
Int128 onGrid(double value, int bits, int most = kMostBits) {
  const double steps = std::ldexp(value, bits);
  const bool fits = std::abs(steps) <= std::ldexp(1.0, most);
  return fits ? Int128(std::nearbyint(steps)) : powerOfTwo(most + 1);
}

/// A variance, which does not vanish.
Int128 varianceOnGrid(double value, int bits, int most = kMostBits) {
  return value > 0 ? std::max(Int128(1), onGrid(value, bits, most)) : 0;
}

double fromGrid(Int128 steps, int bits) { return std::ldexp(double(steps), -bits); }

bool within(Int128 number, int bits) {
  return number <= powerOfTwo(bits) && number >= -powerOfTwo(bits);
}

Error tooLarge() {
  return {Code::kNotFinite, "a number is larger than any sum of releases can be", "values"};
}

}  // namespace

CentredSummands::CentredSummands(std::size_t dimension, double sd)
    : d_(dimension),
      exponent_(sd > 0 && std::isfinite(sd) ? 2 * std::ilogb(sd) : 0),
      numbers_(length(dimension)),
      reach_(dimension) {}

bool CentredSummands::withinLimits(std::span<const Int128> numbers) const {
  const std::size_t first = at(kLinearVariance, 0);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const bool counts_rows = k == kRows || k == kCounts || k == kWeight;
    const bool is_variance = k == kNoise || (k >= first && k < first + d_);
    const int bits = counts_rows                     ? kMostRowsBits
                     : k == kCount || k == kDiagonal ? kMostOwnVarianceBits
                     : is_variance                   ? kMostLinearVarianceBits
                                                     : kMostBits;
    if (!within(numbers[k], bits)) return false;
  }
  return true;
}

Status CentredSummands::add(std::span<const double> values, const CentredScale& scale,
                            std::optional<std::uint64_t> rows, const ClippedRows& clipped) {
  if (values.size() != packedSize(d_ + 1) || scale.centre.size() != d_ ||
      scale.scale.size() != d_ || scale.present.size() != scale.columns.size() ||
      (!scale.present.empty() && scale.present.size() != d_)) {
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

  // In units larger by 1 / present, sums and products of two columns need no other factor.
  std::vector<double> units(scale.scale.begin(), scale.scale.end());
  for (std::size_t j = 0; j < scale.present.size(); ++j) units[j] /= scale.present[j];
  std::vector<Int128> own(numbers_.size());
  std::vector<std::int64_t> reach(d_);
  const int variance_bits = kVarianceBits - exponent_;
  const double square_of_constant = square(scale.constant);
  const double counted = (values[0] * scale.unit - scale.mean) / square_of_constant;
  const Int128 n = rows ? Int128(*rows) * powerOfTwo(kRowBits) : onGrid(counted, kRowBits);
  const double used = std::max(1.0, rows ? double(*rows) : counted);
  const double most =
      clipped.shortened + kDoubt * clipped.count_sd * std::sqrt(double(clipped.counts));
  const Int128 weight = onGrid(used * square(std::clamp(most / used, 0.0, 1.0)), kRowBits);
  own[kRows] = n;
  own[kShortened] = onGrid(clipped.shortened, kShortenedBits);
  own[kCounts] = clipped.counts;
  own[kLost] = onGrid(clipped.lost * meanSquare(units), kLostBits);
  own[kWeight] = weight;
  own[kCount] = varianceOnGrid(square(scale.diagonal / square_of_constant), variance_bits,
                               kMostOwnVarianceBits);
  own[kDiagonal] = varianceOnGrid(square(scale.diagonal), variance_bits, kMostOwnVarianceBits);
  // Before they are multiplied by centres.
  if (!within(n, kMostRowsBits) || !within(weight, kMostRowsBits)) return tooLarge();

  std::vector<std::int64_t> centre(d_);
  std::vector<Int128> linear(d_), linear_variance(d_);
  Int128 noise_of_all = 0;
  for (std::size_t j = 0; j < d_; ++j) {
    centre[j] = stepsOf(scale.centre[j]);
    const double s = units[j];
    linear[j] = onGrid(values[1 + j] * (scale.unit / scale.constant) * s, kLinearBits);
    linear_variance[j] = varianceOnGrid(square(scale.off_diagonal / scale.constant * s),
                                        kLinearVarianceBits - exponent_);
    if (!within(linear_variance[j], kMostLinearVarianceBits)) return tooLarge();
    noise_of_all += linear_variance[j];
    own[at(kCentre, j)] = n * centre[j];
    own[at(kCentreSquare, j)] = n * centre[j] * centre[j];
    own[at(kLinear, j)] = linear[j] + n * centre[j] * powerOfTwo(kCentreShift);
    own[at(kLinearVariance, j)] = linear_variance[j];
    own[at(kWeighted, j)] = weight * centre[j];
    const double steps = std::ceil(std::ldexp(scale.radius * s, kReachBits));
    if (!(steps <= 0x1p53)) return tooLarge();
    reach[j] = std::int64_t(steps);
  }
  const Int128 noise_weight = (noise_of_all + Int128(d_) - 1) / Int128(d_);
  own[kNoise] = noise_weight;
  for (std::size_t j = 0; j < d_; ++j) own[at(kNoisy, j)] = noise_weight * centre[j];
  std::size_t entry = d_ + 1;
  for (std::size_t i = 0; i < d_; ++i) {
    for (std::size_t j = 0; j < d_; ++j) own[mixed(i, j)] = centre[i] * linear_variance[j];
    for (std::size_t j = i; j < d_; ++j, ++entry) {
      const double both = units[i] * units[j];
      const bool within = !scale.present.empty() && scale.columns[i] == scale.columns[j];
      const double product = (values[entry] * scale.unit - (i == j ? scale.mean : 0)) * both *
                             (within ? scale.present[i] : 1);
      const double noise = square((i == j ? scale.diagonal : scale.off_diagonal) * both);
      const Int128 moved = linear_variance[j] * (centre[i] * centre[i]) +
                           linear_variance[i] * (centre[j] * centre[j]);
      const std::size_t place = pair(i, j);
      own[at(kProduct, place)] = onGrid(product, kProductBits) + linear[j] * centre[i] +
                                 linear[i] * centre[j] +
                                 n * (centre[i] * centre[j]) * powerOfTwo(kCentreShift);
      // C_i y_i is there twice in y_i^2, with one noise.
      own[at(kVariance, place)] = varianceOnGrid(noise, variance_bits) + moved * (i == j ? 2 : 1);
      own[at(kWeightedProduct, place)] = weight * (centre[i] * centre[j]);
      own[at(kNoisyProduct, place)] = noise_weight * (centre[i] * centre[j]);
    }
  }
  return add(own, reach);
}

Status CentredSummands::add(std::span<const Int128> numbers, std::span<const std::int64_t> reach) {
  if (numbers.size() != numbers_.size() || reach.size() != d_) {
    return Error{Code::kWrongLength, "the sum does not have the study's number of features",
                 "values"};
  }
  if (!withinLimits(numbers)) return tooLarge();
  const auto possible = [](std::int64_t r) { return r > 0 && r <= std::int64_t(1) << 53; };
  bool plausible = std::all_of(reach.begin(), reach.end(), possible);
  for (const Head k : {kCounts, kLost, kWeight, kCount, kDiagonal, kNoise}) {
    plausible = plausible && numbers[k] >= 0;
  }
  const bool noisy = numbers[kDiagonal] > 0;
  for (std::size_t j = 0; j < d_; ++j) {
    // Units follow from these, and may not be 0.
    plausible = plausible && (noisy == (numbers[at(kVariance, pair(j, j))] > 0));
  }
  if (!plausible) {
    return Error{Code::kNotFinite, "no release has such a variance, radius or count", "values"};
  }
  std::vector<Int128> sums(numbers_);
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += numbers[k];
  if (!withinLimits(sums)) return tooLarge();
  numbers_ = std::move(sums);
  for (std::size_t j = 0; j < d_; ++j) reach_[j] = std::max(reach_[j], reach[j]);
  return {};
}

double CentredSummands::rows() const { return fromGrid(numbers_[kRows], kRowBits); }

ClippedRows CentredSummands::clipped() const {
  return {fromGrid(numbers_[kShortened], kShortenedBits), std::int64_t(numbers_[kCounts]),
          fromGrid(numbers_[kLost], kLostBits)};
}

double CentredSummands::variance(Int128 number, int bits) const {
  return fromGrid(number, bits - exponent_);
}

double CentredSummands::reach(std::size_t j) const {
  return std::ldexp(double(reach_[j]), -kReachBits);
}

std::vector<std::int64_t> CentredSummands::meanCentre() const {
  std::vector<std::int64_t> centre(d_);
  if (numbers_[kRows] <= 0) return centre;
  for (std::size_t j = 0; j < d_; ++j) {
    const double mean = double(numbers_[at(kCentre, j)]) / double(numbers_[kRows]);
    centre[j] = std::int64_t(std::nearbyint(std::clamp(mean, -kCentreSteps, kCentreSteps)));
  }
  return centre;
}

double CentredSummands::linear(std::size_t j, std::int64_t c) const {
  const Int128 moved = numbers_[kRows] * c * powerOfTwo(kCentreShift);
  return fromGrid(numbers_[at(kLinear, j)] - moved, kLinearBits);
}

double CentredSummands::linearVariance(std::size_t j) const {
  return variance(numbers_[at(kLinearVariance, j)], kLinearVarianceBits);
}

double CentredSummands::product(std::size_t i, std::size_t j,
                                std::span<const std::int64_t> c) const {
  const Int128 moved = numbers_[at(kLinear, j)] * c[i] + numbers_[at(kLinear, i)] * c[j] -
                       numbers_[kRows] * (c[i] * c[j]) * powerOfTwo(kCentreShift);
  return fromGrid(numbers_[at(kProduct, pair(i, j))] - moved, kProductBits);
}

double CentredSummands::productVariance(std::size_t i, std::size_t j,
                                        std::span<const std::int64_t> c) const {
  const Int128 first =
      numbers_[at(kLinearVariance, j)] * (c[i] * c[i]) - numbers_[mixed(i, j)] * (2 * c[i]);
  const Int128 second =
      numbers_[at(kLinearVariance, i)] * (c[j] * c[j]) - numbers_[mixed(j, i)] * (2 * c[j]);
  const Int128 moved = (first + second) * (i == j ? 2 : 1);
  return std::max(0.0, variance(numbers_[at(kVariance, pair(i, j))] + moved, kVarianceBits));
}

double CentredSummands::centreSquares(std::size_t j, std::int64_t c) const {
  const Int128 squares = numbers_[at(kCentreSquare, j)] - numbers_[at(kCentre, j)] * (2 * c) +
                         numbers_[kRows] * (c * c);
  return std::max(0.0, fromGrid(squares, kRowBits + 2 * kCentreBits));
}

double CentredSummands::clippedSpread(std::size_t i, std::size_t j,
                                      std::span<const std::int64_t> c) const {
  const Int128 spread = numbers_[at(kWeightedProduct, pair(i, j))] -
                        numbers_[at(kWeighted, i)] * c[j] - numbers_[at(kWeighted, j)] * c[i] +
                        numbers_[kWeight] * (c[i] * c[j]);
  return fromGrid(spread, kRowBits + 2 * kCentreBits);
}

double CentredSummands::noisyCentre(std::size_t j, std::int64_t c) const {
  const Int128 noise = numbers_[kNoise];
  if (noise == 0) return 0;
  return std::ldexp(double(numbers_[at(kNoisy, j)] - noise * c) / double(noise), -kCentreBits);
}

double CentredSummands::noisyCentres(std::size_t i, std::size_t j,
                                     std::span<const std::int64_t> c) const {
  const Int128 noise = numbers_[kNoise];
  if (noise == 0) return 0;
  const Int128 products = numbers_[at(kNoisyProduct, pair(i, j))] - numbers_[at(kNoisy, i)] * c[j] -
                          numbers_[at(kNoisy, j)] * c[i] + noise * (c[i] * c[j]);
  return std::ldexp(double(products) / double(noise), -2 * kCentreBits);
}

}  // namespace pm
