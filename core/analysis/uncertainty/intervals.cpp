#include "core/analysis/uncertainty/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/analysis/methods/indicators.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/normal.hpp"
#include "core/analysis/uncertainty/detail_intervals.hpp"
#include "core/analysis/uncertainty/shared_values.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// With hidden directions, noise can raise a value beyond what draws show, by up to this share of
/// its floor (from experiments/real_coverage).
constexpr double kLiftOfHidden = 0.6;

/// Values of at least this are 1 with rounding errors.
constexpr double kLeastOne = 1 - 1e-9;

/// The estimator of weights and loadings of CCA or GCCA.
using FindVariates = std::vector<CanonicalView> (*)(const Views& views, int components);

/// [-most, most], extended to include the figure.
Interval about(double figure, double most) {
  return {std::min(figure, -most), std::max(figure, most)};
}

/// Weights for z (without `Frame::mix`) and loadings of all views, as one vector, drawn repeatedly
/// to measure their spread. The sign of each variate is that for which it agrees with the observed
/// one. Only the first `drawn` components are drawn: intervals of those below their floors do not
/// depend on draws.
class VariateFigures {
 public:
  VariateFigures(const NoisyCovariance& data, const std::vector<std::vector<int>>& views, int k,
                 int drawn, FindVariates find)
      : data_(data), views_(views), components_(k), drawn_(drawn), find_(find) {
    data_.half.setOnes();
    const Views own(data_, views_);
    observed_ = find_(own, k);
    orient(observed_);
    for (std::size_t v = 0; v < observed_.size(); ++v) {
      towards_.push_back(own.covariances(static_cast<int>(v), observed_[v]));
      size_ += 2 * drawn * static_cast<int>(towards_.back().rows());
    }
  }

  int size() const { return size_; }

  /// Precondition: size() > 0.
  /// @param tied number of leading components of which any rotation is as good, as all have the
  /// value 1
  VectorXd of(const ScaledMoments& moments, int tied = 0) const {
    NoisyCovariance drawn = data_;
    drawn.covariance = moments.scaled_covariance;
    drawn.noise = moments.covariance_noise;
    std::vector<CanonicalView> found = find_(Views(drawn, views_), std::max(drawn_, tied));
    if (tied > 1) rotateToObserved(found, tied);
    for (Index j = 0; j < drawn_; ++j) {
      double agreement = 0;
      for (std::size_t v = 0; v < found.size(); ++v) {
        for (Index i = 0; i < towards_[v].rows(); ++i) {
          agreement += found[v].weights(i, j) * towards_[v](i, j);
        }
      }
      if (agreement >= 0) continue;
      for (CanonicalView& view : found) turn(view, j);
    }
    return packed(found);
  }

  /// @param values intervals of the components
  std::vector<ViewIntervals> intervals(const DetailDraws& draws, double level,
                                       const std::vector<FigureInterval>& values,
                                       const SharedValues& shared, const VectorXd& half) const {
    const double z = normalReach(level);
    std::vector<ViewIntervals> result;
    Index start = 0;  // of the view's draws
    for (std::size_t v = 0; v < views_.size(); ++v) {
      const auto d = static_cast<Index>(views_[v].size());
      const VectorXd most = shared.mostWeights(v);
      const MatrixXd none(d, components_);
      ViewIntervals view{
          none, none, none, none, MatrixXd::Ones(d, components_), MatrixXd::Ones(d, components_)};
      for (Index j = 0; j < components_; ++j) {
        const bool below = values[static_cast<std::size_t>(j)].below_noise_floor;
        for (Index i = 0; i < d; ++i) {
          const double own_weight = observed_[v].weights(i, j);
          const double own_loading = observed_[v].loadings(i, j);
          const Index place = start + j * d + i;
          const Index of_loading = place + d * drawn_;
          const double unit = half[views_[v][static_cast<std::size_t>(i)]];
          const double any = most[i] > 0 ? 1 : 0;
          const Interval weight =
              below ? about(own_weight, most[i]) : weightAt(own_weight, place, draws, z);
          const Interval loading =
              below ? about(0, any) : loadingAt(own_loading, of_loading, draws, z);
          view.weights_low(i, j) = weight.low / unit;
          view.weights_high(i, j) = weight.high / unit;
          view.loadings_low(i, j) = loading.low;
          view.loadings_high(i, j) = loading.high;
          if (below) continue;
          view.weights_p(i, j) = pValueAt(own_weight, false, place, draws);
          view.loadings_p(i, j) = pValueAt(own_loading, true, of_loading, draws);
        }
      }
      start += 2 * d * drawn_;
      result.push_back(view);
    }
    return result;
  }

