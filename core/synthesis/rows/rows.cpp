#include "core/synthesis/rows/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/matrix/order.hpp"
#include "core/synthesis/rows/row_law.hpp"

namespace pm {
namespace {

/// The features of the columns of a row, without those of the class label.
struct Places {
  RowLayout layout;
  std::vector<std::size_t> categories;  ///< columns
  std::vector<std::size_t> numbers;
  Eigen::Index features = 0;
};

Places placesOf(const std::vector<Column>& columns, int label) {
  Places places;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (int(c) == label) continue;
    if (columns[c].kind == Column::Kind::kCategory) {
      places.layout.categories.push_back({places.features, columns[c].levels});
      places.categories.push_back(c);
      places.features += columns[c].levels;
    } else {
      places.layout.numbers.push_back(places.features);
      places.numbers.push_back(c);
      ++places.features;
    }
  }
  return places;
}

Status checkModel(const RowModel& model, const std::vector<Column>& columns, int label,
                  Eigen::Index features) {
  const auto count = int(columns.size());
  if (label >= count ||
      (label >= 0 && columns[std::size_t(label)].kind != Column::Kind::kCategory)) {
    return Error{Code::kInvalidLevel, "the label is not a category of the study", "label"};
  }
  const int levels = label < 0 ? 0 : columns[std::size_t(label)].levels;
  double sum = 0;
  for (const RowComponent& component : model.components) {
    if (component.mean.size() != features || component.covariance.rows() != features ||
        component.covariance.cols() != features) {
      return Error{Code::kInvalidDimension, "the model's features do not match the columns",
                   "model"};
    }
    if (!component.mean.allFinite() || !component.covariance.allFinite() ||
        !(component.weight >= 0)) {
      return Error{Code::kNotFinite, "the model contains a number that is not finite", "model"};
    }
    if (component.level >= levels || (component.level < 0) != (label < 0)) {
      return Error{Code::kInvalidLevel, "a component's level is not a level of the label", "model"};
    }
    sum += component.weight;
  }
  if (!(sum > 0) || !std::isfinite(sum)) {
    return Error{Code::kInvalidDimension, "the model has no components", "model"};
  }
  return {};
}

/// The component of each row, in random order (Durstenfeld 1964).
std::vector<std::size_t> shuffled(const std::vector<std::int64_t>& counts, Drbg& random) {
  std::vector<std::size_t> of;
  for (std::size_t c = 0; c < counts.size(); ++c) of.insert(of.end(), std::size_t(counts[c]), c);
  if (counts.size() < 2) return of;
  for (std::size_t i = of.size(); i > 1; --i) {
    // The high word of a product: a bias of up to 2^-32 is harmless here.
    const std::uint64_t place = ((random.next64() >> 32) * std::uint64_t(i)) >> 32;
    std::swap(of[i - 1], of[std::size_t(place)]);
  }
  return of;
}

}  // namespace

std::vector<std::int64_t> allocateRows(const std::vector<double>& weights, std::int64_t rows,
                                       std::int64_t least) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto parts = weights.size();
  std::vector<std::int64_t> counts(parts);
  std::vector<double> rest(parts);
  std::int64_t left = rows;
  for (std::size_t c = 0; c < parts; ++c) {
    const double part = double(rows) * weights[c] / sum;
    counts[c] = std::int64_t(std::nearbyint(part));
    rest[c] = part - double(counts[c]);
    left -= counts[c];
  }
  const std::vector<int> order = descendingOrder(rest);
  for (std::size_t i = 0; left != 0; i = (i + 1) % parts) {
    const auto c = std::size_t(left > 0 ? order[i] : order[parts - 1 - i]);
    if (left < 0 && counts[c] == 0) continue;
    counts[c] += left > 0 ? 1 : -1;
    left += left > 0 ? -1 : 1;
  }
  if (rows < least * std::int64_t(parts)) return counts;
  for (std::int64_t& count : counts) {
    while (count < least) {
      ++count;
      --*std::max_element(counts.begin(), counts.end());
    }
  }
  return counts;
}

Result<SyntheticRows> drawRows(const RowModel& model, const std::vector<Column>& columns, int label,
                               std::int64_t rows, Drbg& random) {
  const Result<RowEncoder> created = RowEncoder::create(columns);
  if (!created.ok()) return created.error();
  const RowEncoder& encoder = created.value();
  const Places places = placesOf(columns, label);
  if (const Status wrong = checkModel(model, columns, label, places.features)) return *wrong;
  const std::size_t width = columns.size();
  if (rows < 1) return Error{Code::kNoRows, "there must be at least one row", "rows"};
  if (rows > kMostCells / std::int64_t(width)) {
    return Error{Code::kTooManyRows, "one call can draw at most 40 million cells; reduce rows",
                 "rows"};
  }

  std::vector<double> weights;
  for (const RowComponent& component : model.components) weights.push_back(component.weight);
  const std::vector<std::int64_t> counts = allocateRows(weights, rows, label < 0 ? 0 : 2);
  const std::vector<std::size_t> component_of = shuffled(counts, random);

  SyntheticRows drawn;
  drawn.cells.resize(std::size_t(rows) * width);
  std::vector<bool> narrowed(width);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] == 0) continue;
    const RowComponent& component = model.components[c];
    const RowLaw law(places.layout, component.mean, component.covariance, counts[c], c);
    for (const int number : law.narrowed()) narrowed[places.numbers[std::size_t(number)]] = true;
    std::vector<int> levels(std::size_t(counts[c]) * places.categories.size());
    std::vector<double> numbers(std::size_t(counts[c]) * places.numbers.size());
    law.draw(random, counts[c], levels.data(), numbers.data());
    const int* level = levels.data();
    const double* number = numbers.data();
    for (std::size_t row = 0; row < component_of.size(); ++row) {
      if (component_of[row] != c) continue;
      double* cells = drawn.cells.data() + row * width;
      if (label >= 0) cells[label] = component.level;
      for (const std::size_t column : places.categories) cells[column] = *level++;
      for (const std::size_t column : places.numbers) {
        const auto [min, max, mid, half] = encoder.bounds(column);
        cells[column] = std::clamp(mid + half * *number++, min, max);
      }
    }
  }
  for (std::size_t c = 0; c < width; ++c) {
    if (narrowed[c]) drawn.narrowed.push_back(int(c));
  }
  return drawn;
}

}  // namespace pm
