#pragma once

#include <cstddef>
#include <span>

namespace pm {

/// As `addGramPanel`, with the same integers as its result.
using GramKernel = void (*)(const double* panel, std::size_t tiles, std::size_t rows,
                            double* blocks, double* linear);

/// The kernels for wider registers with fused multiply-add that this processor and its system can
/// run, the fastest first: AVX-512 and AVX2. Empty on other processors and in WebAssembly.
std::span<const GramKernel> wideKernels();

}  // namespace pm
