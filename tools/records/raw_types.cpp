// Prints the structs that cross from the core to JavaScript (bindings/fields/*.hpp) as TypeScript,
// for web/package (tools/generate.mjs).
#include "bindings/fields/analysis.hpp"
#include "bindings/fields/release.hpp"
#include "bindings/fields/synthesis.hpp"
#include "tools/records/types.hpp"

int main() {
  using namespace pm;
  using namespace pm::js;
  const Plan plan{};
  declare<Promise>("Cost", "The parameters of a guarantee.");
  declare<Part>("GuaranteePart", "The cost of one step of a release.");
  declare<Guarantee>(
      "Guarantee",
      "The guarantee of one release for one unit of privacy. Computed from the study, never typed "
      "in.");
  declare<NoiseEnvelope>(
      "NoiseEnvelope",
      "The public law of the noise in one release. Values are sums over rows, in scaled units "
      "squared.",
      NoiseEnvelope{plan, 1});
  declare<Description>(
      "Description",
      "Public properties of a study's releases. With masks, the guarantee and the noise's `unit` "
      "are those of the sum; the standard deviations are those of the noise in one release.",
      Description{plan, 1});
  declare<Composition>("RawComposition",
                       "The total cost of several guarantees. Values that are unknown or infinite "
                       "are absent.");

  declare<ColumnCounts>("RawColumnCounts", "Counts for one column; private to the participant.");
  declare<IntakeCounts>("RawCounts", "Counts of rows; private to the participant.");
  declare<CsvLayout>("CsvLayout",
                     "The layout of a CSV file, from its header. Can be cloned for a worker.");
  declare<CellsToCheck>("RawCellsToCheck", "What the owner of the data should check in a column.");
  declare<CsvProgress>("RawSection", "The part of a file's section that was read.");
  declare<Released>("RawReleased", "A release, in released units.");
  declare<Masked>("RawMasked", "The masked release of one site.");
  declare<Coordinates>("Coordinates",
                       "What a survey determines: rows about `centre`, in units of `scale`.");
  declare<SurveyedGaps>("RawSurveyedGaps", "What a survey says of missing cells.");
  declare<ReleasedSurvey>("RawSurvey", "The first step of a release with private centring.");
  declare<AssembledSums>("RawSums", "Packed sums of releases, scaled units.");
  declare<ClippedRows>("RawClippedRows", "What private centring's clipping did to the rows.");
  declare<CentredSums>("RawCentredSums",
                       "Packed sums of releases with private centring, in common coordinates.");
  declare<WithinSums>("RawWithinSums",
                      "Packed sums of rows' products about the mean of their site.");
  declare<CentringChoice>("RawCentringChoice",
                          "What a release with private centring would choose.");
  declare<ExpectedCentring>(
      "RawExpectedCentring",
      "What a study with private centring would choose, and the noise of its sum.");

  declare<AssembledMoments>("RawMoments", "Moments assembled from releases.");
  declare<Gaps>("RawGaps", "What was missing in rows that mark their gaps.");
  declare<WithoutGaps>("RawWithoutGaps",
                       "Sums of fewer complete rows in place of those of rows that mark their "
                       "gaps, in a frame of their own.");
  declare<DenoisedMoments>("RawDenoisedMoments",
                           "Denoised moments, with the shares of the trace and of the differences "
                           "between directions that were kept; see core/analysis/noise.");
  declare<Adjustment>("RawAdjustment", "Moments of residuals, adjusted for covariates.");
  declare<Explained>("RawExplained", "A principal component's variance, scaled units.");
  declare<RotatedComponents>("RawRotated", "Rotated principal components: features x components.");
  declare<Pca>("RawPca", "Principal components.");
  declare<CanonicalView>("RawView", "Results for one view: features x components.");
  declare<CcaView>("RawCcaView", "Results for one view of a canonical correlation analysis.");
  declare<CanonicalCorrelation>("RawCanonicalCorrelation", "One pair of variates.");
  declare<Cca>("RawCca", "Canonical correlations.");
  declare<SharedComponent>("RawSharedComponent", "A component shared by one variate of each view.");
  declare<Gcca>("RawGcca", "Components shared by several views.");
  declare<Components>("RawComponents", "Directions combined from releases.");
  declare<Interval>("RawInterval", "The ends of an interval.");
  declare<FigureInterval>("RawFigureInterval", "An interval by simulation.");
  declare<ViewIntervals>("RawViewIntervals",
                         "Bounds for the matrices of a view or of `RawPca`, in the same shape.");
  declare<SharedIntervals>("RawSharedIntervals", "Intervals of shared components.");
  declare<RotationIntervals>("RawRotationIntervals", "Bounds for `RawRotated`, in its shapes.");
  declare<PcaIntervals>("RawPcaIntervals", "Intervals of principal components.");
  declare<Factor>("RawFactor", "One factor: variances of standardised features.");
  declare<FactorAnalysis>("RawFactors", "A factor analysis: features x factors.");
  declare<FactorIntervals>("RawFactorIntervals", "Bounds for `RawFactors`, in its shapes.");
  declare<MomentErrors>("RawStandardErrors", "Standard errors, original units.");
  declare<RegressionFigure>("RawFigure", "A figure of a regression with its interval.");
  declare<Regression>("RawRidge", "A regression.");
  declare<SparseComponent>("RawSparseComponent", "A sparse component's variance, scaled units.");
  declare<SparsePca>("RawSparsePca", "Sparse principal components.");
  declare<SparsePair>("RawSparsePair", "One pair of sparse variates.");
  declare<SparseCca>("RawSparseCca", "Sparse canonical correlations.");
  declare<PlsView>("RawPlsView", "Results for one view: features x components.");
  declare<PlsPair>("RawPlsPair", "A pair of scores.");
  declare<PlsCorrelation>("RawPlsCorrelation", "PLS correlation of two views.");
  declare<PlsComponent>("RawPlsComponent", "A component of a PLS regression.");
  declare<PlsRegression>("RawPlsRegression", "A PLS regression.");
  declare<DiscriminantClass>("RawDiscriminantClass", "A class and its share of the rows.");
  declare<Lda>("RawLda", "Linear discriminants.");
  declare<CorrelationForecast>("RawCorrelation", "The forecast for one planned correlation.");
  declare<Forecast>("RawForecast", "Expected errors.");

  declare<RowFigures>("RawFigures", "Figures and their standard errors.");
  declare<DrawnRows>("RawRows", "Synthetic rows.");
  declare<ReleasedGaussian>("RawGaussian", "A released normal distribution.");
  declare<Step>("RawStep", "One step of a synthesis.");
  declare<SynthesisResult>("RawSynthesis",
                           "The model that a synthesis releases, and rows drawn from it.");
}
