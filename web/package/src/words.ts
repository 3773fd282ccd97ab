/**
 * Numbers, findings and guarantees in words, with the colours and scales of their figures: what
 * reports and elements share. Nothing of the main entry uses this.
 *
 * @packageDocumentation
 */
export * from './report/format.js';
export * from './report/guarantee.js';
export * from './report/palette.js';
export * from './report/readings.js';
export * from './report/sentences.js';
export * from './report/words.js';
export { codeOf } from './report/code.js';
export { gapsFinding, sharesMissing, type WithGaps } from './report/gaps.js';
export { methodsInWords, type Analysed } from './report/methods.js';
export { divergingStep, roundedUp, roundUp, ticks } from './report/scale.js';
export {
  constantsOf,
  correlationsOf,
  extentOf,
  weightsOf,
  type AnyEstimates,
  type AnyMatrix,
} from './report/weights.js';
export { featureWords, type FeatureWords } from './study/feature-words.js';
export {
  columnName,
  featureNames,
  namedLevels,
  namer,
  namerWithUnit,
  namesIn,
  sourceNames,
  unitOf,
  type FeatureNames,
} from './report/names.js';
export { changeInWords, type Protection } from './study/neighbours.js';
