#include "core/analysis/methods/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/methods/pca.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/checks.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/entry_levels.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The step of the multipliers: over-relaxation, and how the two residuals are kept alike (Boyd et
/// al. 2011, 3.4).
constexpr double kRelaxation = 1.6;
constexpr double kUnlike = 5;
constexpr double kStep = 1.5;
constexpr int kAdapting = 1000;
constexpr int kBetweenSteps = 10;

/// Residuals, in entries of order one, that count as solved, and the most rounds.
constexpr double kSolved = 1e-7;
constexpr int kMostRounds = 4000;

/// Share of the largest entry below which one is what the last round has left of zero.
constexpr double kLeftOfZero = 1e-5;

/// Share of a squared length that counts as outside of a span.
constexpr double kOutside = 1e-9;

/// Ridge of a view as in `cca`, as a share of its edge.
constexpr double kSparseRidge = 0.5;

/// The weight of the constraint, rho, and when to stop.
class Rounds {
 public:
  double weight() const { return weight_; }

  /// @param apart   |X - Z|
  /// @param moved   |Z - Z before|
  /// @returns by how much the scaled multipliers must be divided, 0 to stop
  double after(double apart, double moved) {
    ++round_;
    const double dual = weight_ * moved;
    if ((apart < kSolved && dual < kSolved) || round_ >= kMostRounds) return 0;
    if (round_ % kBetweenSteps != 0 || round_ > kAdapting) return 1;
    const double factor = apart > kUnlike * dual ? kStep : dual > kUnlike * apart ? 1 / kStep : 1;
    weight_ *= factor;
    return factor;
  }

 private:
  double weight_ = 1;
  int round_ = 0;
};

/// Moves entries towards 0 by penalty / weight.
MatrixXd shrunk(const MatrixXd& matrix, const MatrixXd& penalties, double weight) {
  MatrixXd result = matrix;
  for (Index k = 0; k < result.size(); ++k) {
    double& entry = result.data()[k];
    const double kept = std::max(0.0, std::abs(entry) - penalties.data()[k] / weight);
    entry = entry < 0 ? -kept : kept;
  }
  return result;
}

/// An orthonormal basis of what is orthogonal to the columns, which may be dependent.
MatrixXd complement(const MatrixXd& columns) {
  const Index d = columns.rows();
  if (columns.cols() == 0) return MatrixXd::Identity(d, d);
  const Spectrum span = spectrum(multiplyByTranspose(columns));
  Index rank = 0;
  while (rank < d && span.values[rank] > kOutside) ++rank;
  return span.vectors.rightCols(d - rank);
}

MatrixXd between(const MatrixXd& left, const MatrixXd& matrix, const MatrixXd& right) {
  return multiply(multiplyTransposed(left, matrix), right);
}

/// The symmetric root of a positive semidefinite matrix.
MatrixXd rootOf(Spectrum decomposed) {
  decomposed.values = decomposed.values.cwiseMax(0.0).cwiseSqrt();
  return compose(decomposed);
}

/// 1 / sd of each feature, 0 without variance.
VectorXd inverseSds(const MatrixXd& covariance) {
  VectorXd result = VectorXd::Zero(covariance.rows());
  for (Index i = 0; i < result.size(); ++i) {
    if (covariance(i, i) > kNoVariance) result[i] = 1 / std::sqrt(covariance(i, i));
  }
  return result;
}

MatrixXd inUnits(const VectorXd& left, const MatrixXd& matrix, const VectorXd& right) {
  return matrix.cwiseProduct(left * right.transpose());
}

/// The rows whose largest entry is not what rounds have left of zero.
std::vector<int> supportOf(const MatrixXd& matrix) {
  std::vector<int> rows;
  const double least = kLeftOfZero * matrix.cwiseAbs().maxCoeff();
  for (Index i = 0; i < matrix.rows(); ++i) {
    if (matrix.row(i).cwiseAbs().maxCoeff() > least) rows.push_back(static_cast<int>(i));
  }
  return rows;
}

