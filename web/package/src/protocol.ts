import type { WireError } from './errors.js';
import type { MaskSeed } from './federation/participant.js';
import type { Marks } from './marks.js';
import type { RawMasked } from './federation/raw.js';
import type { Plan } from './plan.js';
import type { CsvLayout, Description } from './raw.js';
import type { ClipChoice, Guarantee, LocalCounts, Progress } from './types.js';

/** Progress is for eyes: more messages than this would only cost time. */
export const PROGRESS_INTERVAL_MS = 50;

/**
 * What becomes of the rows: `release` makes a release, `mask` one masked with what the seeds give;
 * `inspect` only counts.
 */
export type ReleaseOrder =
  { task: 'release' } | { task: 'mask'; seeds: readonly MaskSeed[] } | { task: 'inspect' };

/** One job: what to read, for what, and with how many workers; null: as many as it is worth. */
export interface PostedJob<Order> {
  order: Order;
  plan: Plan;
  source: PostedSource;
  workers: number | null;
  /** Of a ledger that wants to know of it; null: there is none. */
  secrets: readonly string[] | null;
}

/**
 * Page to worker. One job at a time; `core` comes first and once. `start` is for the one that does
 * the job; where it asks for a crew, each of those gets `read` and the other end of a port.
 */
export type ToWorker<Order> =
  | { type: 'core'; module: WebAssembly.Module }
  | ({ type: 'start' } & PostedJob<Order>)
  | ToCrew
  | AskedFor;

/** To one that only reads. */
export interface ToCrew {
  type: 'read';
  plan: Plan;
  source: PostedSource;
  port: MessagePort;
}

/** What a worker asked the page for. */
export type AskedFor =
  | { type: 'crew'; ports: MessagePort[] }
  /** The ledger has written down what is about to be made. */
  | { type: 'go' }
  | { type: 'piece'; piece: Piece | null; rowsBefore: number }
  /** The data failed on the page's side, which knows why. */
  | { type: 'no-piece' }
  /** Null: the file could not be read there. */
  | { type: 'slice'; start: number; bytes: ArrayBuffer | null };

/**
 * A blob is read inside the worker; of a file that cannot be posted the page hands over slices;
 * other data come piece by piece, each when asked for.
 */
export type PostedSource =
  | { kind: 'blob'; blob: Blob }
  | { kind: 'slices'; size: number }
  | { kind: 'stream' }
  | { kind: 'values'; rows: number; ignored: string[] };

export type Piece = Uint8Array | Float64Array;

/** Worker to page, with what the job made at its end; never rows, never exact sums. */
export type FromWorker<Outcome> =
  | { type: 'crew'; count: number }
  /** The whole crew has read what it was asked, and may read for another job. */
  | { type: 'rested' }
  /** With the buffer of numbers that are in the sums, overwritten, for the numbers of another piece. */
  | { type: 'next'; spent: ArrayBuffer | null }
  | { type: 'slice'; start: number; end: number }
  | ({ type: 'progress' } & Progress)
  /** Before noise is drawn, where there is a ledger; `go` is the answer. */
  | ({ type: 'ask' } & Asked)
  | { type: 'done'; outcome: Outcome }
  | { type: 'failed'; error: WireError };

/** What a ledger wants to know of a release. */
export interface Asked {
  marks: Marks;
  guarantee: Guarantee;
}

/** Noisy integers, masked ones, and local counts. */
export type ReleaseOutcome =
  | { task: 'inspect'; local: LocalCounts; asked: Asked | null }
  | ({ task: 'release'; local: LocalCounts } & ReleasedParts)
  | ({ task: 'mask'; local: LocalCounts } & RawMasked);

/** What a release is made of. */
export interface ReleasedParts {
  version: string;
  description: Description;
  values: Float64Array;
  rows: number | null;
  clipping: ClipChoice | undefined;
}

/** From the worker that makes the release to one that only reads, over a port of their own. */
export type ToReader =
  | { type: 'section'; layout: CsvLayout; order: SectionOrder }
  /** Batches of rows, asked for at the page until there are no more or `stop` comes. */
  | { type: 'batches' }
  | { type: 'stop' };

/** And back. The only messages that hold exact sums; the page has neither end of the port. */
export type FromReader = ({ type: 'moved' } & Moved) | ({ type: 'read' } & SectionRead);

/** A part of a CSV file to read; see CsvReader.begin. */
export interface SectionOrder {
  index: number;
  at: number;
  seek: boolean;
  stop: number;
}

/** What was read of a section; rows, that of the error too, count from the section's first. */
export interface SectionRead {
  section: { start: number; end: number; rows: number };
  /** Null with an error. */
  sums: Uint8Array | null;
  error: WireError | null;
}

/** How far a reader has come with what it was asked. */
export interface Moved {
  bytes: number;
  rows: number;
}
