/**
 * The worker that owns the rows. Everything private happens here: reading, encoding, exact sums,
 * noise. What it posts is listed in `FromWorker`.
 */
import { startCore } from './core.js';
import { noRows, streamBytes } from './data.js';
import { PrivateMomentsError, toWire } from './errors.js';
import { feedCsv, RowFeed } from './ingest.js';
import { intakeOptions, type Plan } from './plan.js';
import { openPort, type Port } from './port.js';
import type { FromWorker, Piece, PostedSource, Task, ToWorker } from './protocol.js';
import type { ReleaseCore, Intake } from './raw.js';
import type { LocalCounts } from './types.js';
import { unwrap } from './unwrap.js';

/** Progress is for eyes: more messages than this would only cost time. */
const PROGRESS_INTERVAL_MS = 50;

function serve(port: Port<FromWorker, ToWorker>): void {
  let core: Promise<ReleaseCore> | undefined;
  let takePiece: ((piece: Piece | null) => void) | undefined;

  const nextPiece = (): Promise<Piece | null> =>
    new Promise((resolve) => {
      takePiece = resolve;
      port.post({ type: 'next' });
    });

  port.listen((message) => {
    switch (message.type) {
      case 'core':
        core = startCore(message.module);
        // The job that awaits the core reports the failure.
        core.catch(() => undefined);
        break;
      case 'start':
        run(core, message.task, message.plan, message.source).catch((error: unknown) => {
          port.post({ type: 'failed', error: toWire(error) });
        });
        break;
      case 'piece':
        takePiece?.(message.piece);
        break;
    }
  });

  async function run(
    core: Promise<ReleaseCore> | undefined,
    task: Task,
    plan: Plan,
    source: PostedSource,
  ): Promise<void> {
    if (core === undefined) throw new PrivateMomentsError('internal', 'the worker has no core');
    const running = await core;
    const { intake } = unwrap(running.createIntake(intakeOptions(plan)), plan.columns);
    try {
      const local = await read(running, intake, plan, source);
      if (task === 'inspect') port.post({ type: 'inspected', local });
      else release(running, intake, plan, local);
    } finally {
      intake.delete();
    }
  }

  async function read(
    core: ReleaseCore,
    intake: Intake,
    plan: Plan,
    source: PostedSource,
  ): Promise<LocalCounts> {
    const feed = new RowFeed(intake, plan, core);
    const report = progressReporter();
    const size = sizeOf(source);
    let ignored: string[];
    if (source.kind === 'values') {
      ignored = source.ignored;
      let rows = 0;
      for await (const values of pieces()) {
        feed.rows(values as Float64Array);
        rows += values.length / plan.columns.length;
        report(rows, rows / source.rows);
      }
    } else {
      const bytes = source.kind === 'blob' ? streamBytes(source.blob.stream()) : pieces();
      ignored = await feedCsv(bytes as AsyncIterable<Uint8Array>, plan, feed, (read, rows) => {
        report(rows, size === null ? null : read / size);
      });
    }
    const local = feed.counts(ignored);
    if (local.rows === 0) throw noRows();
    port.post({ type: 'progress', rows: local.rows, fraction: size === null ? null : 1 });
    return local;
  }

  function release(core: ReleaseCore, intake: Intake, plan: Plan, local: LocalCounts): void {
    const { values, rows, clipLevel, clipCounts } = unwrap(intake.release(), plan.columns);
    const description = unwrap(core.describe({ ...plan.spec, level: clipLevel }));
    const clipping =
      clipCounts.length === 0 ? undefined : { level: clipLevel, counts: Array.from(clipCounts) };
    // Only now is it known how many rows were shortened.
    const { shortened } = intake.counts();
    port.post(
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

  async function* pieces(): AsyncGenerator<Piece, void> {
    for (;;) {
      const piece = await nextPiece();
      if (piece === null) return;
      yield piece;
    }
  }

  function progressReporter(): (rows: number, fraction: number | null) => void {
    let last = -Infinity;
    return (rows, fraction) => {
      const now = performance.now();
      if (now - last < PROGRESS_INTERVAL_MS) return;
      last = now;
      port.post({ type: 'progress', rows, fraction });
    };
  }
}

/** Bytes or rows to come; null where nobody knows. */
function sizeOf(source: PostedSource): number | null {
  if (source.kind === 'blob') return source.blob.size;
  return source.kind === 'bytes' ? source.size : source.rows;
}

const port = openPort<FromWorker, ToWorker>();
if (port !== undefined) serve(port);
