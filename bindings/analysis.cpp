// What an analyst computes from assembled moments. Matrices cross as row-major Float64Arrays.
#include <emscripten/bind.h>

#include <optional>

#include "bindings/convert.hpp"
#include "core/analysis/cca.hpp"
#include "core/analysis/denoise.hpp"
#include "core/analysis/moments.hpp"
#include "core/analysis/pca.hpp"

namespace pm::js {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

val matrixOut(const Eigen::MatrixXd& matrix) {
  const RowMajor copy = matrix;
  return float64Array(copy.data(), std::size_t(copy.size()));
}

Eigen::VectorXd vectorIn(const val& array) {
  const std::vector<double> values = numbers(array);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), Eigen::Index(values.size()));
}

// An empty matrix where the array is not dimension^2 long; the analysis refuses it by its shape.
Eigen::MatrixXd squareIn(const val& array, int dimension) {
  const std::vector<double> values = numbers(array);
  if (dimension < 1 || values.size() != std::size_t(dimension) * std::size_t(dimension)) return {};
  return Eigen::Map<const RowMajor>(values.data(), dimension, dimension);
}

std::vector<int> indicesIn(const val& array) {
  std::vector<int> indices;
  for (const double v : numbers(array)) indices.push_back(v >= 0 && v < 1e6 ? int(v) : -1);
  return indices;
}

NoiseLaw noiseIn(const val& options) {
  return {number(options, "sdDiagonal"), number(options, "sdOffDiagonal")};
}

val assemble(const val& options) {
  MomentSums sums;
  sums.packed = numbers(options["sums"]);
  sums.dimension = integer(options, "dimension");
  sums.constant = number(options, "constant");
  if (options["rows"].isNumber()) sums.rows = number(options, "rows");
  sums.noise = noiseIn(options);
  sums.mid = vectorIn(options["mid"]);
  sums.half = vectorIn(options["half"]);
  const Result<AssembledMoments> assembled = assembleMoments(sums);
  if (!assembled.ok()) return failure(assembled.error());
  const AssembledMoments& moments = assembled.value();
  val result = success();
  put(result, "rows", moments.rows);
  put(result, "mean", matrixOut(moments.mean));
  put(result, "covariance", matrixOut(moments.covariance));
  put(result, "scaledMean", matrixOut(moments.scaledMean));
  put(result, "scaledCovariance", matrixOut(moments.scaledCovariance));
  put(result, "secondMoments", matrixOut(moments.secondMoments));
  put(result, "covarianceSdDiagonal", moments.covarianceNoise.diagonal);
  put(result, "covarianceSdOffDiagonal", moments.covarianceNoise.offDiagonal);
  return result;
}

val project(const val& options) {
  const Result<Eigen::MatrixXd> projected = projectTrace(
      squareIn(options["matrix"], integer(options, "dimension")), number(options, "bound"));
  if (!projected.ok()) return failure(projected.error());
  val result = success();
  put(result, "matrix", matrixOut(projected.value()));
  return result;
}

val principalComponents(const val& options) {
  PcaInput input;
  input.covariance = squareIn(options["scaledCovariance"], integer(options, "dimension"));
  input.noise = noiseIn(options);
  input.traceBound = number(options, "bound");
  input.half = vectorIn(options["half"]);
  input.components = integer(options, "components");
  const Result<Pca> analysed = pca(input);
  if (!analysed.ok()) return failure(analysed.error());
  const Pca& analysis = analysed.value();
  val explained = val::array();
  for (const Explained& component : analysis.explained) {
    val entry = val::object();
    put(entry, "value", component.value);
    put(entry, "share", component.share);
    put(entry, "belowNoiseFloor", component.belowNoiseFloor);
    explained.call<void>("push", entry);
  }
  val result = success();
  put(result, "explained", explained);
  put(result, "weights", matrixOut(analysis.weights));
  put(result, "loadings", matrixOut(analysis.loadings));
  put(result, "noiseFloor", analysis.noiseFloor);
  return result;
}

val viewOut(const CanonicalView& view) {
  val result = val::object();
  put(result, "weights", matrixOut(view.weights));
  put(result, "loadings", matrixOut(view.loadings));
  return result;
}

val canonicalCorrelations(const val& options) {
  CcaInput input;
  input.covariance = squareIn(options["scaledCovariance"], integer(options, "dimension"));
  input.noise = noiseIn(options);
  input.traceBound = number(options, "bound");
  input.half = vectorIn(options["half"]);
  input.x = indicesIn(options["x"]);
  input.y = indicesIn(options["y"]);
  input.components = integer(options, "components");
  input.columns = indicesIn(options["columns"]);
  const Result<Cca> analysed = cca(input);
  if (!analysed.ok()) return failure(analysed.error());
  const Cca& analysis = analysed.value();
  val correlations = val::array();
  for (const CanonicalCorrelation& correlation : analysis.correlations) {
    val entry = val::object();
    put(entry, "value", correlation.value);
    put(entry, "noiseFloor", correlation.noiseFloor);
    put(entry, "belowNoiseFloor", correlation.belowNoiseFloor);
    correlations.call<void>("push", entry);
  }
  val result = success();
  put(result, "correlations", correlations);
  put(result, "x", viewOut(analysis.x));
  put(result, "y", viewOut(analysis.y));
  put(result, "noiseFloor", analysis.noiseFloor);
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(analysis) {
  emscripten::function("assembleMoments", &pm::js::assemble);
  emscripten::function("projectTrace", &pm::js::project);
  emscripten::function("pca", &pm::js::principalComponents);
  emscripten::function("cca", &pm::js::canonicalCorrelations);
}
