#include "core/result.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace pm {
namespace result_test {

TEST(CodeName, IsDifferentForEveryCode) {
  std::set<std::string> names;
  const int last = int(Code::kUnsupportedData);
  for (int code = 0; code <= last; ++code) {
    const std::string name = codeName(Code(code));
    EXPECT_NE(name, "unknown") << code;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string::npos) << name;
    names.insert(name);
  }
  EXPECT_EQ(names.size(), std::size_t(last) + 1);
}

}  // namespace result_test
}  // namespace pm
