import type { WireError } from './errors.js';
import type { Plan } from './plan.js';
import type { Description } from './raw.js';
import type { ClipChoice, LocalCounts, Progress } from './types.js';

/** `release` makes a release; `inspect` only counts. */
export type Task = 'release' | 'inspect';

/** Page to worker. One job at a time; `core` comes first and once. */
export type ToWorker =
  | { type: 'core'; module: WebAssembly.Module }
  | { type: 'start'; task: Task; plan: Plan; source: PostedSource }
  | { type: 'piece'; piece: Piece | null };

/** A blob is read inside the worker; other data come piece by piece, each when asked for. */
export type PostedSource =
  | { kind: 'blob'; blob: Blob }
  | { kind: 'bytes'; size: number | null }
  | { kind: 'values'; rows: number; ignored: string[] };

export type Piece = Uint8Array | Float64Array;

/** Worker to page. Noisy integers and local counts; never rows, never exact sums. */
export type FromWorker =
  | { type: 'next' }
  | ({ type: 'progress' } & Progress)
  | { type: 'inspected'; local: LocalCounts }
  | ({ type: 'released'; local: LocalCounts } & ReleasedParts)
  | { type: 'failed'; error: WireError };

/** What a release is made of. */
export interface ReleasedParts {
  version: string;
  description: Description;
  values: Float64Array;
  rows: number | null;
  clipping: ClipChoice | undefined;
}