 private:
  /// Rotates the first `tied` components to agree best with the observed ones (Schönemann 1966),
  /// and keeps those that are drawn.
  void rotateToObserved(std::vector<CanonicalView>& found, int tied) const {
    const Index kept = std::min(drawn_, tied);
    MatrixXd agreement = MatrixXd::Zero(tied, kept);
    for (std::size_t v = 0; v < found.size(); ++v) {
      agreement += multiplyTransposed(found[v].weights.leftCols(tied), towards_[v].leftCols(kept));
    }
    const SingularPairs pairs = singularPairs(agreement);
    const bool has_rotation = pairs.values[kept - 1] > 0;
    const MatrixXd rotation = multiply(pairs.left, transposed(pairs.right));
    for (CanonicalView& view : found) {
      for (MatrixXd* figures : {&view.weights, &view.loadings}) {
        if (has_rotation) figures->leftCols(kept) = multiply(figures->leftCols(tied), rotation);
        *figures = figures->leftCols(drawn_).eval();
      }
    }
  }

  VectorXd packed(const std::vector<CanonicalView>& views) const {
    VectorXd result(size_);
    double* next = result.data();
    for (const CanonicalView& view : views) {
      for (const MatrixXd* figures : {&view.weights, &view.loadings}) {
        next = std::copy_n(figures->data(), figures->size(), next);
      }
    }
    return result;
  }

  NoisyCovariance data_;
  std::vector<std::vector<int>> views_;
  int components_;
  int drawn_;
  FindVariates find_;
  std::vector<MatrixXd>
      towards_;  ///< for each view, features x k: covariances with the observed variates
  int size_ = 0;
  std::vector<CanonicalView> observed_;
};

/// Shared values in the form that analyses report.
struct Reported {
  std::vector<double> values;
  std::vector<FigureInterval> figures;  ///< without low and high
  int hidden = 0;                       ///< number of raised directions of all views
  int visible = 0;                      ///< number up to the last above its floor
};

template <class Figures>
Reported reportedOf(const Figures& figures, const std::vector<int>& hidden) {
  Reported reported;
  for (const auto& figure : figures) {
    reported.values.push_back(figure.value);
    reported.figures.push_back({{}, figure.noise_floor, figure.below_noise_floor});
    if (!figure.below_noise_floor) reported.visible = static_cast<int>(reported.values.size());
  }
  reported.hidden = std::accumulate(hidden.begin(), hidden.end(), 0);
  return reported;
}

/// The analysis of the bootstrap's moments, from which the rest of `input` is set.
Result<Reported> report(const Bootstrap& bootstrap, CcaInput& input) {
  setFrom(bootstrap, input);
  input.rows = bootstrap.rows();
  const Result<Cca> analysed = cca(input);
  if (!analysed.ok()) return analysed.error();
  return reportedOf(analysed.value().correlations, analysed.value().hidden);
}

Result<Reported> report(const Bootstrap& bootstrap, GccaInput& input) {
  setFrom(bootstrap, input);
  input.rows = bootstrap.rows();
  const Result<Gcca> analysed = gcca(input);
  if (!analysed.ok()) return analysed.error();
  return reportedOf(analysed.value().components, analysed.value().hidden);
}

/// Widens intervals for h hidden directions in all views together. Another direction in a view
/// raises a value at most to the one before it (Cauchy's interlacing), so it may be as high as the
/// h-th before it, and the first h may be 1. Noise in raised directions raises values by more than
/// draws show, so the lower end is at least a share of the floor below the value.
void widenForHidden(const Reported& reported, std::vector<FigureInterval>& values) {
  const auto h = static_cast<std::size_t>(reported.hidden);
  if (h == 0) return;
  for (std::size_t j = values.size(); j-- > 0;) {
    FigureInterval& figure = values[j];
    figure.high = j < h ? 1 : std::max(figure.high, values[j - h].high);
    const double least = reported.values[j] - kLiftOfHidden * figure.noise_floor;
    figure.low = std::min(figure.low, std::max(0.0, least));
  }
}