std::vector<int> allOf(Index count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Status checkSparsity(double sparsity) {
  if (std::isfinite(sparsity) && sparsity >= 0) return {};
  return Error{Code::kInvalidAlpha, "sparsity must be a finite number of at least 0.", "sparsity"};
}

/// The leading eigenvector of the covariance of `features`, orthogonal to `taken`; 0 for the rest.
VectorXd leadingOf(const MatrixXd& covariance, const std::vector<int>& features,
                   const MatrixXd& taken) {
  VectorXd result = VectorXd::Zero(covariance.rows());
  const MatrixXd basis = complement(taken(features, Eigen::all));
  if (basis.cols() == 0) return result;
  const Spectrum found = spectrum(between(basis, covariance(features, features), basis));
  result(features) = basis * found.vectors.col(0);
  Index largest = 0;
  result.cwiseAbs().maxCoeff(&largest);
  if (result[largest] < 0) result *= -1;
  return result;
}

int nonzerosOf(const VectorXd& weights) { return static_cast<int>((weights.array() != 0).count()); }

/// One direction in each view and the correlation along them. All are zero if nothing is chosen.
struct SparseDirections {
  VectorXd x;
  VectorXd y;
  double value = 0;
};

/// What the programmes of one question share. Everything is in units of z.
struct SparseViews {
  MatrixXd cross;
  MatrixXd x;  ///< with the ridge
  MatrixXd y;
  MatrixXd taken_x;
  MatrixXd taken_y;
};

/// Directions of some features, in whitened coordinates and orthogonal to what is taken.
MatrixXd freeDirections(const MatrixXd& covariance, const std::vector<int>& features,
                        const MatrixXd& taken) {
  const MatrixXd whitener = ridgedWhitener(covariance(features, features), 0);
  const MatrixXd used = multiply(covariance(features, Eigen::all), taken);
  return multiply(whitener, complement(multiplyTransposed(whitener, used)));
}

SparseDirections leadingPairOf(const SparseViews& views, const std::vector<int>& x,
                               const std::vector<int>& y) {
  SparseDirections pair{VectorXd::Zero(views.x.rows()), VectorXd::Zero(views.y.rows())};
  if (x.empty() || y.empty()) return pair;
  const MatrixXd left = freeDirections(views.x, x, views.taken_x);
  const MatrixXd right = freeDirections(views.y, y, views.taken_y);
  const SingularPairs found = singularPairs(between(left, views.cross(x, y), right));
  if (found.values.size() == 0 || found.values[0] <= 0) return pair;
  pair.x(x) = left * found.left.col(0);
  pair.y(y) = right * found.right.col(0);
  pair.value = std::min(1.0, found.values[0]);
  return pair;
}

void append(MatrixXd& columns, const VectorXd& column) {
  columns.conservativeResize(column.size(), columns.cols() + 1);
  columns.rightCols(1) = column;
}

/// Sets weights and loadings of a component from a direction.
void fillView(const NoisyCovariance& data, const std::vector<int>& features, const MatrixXd& clean,
              const VectorXd& direction, Index component, CanonicalView& view) {
  const VectorXd along = clean * direction;
  const double variance = direction.dot(along);
  if (variance <= kNoVariance * direction.squaredNorm()) return;
  const VectorXd inverse = inverseSds(clean);
  for (Index i = 0; i < direction.size(); ++i) {
    const double half = data.half[features[static_cast<std::size_t>(i)]];
    view.weights(i, component) = direction[i] / (half * std::sqrt(variance));
    view.loadings(i, component) =
        std::clamp(along[i] * inverse[i] / std::sqrt(variance), -1.0, 1.0);
  }
}

Status checkSparseCca(const SparseCcaInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return wrong;
  std::vector<bool> taken(static_cast<std::size_t>(input.covariance.rows()), false);
  if (const Status wrong = checkView(input.x, "x", taken)) return wrong;
  if (const Status wrong = checkView(input.y, "y", taken)) return wrong;
  if (const Status wrong = checkSparsity(input.sparsity)) return wrong;
  return checkComponents(input.components,
                         static_cast<Index>(std::min(input.x.size(), input.y.size())));
}

}  // namespace

MatrixXd sparseProjection(const MatrixXd& covariance, const MatrixXd& penalties,
                          const MatrixXd& taken) {
  const Index d = covariance.rows();
  const MatrixXd basis = complement(taken);
  const double largest = covariance.cwiseAbs().maxCoeff();
  const double unit = largest > 0 ? 1 / largest : 1;
  MatrixXd z = zeros(d, d);
  MatrixXd multipliers = z;
  for (Rounds rounds;;) {
    const double weight = rounds.weight();
    Spectrum found =
        spectrum(between(basis, z - multipliers + covariance * (unit / weight), basis));
    // Moved so that the cap is reached: the trace is 1.
    found.values =
        projectOntoCappedSimplex((found.values.array() + 1 - found.values[0]).matrix(), 1);
    found.vectors = multiply(basis, found.vectors);
    const MatrixXd x = kRelaxation * compose(found) + (1 - kRelaxation) * z;
    const MatrixXd next = shrunk(x + multipliers, penalties * unit, weight);
    multipliers += x - next;
    const double factor = rounds.after((x - next).norm(), (next - z).norm());
    z = next;
    if (factor == 0) return z;
    multipliers /= factor;
  }
}

