/**
 * Differentially private second moments in the browser. Rows stay in workers on the participant's machine;
 * only a release with noise leaves. An analyst assembles releases into means, covariances, principal
 * components, canonical correlations and regressions.
 *
 * Importing this module loads no WebAssembly and starts no worker.
 *
 * @packageDocumentation
 */
export {
  advise,
  type Advice,
  type ClippingChoice,
  type ModeComparison,
  type AdviseOptions,
  type Choice,
  type Lever,
} from './forecast/advise.js';
export {
  assemble,
  assembleComponents,
  checkReleases,
  createSummands,
  SUMMAND_BITS,
  type AssembleOptions,
  type ReleaseInput,
  type Summands,
  type SummandsOf,
} from './analysis/assemble.js';
export type { Components } from './analysis/components.js';
export { compose } from './accounting/compose.js';
export type { ArrowTable } from './data/arrow.js';
export type { Data, Table } from './data/data.js';
export {
  errorCodes,
  PrivateMomentsError,
  type ErrorCode,
  type ReleaseReference,
} from './base/errors.js';
export {
  forecast,
  type CentringForecast,
  type CorrelationForecast,
  type CovarianceForecast,
  type MissingForecast,
  type Forecast,
  type ForecastOptions,
} from './forecast/forecast.js';
export {
  createLedger,
  type DataSet,
  type Ledger,
  type LedgerEntry,
  type Standing,
} from './ledger/ledger.js';
export type { Budget, LedgerRecord } from './ledger/ledger-book.js';
export type { Spent } from './ledger/ledger-cost.js';
export { browserStorage, memoryStorage, type LedgerStorage } from './ledger/ledger-storage.js';
export { load, type LoadOptions } from './load.js';
export { mechanisms, type MechanismInfo } from './release/mechanisms.js';
export type { WasmSource } from './core/loader.js';
export type { CentredStudyOptions } from './analysis/centred-study.js';
export type { Adjusted, AdjustOptions } from './analysis/adjust.js';
export type { PairTest, TestOptions } from './analysis/methods/tests.js';
export type { CcaOptions, CcaResult, CcaView } from './analysis/cca.js';
export type { Estimate } from './analysis/context.js';
export type { FactorOptions, FactorResult } from './analysis/methods/factors.js';
export type { GccaOptions, GccaResult } from './analysis/gcca.js';
export type { GccaView } from './analysis/variates.js';
export type { LdaOptions, LdaResult } from './analysis/methods/lda.js';
export type {
  PlsCorrelationOptions,
  PlsCorrelationResult,
  PlsRegressionOptions,
  PlsRegressionResult,
} from './analysis/methods/pls.js';
export type { PcaOptions, PcaResult } from './analysis/pca.js';
export type { PcaRotation, RotationMethod } from './analysis/rotation.js';
export type {
  SparseCcaOptions,
  SparseCcaResult,
  SparsePcaOptions,
  SparsePcaResult,
} from './analysis/methods/sparse.js';
export type { RidgeEstimate, RidgeOptions, RidgeResult } from './analysis/ridge.js';
export type { IntervalOptions } from './analysis/intervals.js';
export type { UncertaintyOptions, UncertaintyResult } from './analysis/uncertainty.js';
export type { SynthesizeMomentsOptions } from './analysis/synthesize.js';
export type { ViewChoice } from './analysis/views.js';
export type { MomentsClipping } from './study/clipping.js';
export type { MomentsMissing } from './core/complete-sums.js';
export type { InWorkerOptions, WithIntervalsInWorker } from './analysis/in-worker.js';
export type {
  Denoising,
  Moments,
  MomentsData,
  MomentsInWorker,
  MomentsCoordinates,
  MomentsNoise,
} from './analysis/moments.js';
export type { CsvReadOptions, InspectOptions, ReadOptions } from './intake/read-options.js';
export type { LedgerOptions, PrivatizeOptions } from './ledger/options.js';
export type { ColumnMapping } from './core/plan.js';
export { inspect, privatize } from './release/privatize.js';
export type { Origin, Plain, Result } from './output/results.js';
export { guaranteeOf } from './accounting/guarantee.js';
export { parseRelease, type Release } from './release/release.js';
export {
  predict,
  project,
  type Projectable,
  type ProjectOptions,
  type Scores,
} from './analysis/scores.js';
export {
  createSum,
  parseSum,
  type Sum,
  type SumGroup,
  type SumJSON,
  type SumParts,
} from './release/sum.js';
export { synthesize } from './synthesis/synthesize.js';
export type { Projection, SynthesizeOptions } from './synthesis/options.js';
export type { CovarianceChoice, SumsForm, SynthesisNoise, SynthesisTask } from './synthesis/raw.js';
export type { Preservation, Preserved } from './synthesis/preservation.js';
export type { SynthesisModel } from './synthesis/released.js';
export type { Synthetic, SyntheticCell, SyntheticJSON } from './synthesis/synthetic.js';
export {
  studyPreset,
  STUDY_PRESETS,
  type StudyPreset,
  type StudyPresetOptions,
} from './study/preset.js';
export { weightedColumns } from './study/weights.js';
export { defineStudy, parseStudy, studyFromLink, type Study } from './study/study.js';
export type {
  CategoryColumn,
  ClipChoice,
  Clipping,
  Column,
  ColumnWords,
  ComponentsMechanismName,
  Content,
  CsvDecimal,
  CsvDelimiter,
  CsvEncoding,
  EigenMethod,
  Feature,
  Cost,
  Federation,
  FederationMode,
  Guarantee,
  GuaranteePart,
  LocalColumnCounts,
  LocalWarning,
  LocalCounts,
  Estimates,
  Matrix,
  Mechanism,
  MechanismName,
  MissingRule,
  MomentsMechanismName,
  Neighbours,
  NoiseEnvelope,
  NumberColumn,
  Numerics,
  Privacy,
  Progress,
  ReleaseJSON,
  Shape,
  StudyDefinition,
  StudyJSON,
  Unit,
} from './study/types.js';
export type { Whole } from './base/whole.js';