/// Figures of draws, and of a population itself, in which noise may have raised several values
/// to 1.
VectorXd figuresOf(const ScaledMoments& moments, const VariateFigures& variates,
                   const SharedValues& shared) {
  if (!isNoiseless(moments.covariance_noise)) return variates.of(moments);
  const VectorXd values = shared.of(moments.scaled_covariance, moments.covariance_noise);
  return variates.of(moments, static_cast<int>((values.array() >= kLeastOne).count()));
}

/// The family without floors. `shared` and `variates` must outlive it.
Family familyOf(const SharedValues& shared, const VariateFigures& variates,
                const NoisyCovariance& data, int k) {
  Family family;
  family.details = Details{variates.size(),
                           [&variates, &shared](const ScaledMoments& moments) {
                             return figuresOf(moments, variates, shared);
                           },
                           [&shared](const VectorXd& shift) { return shared.allMoved(shift); }};
  family.parameters = k;
  family.scales.assign(static_cast<std::size_t>(k), Scale::kCorrelation);
  family.statistic = [&shared](const ScaledMoments& moments) {
    return shared.of(moments.scaled_covariance, moments.covariance_noise);
  };
  family.observed = shared.of(data.covariance, data.noise);
  family.covariance = [&shared](const VectorXd& shift) { return shared.covariance(shift); };
  return family;
}

/// `parts`, the draws of a simulation that was run in parts; if empty, the draws of a new
/// simulation.
std::vector<MatrixXd> allDraws(const Bootstrap& bootstrap, const Family& family,
                               const std::vector<MatrixXd>& parts) {
  return parts.empty() ? std::vector<MatrixXd>{bootstrap.simulate(family)} : parts;
}

Result<SharedIntervals> sharedIntervals(const Bootstrap& bootstrap, const NoisyCovariance& data,
                                        const std::vector<std::vector<int>>& views,
                                        FindVariates find, const Reported& reported,
                                        const std::vector<MatrixXd>& parts) {
  const auto k = static_cast<int>(reported.values.size());
  const SharedValues shared(data, views, k);
  const VariateFigures variates(data, views, k, reported.visible, find);
  Family family = familyOf(shared, variates, data, k);
  SharedIntervals result;
  result.values = reported.figures;
  for (std::size_t j = 0; j < result.values.size(); ++j) {
    const double lifted = family.observed[static_cast<Index>(j)] - reported.values[j];
    family.floors.push_back(result.values[j].noise_floor + lifted);
  }
  const std::vector<MatrixXd> draws = allDraws(bootstrap, family, parts);
  const Result<std::vector<Interval>> intervals = bootstrap.intervals(family, draws);
  if (!intervals.ok()) return intervals.error();
  for (std::size_t j = 0; j < result.values.size(); ++j) {
    static_cast<Interval&>(result.values[j]) = intervals.value()[j];
  }
  widenForHidden(reported, result.values);
  result.views = variates.intervals(bootstrap.details(family, draws).value(), bootstrap.level(),
                                    result.values, shared, data.half);
  result.resolved = reported.hidden == 0;
  return result;
}

MatrixXd sharedDraws(const Bootstrap& bootstrap, const NoisyCovariance& data,
                     const std::vector<std::vector<int>>& views, FindVariates find,
                     const Reported& reported, DrawPart part) {
  const auto k = static_cast<int>(reported.values.size());
  const SharedValues shared(data, views, k);
  const VariateFigures variates(data, views, k, reported.visible, find);
  return bootstrap.simulate(familyOf(shared, variates, data, k), part);
}

/// Intervals of rotated figures whose draws begin at index `place`.
RotationIntervals rotationIntervals(const RotatedComponents& own, Index place,
                                    const DetailDraws& draws, double z) {
  RotationIntervals result;
  matrixIntervals(own.weights, false, draws, z, place, result.weights_low, result.weights_high);
  // With uncorrelated scores the pattern is the structure.
  const bool are_angles = own.phi.isIdentity(0);
  matrixIntervals(own.pattern, are_angles, draws, z, place, result.pattern_low,
                  result.pattern_high);
  matrixIntervals(own.structure, true, draws, z, place, result.structure_low,
                  result.structure_high);
  matrixIntervals(own.phi, true, draws, z, place, result.phi_low, result.phi_high);
  for (Index j = 0; j < own.shares.size(); ++j, ++place) {
    const Interval ends = weightAt(own.shares[j], place, draws, z);
    result.shares.push_back({std::clamp(ends.low, 0.0, 1.0), std::clamp(ends.high, 0.0, 1.0)});
  }
  return result;
}

