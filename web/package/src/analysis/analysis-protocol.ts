/** What the workers of analyses offer the page. All of it is public. */
import type { Part } from '../core/raw.js';
import type { Question } from './context.js';
import type { Method, Simulated } from './methods.js';

/** `parts`: the draws of its intervals, where workers have made them. */
export interface Analysis {
  method: Method;
  question: Question;
  options: object;
  parts?: Float64Array[];
}

/** A part of the draws that the intervals of an analysis rest on. */
export interface Draw {
  method: Simulated;
  question: Question;
  options: object;
  part: Part;
}

export interface AnalysisWorker {
  analyse(analysis: Analysis): object;
  draw(draw: Draw): Float64Array;
}
