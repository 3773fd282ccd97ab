#include "bindings/rows.hpp"

#include <utility>

#include "bindings/matrices.hpp"

namespace pm::js {
namespace {

std::vector<int> featuresIn(const val& list) {
  std::vector<int> features;
  for (const double feature : numbers(list)) features.push_back(int(feature));
  return features;
}

}  // namespace

std::vector<ViewPair> viewPairsOf(const val& options) {
  std::vector<ViewPair> pairs;
  const val list = options["viewPairs"];
  for (int i = 0; i < integer(list, "length"); ++i) {
    pairs.emplace_back(featuresIn(list[i]["x"]), featuresIn(list[i]["y"]));
  }
  return pairs;
}

Result<DrawnRows> drawnRows(SyntheticRows rows, const std::vector<Column>& columns,
                            const val& options) {
  Result<RowFigures> figures =
      figuresOf(rows.cells, columns, viewPairsOf(options), integer(options, "components"));
  if (!figures.ok()) return figures.error();
  return DrawnRows{std::move(rows), std::move(figures).value()};
}

}  // namespace pm::js
