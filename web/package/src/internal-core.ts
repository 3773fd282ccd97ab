/**
 * What a package of this repository needs to call a WebAssembly module of its own the way
 * `private-moments` calls its modules: loading, reading rows, errors. There is no promise: any version
 * may change or remove it, without a line in the changelog.
 *
 * @packageDocumentation
 */
export { exactMomentsOf } from './analysis/exact.js';
export { checker, isWhole, requireOptions } from './base/check.js';
export { loadAnalysis } from './core/analysis-core.js';
export { loadCore } from './core/core.js';
export { LazyModule, type Factory } from './core/loader.js';
export { exactPlan, intakeOptions, planOf } from './core/plan.js';
export { coreError, unwrap } from './core/unwrap.js';
export { noRows, openData, readInto, requireReadable } from './data/data.js';
export { RowFeed } from './data/ingest.js';
export type { IngestCore, IntakeBase, IntakeOptions, Raw, ReleaseCore, Spec } from './core/raw.js';
export { checkReadOptions, type ReadOptions } from './intake/read-options.js';
export { makeRelease } from './release/release.js';
export { requireStudy } from './study/study.js';
export { readSeed } from './synthesis/draw.js';
export { confineWorkers } from './threads/cell.js';
