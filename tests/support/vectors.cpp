#include "tests/support/vectors.hpp"

namespace pm::testing_support {

std::string vectorsFolder() { return PM_VECTORS_DIR; }

}  // namespace pm::testing_support
