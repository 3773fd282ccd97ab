#include "core/moments/encoding.hpp"

#include <algorithm>
#include <cmath>

#include "core/moments/limits.hpp"
#include "core/pair.hpp"

namespace pm {

int firstFeature(std::span<const Column> columns, int column) {
  int features = 0;
  for (const Column& before : columns.first(std::size_t(column))) features += before.features();
  return features;
}

double longestRow(std::span<const Column> columns) { return std::sqrt(double(columns.size())); }

bool marksGaps(MissingRule rule) { return rule == MissingRule::kPairwise; }

bool countsGaps(MissingRule rule) { return rule == MissingRule::kMean; }

Result<RowEncoder> RowEncoder::create(std::vector<Column> columns, bool marks_gaps) {
  RowEncoder encoder;
  std::int64_t features = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Column& column = columns[c];
    // Halving first keeps the widest finite bounds from overflowing.
    const double mid = column.min / 2 + column.max / 2;
    const double half = column.max / 2 - column.min / 2;
    encoder.min_.push_back(column.min);
    encoder.max_.push_back(column.max);
    encoder.mid_.push_back(mid);
    encoder.half_.push_back(half);
    const std::size_t feature = std::size_t(std::min<std::int64_t>(features, kMaxFeatures));
    if (column.kind == Column::Kind::kCategory) {
      if (column.levels < 1) {
        return Error{Code::kInvalidLevels, "a category column needs at least one level", "levels",
                     -1, std::int64_t(c)};
      }
      encoder.runs_.push_back({false, c, 1, feature, column.levels});
      features += column.levels;
      continue;
    }
    if (!std::isfinite(column.min) || !std::isfinite(column.max) || !(half > 0)) {
      return Error{Code::kInvalidBounds, "the bounds must be finite numbers with min below max",
                   "bounds", -1, std::int64_t(c)};
    }
    if (encoder.runs_.empty() || !encoder.runs_.back().numbers) {
      encoder.runs_.push_back({true, c, 0, feature, 0});
    }
    ++encoder.runs_.back().columns;
    ++features;
  }
  const std::int64_t marks = features;
  if (marks_gaps) features += std::int64_t(columns.size());
  if (features < 1 || features > kMaxFeatures) {
    return Error{Code::kInvalidDimension,
                 "a study has 1 to 1000 features (a category counts once for each of its levels, "
                 "and each column once more if gaps are marked)",
                 "columns"};
  }
  encoder.marks_ = int(marks);
  encoder.features_ = int(features);
  return encoder;
}

// The usual case, two cells at a time: every number is within its bounds. If one is not, returns
// false and leaves `scaled` unspecified.
bool RowEncoder::encodeWithin(const Run& run, const double* cells, double* scaled) const {
  const double* const min = min_.data() + run.column;
  const double* const max = max_.data() + run.column;
  const double* const mid = mid_.data() + run.column;
  const double* const half = half_.data() + run.column;
  const std::size_t whole = run.columns & ~std::size_t{1};
  PairMask within = ~PairMask{};
  for (std::size_t c = 0; c < whole; c += 2) {
    const Pair x = loadPair(cells + c);
    within &= (x >= loadPair(min + c)) & (x <= loadPair(max + c));
    const Pair z = (x - loadPair(mid + c)) / loadPair(half + c);
    storePair(scaled + c, pairMin(pairMax(z, broadcast(-1)), broadcast(1)));
  }
  bool last = true;
  if (const std::size_t c = whole; c < run.columns) {
    last = cells[c] >= min[c] && cells[c] <= max[c];
    scaled[c] = std::min(std::max((cells[c] - mid[c]) / half[c], -1.0), 1.0);
  }
  return (within[0] & within[1]) != 0 && last;
}

// Encodes arbitrary cells, one by one. Returns the first missing column of the run, or -1.
int RowEncoder::encodeNumbers(const Run& run, const double* cells, double* scaled,
                              std::span<ColumnCounts> counts) const {
  int first_missing = -1;
  for (std::size_t i = 0; i < run.columns; ++i) {
    const std::size_t c = run.column + i;
    const double x = cells[i];
    if (!std::isfinite(x)) {
      ++counts[c].missing;
      if (first_missing < 0) first_missing = int(c);
      scaled[i] = 0;
      continue;
    }
    if (x < min_[c] || x > max_[c]) ++counts[c].outside;
    const double bounded = std::min(std::max(x, min_[c]), max_[c]);
    scaled[i] = std::min(std::max((bounded - mid_[c]) / half_[c], -1.0), 1.0);
  }
  return first_missing;
}

void RowEncoder::markGaps(std::span<const double> cells, std::span<double> scaled) const {
  for (int j = marks_; j < features_; ++j) {
    scaled[std::size_t(j)] = std::isfinite(cells[std::size_t(j - marks_)]) ? 0 : 1;
  }
}

Result<int> RowEncoder::encode(std::span<const double> cells, std::span<double> scaled,
                               std::span<ColumnCounts> counts) const {
  int first_missing = -1;
  for (const Run& run : runs_) {
    const double* const from = cells.data() + run.column;
    double* const to = scaled.data() + run.feature;
    if (run.numbers) {
      if (encodeWithin(run, from, to)) continue;
      const int missing = encodeNumbers(run, from, to, counts);
      if (first_missing < 0) first_missing = missing;
      continue;
    }
    std::fill_n(to, run.levels, 0.0);
    const double x = *from;
    if (!std::isfinite(x)) {
      ++counts[run.column].missing;
      if (first_missing < 0) first_missing = int(run.column);
      continue;
    }
    if (!(x >= 0 && x < run.levels) || x != std::floor(x)) {
      return Error{Code::kInvalidLevel, "a category cell is not the index of a level", "values", -1,
                   std::int64_t(run.column)};
    }
    to[std::size_t(x)] = 1;
  }
  markGaps(cells, scaled);
  return first_missing;
}

}  // namespace pm