/// Loadings and structure correlations of principal components, as one vector, drawn repeatedly to
/// measure their spread. The sign of each component is that for which it agrees with the observed
/// one.
class PrincipalFigures {
 public:
  explicit PrincipalFigures(const PcaInput& input)
      : data_(input), observed_(principalComponents(input)) {
    data_.rotation = Rotation::kNone;  // in draws, of as many components as in the report
    rotation_ = input.rotation;
    size_ = static_cast<int>(pcaDrawRows(input)) - 2 * input.components;
  }

  const Pca& observed() const { return observed_; }
  int size() const { return size_; }

  VectorXd of(const ScaledMoments& moments) const {
    PcaInput drawn = data_;
    drawn.covariance = moments.scaled_covariance;
    drawn.noise = moments.covariance_noise;
    const Pca found = principalComponents(drawn);
    const Index d = found.loadings.rows();
    const Index count = found.loadings.size();
    VectorXd result = VectorXd::Zero(size());
    if (observed_.rotated) {
      const RotatedComponents& own = *observed_.rotated;
      double* next = result.data() + 2 * count;
      const RotatedComponents drawn_again =
          rotatedComponents(found, own.components, rotation_, own.structure);
      for (const MatrixXd* figures :
           {&drawn_again.weights, &drawn_again.pattern, &drawn_again.structure, &drawn_again.phi}) {
        next = std::copy_n(figures->data(), figures->size(), next);
      }
      std::copy_n(drawn_again.shares.data(), drawn_again.shares.size(), next);
    }
    for (Index start = 0; start < count; start += d) {
      const double* loadings = found.loadings.data() + start;
      const double* observed = observed_.loadings.data() + start;
      const double sign = std::inner_product(loadings, loadings + d, observed, 0.0) < 0 ? -1 : 1;
      for (Index place = start; place < start + d; ++place) {
        result[place] = sign * found.loadings.data()[place];
        result[count + place] = sign * found.correlations.data()[place];
      }
    }
    return result;
  }

  /// Fills in the intervals of weights, loadings and correlations.
  void intervals(const DetailDraws& draws, double level, PcaIntervals& result) const {
    const double z = normalReach(level);
    const MatrixXd& loadings = observed_.loadings;
    const VectorXd half = data_.frame.half(data_.half);
    for (MatrixXd* ends : {&result.weights_low, &result.weights_high, &result.loadings_low,
                           &result.loadings_high, &result.correlations_low,
                           &result.correlations_high, &result.loadings_p, &result.correlations_p}) {
      ends->setOnes(loadings.rows(), loadings.cols());
    }
    Index place = 0;
    for (Index j = 0; j < loadings.cols(); ++j) {
      const bool below = result.values[static_cast<std::size_t>(j)].below_noise_floor;
      for (Index i = 0; i < loadings.rows(); ++i, ++place) {
        const auto at = [&](const MatrixXd& figures, Index drawn) {
          return below ? Interval{-1, 1} : loadingAt(figures(i, j), drawn, draws, z);
        };
        const Interval loading = at(loadings, place);
        const Interval correlation = at(observed_.correlations, loadings.size() + place);
        result.loadings_low(i, j) = loading.low;
        result.loadings_high(i, j) = loading.high;
        result.weights_low(i, j) = loading.low / half[i];
        result.weights_high(i, j) = loading.high / half[i];
        result.correlations_low(i, j) = correlation.low;
        result.correlations_high(i, j) = correlation.high;
        if (below) continue;
        const Index other = loadings.size() + place;
        result.loadings_p(i, j) = pValueAt(loadings(i, j), true, place, draws);
        result.correlations_p(i, j) = pValueAt(observed_.correlations(i, j), true, other, draws);
      }
    }
    if (observed_.rotated) {
      result.rotated = rotationIntervals(*observed_.rotated, 2 * loadings.size(), draws, z);
    }
  }

 private:
  PcaInput data_;
  Pca observed_;
  Rotation rotation_ = Rotation::kNone;
  int size_ = 0;
};

