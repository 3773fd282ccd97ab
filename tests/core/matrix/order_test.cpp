#include "core/matrix/order.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace pm {
namespace order_test {

TEST(DescendingOrder, SortsDescendingAndStably) {
  EXPECT_EQ(descendingOrder(std::vector<double>{2, -1, 5, 2, 2}),
            (std::vector<int>{2, 0, 3, 4, 1}));
  EXPECT_TRUE(descendingOrder({}).empty());
}

}  // namespace order_test
}  // namespace pm
