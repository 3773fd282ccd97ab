#pragma once

#include <Eigen/Core>

#include "core/arithmetic.hpp"

namespace pm {

/// Eigen frees memory as it allocates it, in a way that depends on the vector instructions of the
/// file. The library has this function for its own alignment only. So a file with another one,
/// because it is compiled with -march=native or -mavx and the library is not, does not link; it
/// would free matrices of the library wrongly.
template <int kBytes>
void requireEigenAlignment();

#ifndef __EMSCRIPTEN__
[[gnu::used]] static void (*const kEigenAlignment)() =
    &requireEigenAlignment<EIGEN_MAX_ALIGN_BYTES>;
#endif

}  // namespace pm
