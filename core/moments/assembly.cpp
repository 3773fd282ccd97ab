#include "core/moments/assembly.hpp"

#include <cmath>

#include "core/moments/limits.hpp"

namespace pm {

Result<Assembly> Assembly::create(int dimension) {
  if (dimension < 1 || dimension > kMaxFeatures) {
    return Error{Code::kInvalidDimension, "a study has 1 to 1000 features", "columns"};
  }
  return Assembly(packedSize(std::size_t(dimension) + 1));
}

Status Assembly::add(std::span<const double> values) {
  if (values.size() != totals_.size()) {
    return Error{Code::kWrongLength, "the release does not have one value per entry of the matrix",
                 "values"};
  }
  for (const double v : values) {
    if (!(std::fabs(v) <= 0x1p53) || v != std::floor(v)) {
      return Error{Code::kNotFinite, "a released value is not an integer within 2^53", "values"};
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) totals_[i] += std::int64_t(values[i]);
  ++releases_;
  return std::nullopt;
}

Result<std::vector<double>> Assembly::sum(double unit) const {
  if (releases_ == 0) return Error{Code::kNoRows, "there are no releases to sum", "releases"};
  if (!(unit > 0) || !std::isfinite(unit)) {
    return Error{Code::kNotFinite, "the unit of the release grid must be a finite number above 0",
                 "unit"};
  }
  std::vector<double> sums;
  sums.reserve(totals_.size());
  for (const Int128 total : totals_) sums.push_back(double(total) * unit);
  return sums;
}

}  // namespace pm
