/** Reads the data of a job in a worker and reports progress to the page. */
import { requireRows } from '../data/data.js';
import { SourceDigest } from './source-digest.js';
import { kindOfFile, readFile, readStream, type OnRead } from '../data/files.js';
import { localCounts, type RowFeed } from '../data/ingest.js';
import { CellsToCheck } from '../data/cells-to-check.js';
import { bytesOf, piecesOf } from './page.js';
import type { Peer } from '../threads/peer.js';
import type { Plan } from '../core/plan.js';
import {
  PROGRESS_INTERVAL_MS,
  type JobPage,
  type PostedJob,
  type PostedSource,
} from './protocol.js';
import type { RawCounts } from '../core/raw.js';
import type { LocalCounts } from '../study/types.js';

/**
 * Reads the rows of a job and reports progress to the page.
 * @param counts called once everything is read
 * @param readRows finds what to check in the cells, and returns the data columns that the study does not use
 * @param share of the whole job that this reading is
 * @returns the counts, and the digest of the bytes if there is a ledger and the data came as bytes
 */
export async function readCounted(
  page: Peer<JobPage>,
  { plan, source, secrets }: Pick<PostedJob<unknown>, 'plan' | 'source' | 'secrets'>,
  counts: () => RawCounts,
  readRows: (
    onRead: OnRead,
    sourceDigest: SourceDigest | undefined,
    toCheck: CellsToCheck,
  ) => Promise<string[]>,
  share = 1,
): Promise<{ local: LocalCounts; digest: Uint8Array | null }> {
  const onRead: OnRead = progressReporter(page, share, () => sourceDigest?.share ?? 1);
  const sourceDigest = secrets === null ? undefined : new SourceDigest(page, source, onRead);
  try {
    const toCheck = new CellsToCheck(plan);
    const ignored = await readRows(onRead, sourceDigest, toCheck);
    const local = localCounts(counts(), plan, ignored, toCheck);
    requireRows(local.rows, plan);
    const digest = (await sourceDigest?.end()) ?? null;
    const fraction = source.kind === 'stream' ? null : share;
    page.tell('progress', [{ rows: local.rows, fraction }]);
    page.tell('counted', []);
    return { local, digest };
  } catch (error) {
    sourceDigest?.stop();
    throw error;
  }
}

/** Reports the second reading of a job to the page, as its second half. */
export function secondHalf(page: Peer<JobPage>): OnRead {
  const report = progressReporter(page, 1, () => 1);
  return (rows, fraction) => report(rows, fraction === null ? null : (1 + fraction) / 2);
}

/**
 * Reads all rows in this worker.
 * @returns the data columns that the study does not use
 */
export async function readAlone(
  page: Peer<JobPage>,
  source: PostedSource,
  plan: Plan,
  feed: RowFeed,
  onRead: OnRead,
  sourceDigest?: SourceDigest,
): Promise<string[]> {
  switch (source.kind) {
    case 'stream':
      return readStream(streamPieces(page, sourceDigest), plan, feed, onRead);
    case 'values':
      await feed.rows(async (push) => {
        for await (const { piece, rowsBefore } of piecesOf(page)) {
          const done = rowsBefore + piece.length / plan.columns.length;
          push(piece as Float64Array);
          await onRead(done, done / source.rows);
        }
      });
      return source.ignored;
    default: {
      const bytes = bytesOf(page, source);
      return readFile(await kindOfFile(bytes), bytes, plan, feed, onRead);
    }
  }
}

async function* streamPieces(
  page: Peer<JobPage>,
  sourceDigest?: SourceDigest,
): AsyncGenerator<Uint8Array, void> {
  for await (const { piece } of piecesOf(page)) {
    await sourceDigest?.push(piece as Uint8Array);
    yield piece as Uint8Array;
  }
}

/**
 * Reports progress to the page at intervals. It never goes back, even if a section is read again.
 * @param share by which fractions are multiplied
 * @param limit maximum fraction to report, because the bytes are also read for the digest
 */
function progressReporter(page: Peer<JobPage>, share: number, limit: () => number): OnRead {
  let last = -Infinity;
  const most = { rows: 0, fraction: 0 };
  return (rows, fraction) => {
    most.rows = Math.max(most.rows, rows);
    most.fraction = Math.min(1, Math.max(most.fraction, fraction ?? 0));
    const now = performance.now();
    if (now - last >= PROGRESS_INTERVAL_MS) {
      last = now;
      const reported = fraction === null ? null : Math.min(most.fraction, limit()) * share;
      page.tell('progress', [{ rows: most.rows, fraction: reported }]);
    }
    return page.pause();
  };
}