MatrixXd sparsePairing(const MatrixXd& cross, const MatrixXd& penalties, const MatrixXd& x,
                       const MatrixXd& y, const MatrixXd& taken_x, const MatrixXd& taken_y) {
  // In units of each feature's standard deviation; the programme is the same.
  const VectorXd unit_x = inverseSds(x);
  const VectorXd unit_y = inverseSds(y);
  const MatrixXd c = inUnits(unit_x, cross, unit_y);
  const MatrixXd p = inUnits(unit_x, penalties, unit_y);
  const Spectrum of_x = spectrum(inUnits(unit_x, x, unit_x));
  const Spectrum of_y = spectrum(inUnits(unit_y, y, unit_y));
  const MatrixXd root_x = rootOf(of_x);
  const MatrixXd root_y = rootOf(of_y);
  const auto free = [](const MatrixXd& root, const VectorXd& unit, const MatrixXd& taken) {
    const MatrixXd own =
        unit.unaryExpr([](double u) { return u > 0 ? 1 / u : 0; }).asDiagonal() * taken;
    return complement(multiply(root, own));
  };
  const MatrixXd free_x = free(root_x, unit_x, taken_x);
  const MatrixXd free_y = free(root_y, unit_y, taken_y);
  const MatrixXd share =
      (1 + (of_x.values.cwiseMax(0.0) * of_y.values.cwiseMax(0.0).transpose()).array()).inverse();

  MatrixXd z = zeros(c.rows(), c.cols());
  MatrixXd whole = z;  // the whitened copy, in the ball of the nuclear norm
  MatrixXd multipliers = z;
  MatrixXd multipliers_of_whole = z;
  for (Rounds rounds;;) {
    const double weight = rounds.weight();
    const MatrixXd wanted =
        z - multipliers + c / weight + between(root_x, whole - multipliers_of_whole, root_y);
    const MatrixXd solved = share.cwiseProduct(between(of_x.vectors, wanted, of_y.vectors));
    const MatrixXd a = multiply(multiply(of_x.vectors, solved), of_y.vectors.transpose());
    const MatrixXd near = kRelaxation * a + (1 - kRelaxation) * z;
    const MatrixXd near_whole =
        kRelaxation * between(root_x, a, root_y) + (1 - kRelaxation) * whole;

    const MatrixXd next = shrunk(near + multipliers, p, weight);
    const SingularPairs pairs =
        singularPairs(between(free_x, near_whole + multipliers_of_whole, free_y));
    const VectorXd values = projectOntoCappedSimplex(pairs.values, 1);
    const MatrixXd next_whole = multiply(
        multiply(multiply(free_x, pairs.left) * values.asDiagonal(), pairs.right.transpose()),
        free_y.transpose());
    multipliers += near - next;
    multipliers_of_whole += near_whole - next_whole;
    const double apart = std::hypot((near - next).norm(), (near_whole - next_whole).norm());
    const double moved = std::hypot((next - z).norm(), (next_whole - whole).norm());
    z = next;
    whole = next_whole;
    const double factor = rounds.after(apart, moved);
    if (factor == 0) return inUnits(unit_x, z, unit_y);
    multipliers /= factor;
    multipliers_of_whole /= factor;
  }
}

