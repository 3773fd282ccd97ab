#include "core/analysis/methods/gcca.hpp"

#include <algorithm>
#include <cmath>

#include "core/analysis/noise/checks.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

/// Up to this, the excess of an eigenvalue over 1 or the length of a view's part is only rounding.
constexpr double kRounding = 1e-10;

/// The views' whitened covariance and its eigenvectors.
class Whitened {
 public:
  Whitened(const Views& views, const Eigen::MatrixXd& covariance,
           std::vector<Eigen::MatrixXd> whiteners)
      : whiteners_(std::move(whiteners)) {
    Eigen::Index total = 0;
    for (const Eigen::MatrixXd& whitener : whiteners_) {
      starts_.push_back(total);
      total += whitener.cols();
    }
    matrix_ = Eigen::MatrixXd::Identity(total, total);
    for (std::size_t v = 0; v < whiteners_.size(); ++v) {
      for (std::size_t w = v + 1; w < whiteners_.size(); ++w) {
        const Eigen::MatrixXd cross =
            views.block(covariance, static_cast<int>(v), static_cast<int>(w));
        const Eigen::MatrixXd block =
            multiply(multiplyTransposed(whiteners_[v], cross), whiteners_[w]);
        matrix_.block(starts_[v], starts_[w], block.rows(), block.cols()) = block;
        matrix_.block(starts_[w], starts_[v], block.cols(), block.rows()) = block.transpose();
      }
    }
    spectrum_ = spectrum(matrix_);
  }

  const std::vector<Eigen::MatrixXd>& whiteners() const { return whiteners_; }

  /// Excess of an eigenvalue over 1, not negative; 0 beyond the last and if it is rounding.
  double excess(Eigen::Index component) const {
    if (component >= spectrum_.values.size()) return 0;
    const double value = spectrum_.values[component] - 1;
    return value > kRounding ? value : 0;
  }

  /// View v's part q_v of an eigenvector, zero if it is rounding.
  Eigen::VectorXd part(int v, Eigen::Index component) const {
    const auto view = static_cast<std::size_t>(v);
    const Eigen::VectorXd part =
        spectrum_.vectors.col(component).segment(starts_[view], whiteners_[view].cols());
    return part.norm() > kRounding ? part : Eigen::VectorXd::Zero(part.size());
  }

  /// q_v^T A_v^T C_vw A_w q_w.
  double between(int v, int w, Eigen::Index component) const {
    const auto left = static_cast<std::size_t>(v);
    const auto right = static_cast<std::size_t>(w);
    const Eigen::MatrixXd block = matrix_.block(starts_[left], starts_[right],
                                                whiteners_[left].cols(), whiteners_[right].cols());
    return part(v, component).dot(block * part(w, component));
  }

 private:
  std::vector<Eigen::MatrixXd> whiteners_;
  std::vector<Eigen::Index> starts_;
  Eigen::MatrixXd matrix_;
  Spectrum spectrum_;
};

/// Correlations between the variates of a component, with the same correction as its value.
Eigen::MatrixXd correlations(const Whitened& whitened, const SharedNoise::Level& level,
                             Eigen::Index component) {
  const auto views = static_cast<int>(whitened.whiteners().size());
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(views, views);
  for (int v = 0; v < views; ++v) {
    const double left = whitened.part(v, component).norm();
    if (left == 0) continue;
    result(v, v) = 1;
    for (int w = 0; w < v; ++w) {
      const double right = whitened.part(w, component).norm();
      if (right == 0) continue;
      const double correction =
          level.denoised / SharedNoise::attenuation(level.kept[v], level.kept[w]);
      result(v, w) = result(w, v) =
          std::clamp(correction * whitened.between(v, w, component) / (left * right), -1.0, 1.0);
    }
  }
  return result;
}

/// Fills in `components`, `noise_floor` and `hidden`. `result` must have its views.
void measure(const Views& views, int components, double rows, Gcca& result) {
  const Whitened whitened(views, views.noisy(), views.flooredWhiteners());
  const SharedNoise noise(views, whitened.whiteners());
  const double others = views.count() - 1;
  const double sampled = views.sampled(rows);
  result.hidden = views.hidden(whitened.whiteners());
  result.noise_floor = std::min(1.0, std::hypot(noise.floorOfLeading(), sampled));
  double before = 1;
  for (Eigen::Index j = 0; j < components; ++j) {
    SharedComponent shared;
    shared.correlations = Eigen::MatrixXd::Zero(views.count(), views.count());
    const double excess = whitened.excess(j);
    if (excess > 0) {
      std::vector<Eigen::VectorXd> parts;
      parts.reserve(static_cast<std::size_t>(views.count()));
      for (int v = 0; v < views.count(); ++v) parts.push_back(whitened.part(v, j));
      const SharedNoise::Level level = noise.level(parts, excess);
      const Ranked rank = ranked(level, before, sampled);
      shared.value = rank.value;
      shared.noise_floor = rank.floor;
      shared.eigenvalue = 1 + others * shared.value;
      shared.correlations = correlations(whitened, level, j);
    }
    if (!hasVariates(result.views, j)) {
      shared.noise_floor = std::max(shared.noise_floor, shared.value);
    }
    shared.below_noise_floor = shared.value <= shared.noise_floor;
    before = shared.value;
    result.noise_floor = std::max(result.noise_floor, shared.noise_floor);
    result.components.push_back(shared);
  }
}

}  // namespace

std::vector<CanonicalView> gccaVariates(const Views& views, int components) {
  const Whitened whitened(views, views.clean(), views.ridgedWhiteners());
  std::vector<CanonicalView> result;
  result.reserve(static_cast<std::size_t>(views.count()));
  for (int v = 0; v < views.count(); ++v) result.push_back(views.empty(v, components));
  for (Eigen::Index j = 0; j < components && whitened.excess(j) > 0; ++j) {
    for (std::size_t v = 0; v < result.size(); ++v) {
      const Eigen::VectorXd part = whitened.part(static_cast<int>(v), j);
      views.fill(static_cast<int>(v), whitened.whiteners()[v] * part, j, result[v]);
    }
  }
  return result;
}

Status checkGcca(const GccaInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return wrong;
  if (input.views.size() < 2) {
    return Error{Code::kInvalidView, "There must be at least two views.", "views"};
  }
  std::vector<bool> taken(static_cast<std::size_t>(input.covariance.rows()), false);
  std::size_t smallest = taken.size();
  for (const std::vector<int>& view : input.views) {
    if (const Status wrong = checkView(view, "views", taken)) return wrong;
    smallest = std::min(smallest, view.size());
  }
  return checkComponents(input.components, static_cast<Eigen::Index>(smallest));
}

Result<Gcca> gcca(const GccaInput& input) {
  if (const Status wrong = checkGcca(input)) return *wrong;
  if (hasNeedlessFrame(input)) return gcca(withoutFrame(input));
  const Views views(input, input.views);
  Gcca result;
  result.views = gccaVariates(views, input.components);
  orient(result.views);
  measure(views, input.components, input.rows, result);
  return result;
}

}  // namespace pm
