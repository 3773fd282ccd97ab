/**
 * The worker that owns the rows. Everything private happens here: reading, encoding, exact sums,
 * noise. What it posts to the page is listed in `FromWorker`. Where the data are large it asks the
 * page for more workers, which read for it and send it their sums.
 */
import type { Bytes } from './bytes.js';
import { startCore } from './core.js';
import { Crew, workersFor } from './crew.js';
import { noRows } from './data.js';
import { PrivateMomentsError, toWire } from './errors.js';
import { readFile, readStream, type OnRead } from './files.js';
import { csvLayout, RowFeed } from './ingest.js';
import { kindOf } from './kinds.js';
import { masked } from './federation/masking.js';
import type { MaskSeed } from './federation/participant.js';
import { Page } from './page.js';
import { intakeOptions, type Plan } from './plan.js';
import { openPort, type Port } from './port.js';
import {
  PROGRESS_INTERVAL_MS,
  type FromWorker,
  type PostedSource,
  type Task,
  type ToWorker,
} from './protocol.js';
import type { CsvLayout, Intake, ReleaseCore } from './raw.js';
import { serveReader } from './reader.js';
import type { LocalCounts } from './types.js';
import { unwrap } from './unwrap.js';

/** Of a CSV file, most often with its header. */
const FIRST_BYTES = 1 << 16;

/** One job: what to read, and for how many workers; null: as many as it is worth. */
interface Job {
  task: Task;
  plan: Plan;
  source: PostedSource;
  workers: number | null;
  seeds: readonly MaskSeed[];
}

