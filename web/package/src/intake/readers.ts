/**
 * The workers that only read, as seen by the worker that makes the release. They send it their sums over
 * ports that do not pass through the page.
 */
import { fromWire, type PrivateMomentsError } from '../base/errors.js';
import { cores } from '../base/host.js';
import { Peer, portLine } from '../threads/peer.js';
import type { Reader, ReadSoFar } from './protocol.js';
import type { Coordinates, CsvLayout, IntakeBase } from '../core/raw.js';
import { Sections } from './sections.js';
import type { CellsToCheck } from '../data/cells-to-check.js';
import { unwrap } from '../core/unwrap.js';

/** Bytes. Anything smaller is read before another worker has started. */
const MIN_SHARE = 1 << 23;

/** Each worker takes some 40 MB of memory, and four read faster than most disks. */
const MAX_WORKERS = 4;

/**
 * Each reader's work comes in sections, so that the others take over from a slow one. There are few,
 * because Chromium needs 5 ms of another thread for every slice of a file in memory.
 */
const SECTIONS_EACH = 2;
const MAX_SECTION_BYTES = 1 << 25;

/** How many workers read data of this size, unless the caller has chosen. */
export function workersFor(bytes: number, chosen: number | null): number {
  if (chosen !== null) return chosen;
  const shares = Math.floor(bytes / MIN_SHARE);
  return Math.max(1, Math.min(shares, MAX_WORKERS, cores()));
}

/** Called with the total of what all readers have read. */
type OnRead = (read: ReadSoFar) => void;

export class Readers {
  readonly #ports: readonly MessagePort[];
  readonly #peers: readonly Peer<Reader>[];
  readonly #intake: IntakeBase;
  readonly #toCheck: CellsToCheck;
  readonly #coordinates: Coordinates | undefined;
  readonly #onRead: OnRead;
  readonly #read = new Map<number, ReadSoFar>();
  readonly #keeps: boolean;
  /** The keeper of each section that counts, by the section's number. */
  readonly #keepers = new Map<number, Peer<Reader> | undefined>();

  /**
   * @param intake receives the sums of all readers
   * @param toCheck receives what there is to check in their cells
   * @param coordinates of the second reading of private centring
   * @param keeps whether readers keep the rows of a CSV file for `readAgain`; then call `close` in the end
   */
  constructor(
    ports: readonly MessagePort[],
    intake: IntakeBase,
    toCheck: CellsToCheck,
    onRead: OnRead,
    coordinates?: Coordinates,
    keeps = false,
  ) {
    this.#keeps = keeps;
    this.#ports = ports;
    this.#peers = ports.map((port) => new Peer<Reader>(portLine(port)));
    this.#intake = intake;
    this.#toCheck = toCheck;
    this.#onRead = onRead;
    this.#coordinates = coordinates;
  }

  /**
   * Reads a CSV file of `size` bytes in sections.
   * @throws PrivateMomentsError the first error in the order of the file
   */
  async readCsv(layout: CsvLayout, size: number): Promise<void> {
    const start = layout.headerBytes;
    const count = Math.max(
      this.#ports.length * SECTIONS_EACH,
      Math.ceil((size - start) / MAX_SECTION_BYTES),
    );
    const window = 2 * this.#ports.length;
    const lastKeeper = new Map<number, Peer<Reader> | undefined>();
    const sections = new Sections(
      { start, end: size, count, window },
      (sums, toCheck, rowsBefore, index) => {
        merge(this.#intake, sums);
        this.#toCheck.add(toCheck, rowsBefore);
        this.#keepers.set(index, lastKeeper.get(index));
      },
    );
    // A reader for which there is no order waits until another reader has answered.
    let changed = signal();
    const read = async (reader: Peer<Reader>): Promise<void> => {
      while (!sections.done) {
        const order = sections.order();
        if (order === undefined) {
          await changed.promise;
          continue;
        }
        this.#count(reader, order.index);
        const read = await reader.call('section', [layout, order, this.#keeps, this.#coordinates]);
        lastKeeper.set(order.index, read.isKept ? reader : undefined);
        sections.take(order, read);
        changed.emit();
        changed = signal();
      }
    };
    await this.#all(read);
  }

  /**
   * Lets the readers read batches of rows from the page.
   * @throws PrivateMomentsError the first error in the order of the rows
   */
  async readBatches(): Promise<void> {
    const errors: PrivateMomentsError[] = [];
    const read = async (reader: Peer<Reader>, index: number): Promise<void> => {
      this.#count(reader, index);
      const { sums, error, toCheck } = await reader.call('batches', [this.#coordinates]);
      if (error === null) {
        if (sums !== null && errors.length === 0) merge(this.#intake, sums);
        this.#toCheck.add(toCheck, 0);
        return;
      }
      errors.push(fromWire(error));
      // The others finish the batches they already have, which may hold an earlier error.
      for (const other of this.#peers) other.tell('stop', []);
    };
    await this.#all(read);
    errors.sort((a, b) => (a.row ?? Infinity) - (b.row ?? Infinity));
    if (errors[0] !== undefined) throw errors[0];
  }

  /**
   * Adds the rows that `readCsv` has read to another intake, if all of them are kept.
   * @returns whether they are
   */
  async readAgain(intake: IntakeBase, coordinates: Coordinates): Promise<boolean> {
    const sections = [...this.#keepers];
    if (sections.some(([, keeper]) => keeper === undefined)) return false;
    await Promise.all(
      this.#peers.map(async (reader) => {
        const own = sections.filter(([, keeper]) => keeper === reader).map(([index]) => index);
        const { sums, error } = await reader.call('again', [own, coordinates]);
        if (error !== null) throw fromWire(error);
        if (sums !== null) merge(intake, sums);
      }),
    );
    return true;
  }

  /** Lets the readers forget what they keep. */
  close(): void {
    for (const peer of this.#peers) peer.tell('forget', []);
    for (const port of this.#ports) port.close();
  }

  /** Closes the ports after the end, unless rows are kept, or the first failure, so later messages are ignored. */
  async #all(read: (reader: Peer<Reader>, index: number) => Promise<void>): Promise<void> {
    try {
      await Promise.all(this.#peers.map(read));
    } catch (error) {
      this.close();
      throw error;
    }
    if (!this.#keeps) this.close();
  }

  /** @param part the part that the reader reads next; a part that is read again counts once */
  #count(reader: Peer<Reader>, part: number): void {
    reader.offer({
      progress: (read: ReadSoFar) => {
        this.#read.set(part, read);
        const all = { bytes: 0, rows: 0 };
        for (const { bytes, rows } of this.#read.values()) {
          all.bytes += bytes;
          all.rows += rows;
        }
        this.#onRead(all);
      },
    });
  }
}

function merge(intake: IntakeBase, sums: Uint8Array): void {
  const merged = intake.merge(sums);
  sums.fill(0);
  unwrap(merged);
}

function signal(): { promise: Promise<void>; emit: () => void } {
  let emit: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    emit = resolve;
  });
  return { promise, emit };
}
