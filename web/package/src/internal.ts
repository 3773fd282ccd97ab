/**
 * Small parts that the pages and packages of this repository share. There is no promise: any version
 * may change or remove them, without a line in the changelog.
 *
 * @packageDocumentation
 */
export { csvRecords, delimiterOf, withoutByteOrderMark } from './data/csv-text.js';
export { csvText, type CsvCell } from './output/csv.js';
export { openDatabase } from './base/database.js';
export { didYouMean } from './base/check.js';
export { isPackageError } from './base/errors.js';
export { syncFolder } from './base/folder.js';
export { runProgram, UsageError, type Command } from './base/program.js';
export { escapedJson, printable } from './base/visible.js';
export { nextTask, periodicYield } from './base/turns.js';
export { ASSUMPTIONS } from './forecast/assumptions.js';
export { literal, piecesOf, property } from './report/code.js';
export { inOrder } from './report/input.js';
export { at, intervalAt } from './report/weights.js';
export { collusionTerms, honestInSum, minSummed, usualHonest } from './study/federation-terms.js';
export { adaptiveRadius } from './study/clipping.js';
export { packedLength, releasedFeatures, releasedNames } from './study/features.js';
export { countsGaps, usesPartialRows } from './study/gaps.js';
export { MECHANISM_FACTS, MECHANISM_LAWS, MECHANISM_WORDS } from './generated/mechanisms.js';
export {
  clippingsOf,
  contentOf,
  defaultMechanism,
  hasValues,
  MECHANISMS,
  mechanismsWith,
} from './study/mechanism.js';
export { closeNetwork } from './threads/network.js';
export { Peer, type Message } from './threads/peer.js';
export type { Thread } from './threads/thread.js';
export { browserThread, useScripts } from './threads/threads.js';
export { openPort, type Port } from './threads/port.js';
