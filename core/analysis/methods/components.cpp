#include "core/analysis/methods/components.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/matrix/order.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

// Directions closer than this to the span of earlier ones count as dependent.
constexpr double kDependent = 1e-6;

void makeLargestPositive(Eigen::MatrixXd& columns) {
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    Eigen::Index largest;
    columns.col(j).cwiseAbs().maxCoeff(&largest);
    if (columns(largest, j) < 0) columns.col(j) = -columns.col(j);
  }
}

}  // namespace

ComponentSum::ComponentSum(int dimension, int components, bool has_values)
    : components_(components),
      has_values_(has_values),
      sum_(Eigen::MatrixXd::Zero(dimension, dimension)) {}

Result<ComponentSum> ComponentSum::create(int dimension, int components, bool has_values) {
  if (dimension < 1) return Error{Code::kInvalidDimension, "there are no features", "dimension"};
  if (components < 1 || components > dimension) {
    return Error{Code::kInvalidComponents, "more components than features", "components"};
  }
  return ComponentSum(dimension, components, has_values);
}

Status ComponentSum::add(std::span<const double> released, double unit, double weight) {
  const Eigen::Index d = sum_.rows();
  const std::size_t stride = std::size_t(d) + (has_values_ ? 1 : 0);
  if (released.size() != stride * std::size_t(components_)) {
    return Error{Code::kWrongLength, "the number of values does not match the number of components",
                 "values"};
  }
  if (!std::all_of(released.begin(), released.end(), [](double v) { return std::isfinite(v); }) ||
      !std::isfinite(unit) || !(weight >= 0) || !std::isfinite(weight)) {
    return Error{Code::kNotFinite, "the release contains a number that is not finite", "values"};
  }
  Components one{Eigen::MatrixXd(d, components_), Eigen::VectorXd(has_values_ ? components_ : 0)};
  for (int j = 0; j < components_; ++j) {
    const double* at = released.data() + stride * std::size_t(j);
    if (has_values_) one.values[j] = *at++ * unit;
    Eigen::VectorXd direction = Eigen::Map<const Eigen::VectorXd>(at, d);
    const double length = direction.norm();
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < j; ++i) {
        direction -= one.loadings.col(i).dot(direction) * one.loadings.col(i);
      }
    }
    if (!(direction.norm() > kDependent * length)) {
      return Error{Code::kNotFinite, "the released directions are linearly dependent", "values"};
    }
    one.loadings.col(j) = direction / direction.norm();
  }
  for (int j = 0; j < components_; ++j) {
    const double factor = has_values_ ? one.values[j] : weight;
    sum_ += factor * one.loadings.col(j) * one.loadings.col(j).transpose();
  }
  if (releases_++ == 0) first_ = std::move(one);
  return {};
}

Result<Components> ComponentSum::result() const {
  if (releases_ == 0) return Error{Code::kNoRows, "there are no releases to combine", "releases"};
  Components result = first_;
  if (releases_ > 1) {
    const Spectrum decomposed = spectrum(sum_);
    result.loadings = decomposed.vectors.leftCols(components_);
    if (has_values_) result.values = decomposed.values.head(components_);
  } else if (has_values_) {
    const std::vector<int> order =
        descendingOrder({first_.values.data(), static_cast<std::size_t>(components_)});
    for (int j = 0; j < components_; ++j) {
      const int source = order[static_cast<std::size_t>(j)];
      result.loadings.col(j) = first_.loadings.col(source);
      result.values[j] = first_.values[source];
    }
  }
  makeLargestPositive(result.loadings);
  return result;
}

}  // namespace pm
