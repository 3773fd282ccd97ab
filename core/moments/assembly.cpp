#include "core/moments/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/moments/limits.hpp"
#include "core/pair.hpp"

namespace pm {
namespace {

bool usable(const ReleaseScale& scale) {
  for (const double v : {scale.radius, scale.unit, scale.constant}) {
    if (!(v > 0) || !std::isfinite(v)) return false;
  }
  return true;
}

// Adding 1.5 * 2^52 puts an integer in [-2^51, 2^51) into the low bits of the sum, where integer
// addition sums it without a conversion: twice as fast in WebAssembly as the general path.
constexpr double kShift = 0x1.8p52;

// May be false for small integers too, such as -0.
bool areSmallIntegers(std::span<const double> values) {
  const Pair shift = broadcast(kShift);
  PairMask exponents{}, fractions{};  // the bits in which any value differed
  std::size_t i = 0;
  for (; i + 2 <= values.size(); i += 2) {
    const Pair v = loadPair(&values[i]);
    const Pair shifted = v + shift;
    exponents |= bitsOf(shifted) ^ bitsOf(shift);
    fractions |= bitsOf(shifted - shift) ^ bitsOf(v);
  }
  const auto outside = std::uint64_t(exponents[0] | exponents[1]) >> 52;
  const bool last =
      i == values.size() || (std::fabs(values[i]) < 0x1p51 && std::trunc(values[i]) == values[i]);
  return outside == 0 && (fractions[0] | fractions[1]) == 0 && last;
}

// Precondition: areSmallIntegers(values).
void addSmallIntegers(std::span<const double> values, std::int64_t* sums) {
  std::size_t i = 0;
  for (; i + 2 <= values.size(); i += 2) {
    PairMask sum;
    std::memcpy(&sum, sums + i, sizeof sum);
    sum += bitsOf(loadPair(&values[i]) + broadcast(kShift)) - bitsOf(broadcast(kShift));
    std::memcpy(sums + i, &sum, sizeof sum);
  }
  if (i < values.size()) sums[i] += std::int64_t(values[i]);
}

bool isInteger(double v) { return std::fabs(v) <= 0x1p53 && v == std::trunc(v); }

}  // namespace

Result<Assembly> Assembly::create(int dimension) {
  if (dimension < 1 || dimension > kMaxFeatures) {
    return Error{Code::kInvalidDimension, "a study has 1 to 1000 features", "columns"};
  }
  return Assembly(std::size_t(dimension));
}

Assembly::Assembly(std::size_t dimension) : dimension_(dimension) {}

void Assembly::flush(Group& group) const {
  group.pending.resize(packedSize(dimension_ + 1));
  group.totals.resize(group.pending.size());
  for (std::size_t i = 0; i < group.pending.size(); ++i) {
    group.totals[i] += group.pending[i];
    group.pending[i] = 0;
  }
  group.in_pending = 0;
}

Status Assembly::checkPlace(std::size_t length, int level) const {
  if (length != packedSize(dimension_ + 1)) {
    return Error{Code::kWrongLength, "the release does not have one value per entry of the matrix",
                 "values"};
  }
  if (level < 0 || level >= kClipLevels) {
    return Error{Code::kInvalidRowNorm, "this clip radius is not one of the study's", "clipping"};
  }
  return {};
}

Status Assembly::add(std::span<const double> values, int level, std::optional<std::uint64_t> rows) {
  if (const Status wrong = checkPlace(values.size(), level)) return wrong;
  const bool small = areSmallIntegers(values);
  if (!small && !std::all_of(values.begin(), values.end(), isInteger)) {
    return Error{Code::kNotFinite, "a released value is not an integer within 2^53", "values"};
  }
  Group& group = groups_[std::size_t(level)];
  if (group.pending.empty() || group.in_pending == kPending) flush(group);
  ++group.in_pending;
  if (small) {
    addSmallIntegers(values, group.pending.data());
  } else {
    for (std::size_t i = 0; i < values.size(); ++i) group.pending[i] += std::int64_t(values[i]);
  }
  ++group.releases;
  group.rows += rows.value_or(0);
  rows_are_public_ = rows_are_public_ && rows.has_value();
  ++releases_;
  return std::nullopt;
}

Status Assembly::addSum(std::span<const Int128> totals, int level, std::uint64_t releases,
                        std::optional<std::uint64_t> rows) {
  if (const Status wrong = checkPlace(totals.size(), level)) return wrong;
  if (releases == 0) return Error{Code::kNoRows, "the sum has no releases", "releases"};
  const Int128 most = Int128(1) << 100;
  for (const Int128 total : totals) {
    if (total > most || total < -most) {
      return Error{Code::kNotFinite, "a total is larger than any sum of releases can be", "values"};
    }
  }
  Group& group = groups_[std::size_t(level)];
  if (group.pending.empty()) flush(group);
  for (std::size_t i = 0; i < totals.size(); ++i) group.totals[i] += totals[i];
  group.releases += releases;
  group.rows += rows.value_or(0);
  rows_are_public_ = rows_are_public_ && rows.has_value();
  releases_ += releases;
  return {};
}

Result<AssembledSums> Assembly::sum(std::span<const ReleaseScale> scales, double constant) const {
  if (releases_ == 0) return Error{Code::kNoRows, "there are no releases to sum", "releases"};
  AssembledSums sums;
  sums.packed.resize(packedSize(dimension_ + 1));
  double diagonal = 0, off_diagonal = 0, linear = 0, count = 0, rows = 0, squares = 0, longest = 0;
  for (std::size_t level = 0; level < groups_.size(); ++level) {
    const Group& group = groups_[level];
    if (group.releases == 0) continue;
    if (level >= scales.size() || !usable(scales[level])) {
      return Error{Code::kNotFinite, "the unit of the release grid must be a finite number above 0",
                   "unit"};
    }
    const ReleaseScale& scale = scales[level];
    const double growth = constant / scale.constant;
    const double releases = double(group.releases);
    std::size_t entry = 0;
    for (std::size_t i = 0; i <= dimension_; ++i) {
      for (std::size_t j = i; j <= dimension_; ++j, ++entry) {
        const Int128 flushed = group.totals[entry];
        double value = double(flushed + group.pending[entry]) * scale.unit;
        if (i == j) value -= scale.mean * releases;
        if (i == 0) value *= j == 0 ? growth * growth : growth;
        sums.packed[entry] += value;
      }
    }
    const double variance = scale.off_diagonal * scale.off_diagonal * releases;
    const double diagonal_variance = scale.diagonal * scale.diagonal * releases;
    off_diagonal += variance;
    diagonal += diagonal_variance;
    linear += variance * growth * growth;
    count += diagonal_variance * growth * growth * growth * growth;
    const double square = scale.radius * scale.radius;
    rows += double(group.rows);
    squares += double(group.rows) * square;
    longest = std::max(longest, square);
  }
  sums.diagonal = std::sqrt(diagonal);
  sums.off_diagonal = std::sqrt(off_diagonal);
  sums.linear = std::sqrt(linear);
  sums.mean_squared_radius = rows_are_public_ && rows > 0 ? squares / rows : longest;
  if (rows_are_public_) {
    sums.rows = std::uint64_t(rows);
    sums.packed[0] = rows * constant * constant;
  } else {
    sums.count = std::sqrt(count);
  }
  return sums;
}

}  // namespace pm
