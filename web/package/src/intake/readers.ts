/**
 * The workers that only read, as seen by the worker that makes the release. Their sums come here over
 * ports of which the page has no end.
 */
import { fromWire, type PrivateMomentsError } from '../base/errors.js';
import { cores } from '../base/host.js';
import { Peer, portLine } from '../threads/peer.js';
import type { Reader, ReadSoFar } from './protocol.js';
import type { CsvLayout, Intake } from '../core/raw.js';
import { Sections } from './sections.js';
import { unwrap } from '../core/unwrap.js';

/** Less than this is read before another worker has started. */
const SMALLEST_SHARE = 1 << 23;

/** Each takes some 40 MB of memory, and four read faster than most disks. */
const MOST_WORKERS = 4;

/**
 * Work for each reader in parts, so that a slow one leaves more to the others. Chromium needs 5 ms
 * of another thread for every part of a file in memory.
 */
const SECTIONS_EACH = 2;
const LARGEST_SECTION = 1 << 25;

/** How many workers read data of a size, unless the caller has chosen. */
export function workersFor(bytes: number, chosen: number | null): number {
  if (chosen !== null) return chosen;
  const shares = Math.floor(bytes / SMALLEST_SHARE);
  return Math.max(1, Math.min(shares, MOST_WORKERS, cores()));
}

/** Called with what all readers together have read. */
type OnRead = (read: ReadSoFar) => void;

export class Readers {
  readonly #ports: readonly MessagePort[];
  readonly #peers: readonly Peer<Reader>[];
  readonly #intake: Intake;
  readonly #onRead: OnRead;
  readonly #read = new Map<number, ReadSoFar>();

  /** @param intake takes the sums of all */
  constructor(ports: readonly MessagePort[], intake: Intake, onRead: OnRead) {
    this.#ports = ports;
    this.#peers = ports.map((port) => new Peer<Reader>(portLine(port)));
    this.#intake = intake;
    this.#onRead = onRead;
  }

  /**
   * A CSV file of `size` bytes in sections.
   * @throws PrivateMomentsError the first error in the order of the file
   */
  async readCsv(layout: CsvLayout, size: number): Promise<void> {
    const start = layout.headerBytes;
    const count = Math.max(
      this.#ports.length * SECTIONS_EACH,
      Math.ceil((size - start) / LARGEST_SECTION),
    );
    const window = 2 * this.#ports.length;
    const sections = new Sections({ start, end: size, count, window }, (sums) => {
      this.#merge(sums);
    });
    // A reader without an order waits for the next answer of another.
    let changed = signal();
    const read = async (reader: Peer<Reader>): Promise<void> => {
      while (!sections.done) {
        const order = sections.order();
        if (order === undefined) {
          await changed.promise;
          continue;
        }
        this.#count(reader, order.index);
        const read = await reader.call('section', [layout, order]);
        sections.take(order, read);
        changed.emit();
        changed = signal();
      }
    };
    await this.#all(read);
  }

  /**
   * Batches of rows that the readers get from the page.
   * @throws PrivateMomentsError the first error in the order of the rows
   */
  async readBatches(): Promise<void> {
    const errors: PrivateMomentsError[] = [];
    const read = async (reader: Peer<Reader>, index: number): Promise<void> => {
      this.#count(reader, index);
      const { sums, error } = await reader.call('batches', []);
      if (error === null) {
        if (sums !== null && errors.length === 0) this.#merge(sums);
        return;
      }
      errors.push(fromWire(error));
      // Batches that were given out already may hold an earlier error.
      for (const other of this.#peers) other.tell('stop', []);
    };
    await this.#all(read);
    errors.sort((a, b) => (a.row ?? Infinity) - (b.row ?? Infinity));
    if (errors[0] !== undefined) throw errors[0];
  }

  /** What comes after the first failure, or after the end, is ignored. */
  async #all(read: (reader: Peer<Reader>, index: number) => Promise<void>): Promise<void> {
    try {
      await Promise.all(this.#peers.map(read));
    } finally {
      for (const port of this.#ports) port.close();
    }
  }

  #merge(sums: Uint8Array): void {
    const merged = this.#intake.merge(sums);
    sums.fill(0);
    unwrap(merged);
  }

  /** @param part what the reader reads from now on; what is read again counts once */
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

function signal(): { promise: Promise<void>; emit: () => void } {
  let emit: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    emit = resolve;
  });
  return { promise, emit };
}