/// Adds what clipping may have taken from a variance, up to `lost` of the trace, and from the rest
/// of the trace in its share.
void widenForClipping(double total, double lost, Interval& variance, Interval& share) {
  if (lost <= 0 || total <= 0) return;
  variance.high += lost;
  share.low *= total / (total + lost);
  share.high = (share.high * total + lost) / (total + lost);
}

/// The decomposition of the covariance in scaled units.
Spectrum spectrumOf(const NoisyCovariance& data) {
  return spectrum(data.frame.covariance(data.covariance));
}

/// Denoised variances along the eigenvectors of the noisy covariance, scaled units.
VectorXd cleanVariances(const NoisyCovariance& data, const Spectrum& found) {
  const MatrixXd clean = cleanCovariance(data, found);
  if (data.frame.isIdentity()) return eigenvalues(clean);
  return found.vectors.cwiseProduct(multiply(clean, found.vectors)).colwise().sum().transpose();
}

/// The family without floors: eigenvalues and directions are those in scaled units, covariances of
/// populations are those of z. `found` and `components` must outlive it.
Family familyOf(const Spectrum& found, const PrincipalFigures& components, const PcaInput& input) {
  const int k = input.components;
  const Frame frame = input.frame;
  const auto figures = [k](const MatrixXd& covariance, const VectorXd& eigenvalues) {
    VectorXd result(2 * k);
    const double total = covariance.trace();
    for (int j = 0; j < k; ++j) {
      result[j] = eigenvalues[j];
      result[k + j] = eigenvalues[j] * (total > 0 ? 1 / total : 0);
    }
    return result;
  };
  Family family;
  family.parameters = k;
  family.scales.assign(static_cast<std::size_t>(k), Scale::kVariance);
  family.scales.insert(family.scales.end(), static_cast<std::size_t>(k), Scale::kShare);
  family.statistic = [figures, frame](const ScaledMoments& moments) {
    const MatrixXd covariance = frame.covariance(moments.scaled_covariance);
    return figures(covariance, eigenvalues(covariance));
  };
  family.observed = figures(frame.covariance(input.covariance), found.values);
  family.covariance = [&found, frame, k](const VectorXd& shift) {
    Spectrum moved = found;
    moved.values.head(k) += shift;
    moved.values = moved.values.cwiseMax(0.0);
    return frame.covarianceOfZ(compose(moved));
  };
  const VectorXd clean = cleanVariances(input, found);
  family.details =
      Details{components.size(),
              [&components](const ScaledMoments& moments) { return components.of(moments); },
              [&found, frame, clean, k](const VectorXd& shift) {
                Spectrum likely{clean, found.vectors};
                double* values = likely.values.data();
                for (Index j = 0; j < clean.size(); ++j) {
                  values[j] = j < k ? std::max(found.values[j], 0.0) + shift[j]
                                    : std::min(clean[j], values[k - 1]);
                }
                return frame.covarianceOfZ(compose(likely));
              }};
  return family;
}

}  // namespace

Result<SharedIntervals> ccaIntervals(const Bootstrap& bootstrap, CcaInput input,
                                     const std::vector<MatrixXd>& parts) {
  const Result<Reported> reported = report(bootstrap, input);
  if (!reported.ok()) return reported.error();
  return sharedIntervals(bootstrap, input, {input.x, input.y}, &ccaVariates, reported.value(),
                         parts);
}

Result<MatrixXd> ccaDraws(const Bootstrap& bootstrap, CcaInput input, DrawPart part) {
  const Result<Reported> reported = report(bootstrap, input);
  if (!reported.ok()) return reported.error();
  return sharedDraws(bootstrap, input, {input.x, input.y}, &ccaVariates, reported.value(), part);
}

Result<SharedIntervals> gccaIntervals(const Bootstrap& bootstrap, GccaInput input,
                                      const std::vector<MatrixXd>& parts) {
  const Result<Reported> reported = report(bootstrap, input);
  if (!reported.ok()) return reported.error();
  return sharedIntervals(bootstrap, input, input.views, &gccaVariates, reported.value(), parts);
}

Result<MatrixXd> gccaDraws(const Bootstrap& bootstrap, GccaInput input, DrawPart part) {
  const Result<Reported> reported = report(bootstrap, input);
  if (!reported.ok()) return reported.error();
  return sharedDraws(bootstrap, input, input.views, &gccaVariates, reported.value(), part);
}

