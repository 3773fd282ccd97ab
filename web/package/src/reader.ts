/** A worker that only reads: rows in, and their sums to the worker that makes the release. */
import { slicesOf, type Bytes } from './bytes.js';
import { furtherDown, toWire } from './errors.js';
import { RowFeed } from './ingest.js';
import type { Page } from './page.js';
import { intakeOptions } from './plan.js';
import {
  PROGRESS_INTERVAL_MS,
  type FromReader,
  type Moved,
  type SectionOrder,
  type SectionRead,
  type ToCrew,
  type ToReader,
} from './protocol.js';
import type { CsvLayout, Intake, ReleaseCore } from './raw.js';
import { unwrap } from './unwrap.js';

/** Past a section's end hardly more is read than the rest of a record. */
const REST_BYTES = 1 << 16;

export function serveReader(
  core: ReleaseCore,
  page: Pick<Page<never>, 'bytesOf' | 'pieces'>,
  { plan, source, port }: Omit<ToCrew, 'type'>,
): void {
  let stopped = false;
  const answer = (message: FromReader): void => {
    const sums = message.type === 'read' ? message.sums : null;
    port.postMessage(message, sums === null ? [] : [sums.buffer as ArrayBuffer]);
  };
  let last = -Infinity;
  const report = (moved: Moved): void => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    answer({ type: 'moved', ...moved });
  };
  port.onmessage = ({ data }: MessageEvent<ToReader>) => {
    switch (data.type) {
      case 'stop':
        stopped = true;
        break;
      case 'section':
        void readSection(data.layout, data.order).then(answer);
        break;
      case 'batches':
        void readBatches().then(answer);
    }
  };

  async function readSection(layout: CsvLayout, order: SectionOrder): Promise<FromReader> {
    const { intake } = unwrap(core.createIntake(intakeOptions(plan)), plan.columns);
    const { reader } = unwrap(core.createCsvReader(layout, plan.columns));
    const bytes = page.bytesOf(source);
    const { at, stop } = order;
    let pushed = 0;
    const push = async (slices: AsyncIterable<Uint8Array>): Promise<boolean> => {
      for await (const slice of slices) {
        const { done } = unwrap(reader.push(intake, slice), plan.columns);
        pushed += slice.length;
        report({ bytes: pushed, rows: reader.section().rows });
        if (done) return true;
      }
      return false;
    };
    reader.begin(order);
    const result = await sumsOf(intake, async () => {
      const rest = Math.min(stop + REST_BYTES, bytes.size);
      const done = (await push(slicesOf(bytes, at, rest))) || (await push(inSteps(bytes, rest)));
      if (!done) unwrap(reader.end(intake), plan.columns);
    });
    const section = reader.section();
    reader.delete();
    return { type: 'read', section, ...result };
  }

  async function readBatches(): Promise<FromReader> {
    const { intake } = unwrap(core.createIntake(intakeOptions(plan)), plan.columns);
    const feed = new RowFeed(intake, plan, core);
    let rows = 0;
    /** Rows that other readers have got before the current batch. */
    let elsewhere = 0;
    const { sums, error } = await sumsOf(intake, async () => {
      for await (const { piece, rowsBefore } of page.pieces(() => stopped)) {
        elsewhere = rowsBefore - rows;
        const count = piece.length / plan.columns.length;
        feed.rows(piece as Float64Array);
        rows += count;
        report({ bytes: 0, rows });
      }
    });
    const section = { start: 0, end: 0, rows };
    return {
      type: 'read',
      section,
      sums,
      error: error === null ? null : furtherDown(error, elsewhere),
    };
  }
}

/** To the end of the file, or rather of a record: a stream would read far ahead of it. */
function inSteps({ size, read }: Bytes, start: number): AsyncGenerator<Uint8Array, void> {
  return slicesOf({ size, read }, start, size, REST_BYTES);
}

/** The sums of what `read` puts into the intake, or what went wrong; the intake is gone then. */
async function sumsOf(
  intake: Intake,
  read: () => Promise<void>,
): Promise<Pick<SectionRead, 'sums' | 'error'>> {
  try {
    await read();
    return { sums: unwrap(intake.part()).bytes, error: null };
  } catch (error) {
    return { sums: null, error: toWire(error) };
  } finally {
    intake.delete();
  }
}
