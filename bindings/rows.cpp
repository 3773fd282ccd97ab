#include "bindings/rows.hpp"

#include "bindings/matrices.hpp"

namespace pm::js {
namespace {

std::vector<int> featuresIn(const val& list) {
  std::vector<int> features;
  for (const double feature : numbers(list)) features.push_back(int(feature));
  return features;
}

val listOut(const std::vector<Eigen::VectorXd>& vectors) {
  val list = val::array();
  for (const Eigen::VectorXd& vector : vectors) list.call<void>("push", matrixOut(vector));
  return list;
}

}  // namespace

std::vector<ViewPair> viewPairsOf(const val& options) {
  std::vector<ViewPair> pairs;
  const val given = options["viewPairs"];
  for (int i = 0; i < integer(given, "length"); ++i) {
    pairs.emplace_back(featuresIn(given[i]["x"]), featuresIn(given[i]["y"]));
  }
  return pairs;
}

void putFigures(val& object, const RowFigures& figures) {
  put(object, "means", matrixOut(figures.means));
  put(object, "meanErrors", matrixOut(figures.meanErrors));
  put(object, "deviations", matrixOut(figures.deviations));
  put(object, "deviationErrors", matrixOut(figures.deviationErrors));
  put(object, "correlations", matrixOut(figures.correlations));
  put(object, "correlationErrors", matrixOut(figures.correlationErrors));
  put(object, "canonical", listOut(figures.canonical));
  put(object, "canonicalErrors", listOut(figures.canonicalErrors));
}

Status putRows(val& object, const SyntheticRows& rows, const std::vector<Column>& columns,
               const val& options) {
  const Result<RowFigures> figures =
      figuresOf(rows.cells, columns, viewPairsOf(options), integer(options, "components"));
  if (!figures.ok()) return figures.error();
  put(object, "values", float64Array(rows.cells));
  put(object, "narrowed",
      float64Array(std::vector<double>(rows.narrowed.begin(), rows.narrowed.end())));
  putFigures(object, figures.value());
  return {};
}

}  // namespace pm::js
