#include "core/research/published/non_private.hpp"

#include <cmath>

namespace pm {

std::vector<double> nonPrivateMoments(std::span<const Int128> totals, double row_norm, int bits) {
  const double unit = std::ldexp(row_norm * row_norm, -2 * bits);
  std::vector<double> values;
  values.reserve(totals.size());
  for (const Int128 total : totals) values.push_back(double(total) * unit);
  return values;
}

Eigen::MatrixXd nonPrivateScatter(const Eigen::MatrixXd& scatter, const PublishedParams&, Drbg&) {
  return scatter;
}

}  // namespace pm
