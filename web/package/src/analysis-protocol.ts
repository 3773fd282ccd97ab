/** What the page and the workers of analyses say to each other. All of it is public. */
import type { Question } from './analysis/context.js';
import type { Method, Simulated } from './analysis/methods.js';
import type { WireError } from './errors.js';
import type { Part } from './raw.js';

/** `parts`: the draws of its intervals, where workers have made them. */
export interface Analysis {
  method: Method;
  question: Question;
  options: object;
  parts?: Float64Array[];
}

export type ToAnalyst =
  | { type: 'core'; module: WebAssembly.Module }
  | ({ type: 'analyse' } & Analysis)
  | { type: 'draw'; method: Simulated; question: Question; options: object; part: Part };

/** Of `draw`, the result is a Float64Array. */
export type FromAnalyst = { type: 'done'; result: object } | { type: 'failed'; error: WireError };
