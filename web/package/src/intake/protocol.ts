import type { UnsharedBytes } from '../base/binary.js';
import type { WireError } from '../base/errors.js';
import type { Fingerprints } from './fingerprints.js';
import type { RawMasked } from '../generated/raw.js';
import type { Plan } from '../core/plan.js';
import type { Coordinates, CsvLayout, Description, RawCellsToCheck } from '../core/raw.js';
import type {
  CentringChoice,
  ClipChoice,
  Guarantee,
  LocalCounts,
  Progress,
} from '../study/types.js';

/** Progress is shown to people, so more messages than this would only cost time. */
export const PROGRESS_INTERVAL_MS = 50;

/** The seed of a mask: of a key stream in modes split and ring, of Gaussian noise in mode correlated. */
export interface MaskSeed {
  /** 32 bytes. */
  key: Uint8Array;
  /** Whether the mask is added or subtracted. */
  sign: 1 | -1;
}

/**
 * What to make of the rows: `release` makes a release, `mask` makes one under the masks of the seeds,
 * and `inspect` only counts.
 */
export type ReleaseOrder =
  { task: 'release' } | { task: 'mask'; seeds: readonly MaskSeed[] } | { task: 'inspect' };

/** One job. With `workers` null, their number depends on the size of the data. */
export interface PostedJob<Order> {
  order: Order;
  plan: Plan;
  source: PostedSource;
  workers: number | null;
  /** The secrets of the ledger that records the release; null without a ledger. */
  secrets: readonly string[] | null;
  /** What the release is for: its study and, with a ledger, its entry. The seed depends on it. */
  context: string;
}

/** What a worker that owns rows offers its page. Each file of workers has its own `Order` and `Outcome`. */
export interface RowWorker<Order, Outcome> {
  /** Runs a whole job. The outcome never has rows or exact sums in it. */
  run(job: PostedJob<Order>): Outcome;
  /** Reads for another worker and sends it the sums over a port between the two. */
  read(order: ReadOrder): void;
}

/** The order to a worker that only reads. */
export interface ReadOrder {
  plan: Plan;
  source: PostedSource;
  port: MessagePort;
}

/** What the page offers the workers while a job runs. */
export interface JobPage {
  progress(progress: Progress): void;
  /** The rows have been read, once if they are read twice. */
  counted(): void;
  /** Starts workers that only read, and returns a port to each. */
  readers(count: number): MessagePort[];
  /** The readers have finished and may read for another job. */
  readersDone(): void;
  /** This worker takes much memory, which comes back only when it ends. */
  grown(): void;
  /** With a ledger, called before noise is drawn. Resolves once the release is recorded. */
  permit(request: PermitRequest): void;
  /**
   * Returns the next piece of data that only the page can read.
   * @param spent an overwritten buffer to reuse for a later piece of numbers
   */
  next(spent: ArrayBuffer | null): NextPiece;
  /** Lets `next` start again from the first piece, after the last. Only for values: a stream comes once. */
  rewind(): void;
  /** Returns a part of a file that only the page can read; null if the page cannot read it either. */
  slice(start: number, end: number): ArrayBuffer | null;
}

/** `piece` is null at the end. `failed`: the data failed on the page's side, which reports the cause. */
export type NextPiece = { piece: Piece | null; rowsBefore: number } | 'failed';

/**
 * A blob is read inside the worker, as are the bytes of a short text. If the worker cannot get or read a
 * blob, the page hands over slices. Other data come piece by piece on request.
 */
export type PostedSource =
  | { kind: 'blob'; blob: Blob }
  | { kind: 'bytes'; bytes: UnsharedBytes }
  | { kind: 'slices'; size: number }
  | { kind: 'stream' }
  | { kind: 'values'; rows: number; ignored: string[] };

export type Piece = Uint8Array | Float64Array;

/** What a ledger needs to record a release before it is made. */
export interface PermitRequest {
  fingerprints: Fingerprints;
  guarantee: Guarantee;
}

/** The result of a job: local counts, and noisy or masked integers. */
export type ReleaseOutcome =
  | { task: 'inspect'; local: LocalCounts; request: PermitRequest | null }
  | ({ task: 'release'; local: LocalCounts } & ReleasedParts)
  | ({ task: 'mask'; local: LocalCounts } & RawMasked);

/** The parts of a release. */
export interface ReleasedParts {
  version: string;
  description: Description;
  values: Float64Array;
  rows: number | null;
  clipping: ClipChoice | undefined;
  centring: CentringChoice | undefined;
}

/**
 * What a worker that only reads offers the one that makes the release, over a port between the two.
 * These are the only messages that hold exact sums; the page has neither end of the port.
 */
export interface Reader {
  /** @param keeps whether to keep the rows for `again`, where there is room for them */
  section(
    layout: CsvLayout,
    order: SectionOrder,
    keeps: boolean,
    coordinates?: Coordinates,
  ): SectionRead;
  /** Reads the kept rows of these sections a second time, and overwrites them. */
  again(sections: number[], coordinates: Coordinates): Pick<SectionRead, 'sums' | 'error'>;
  /** Overwrites all rows that are kept. */
  forget(): void;
  /** Reads batches of rows from the page until there are no more or `stop` is called. */
  batches(coordinates?: Coordinates): SectionRead;
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

/** The result of reading a section. Its rows, also that of the error, count from the section's first. */
export interface SectionRead {
  section: { start: number; end: number; rows: number };
  /** Null if there is an error. */
  sums: Uint8Array | null;
  error: WireError | null;
  /** For each column; with `batches`, rows count from the first of the data. */
  toCheck: RawCellsToCheck[];
  isKept: boolean;
}

/** How much of its current order a reader has read. */
export interface ReadSoFar {
  bytes: number;
  rows: number;
}
