/**
 * What the worker that owns the rows does. Everything private happens here: reading, encoding, exact sums,
 * noise. `JobPage` lists what it asks of the page. For large data it asks the page for more workers,
 * which read for it and send it their sums.
 */
import { readAlone, readCounted, secondHalf } from './read-job.js';
import { keptOfFile, keptOfStream, MANY_BYTES } from './kept-rows.js';
import type { Bytes } from '../base/bytes.js';
import { startCore } from '../core/core.js';
import { Readers, workersFor } from './readers.js';
import { requireReadable } from '../data/data.js';
import type { SourceDigest } from './source-digest.js';
import { pickGuarantee } from '../study/envelope.js';
import { PrivateMomentsError } from '../base/errors.js';
import { loadReaders, type OnRead } from '../data/files.js';
import { csvLayout, RowFeed } from '../data/ingest.js';
import { encodingOf } from '../data/encoding.js';
import { kindOf } from '../data/kinds.js';
import { CellsToCheck } from '../data/cells-to-check.js';
import { masked } from './masking.js';
import { digestOfSums, fingerprintsOf } from './fingerprints.js';
import { bytesOf } from './page.js';
import { intakeOptions, isCentred, type Plan } from '../core/plan.js';
import type {
  PermitRequest,
  JobPage,
  MaskSeed,
  PostedJob,
  PostedSource,
  ReleaseOrder,
  ReleaseOutcome,
} from './protocol.js';
import type {
  Coordinates,
  CsvLayout,
  Intake,
  IntakeBase,
  KeptRows,
  ReleaseCore,
  Survey,
} from '../core/raw.js';
import { serveReader } from './reader.js';
import { Moved, type Peer } from '../threads/peer.js';
import type { Service } from '../threads/serve.js';
import type { CentringChoice, LocalCounts } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';

/** Bytes read from the start of a file; usually enough for the header of a CSV file. */
const FIRST_BYTES = 1 << 16;

type Page = Peer<JobPage>;
type ReleaseJob = PostedJob<ReleaseOrder>;

export function service(): Service<ReleaseCore, JobPage> {
  return { start: startCore, load: loadReaders, functions: { run, read: serveReader } };
}

/** The outcome of a job. Its buffers move to the page. */
type Made = Moved<ReleaseOutcome>;

async function run(core: ReleaseCore, page: Page, job: ReleaseJob): Promise<Made> {
  try {
    return await attempt(core, page, job);
  } catch (error) {
    if (!comesAsBytes(job.source) || !isCrowded(error)) throw error;
    // Merged sums cannot tell which row was one too many; a single worker can.
    return attempt(core, page, { ...job, workers: 1 });
  }
}

async function attempt(core: ReleaseCore, page: Page, job: ReleaseJob): Promise<Made> {
  const { order, plan, secrets, source } = job;
  const first = firstReading(core, plan);
  const { sums } = first;
  sums.seedWith(job.context);
  const kept: Kept | undefined =
    first.isSurvey && order.task === 'release'
      ? { rows: keptRows(core, page, source, plan.columns.length), readers: undefined }
      : undefined;
  try {
    const { local, digest } = await readCounted(
      page,
      job,
      () => sums.counts(),
      (onRead, sourceDigest, toCheck) =>
        readSource(core, page, sums, job, toCheck, onRead, sourceDigest, kept),
      kept === undefined ? 1 : 0.5,
    );
    if (order.task !== 'inspect') requireReadable(local);
    let request: PermitRequest | null = null;
    if (secrets !== null) {
      const digestOfRows = await digestOfSums(unwrap(sums.sums()).bytes);
      const fingerprints = fingerprintsOf(secrets, 'sums', digestOfRows);
      if (digest !== null) fingerprints.push(...fingerprintsOf(secrets, 'bytes', digest));
      request = {
        fingerprints,
        guarantee: pickGuarantee(unwrap(core.describe(plan.spec)), plan.spec.federation),
      };
      if (order.task !== 'inspect') await page.call('permit', [request]);
    }
    if (order.task === 'inspect') return new Moved({ task: 'inspect', local, request }, []);
    if (first.isSurvey) return await releaseCentred(core, page, first.sums, job, local, kept);
    return order.task === 'mask'
      ? await mask(core, first.sums, plan, order.seeds, local)
      : release(core, first.sums, plan, local);
  } finally {
    kept?.rows?.delete();
    kept?.readers?.close();
    sums.delete();
  }
}

/** What the first reading of private centring keeps for the second: this worker's rows, or those of its readers. */
interface Kept {
  readonly rows: KeptRows | null;
  readers: Readers | undefined;
}

/** Where this worker's rows are kept. Data in memory are read again. */
function keptRows(
  core: ReleaseCore,
  page: Page,
  source: PostedSource,
  width: number,
): KeptRows | null {
  if (source.kind === 'values') return null;
  const size = source.kind === 'stream' ? Infinity : bytesOf(page, source).size;
  const rows = source.kind === 'stream' ? keptOfStream(core, width) : keptOfFile(core, width, size);
  // Said before they are read: the memory stays when reading fails, or when they are too many.
  if (rows !== null && size > MANY_BYTES) page.tell('grown', []);
  return rows;
}

/** What the rows of the first reading are added to. */
function firstReading(
  core: ReleaseCore,
  plan: Plan,
): { isSurvey: true; sums: Survey } | { isSurvey: false; sums: Intake } {
  const options = intakeOptions(plan);
  return isCentred(plan)
    ? { isSurvey: true, sums: unwrap(core.createSurvey(options), plan.columns).survey }
    : { isSurvey: false, sums: unwrap(core.createIntake(options), plan.columns).intake };
}

