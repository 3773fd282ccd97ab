/** How a worker reads what a job posts, and what it tells of it. */
import { requireRows } from '../data/data.js';
import { Digesting } from './digesting.js';
import { kindOfFile, readFile, readStream, type OnRead } from '../data/files.js';
import { localCounts, type RowFeed } from '../data/ingest.js';
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
 * Reads the rows of a job, and tells the page how far it is.
 * @param counts of what was read, once it is
 * @param readRows gives the columns of the data the study does not use
 * @returns the counts, and with a ledger the digest of the bytes, where the data came as bytes
 */
export async function readCounted(
  page: Peer<JobPage>,
  { plan, source, secrets }: Pick<PostedJob<unknown>, 'plan' | 'source' | 'secrets'>,
  counts: () => RawCounts,
  readRows: (onRead: OnRead, digesting: Digesting | undefined) => Promise<string[]>,
): Promise<{ local: LocalCounts; digest: Uint8Array | null }> {
  const onRead: OnRead = progressReporter(page, () => digesting?.share ?? 1);
  const digesting = secrets === null ? undefined : new Digesting(page, source, onRead);
  try {
    const ignored = await readRows(onRead, digesting);
    const local = localCounts(counts(), plan, ignored);
    requireRows(local.rows, plan);
    const digest = (await digesting?.end()) ?? null;
    const fraction = source.kind === 'stream' ? null : 1;
    page.tell('progress', [{ rows: local.rows, fraction }]);
    return { local, digest };
  } catch (error) {
    digesting?.stop();
    throw error;
  }
}

/** @returns the columns of the data the study does not use */
export async function readAlone(
  page: Peer<JobPage>,
  source: PostedSource,
  plan: Plan,
  feed: RowFeed,
  onRead: OnRead,
  digesting?: Digesting,
): Promise<string[]> {
  switch (source.kind) {
    case 'stream':
      return readStream(streamPieces(page, digesting), plan, feed, onRead);
    case 'values':
      for await (const { piece, rowsBefore } of piecesOf(page)) {
        feed.rows(piece as Float64Array);
        const done = rowsBefore + piece.length / plan.columns.length;
        await onRead(done, done / source.rows);
      }
      return source.ignored;
    default: {
      const bytes = bytesOf(page, source);
      return readFile(await kindOfFile(bytes), bytes, plan, feed, onRead);
    }
  }
}

async function* streamPieces(
  page: Peer<JobPage>,
  digesting?: Digesting,
): AsyncGenerator<Uint8Array, void> {
  for await (const { piece } of piecesOf(page)) {
    await digesting?.push(piece as Uint8Array);
    yield piece as Uint8Array;
  }
}

/**
 * Tells the page now and then. Never goes back, even where a section is read again.
 * @param limit how far it may say it is, where the bytes are read for something else, too
 */
function progressReporter(page: Peer<JobPage>, limit: () => number): OnRead {
  let last = -Infinity;
  const most = { rows: 0, fraction: 0 };
  return (rows, fraction) => {
    most.rows = Math.max(most.rows, rows);
    most.fraction = Math.min(1, Math.max(most.fraction, fraction ?? 0));
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    const share = fraction === null ? null : Math.min(most.fraction, limit());
    page.tell('progress', [{ rows: most.rows, fraction: share }]);
  };
}
