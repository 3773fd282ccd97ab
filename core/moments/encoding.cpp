#include "core/moments/encoding.hpp"

#include <algorithm>
#include <cmath>

#include "core/moments/limits.hpp"

namespace pm {

Result<RowEncoder> RowEncoder::create(std::vector<Column> columns) {
  RowEncoder encoder;
  std::int64_t features = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Column& column = columns[c];
    if (column.kind == Column::Kind::kCategory) {
      if (column.levels < 1) {
        return Error{Code::kInvalidLevels, "a category column needs at least one level", "levels",
                     -1, std::int64_t(c)};
      }
      features += column.levels;
      encoder.scales_.push_back({0, 1});
      continue;
    }
    // Halving first keeps the widest finite bounds from overflowing.
    const double mid = column.min / 2 + column.max / 2;
    const double half = column.max / 2 - column.min / 2;
    if (!std::isfinite(column.min) || !std::isfinite(column.max) || !(half > 0)) {
      return Error{Code::kInvalidBounds, "the bounds must be finite numbers with min below max",
                   "bounds", -1, std::int64_t(c)};
    }
    ++features;
    encoder.scales_.push_back({mid, half});
  }
  if (features < 1 || features > kMaxFeatures) {
    return Error{Code::kInvalidDimension,
                 "a study has 1 to 1000 features (a category counts once for each of its levels)",
                 "columns"};
  }
  encoder.features_ = int(features);
  encoder.columns_ = std::move(columns);
  return encoder;
}

Result<int> RowEncoder::encode(std::span<const double> cells, std::span<double> scaled,
                               std::span<ColumnCounts> counts) const {
  int first_missing = -1;
  std::size_t feature = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const double x = cells[c];
    const bool missing = !std::isfinite(x);
    if (missing) {
      ++counts[c].missing;
      if (first_missing < 0) first_missing = int(c);
    }
    if (column.kind == Column::Kind::kCategory) {
      for (int level = 0; level < column.levels; ++level) scaled[feature + level] = 0;
      if (!missing) {
        if (!(x >= 0 && x < column.levels) || x != std::floor(x)) {
          return Error{Code::kInvalidLevel, "a category cell is not the index of a level", "values",
                       -1, std::int64_t(c)};
        }
        scaled[feature + std::size_t(x)] = 1;
      }
      feature += std::size_t(column.levels);
      continue;
    }
    double z = 0;
    if (!missing) {
      if (x < column.min || x > column.max) ++counts[c].outside;
      const double bounded = std::min(std::max(x, column.min), column.max);
      z = std::min(std::max((bounded - scales_[c].mid) / scales_[c].half, -1.0), 1.0);
    }
    scaled[feature++] = z;
  }
  return first_missing;
}

}  // namespace pm
