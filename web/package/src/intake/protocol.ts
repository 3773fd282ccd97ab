import type { WireError } from '../base/errors.js';
import type { Marks } from './marks.js';
import type { RawMasked } from '../generated/raw.js';
import type { Plan } from '../core/plan.js';
import type { CsvLayout, Description } from '../core/raw.js';
import type { ClipChoice, Guarantee, LocalCounts, Progress } from '../study/types.js';

/** Progress is for eyes: more messages than this would only cost time. */
export const PROGRESS_INTERVAL_MS = 50;

/** What a mask is made from: key streams in split and ring, Gaussian noise in mode correlated. */
export interface MaskSeed {
  /** 32 bytes. */
  key: Uint8Array;
  /** Whether its mask is added or taken off. */
  sign: 1 | -1;
}

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

/** What a worker that owns rows offers its page: `Order` and `Outcome` are of the worker's own kind. */
export interface RowWorker<Order, Outcome> {
  /** Does a whole job: never rows, never exact sums in what it makes. */
  run(job: PostedJob<Order>): Outcome;
  /** Reads for another worker, which gets the sums over a port of their own. */
  read(order: ReadOrder): void;
}

/** To a worker that only reads. */
export interface ReadOrder {
  plan: Plan;
  source: PostedSource;
  port: MessagePort;
}

/** What the page offers the workers while a job runs. */
export interface JobPage {
  progress(progress: Progress): void;
  /** Workers that only read, each behind a port. */
  readers(count: number): MessagePort[];
  /** The readers have read what they were asked, and may read for another job. */
  readersDone(): void;
  /** Before noise is drawn, where there is a ledger: resolves once the release is written down. */
  permit(request: Asked): void;
  /**
   * The next piece of data that only the page can read.
   * @param spent a buffer that is no longer needed, overwritten, for the numbers of another piece
   */
  next(spent: ArrayBuffer | null): NextPiece;
  /** A part of a file that only the page can read; null where it cannot either. */
  slice(start: number, end: number): ArrayBuffer | null;
}

/** Null at the end; `failed` where the data failed on the page's side, which knows why. */
export type NextPiece = { piece: Piece | null; rowsBefore: number } | 'failed';

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

/**
 * What a worker that only reads offers the one that makes the release, over a port of their own. These
 * are the only messages that hold exact sums; the page has neither end of the port.
 */
export interface Reader {
  section(layout: CsvLayout, order: SectionOrder): SectionRead;
  /** Batches of rows, asked for at the page until there are no more or `stop` is called. */
  batches(): SectionRead;
  stop(): void;
}

/** What the worker that makes the release offers its readers. */
export interface ReadersOwner {
  progress(read: ReadSoFar): void;
}

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
export interface ReadSoFar {
  bytes: number;
  rows: number;
}
