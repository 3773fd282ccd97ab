/**
 * The other workers, as the one sees them that makes the release. Their sums come here over ports
 * of which the page has no end.
 */
import { fromWire, type PrivateMomentsError } from './errors.js';
import { cores } from './host.js';
import type { FromReader, Moved, SectionRead, ToReader } from './protocol.js';
import type { CsvLayout, Intake } from './raw.js';
import { Sections } from './sections.js';
import { unwrap } from './unwrap.js';

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
type OnMoved = (moved: Moved) => void;

export class Crew {
  readonly #ports: readonly MessagePort[];
  readonly #intake: Intake;
  readonly #onMoved: OnMoved;
  readonly #moved = new Map<number, Moved>();

  /** @param intake takes the sums of all */
  constructor(ports: readonly MessagePort[], intake: Intake, onMoved: OnMoved) {
    this.#ports = ports;
    this.#intake = intake;
    this.#onMoved = onMoved;
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
    const read = async (port: MessagePort): Promise<void> => {
      while (!sections.done) {
        const order = sections.order();
        if (order === undefined) {
          await changed.promise;
          continue;
        }
        const read = await this.#ask(port, { type: 'section', layout, order }, order.index);
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
    const read = async (port: MessagePort, index: number): Promise<void> => {
      const { sums, error } = await this.#ask(port, { type: 'batches' }, index);
      if (error === null) {
        if (sums !== null && errors.length === 0) this.#merge(sums);
        return;
      }
      errors.push(fromWire(error));
      // Batches that were given out already may hold an earlier error.
      for (const other of this.#ports) send(other, { type: 'stop' });
    };
    await this.#all(read);
    errors.sort((a, b) => (a.row ?? Infinity) - (b.row ?? Infinity));
    if (errors[0] !== undefined) throw errors[0];
  }

  /** Nobody is heard after the first failure, nor after the end. */
  async #all(read: (port: MessagePort, index: number) => Promise<void>): Promise<void> {
    try {
      await Promise.all(this.#ports.map(read));
    } finally {
      for (const port of this.#ports) port.close();
    }
  }

  #merge(sums: Uint8Array): void {
    const merged = this.#intake.merge(sums);
    sums.fill(0);
    unwrap(merged);
  }

  /** @param part which part of the data it is about; what is read again counts once */
  #ask(port: MessagePort, question: ToReader, part: number): Promise<SectionRead> {
    return new Promise((resolve) => {
      port.onmessage = ({ data }: MessageEvent<FromReader>) => {
        if (data.type === 'read') {
          resolve(data);
          return;
        }
        this.#moved.set(part, data);
        const all = { bytes: 0, rows: 0 };
        for (const { bytes, rows } of this.#moved.values()) {
          all.bytes += bytes;
          all.rows += rows;
        }
        this.#onMoved(all);
      };
      send(port, question);
    });
  }
}

function send(port: MessagePort, message: ToReader): void {
  port.postMessage(message);
}

function signal(): { promise: Promise<void>; emit: () => void } {
  let emit: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    emit = resolve;
  });
  return { promise, emit };
}
