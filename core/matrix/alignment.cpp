#include "core/matrix/alignment.hpp"

namespace pm {

template <int kBytes>
void requireEigenAlignment() {}
template void requireEigenAlignment<EIGEN_MAX_ALIGN_BYTES>();

}  // namespace pm
