/** A worker that only reads: it sums rows and sends the sums to the worker that makes the release. */
import { slicesOf, type Bytes } from '../base/bytes.js';
import { furtherDown, toWire } from '../base/errors.js';
import { RowFeed } from '../data/ingest.js';
import { keptOfFile, MAX_OF_FILE } from './kept-rows.js';
import { bytesOf, piecesOf } from './page.js';
import { Moved, Peer, portLine } from '../threads/peer.js';
import { intakeOptions, isCentred, type Plan } from '../core/plan.js';
import {
  PROGRESS_INTERVAL_MS,
  type SectionOrder,
  type SectionRead,
  type JobPage,
  type ReadersOwner,
  type ReadOrder,
  type ReadSoFar,
} from './protocol.js';
import type { Coordinates, CsvLayout, IntakeBase, KeptRows, ReleaseCore } from '../core/raw.js';
import { unwrap } from '../core/unwrap.js';

/** Bytes read at a time past a section's end, where only the rest of a record is needed. */
const REST_BYTES = 1 << 16;

export function serveReader(
  core: ReleaseCore,
  page: Pick<Peer<JobPage>, 'call'>,
  { plan, source, port }: ReadOrder,
): void {
  let stopped = false;
  const kept = new Map<number, KeptRows>();
  const owner = new Peer<ReadersOwner>(portLine(port));
  let last = -Infinity;
  const report = (read: ReadSoFar): void => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    owner.tell('progress', [read]);
  };
  owner.offer({
    section: async (
      layout: CsvLayout,
      order: SectionOrder,
      keeps: boolean,
      coordinates?: Coordinates,
    ) => moved(await readSection(layout, order, keeps, coordinates)),
    again: async (sections: number[], coordinates: Coordinates) =>
      moved(await readAgain(sections, coordinates)),
    forget,
    batches: async (coordinates?: Coordinates) => moved(await readBatches(coordinates)),
    stop: () => {
      stopped = true;
    },
  });

  function withCoordinates(coordinates: Coordinates | undefined): Plan {
    return coordinates === undefined ? plan : { ...plan, coordinates };
  }

  async function readSection(
    layout: CsvLayout,
    order: SectionOrder,
    keeps: boolean,
    coordinates: Coordinates | undefined,
  ): Promise<SectionRead> {
    const intake = createSums(core, withCoordinates(coordinates));
    const { reader } = unwrap(core.createCsvReader(layout, plan.columns, plan.codes, plan.words));
    const bytes = bytesOf(page, source);
    const { at, stop, index } = order;
    const rows = keeps ? keptOfFile(core, plan.columns.length, stop - at, room()) : null;
    let pushed = 0;
    const push = async (slices: AsyncIterable<Uint8Array>): Promise<boolean> => {
      for await (const slice of slices) {
        const { done } = unwrap(reader.push(intake, slice, rows), plan.columns);
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
      if (done) return;
      unwrap(reader.end(intake, rows), plan.columns);
    });
    const section = reader.section();
    const toCheck = reader.toCheck();
    reader.delete();
    const isKept =
      rows !== null && result.error === null && rows.cells() === section.rows * plan.columns.length;
    if (isKept) keep(index, rows);
    else rows?.delete();
    return { section, toCheck, isKept, ...result };
  }

  /** A section that is read again, because its start was guessed wrong, takes the place of the first reading. */
  function keep(index: number, rows: KeptRows): void {
    kept.get(index)?.delete();
    kept.set(index, rows);
  }

  /** Cells that may still be kept. */
  function room(): number {
    let cells = MAX_OF_FILE;
    for (const rows of kept.values()) cells -= rows.cells();
    return cells;
  }

  function forget(): void {
    for (const rows of kept.values()) rows.delete();
    kept.clear();
  }

  async function readAgain(
    sections: readonly number[],
    coordinates: Coordinates,
  ): Promise<Pick<SectionRead, 'sums' | 'error'>> {
    const intake = createSums(core, withCoordinates(coordinates));
    const read = await sumsOf(intake, () => {
      for (const index of sections) {
        const rows = kept.get(index);
        if (rows !== undefined) unwrap(rows.passTo(intake), plan.columns);
      }
    });
    forget();
    return read;
  }

  async function readBatches(coordinates: Coordinates | undefined): Promise<SectionRead> {
    const own = withCoordinates(coordinates);
    const intake = createSums(core, own);
    const feed = new RowFeed(intake, own, core);
    let rows = 0;
    /** Rows before the current batch that other readers have read. */
    let readElsewhere = 0;
    const { sums, error } = await sumsOf(intake, () =>
      feed.rows(async (push) => {
        for await (const { piece, rowsBefore } of piecesOf(page, () => stopped)) {
          readElsewhere = rowsBefore - rows;
          const count = piece.length / plan.columns.length;
          push(piece as Float64Array, rowsBefore);
          rows += count;
          report({ bytes: 0, rows });
        }
      }),
    );
    const section = { start: 0, end: 0, rows };
    return {
      section,
      sums,
      toCheck: [...feed.toCheck.columns],
      isKept: false,
      error: error === null ? null : furtherDown(error, readElsewhere),
    };
  }
}

/** An empty destination for the rows of one reading: a survey for the first one of private centring. */
function createSums(core: ReleaseCore, plan: Plan): IntakeBase {
  const options = intakeOptions(plan);
  return isCentred(plan) && plan.coordinates === undefined
    ? unwrap(core.createSurvey(options), plan.columns).survey
    : unwrap(core.createIntake(options), plan.columns).intake;
}

/** Transfers the buffer of the sums to the other worker, so that no copy stays here. */
function moved<Read extends Pick<SectionRead, 'sums'>>(read: Read): Moved<Read> {
  return new Moved(read, read.sums === null ? [] : [read.sums.buffer as ArrayBuffer]);
}

/** Small slices to the end of the file: a stream would read far past the end of the record. */
function inSteps({ size, read }: Bytes, start: number): AsyncGenerator<Uint8Array, void> {
  return slicesOf({ size, read }, start, size, REST_BYTES);
}

/** Returns the sums of what `read` adds to the intake, or the error, and deletes the intake. */
async function sumsOf(
  intake: IntakeBase,
  read: () => Promise<void> | void,
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