MomentErrors momentErrors(const MomentSums& sums, const AssembledMoments& moments) {
  const double n = moments.rows;
  const double c = sums.constant;
  const double linear = std::pow(sums.noise.linear / (c * n), 2);
  const double count = std::pow(sums.noise.count / (c * c * n), 2);
  const VectorXd& mean = moments.scaled_mean;
  const MatrixXd& covariance = moments.scaled_covariance;
  const VectorXd variances = covariance.diagonal().cwiseMax(0.0);
  const Index d = mean.size();
  // How many times fewer rows than n an entry is from, by its two features.
  const bool has_gaps = sums.gaps.excess.size() > 0;
  const VectorXd gaps = has_gaps ? VectorXd(sums.gaps.excess.array() + 1) : VectorXd::Ones(d);
  const double sampled = has_gaps ? sums.gaps.rows : n;
  MomentErrors errors{n * std::sqrt(count), VectorXd(d), MatrixXd(d, d)};
  for (Index i = 0; i < d; ++i) {
    errors.mean[i] = sums.half[i] * std::sqrt(linear + count * mean[i] * mean[i] +
                                              variances[i] * gaps[i] / sampled);
    for (Index j = 0; j < d; ++j) {
      const double products = (i == j ? sums.noise.diagonal : sums.noise.off_diagonal) / n;
      const double means = (i == j ? 2 : 1) * (mean[i] * mean[i] + mean[j] * mean[j]);
      const double slope = mean[i] * mean[j] - covariance(i, j);
      const double sampling = (variances[i] * variances[j] + std::pow(covariance(i, j), 2)) *
                              gaps[i] * (i == j ? 1 : gaps[j]) / sampled;
      errors.covariance(i, j) =
          sums.half[i] * sums.half[j] *
          std::sqrt(products * products + linear * means + count * slope * slope + sampling);
    }
  }
  return errors;
}

Result<PcaIntervals> pcaIntervals(const Bootstrap& bootstrap, PcaInput input,
                                  const std::vector<MatrixXd>& parts) {
  setFrom(bootstrap, input);
  if (const Status wrong = checkPca(input)) return *wrong;

  const int k = input.components;
  const Spectrum found = spectrumOf(input);
  const PrincipalFigures components(input);
  const Pca& analysed = components.observed();
  Family family = familyOf(found, components, input);
  const double floor = analysed.noise_floor;
  const double total = input.frame.covariance(input.covariance).trace();
  family.floors.assign(2 * static_cast<std::size_t>(k), 0);
  for (std::size_t j = 0; floor > 0 && j < analysed.explained.size(); ++j) {
    // Reported values are denoised; the family's numbers are not.
    const double lifted = floor + found.values[static_cast<Index>(j)] - analysed.explained[j].value;
    family.floors[j] = lifted;
    family.floors[j + static_cast<std::size_t>(k)] = total > 0 ? lifted / total : 0;
  }
  const std::vector<MatrixXd> draws = allDraws(bootstrap, family, parts);
  const Result<std::vector<Interval>> intervals = bootstrap.intervals(family, draws);
  if (!intervals.ok()) return intervals.error();

  PcaIntervals result;
  const auto count = static_cast<std::size_t>(k);
  for (std::size_t j = 0; j < count; ++j) {
    const Explained& explained = analysed.explained[j];
    result.values.push_back({intervals.value()[j], floor, explained.below_noise_floor});
    result.shares.push_back(intervals.value()[count + j]);
    widenForClipping(total, input.trace_lost, result.values.back(), result.shares.back());
  }
  components.intervals(bootstrap.details(family, draws).value(), bootstrap.level(), result);
  return result;
}

Index pcaDrawRows(const PcaInput& input) {
  const Index k = input.components;
  const Index d = input.half.size();
  const Index rotated = input.rotation == Rotation::kNone ? 0 : k * (3 * d + k + 1);
  return 2 * k * (1 + d) + rotated;
}

Result<MatrixXd> pcaDraws(const Bootstrap& bootstrap, PcaInput input, DrawPart part) {
  setFrom(bootstrap, input);
  if (const Status wrong = checkPca(input)) return *wrong;
  const Spectrum found = spectrumOf(input);
  const PrincipalFigures components(input);
  return bootstrap.simulate(familyOf(found, components, input), part);
}

}  // namespace pm
