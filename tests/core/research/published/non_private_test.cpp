#include "core/research/published/non_private.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace pm {
namespace non_private_test {

TEST(NonPrivateMoments, AreTheTotalsInScaledUnits) {
  const Int128 wide = Int128(3) << 80;
  const std::vector<double> values =
      nonPrivateMoments(std::vector<Int128>{wide, -(Int128(1) << 44), 0}, 3, 22);
  EXPECT_EQ(values, (std::vector<double>{27 * 0x1p36, -9, 0}));
}

}  // namespace non_private_test
}  // namespace pm
