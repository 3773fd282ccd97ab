/** What the page and the worker of analyses say to each other. All of it is public. */
import type { Question } from './analysis/context.js';
import type { Method } from './analysis/methods.js';
import type { WireError } from './errors.js';

export type ToAnalyst =
  | { type: 'core'; module: WebAssembly.Module }
  | { type: 'analyse'; method: Method; question: Question; options: object };

export type FromAnalyst = { type: 'done'; result: object } | { type: 'failed'; error: WireError };
