// Sparse components and pairs.
#include <emscripten/bind.h>

#include "bindings/analysis_input.hpp"
#include "bindings/fields/analysis.hpp"
#include "bindings/matrices.hpp"
#include "core/analysis/methods/sparse.hpp"

namespace pm::js {
namespace {

// Options: those of pca, `sparsity` and `rows`.
val sparseComponents(const val& options) {
  SparsePcaInput input;
  readNoisyCovariance(options, input);
  input.components = integer(options, "components");
  input.sparsity = number(options, "sparsity");
  input.rows = number(options, "rows");
  return resultOf(sparsePca(input));
}

// Options: those of cca and `sparsity`.
val sparsePairs(const val& options) {
  SparseCcaInput input;
  readNoisyCovariance(options, input);
  input.x = indicesIn(options["x"]);
  input.y = indicesIn(options["y"]);
  input.components = integer(options, "components");
  input.sparsity = number(options, "sparsity");
  input.rows = number(options, "rows");
  return resultOf(sparseCca(input));
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(sparse) {
  emscripten::function("sparsePca", &pm::js::sparseComponents);
  emscripten::function("sparseCca", &pm::js::sparsePairs);
}
