#pragma once

#include <cmath>

#include "bindings/fields/fields.hpp"
#include "core/analysis/methods/adjustment.hpp"
#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/components.hpp"
#include "core/analysis/methods/factors.hpp"
#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/methods/lda.hpp"
#include "core/analysis/methods/pca.hpp"
#include "core/analysis/methods/pls.hpp"
#include "core/analysis/methods/regression.hpp"
#include "core/analysis/methods/sparse.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/gaps.hpp"
#include "core/analysis/noise/moments.hpp"
#include "core/analysis/uncertainty/factor_intervals.hpp"
#include "core/analysis/uncertainty/forecast.hpp"
#include "core/analysis/uncertainty/intervals.hpp"
#include "core/matrix/packed.hpp"

namespace pm {

template <class Field>
void fields(Field& field, const AssembledMoments& moments) {
  field("rows", moments.rows);
  field("mean", moments.mean, "Original units.");
  field("covariance", moments.covariance);
  field("covarianceSd", moments.covariance_sd);
  field("scaledCovariance", moments.scaled_covariance);
  field("secondMoments", moments.second_moments,
        "Sums in scaled units, constant coordinate first.");
  field("meanNoise", moments.mean_noise,
        "The means times the standard deviation of their noise, scaled units.");
  field("covarianceSdDiagonal", moments.covariance_noise.diagonal);
  field("covarianceSdOffDiagonal", moments.covariance_noise.off_diagonal);
}

template <class Field>
void fields(Field& field, const Gaps& gaps) {
  field("cells", gaps.cells, "Estimated number of rows without a value in each column.");
  field("cellsSd", gaps.cells_sd, "Standard deviation of the noise in each.");
  field("first", gaps.first, "The two columns that the fewest rows have both of.");
  field("second", gaps.second);
  field("fewest", gaps.fewest, "Estimated number of these rows.");
  field("fewestSd", gaps.fewest_sd);
  field("rows", gaps.rows, "Number of rows of the study.");
}

template <class Field>
void fields(Field& field, const WithoutGaps& complete) {
  const MomentSums& sums = complete.sums;
  const double counted = sums.packed.empty() ? 0 : sums.packed[0];
  field("sums", sums.packed);
  field("rows", counted / (sums.constant * sums.constant));
  field("centre", sums.frame.centre);
  field("units", sums.frame.units);
  field("noiseCentres", sums.noise_centres);
  field("diagonal", sums.noise.diagonal, "Standard deviations of the noise in the sums.");
  field("offDiagonal", sums.noise.off_diagonal);
  field("linear", sums.noise.linear);
  field("count", sums.noise.count);
  field("sampledRows", sums.gaps.rows);
  field("excess", sums.gaps.excess, "Empty for no gaps.");
  field("bound", complete.trace_bound);
  field("inflation", complete.inflation);
  field("gaps", complete.gaps);
}

template <class Field>
void fields(Field& field, const DenoisedMoments& denoised) {
  field.base(denoised.moments);
  field("signalEnergy", denoised.signal_energy);
  field("traceKept", denoised.trace_kept);
  field("shapeKept", denoised.shape_kept);
}

template <class Field>
void fields(Field& field, const Adjustment& adjustment) {
  const MomentSums& sums = adjustment.sums;
  field("sums", sums.packed, "In the coordinates of the frame, packed.");
  field("centre", sums.frame.centre);
  field("units", sums.frame.units);
  field("mix", sums.frame.mix);
  field("unmix", sums.frame.unmix);
  field("noiseMap", sums.noise_map);
  field("noiseCentres", sums.noise_centres, "Packed; empty if all are at z = 0.");
  field("coefficients", adjustment.coefficients, "Features x covariates, original units.");
  field("hidden", adjustment.hidden, "Directions of the covariates that noise hides.");
  field("betweenViews", adjustment.between_views);
  field("centreSpread", packedUpper(adjustment.centre_spread), "Packed; empty for none.");
}

template <class Field>
void fields(Field& field, const Explained& component) {
  field("value", component.value);
  field("share", component.share);
  field("belowNoiseFloor", component.below_noise_floor);
}

template <class Field>
void fields(Field& field, const RotatedComponents& rotated) {
  field("components", rotated.components, "Number of components above the noise floor.");
  field("weights", rotated.weights);
  field("pattern", rotated.pattern);
  field("structure", rotated.structure);
  field("phi", rotated.phi);
  field("shares", rotated.shares);
}

template <class Field>
void fields(Field& field, const Pca& analysis) {
  field("explained", analysis.explained);
  field("weights", analysis.weights);
  field("loadings", analysis.loadings);
  field("correlations", analysis.correlations);
  field("noiseFloor", analysis.noise_floor);
  field("rotated", analysis.rotated);
}

template <class Field>
void fields(Field& field, const CanonicalView& view) {
  field("weights", view.weights);
  field("loadings", view.loadings);
}

template <class Field>
void fields(Field& field, const CcaView& view) {
  field.base(static_cast<const CanonicalView&>(view));
  field("crossLoadings", view.cross_loadings);
  field("varianceExtracted", view.variance_extracted);
  field("redundancy", view.redundancy);
}

template <class Field>
void fields(Field& field, const CanonicalCorrelation& correlation) {
  field("value", correlation.value);
  field("noiseFloor", correlation.noise_floor);
  field("belowNoiseFloor", correlation.below_noise_floor);
}

template <class Field>
void fields(Field& field, const Cca& analysis) {
  field("correlations", analysis.correlations);
  field("x", analysis.x);
  field("y", analysis.y);
  field("noiseFloor", analysis.noise_floor);
  field("hidden", analysis.hidden,
        "For each view, the number of directions with less variance than the noise.");
}

template <class Field>
void fields(Field& field, const SharedComponent& component) {
  field("value", component.value);
  field("eigenvalue", component.eigenvalue);
  field("noiseFloor", component.noise_floor);
  field("belowNoiseFloor", component.below_noise_floor);
  field("correlations", component.correlations, "Views x views.");
}

template <class Field>
void fields(Field& field, const Gcca& analysis) {
  field("components", analysis.components);
  field("views", analysis.views);
  field("noiseFloor", analysis.noise_floor);
  field("hidden", analysis.hidden);
}

template <class Field>
void fields(Field& field, const Components& components) {
  field("loadings", components.loadings, "Features x components.");
  field("values", components.values, "Sums in scaled units; empty if unknown.");
}

template <class Field>
void fields(Field& field, const Interval& interval) {
  field("low", interval.low);
  field("high", interval.high);
}

template <class Field>
void fields(Field& field, const FigureInterval& figure) {
  field.base(static_cast<const Interval&>(figure));
  field("noiseFloor", figure.noise_floor, "Includes sampling error.");
  field("belowNoiseFloor", figure.below_noise_floor);
}

template <class Field>
void fields(Field& field, const ViewIntervals& intervals) {
  field("weightsLow", intervals.weights_low);
  field("weightsHigh", intervals.weights_high);
  field("loadingsLow", intervals.loadings_low);
  field("loadingsHigh", intervals.loadings_high);
  field("weightsP", intervals.weights_p, "Empty for principal components: those of the loadings.");
  field("loadingsP", intervals.loadings_p);
}

template <class Field>
void fields(Field& field, const SharedIntervals& intervals) {
  field("values", intervals.values);
  field("views", intervals.views);
}

template <class Field>
void fields(Field& field, const RotationIntervals& intervals) {
  field("weightsLow", intervals.weights_low);
  field("weightsHigh", intervals.weights_high);
  field("patternLow", intervals.pattern_low);
  field("patternHigh", intervals.pattern_high);
  field("structureLow", intervals.structure_low);
  field("structureHigh", intervals.structure_high);
  field("phiLow", intervals.phi_low);
  field("phiHigh", intervals.phi_high);
  field("shares", intervals.shares);
}

template <class Field>
void fields(Field& field, const PcaIntervals& intervals) {
  field("values", intervals.values);
  field("shares", intervals.shares);
  field.base(static_cast<const ViewIntervals&>(intervals));
  field("correlationsLow", intervals.correlations_low);
  field("correlationsHigh", intervals.correlations_high);
  field("correlationsP", intervals.correlations_p);
  field("rotated", intervals.rotated);
}

template <class Field>
void fields(Field& field, const Factor& factor) {
  field("value", factor.value);
  field("share", factor.share);
  field("eigenvalue", factor.eigenvalue);
  field("belowNoiseFloor", factor.below_noise_floor);
}

template <class Field>
void fields(Field& field, const FactorAnalysis& analysis) {
  field("factors", analysis.factors);
  field("weights", analysis.weights);
  field("pattern", analysis.pattern);
  field("structure", analysis.structure);
  field("phi", analysis.phi);
  field("uniquenesses", analysis.uniquenesses);
  field("communalities", analysis.communalities);
  field("heywood", analysis.heywood);
  field("noiseFloor", analysis.noise_floor);
  field("rotated", analysis.rotated);
  field("residual", analysis.residual);
}

template <class Field>
void fields(Field& field, const FactorIntervals& intervals) {
  field("values", intervals.values);
  field("weightsLow", intervals.weights_low);
  field("weightsHigh", intervals.weights_high);
  field("patternLow", intervals.pattern_low);
  field("patternHigh", intervals.pattern_high);
  field("structureLow", intervals.structure_low);
  field("structureHigh", intervals.structure_high);
  field("phiLow", intervals.phi_low);
  field("phiHigh", intervals.phi_high);
  field("uniquenesses", intervals.uniquenesses);
  field("communalities", intervals.communalities);
}

template <class Field>
void fields(Field& field, const MomentErrors& errors) {
  field("rows", errors.rows);
  field("mean", errors.mean, "Original units.");
  field("covariance", errors.covariance);
}

template <class Field>
void fields(Field& field, const RegressionFigure& figure) {
  field("value", figure.value);
  field("low", figure.low, "0 if no interval was requested.");
  field("high", figure.high);
  field("p", figure.p, "1 if no interval was requested.");
  field("noiseFloor", figure.noise_floor);
  field("belowNoiseFloor", figure.below_noise_floor);
}

template <class Field>
void fields(Field& field, const Regression& regression) {
  field("coefficients", regression.coefficients);
  field("intercept", regression.intercept);
  field("r2", regression.r2);
  field("residualSd", regression.residual_sd);
}

template <class Field>
void fields(Field& field, const SparseComponent& component) {
  field("value", component.value);
  field("share", component.share);
  field("noiseFloor", component.noise_floor);
  field("belowNoiseFloor", component.below_noise_floor);
  field("nonzeros", component.nonzeros);
}

template <class Field>
void fields(Field& field, const SparsePca& analysis) {
  field("explained", analysis.explained);
  field("weights", analysis.weights);
  field("loadings", analysis.loadings);
  field("correlations", analysis.correlations);
  field("noiseFloor", analysis.noise_floor);
}

template <class Field>
void fields(Field& field, const SparsePair& pair) {
  field("value", pair.value);
  field("noiseFloor", pair.noise_floor);
  field("belowNoiseFloor", pair.below_noise_floor);
  field("nonzerosX", pair.nonzeros_x);
  field("nonzerosY", pair.nonzeros_y);
}

template <class Field>
void fields(Field& field, const SparseCca& analysis) {
  field("correlations", analysis.correlations);
  field("x", analysis.x);
  field("y", analysis.y);
}

template <class Field>
void fields(Field& field, const PlsView& view) {
  field("weights", view.weights);
  field("loadings", view.loadings);
}

template <class Field>
void fields(Field& field, const PlsPair& pair) {
  field("value", pair.value);
  field("share", pair.share);
  field("correlation", pair.correlation);
  field("noiseFloor", pair.noise_floor);
  field("belowNoiseFloor", pair.below_noise_floor);
}

template <class Field>
void fields(Field& field, const PlsCorrelation& analysis) {
  field("pairs", analysis.pairs);
  field("saliencesX", analysis.saliences_x);
  field("saliencesY", analysis.saliences_y);
  field("x", analysis.x);
  field("y", analysis.y);
  field("noiseFloor", analysis.noise_floor);
  field("hidden", analysis.hidden);
}

template <class Field>
void fields(Field& field, const PlsComponent& component) {
  field("value", component.value);
  field("shareOfFeatures", component.share_features);
  field("shareOfTargets", component.share_targets);
  field("noiseFloor", component.noise_floor);
  field("belowNoiseFloor", component.below_noise_floor);
}

template <class Field>
void fields(Field& field, const PlsRegression& analysis) {
  field("components", analysis.components);
  field("features", analysis.features);
  field("targetLoadings", analysis.target_loadings, "Targets x components.");
  field("used", analysis.used);
  field("coefficients", analysis.coefficients, "Features x targets, original units.");
  field("intercepts", analysis.intercepts);
  field("r2", analysis.r2);
  field("residualSd", analysis.residual_sd);
  field("noiseFloor", analysis.noise_floor);
  field("hidden", analysis.hidden);
}

template <class Field>
void fields(Field& field, const DiscriminantClass& described) {
  field("share", described.share);
  field("belowNoiseFloor", described.below_noise_floor);
}

template <class Field>
void fields(Field& field, const Lda& analysis) {
  field("correlations", analysis.correlations);
  field("weights", analysis.weights);
  field("loadings", analysis.loadings);
  field("classes", analysis.classes);
  field("means", analysis.means, "Classes x features, original units.");
  field("centroids", analysis.centroids, "Classes x components.");
  field("noiseFloor", analysis.noise_floor);
  field("hidden", analysis.hidden);
}

template <class Field>
void fields(Field& field, const CorrelationForecast& correlation) {
  field("truth", correlation.truth);
  field("expected", correlation.expected);
  field("sd", correlation.sd);
  field("error", correlation.error);
  field("sampling", correlation.sampling);
  field("noiseFloor", correlation.noise_floor);
  field("chanceBelowFloor", correlation.chance_below_floor);
  field.when(std::isfinite(correlation.margin), "margin", correlation.margin,
             "Absent if too many are below the floor.");
  field("power", correlation.power);
}

template <class Field>
void fields(Field& field, const Forecast& expected) {
  field("noise", expected.noise);
  field("clipping", expected.clipping);
  field("sampling", expected.sampling);
  field("total", expected.total);
  field("denoised", expected.denoised);
  field("zero", expected.zero);
  field("shortened", expected.shortened);
  field.when(std::isfinite(expected.rows_for), "rowsFor", expected.rows_for,
             "Absent if no number of rows is enough.");
  field("sdDiagonal", expected.entries.diagonal);
  field("sdOffDiagonal", expected.entries.off_diagonal);
  field("meanSd", expected.mean_sd);
  field("countSd", expected.count_sd);
  field("correlations", expected.correlations);
  field("noiseFloor", expected.noise_floor);
}

}  // namespace pm