Result<SparsePca> sparsePca(const SparsePcaInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return *wrong;
  if (const Status wrong = checkComponents(input.components, input.covariance.rows())) {
    return *wrong;
  }
  if (const Status wrong = checkSparsity(input.sparsity)) return *wrong;
  if (hasNeedlessFrame(input)) return sparsePca(withoutFrame(input));
  const Index d = input.covariance.rows();
  const double entries = 0.5 * double(d) * double(d + 1);
  const MatrixXd covariance = input.frame.covariance(input.covariance);
  const MatrixXd levels = input.frame.covariance(entryLevels(input, 0, entries));
  const MatrixXd penalties =
      input.sparsity * input.frame.covariance(entryLevels(input, input.rows, entries));
  const MatrixXd clean = cleanCovariance(input, spectrum(covariance));
  const double total = clean.trace();
  const VectorXd inverse = inverseSds(clean);

  SparsePca result;
  result.noise_floor = varianceFloor(input);
  result.loadings.resize(d, 0);
  result.correlations = zeros(d, input.components);
  for (int j = 0; j < input.components; ++j) {
    const std::vector<int> features =
        input.sparsity == 0 ? allOf(d)
                            : supportOf(sparseProjection(covariance, penalties, result.loadings));
    const VectorXd loadings = leadingOf(covariance, features, result.loadings);
    append(result.loadings, loadings);
    const VectorXd along = clean * loadings;
    SparseComponent component;
    component.value = std::max(0.0, loadings.dot(along));
    component.share = total > 0 ? component.value / total : 0;
    const VectorXd sizes = loadings.cwiseAbs();
    component.noise_floor = std::min(result.noise_floor, sizes.dot(levels * sizes));
    component.below_noise_floor = component.value <= component.noise_floor;
    component.nonzeros = nonzerosOf(loadings);
    result.explained.push_back(component);
    if (component.value <= kNoVariance) continue;
    for (Index i = 0; i < d; ++i) {
      const double correlation = along[i] * inverse[i] / std::sqrt(component.value);
      result.correlations(i, j) = std::clamp(correlation, -1.0, 1.0);
    }
  }
  result.weights = input.frame.half(input.half).cwiseInverse().asDiagonal() * result.loadings;
  return result;
}

Result<SparseCca> sparseCca(const SparseCcaInput& input) {
  if (const Status wrong = checkSparseCca(input)) return *wrong;
  if (hasNeedlessFrame(input)) return sparseCca(withoutFrame(input));
  const auto dx = static_cast<Index>(input.x.size());
  const auto dy = static_cast<Index>(input.y.size());
  const auto entries = double(dx * dy);
  std::vector<int> both = input.x;
  both.insert(both.end(), input.y.begin(), input.y.end());
  const MatrixXd clean = denoised(input.covariance(both, both), input.noise, input.trace_bound);
  const MatrixXd levels = entryLevels(input, input.rows, entries)(input.x, input.y);
  const auto ridged = [&](const MatrixXd& block) -> MatrixXd {
    const double ridge = kSparseRidge * spectralEdge(input.noise, static_cast<int>(block.rows()));
    return block + ridge * MatrixXd::Identity(block.rows(), block.rows());
  };
  SparseViews views{input.covariance(input.x, input.y), ridged(clean.topLeftCorner(dx, dx)),
                    ridged(clean.bottomRightCorner(dy, dy)), MatrixXd(dx, 0), MatrixXd(dy, 0)};

  const MatrixXd none_x = zeros(dx, input.components);
  const MatrixXd none_y = zeros(dy, input.components);
  std::vector<CanonicalView> found{{none_x, none_x}, {none_y, none_y}};
  SparseCca result;
  for (int j = 0; j < input.components; ++j) {
    MatrixXd chosen = MatrixXd::Constant(dx, dy, input.sparsity == 0 ? 1 : 0);
    const bool ended = j > 0 && result.correlations.back().value == 0;
    if (input.sparsity > 0 && !ended) {
      chosen = sparsePairing(views.cross, input.sparsity * levels, views.x, views.y, views.taken_x,
                             views.taken_y);
    }
    const SparseDirections directions =
        leadingPairOf(views, supportOf(chosen), supportOf(chosen.transpose()));
    SparsePair pair;
    pair.value = directions.value;
    pair.noise_floor = std::min(1.0, directions.x.cwiseAbs().dot(levels * directions.y.cwiseAbs()));
    fillView(input, input.x, clean.topLeftCorner(dx, dx), directions.x, j, found[0]);
    fillView(input, input.y, clean.bottomRightCorner(dy, dy), directions.y, j, found[1]);
    pair.below_noise_floor = pair.value <= pair.noise_floor || !hasVariates(found, j);
    pair.nonzeros_x = nonzerosOf(found[0].weights.col(j));
    pair.nonzeros_y = nonzerosOf(found[1].weights.col(j));
    result.correlations.push_back(pair);
    append(views.taken_x, directions.x);
    append(views.taken_y, directions.y);
  }
  orient(found);
  result.x = found[0];
  result.y = found[1];
  return result;
}

}  // namespace pm