function serve(port: Port<FromWorker, ToWorker>): void {
  const page = new Page(port);
  let core: Promise<ReleaseCore> | undefined;
  const started = async (): Promise<ReleaseCore> => {
    if (core === undefined) throw new PrivateMomentsError('internal', 'the worker has no core');
    return core;
  };
  const fail = (error: unknown): void => {
    page.post({ type: 'failed', error: toWire(error) });
  };

  port.listen((message) => {
    switch (message.type) {
      case 'core':
        core = startCore(message.module);
        // The job that awaits the core reports the failure.
        core.catch(() => undefined);
        break;
      case 'start':
        run(message).catch(fail);
        break;
      case 'read':
        started()
          .then((running) => {
            serveReader(running, page, message);
          })
          .catch(fail);
        break;
      default:
        page.take(message);
    }
  });

  async function run(job: Job): Promise<void> {
    const running = await started();
    try {
      await attempt(running, job);
    } catch (error) {
      const isFile = job.source.kind === 'blob' || job.source.kind === 'slices';
      if (!isFile || !isCrowded(error)) throw error;
      // Sums that together are too many do not tell which row was one too many; one worker does.
      await attempt(running, { ...job, workers: 1 });
    }
  }

  async function attempt(core: ReleaseCore, job: Job): Promise<void> {
    const { task, plan } = job;
    const { intake } = unwrap(core.createIntake(intakeOptions(plan)), plan.columns);
    try {
      const local = await read(core, intake, job);
      if (task === 'inspect') page.post({ type: 'inspected', local });
      else if (task === 'mask') await mask(core, intake, job, local);
      else release(core, intake, plan, local);
    } finally {
      intake.delete();
    }
  }

  async function read(core: ReleaseCore, intake: Intake, job: Job): Promise<LocalCounts> {
    const feed = new RowFeed(intake, job.plan, core);
    const onRead = progressReporter();
    const local = feed.counts(await readSource(core, intake, feed, job, onRead));
    if (local.rows === 0) throw noRows();
    const fraction = job.source.kind === 'stream' ? null : 1;
    page.post({ type: 'progress', rows: local.rows, fraction });
    return local;
  }

  /** @returns the columns of the data the study does not use */
  async function readSource(
    core: ReleaseCore,
    intake: Intake,
    feed: RowFeed,
    { plan, source, workers }: Job,
    onRead: OnRead,
  ): Promise<string[]> {
    if (source.kind === 'stream') {
      return readStream(streamPieces(), plan, feed, onRead);
    }
    if (source.kind === 'values') {
      const { rows, ignored } = source;
      const count = workersFor(rows * plan.columns.length * 8, workers);
      if (count > 1) {
        const crew = new Crew(await page.crew(count), intake, (moved) => {
          void onRead(moved.rows, moved.rows / rows);
        });
        await crew.readBatches();
        page.post({ type: 'rested' });
      } else {
        for await (const { piece, rowsBefore } of page.pieces()) {
          feed.rows(piece as Float64Array);
          const done = rowsBefore + piece.length / plan.columns.length;
          await onRead(done, done / rows);
        }
      }
      return ignored;
    }
    const bytes = page.bytesOf(source);
    const head = await bytes.read(0, Math.min(FIRST_BYTES, bytes.size));
    const kind = kindOf(head);
    const count = kind === 'text' ? workersFor(bytes.size, workers) : 1;
    if (count === 1) return readFile(kind, bytes, plan, feed, onRead);
    const ports = page.crew(count);
    const layout = await layoutOf(core, bytes, plan, head);
    const crew = new Crew(await ports, intake, (moved) => {
      void onRead(moved.rows, (layout.headerBytes + moved.bytes) / bytes.size);
    });
    await crew.readCsv(layout, bytes.size);
    page.post({ type: 'rested' });
    return layout.ignored;
  }

  function release(core: ReleaseCore, intake: Intake, plan: Plan, local: LocalCounts): void {
    const { values, rows, clipLevel, clipCounts } = unwrap(intake.release(), plan.columns);
    const description = unwrap(core.describe({ ...plan.spec, level: clipLevel }));
    const clipping =
      clipCounts.length === 0 ? undefined : { level: clipLevel, counts: Array.from(clipCounts) };
    // Only now is it known how many rows were shortened.
    const { shortened } = intake.counts();
    page.post(
      {
        type: 'released',
        version: core.version(),
        description,
        values,
        rows,
        clipping,
        local: { ...local, shortened },
      },
      [values.buffer as ArrayBuffer],
    );
  }

  /** What leaves is masked here: the page never has what the masks hide. */
  async function mask(
    core: ReleaseCore,
    intake: Intake,
    { plan, seeds }: Job,
    local: LocalCounts,
  ): Promise<void> {
    const { payload, rows } = unwrap(await masked(core, intake, plan, seeds), plan.columns);
    const { shortened } = intake.counts();
    page.post({ type: 'masked', payload, rows, local: { ...local, shortened } }, [
      payload.buffer as ArrayBuffer,
    ]);
  }

  async function* streamPieces(): AsyncGenerator<Uint8Array, void> {
    for await (const { piece } of page.pieces()) yield piece as Uint8Array;
  }

  /** Never goes back, even where a section is read again. */
  function progressReporter(): OnRead {
    let last = -Infinity;
    const most = { rows: 0, fraction: 0 };
    return (rows, fraction) => {
      const now = performance.now();
      if (now - last < PROGRESS_INTERVAL_MS) return;
      last = now;
      most.rows = Math.max(most.rows, rows);
      most.fraction = Math.min(1, Math.max(most.fraction, fraction ?? 0));
      page.post({
        type: 'progress',
        rows: most.rows,
        fraction: fraction === null ? null : most.fraction,
      });
    };
  }
}

function isCrowded(error: unknown): boolean {
  return (
    error instanceof PrivateMomentsError &&
    error.code === 'too-many-rows' &&
    error.row === undefined
  );
}

/** @param head the file's first bytes, most often enough */
async function layoutOf(
  core: ReleaseCore,
  bytes: Bytes,
  plan: Plan,
  head: Uint8Array,
): Promise<CsvLayout> {
  for (;;) {
    const layout = csvLayout(core, plan, head, head.length === bytes.size);
    if (layout !== null) return layout;
    head = await bytes.read(0, Math.min(4 * head.length, bytes.size));
  }
}

const port = openPort<FromWorker, ToWorker>();
if (port !== undefined) serve(port);