/** Reads the rows a second time, in the coordinates that the survey determines. */
async function releaseCentred(
  core: ReleaseCore,
  page: Page,
  survey: Survey,
  job: ReleaseJob,
  local: LocalCounts,
  kept: Kept | undefined,
): Promise<Made> {
  const surveyed = survey.counts().used;
  const { sums, coordinates } = unwrap(survey.release(), job.plan.columns);
  const plan = { ...job.plan, coordinates };
  const options = { ...intakeOptions(plan), surveyed };
  const { intake } = unwrap(core.createIntake(options), plan.columns);
  intake.seedWith(job.context);
  try {
    if (kept === undefined || !(await readKept(page, intake, plan, local.rows, kept))) {
      if (job.source.kind === 'values') await page.call('rewind', []);
      const counted = new CellsToCheck(plan);
      await readSource(core, page, intake, { ...job, plan }, counted, secondHalf(page));
    }
    page.tell('progress', [{ rows: local.rows, fraction: 1 }]);
    return release(core, intake, plan, local, {
      survey: Array.from(sums),
      centre: Array.from(coordinates.centre),
      scale: Array.from(coordinates.scale),
      radius: coordinates.radius,
      levels: coordinates.levels,
    });
  } finally {
    intake.delete();
  }
}

/**
 * Reads the rows that were kept.
 * @param count the number of rows of the first reading
 * @returns whether all of them were there
 */
async function readKept(
  page: Page,
  intake: IntakeBase,
  plan: Plan & { coordinates: Coordinates },
  count: number,
  { rows, readers }: Kept,
): Promise<boolean> {
  if (readers !== undefined) {
    const wasRead = await readers.readAgain(intake, plan.coordinates);
    readers.close();
    page.tell('readersDone', []);
    return wasRead;
  }
  if (rows?.cells() !== count * plan.columns.length) return false;
  unwrap(rows.passTo(intake), plan.columns);
  return true;
}

/** Whether any part of the data can be read again. */
function comesAsBytes({ kind }: PostedSource): boolean {
  return kind === 'blob' || kind === 'bytes' || kind === 'slices';
}

/**
 * Reads the rows, with several workers if the data are large.
 * @returns the data columns that the study does not use
 */
async function readSource(
  core: ReleaseCore,
  page: Page,
  intake: IntakeBase,
  { plan, source, workers }: ReleaseJob,
  toCheck: CellsToCheck,
  onRead: OnRead,
  sourceDigest?: SourceDigest,
  kept?: Kept,
): Promise<string[]> {
  if (source.kind === 'values') {
    const { rows, ignored } = source;
    const count = workersFor(rows * plan.columns.length * 8, workers);
    if (count > 1) {
      const readers = new Readers(
        await page.call('readers', [count]),
        intake,
        toCheck,
        (read) => {
          void onRead(read.rows, read.rows / rows);
        },
        plan.coordinates,
      );
      await readers.readBatches();
      page.tell('readersDone', []);
      return ignored;
    }
  } else if (comesAsBytes(source)) {
    const bytes = bytesOf(page, source);
    const head = await bytes.read(0, Math.min(FIRST_BYTES, bytes.size));
    const isUtf8 = kindOf(head) === 'text' && encodingOf(head, plan.csv.encoding) === 'utf-8';
    const count = isUtf8 ? workersFor(bytes.size, workers) : 1;
    if (count > 1) {
      const ports = page.call('readers', [count]);
      const layout = await layoutOf(core, bytes, plan, head);
      const readers = new Readers(
        await ports,
        intake,
        toCheck,
        (read) => {
          void onRead(read.rows, (layout.headerBytes + read.bytes) / bytes.size);
        },
        plan.coordinates,
        kept !== undefined,
      );
      await readers.readCsv(layout, bytes.size);
      if (kept === undefined) page.tell('readersDone', []);
      else kept.readers = readers;
      return layout.ignored;
    }
  }
  return readAlone(
    page,
    source,
    plan,
    new RowFeed(intake, plan, core, toCheck, kept?.rows),
    onRead,
    sourceDigest,
  );
}

function release(
  core: ReleaseCore,
  intake: Intake,
  { spec, columns, coordinates }: Plan,
  local: LocalCounts,
  centring?: CentringChoice,
): Made {
  const { values, rows, clipLevel, clipCounts } = unwrap(intake.release(), columns);
  const description = unwrap(
    core.describe({ ...spec, level: clipLevel, ...(coordinates && { coordinates }) }),
  );
  const clipping =
    clipCounts.length === 0 ? undefined : { level: clipLevel, counts: Array.from(clipCounts) };
  // The release may choose the clip radius, so the number of shortened rows is final only now.
  const { shortened } = intake.counts();
  const outcome: ReleaseOutcome = {
    task: 'release',
    version: core.version(),
    description,
    values,
    rows,
    clipping,
    centring,
    local: { ...local, shortened },
  };
  return new Moved(outcome, [values.buffer as ArrayBuffer]);
}

/** Masks are added here, so the page never has the unmasked values. */
async function mask(
  core: ReleaseCore,
  intake: Intake,
  plan: Plan,
  seeds: readonly MaskSeed[],
  local: LocalCounts,
): Promise<Made> {
  const { payload, rows } = unwrap(await masked(core, intake, plan, seeds), plan.columns);
  const { shortened } = intake.counts();
  const outcome: ReleaseOutcome = { task: 'mask', payload, rows, local: { ...local, shortened } };
  return new Moved(outcome, [payload.buffer as ArrayBuffer]);
}

function isCrowded(error: unknown): boolean {
  return (
    error instanceof PrivateMomentsError &&
    error.code === 'too-many-rows' &&
    error.row === undefined
  );
}

/** @param head the file's first bytes, which are usually enough */
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
