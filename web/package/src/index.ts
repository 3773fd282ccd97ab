/**
 * Differentially private second moments in the browser: rows stay inside one worker on the
 * participant's machine, what leaves is one release with noise, and an analyst assembles releases
 * into means, covariances, principal components and canonical correlations.
 *
 * Importing this module loads nothing and starts nothing.
 *
 * @packageDocumentation
 */
export { advise, type Advice, type AdviseOptions, type Choice, type Lever } from './advise.js';
export { assemble, assembleComponents, checkReleases, type ReleaseInput } from './assemble.js';
export type { Components } from './components.js';
export { compose } from './compose.js';
export type { ArrowTable } from './arrow.js';
export type { Data, Table } from './data.js';
export {
  errorCodes,
  PrivateMomentsError,
  type ErrorCode,
  type ReleaseReference,
} from './errors.js';
export {
  forecast,
  type CorrelationForecast,
  type CovarianceForecast,
  type Forecast,
  type ForecastOptions,
} from './forecast.js';
export {
  createLedger,
  type DataSet,
  type Ledger,
  type LedgerEntry,
  type Standing,
} from './ledger.js';
export type { Budget, LedgerRecord } from './ledger-book.js';
export type { Spent } from './ledger-cost.js';
export { browserStorage, memoryStorage, type LedgerStorage } from './ledger-storage.js';
export { load, type LoadOptions } from './load.js';
export { mechanisms, type MechanismInfo } from './mechanisms.js';
export type { WasmSource } from './loader.js';
export type { CcaOptions, CcaResult, CcaView } from './analysis/cca.js';
export type { Estimate } from './analysis/context.js';
export type { GccaOptions, GccaResult } from './analysis/gcca.js';
export type { GccaView } from './analysis/variates.js';
export type { PcaOptions, PcaResult } from './analysis/pca.js';
export type { RidgeEstimate, RidgeOptions, RidgeResult } from './analysis/ridge.js';
export type {
  IntervalOptions,
  UncertaintyOptions,
  UncertaintyResult,
} from './analysis/uncertainty.js';
export type { SynthesizeMomentsOptions } from './analysis/synthesize.js';
export type { ViewChoice } from './analysis/views.js';
export type { MomentsClipping } from './clipping.js';
export type { InWorkerOptions, MomentsInWorker, WithIntervalsInWorker } from './in-worker.js';
export type { Denoising, Moments, MomentsData, MomentsNoise } from './moments.js';
export type {
  CsvReadOptions,
  InspectOptions,
  LedgerOptions,
  PrivatizeOptions,
  ReadOptions,
} from './options.js';
export type { ColumnMapping } from './plan.js';
export { inspect, privatize } from './privatize.js';
export type { Origin, Plain, Result } from './results.js';
export { promiseOf } from './promise.js';
export { parseRelease, type Release } from './release.js';
export { predict, project, type Projectable, type ProjectOptions, type Scores } from './scores.js';
export {
  createSum,
  parseSum,
  type Sum,
  type SumGroup,
  type SumJSON,
  type SumParts,
} from './sum.js';
export { synthesize } from './synthesize.js';
export type {
  CovarianceChoice,
  Projection,
  SumsForm,
  SynthesisNoise,
  SynthesisTask,
  SynthesizeOptions,
} from './synthesis/options.js';
export type { Preservation, Preserved } from './synthesis/preservation.js';
export type { SynthesisModel } from './synthesis/released.js';
export type { Synthetic, SyntheticCell, SyntheticJSON } from './synthesis/synthetic.js';
export { defineStudy, parseStudy, studyFromLink, type Study } from './study.js';
export type {
  CategoryColumn,
  ClipChoice,
  Clipping,
  Column,
  ComponentsMechanismName,
  Content,
  CsvDecimal,
  CsvDelimiter,
  EigenMethod,
  Feature,
  Cost,
  Federation,
  FederationMode,
  Guarantee,
  GuaranteePart,
  LocalColumnCounts,
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
} from './types.js';
export type { Whole } from './whole.js';
