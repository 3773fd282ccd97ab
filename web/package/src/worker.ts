/**
 * The worker that owns the rows. Everything private happens here: reading, encoding, exact sums,
 * noise. What it posts to the page is listed in `FromWorker`. Where the data are large it asks the
 * page for more workers, which read for it and send it their sums.
 */
import { readAlone, readCounted } from './alone.js';
import type { Bytes } from './bytes.js';
import { startCore } from './core.js';
import { Crew, workersFor } from './crew.js';
import { requireReadable } from './data.js';
import type { Digesting } from './digesting.js';
import { guaranteeOf } from './envelope.js';
import { PrivateMomentsError } from './errors.js';
import type { OnRead } from './files.js';
import { csvLayout, RowFeed } from './ingest.js';
import { kindOf } from './kinds.js';
import { masked } from './federation/masking.js';
import type { MaskSeed } from './federation/participant.js';
import { digestOfSums, marksOf } from './marks.js';
import type { Page } from './page.js';
import { intakeOptions, type Plan } from './plan.js';
import type { Asked, PostedJob, ReleaseOrder, ReleaseOutcome } from './protocol.js';
import type { CsvLayout, Intake, ReleaseCore } from './raw.js';
import { serveReader } from './reader.js';
import { serve } from './serve.js';
import type { LocalCounts } from './types.js';
import { unwrap } from './unwrap.js';

/** Of a CSV file, most often with its header. */
const FIRST_BYTES = 1 << 16;

type ReleasePage = Page<ReleaseOutcome>;
type ReleaseJob = PostedJob<ReleaseOrder>;

serve({ start: startCore, run, read: serveReader });

async function run(core: ReleaseCore, page: ReleasePage, job: ReleaseJob): Promise<void> {
  try {
    await attempt(core, page, job);
  } catch (error) {
    const isFile = job.source.kind === 'blob' || job.source.kind === 'slices';
    if (!isFile || !isCrowded(error)) throw error;
    // Sums that together are too many do not tell which row was one too many; one worker does.
    await attempt(core, page, { ...job, workers: 1 });
  }
}

async function attempt(core: ReleaseCore, page: ReleasePage, job: ReleaseJob): Promise<void> {
  const { order, plan, secrets } = job;
  let intake = newIntake(core, plan);
  try {
    const { local, digest } = await readCounted(
      page,
      job,
      () => intake.counts(),
      (onRead, digesting) => readSource(core, page, intake, job, onRead, digesting),
    );
    if (order.task !== 'inspect') requireReadable(local);
    let asked: Asked | null = null;
    if (secrets !== null) {
      const told = await tellSums(core, intake, plan);
      intake.delete();
      intake = told.intake;
      const marks = marksOf(secrets, 'sums', told.digest);
      if (digest !== null) marks.push(...marksOf(secrets, 'bytes', digest));
      asked = {
        marks,
        guarantee: guaranteeOf(unwrap(core.describe(plan.spec)), plan.spec.federation),
      };
      if (order.task !== 'inspect') await page.permission(asked);
    }
    switch (order.task) {
      case 'inspect':
        page.post({ type: 'done', outcome: { task: 'inspect', local, asked } });
        break;
      case 'mask':
        await mask(core, page, intake, plan, order.seeds, local);
        break;
      case 'release':
        release(core, page, intake, plan, local);
    }
  } finally {
    intake.delete();
  }
}

/** @returns the columns of the data the study does not use */
async function readSource(
  core: ReleaseCore,
  page: ReleasePage,
  intake: Intake,
  { plan, source, workers }: ReleaseJob,
  onRead: OnRead,
  digesting: Digesting | undefined,
): Promise<string[]> {
  if (source.kind === 'values') {
    const { rows, ignored } = source;
    const count = workersFor(rows * plan.columns.length * 8, workers);
    if (count > 1) {
      const crew = new Crew(await page.crew(count), intake, (moved) => {
        void onRead(moved.rows, moved.rows / rows);
      });
      await crew.readBatches();
      page.post({ type: 'rested' });
      return ignored;
    }
  } else if (source.kind !== 'stream') {
    const bytes = page.bytesOf(source);
    const head = await bytes.read(0, Math.min(FIRST_BYTES, bytes.size));
    const count = kindOf(head) === 'text' ? workersFor(bytes.size, workers) : 1;
    if (count > 1) {
      const ports = page.crew(count);
      const layout = await layoutOf(core, bytes, plan, head);
      const crew = new Crew(await ports, intake, (moved) => {
        void onRead(moved.rows, (layout.headerBytes + moved.bytes) / bytes.size);
      });
      await crew.readCsv(layout, bytes.size);
      page.post({ type: 'rested' });
      return layout.ignored;
    }
  }
  return readAlone(page, source, plan, new RowFeed(intake, plan, core), onRead, digesting);
}

function newIntake(core: ReleaseCore, plan: Plan): Intake {
  return unwrap(core.createIntake(intakeOptions(plan)), plan.columns).intake;
}

/** The digest of the exact sums; telling them closes an intake, so they go on in another one. */
async function tellSums(
  core: ReleaseCore,
  intake: Intake,
  plan: Plan,
): Promise<{ digest: Uint8Array; intake: Intake }> {
  const { bytes } = unwrap(intake.part());
  const next = newIntake(core, plan);
  unwrap(next.merge(bytes), plan.columns);
  return { digest: await digestOfSums(bytes), intake: next };
}

function release(
  core: ReleaseCore,
  page: ReleasePage,
  intake: Intake,
  plan: Plan,
  local: LocalCounts,
): void {
  const { values, rows, clipLevel, clipCounts } = unwrap(intake.release(), plan.columns);
  const description = unwrap(core.describe({ ...plan.spec, level: clipLevel }));
  const clipping =
    clipCounts.length === 0 ? undefined : { level: clipLevel, counts: Array.from(clipCounts) };
  // Only now is it known how many rows were shortened.
  const { shortened } = intake.counts();
  const outcome: ReleaseOutcome = {
    task: 'release',
    version: core.version(),
    description,
    values,
    rows,
    clipping,
    local: { ...local, shortened },
  };
  page.post({ type: 'done', outcome }, [values.buffer as ArrayBuffer]);
}

/** What leaves is masked here: the page never has what the masks hide. */
async function mask(
  core: ReleaseCore,
  page: ReleasePage,
  intake: Intake,
  plan: Plan,
  seeds: readonly MaskSeed[],
  local: LocalCounts,
): Promise<void> {
  const { payload, rows } = unwrap(await masked(core, intake, plan, seeds), plan.columns);
  const { shortened } = intake.counts();
  const outcome: ReleaseOutcome = { task: 'mask', payload, rows, local: { ...local, shortened } };
  page.post({ type: 'done', outcome }, [payload.buffer as ArrayBuffer]);
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
