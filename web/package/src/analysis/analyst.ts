/**
 * The page's side of the workers of analyses, apart from those that make releases. One analysis at
 * a time, in one worker; the draws of a long simulation are spread over several. Cancelling what
 * runs ends its workers; the next analysis gets new ones.
 */
import { PrivateMomentsError } from '../base/errors.js';
import { cores } from '../base/host.js';
import { analysisModule } from '../core/analysis-core.js';
import { worksHere } from '../threads/here.js';
import type { Peer } from '../threads/peer.js';
import { WorkerPool } from '../threads/pool.js';
import { WorkerFile } from '../threads/threads.js';
import type { Analysis, AnalysisWorker } from './analysis-protocol.js';
import { DEFAULT_DRAWS, type IntervalOptions } from './intervals.js';
import { simulations, type Simulated } from './methods.js';

/**
 * Draws times D^3 that keep another worker busy for longer than it takes to start: some 80 ms of
 * work, of which it takes half.
 */
const SMALLEST_SHARE = 2e8;

/** Each takes some 40 MB of memory. */
const MOST_WORKERS = 4;

const pool = new WorkerPool<AnalysisWorker>(
  new WorkerFile(
    'analysis-worker.js',
    () => new Worker(new URL('./analysis-worker.js', import.meta.url), { type: 'module' }),
    () => import('./analysis-service.js'),
  ),
  analysisModule,
);

/** Names another place for analysis-worker.js. */
export function useAnalysisWorkerFrom(url: string | URL): void {
  pool.useWorkerFrom(url);
}

/** Ends idle workers; the next analysis starts new ones, from the places named by then. */
export function retireAnalyst(): Promise<void> {
  return pool.retire();
}

/**
 * The data of the result, without methods. One that still waits is cancelled at once, too.
 * @param workers for its simulation; null: by what there is to do
 */
export function analyse(
  analysis: Analysis,
  workers: number | null,
  signal: AbortSignal | undefined,
): Promise<object> {
  const perform = async (
    lead: Peer<AnalysisWorker>,
    module: WebAssembly.Module,
  ): Promise<object> => {
    const count = workersFor(analysis, workers);
    const parts = count > 1 ? await draws(lead, analysis, count, module, signal) : undefined;
    const whole = parts === undefined ? analysis : { ...analysis, parts };
    return unlessCancelled(lead, () => lead.call('analyse', [whole]), signal);
  };
  return pool.run(perform, signal, cancelled);
}

/** All draws of an analysis, each part made by a worker. Where one fails, the others end. */
async function draws(
  lead: Peer<AnalysisWorker>,
  { method, question, options }: Analysis,
  count: number,
  module: WebAssembly.Module,
  signal: AbortSignal | undefined,
): Promise<Float64Array[]> {
  const helpers = Array.from({ length: count - 1 }, () => pool.helper(module));
  const stop = new AbortController();
  const cancel = (): void => {
    stop.abort(signal?.reason);
  };
  signal?.addEventListener('abort', cancel);
  try {
    const parts = [lead, ...helpers].map((worker, index) => {
      const part = { part: index, of: count };
      const draw = { method: method as Simulated, question, options, part };
      return unlessCancelled(
        worker,
        () => pool.ready(worker).then(() => worker.call('draw', [draw])),
        stop.signal,
      );
    });
    return await Promise.all(parts);
  } catch (error) {
    stop.abort();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    for (const helper of helpers) pool.release(helper);
  }
}

/** How many workers an analysis is worth, unless the caller has chosen. */
function workersFor({ method, options, question }: Analysis, chosen: number | null): number {
  if (worksHere()) return 1;
  const { level, draws = DEFAULT_DRAWS } = options as IntervalOptions;
  if (!(method in simulations) || level === undefined) return 1;
  if (chosen !== null) return chosen;
  const shares = (draws * question.columns.length ** 3) / SMALLEST_SHARE;
  return Number.isFinite(shares)
    ? Math.max(1, Math.min(Math.ceil(shares), MOST_WORKERS, cores()))
    : 1;
}

/** What a worker is called for, unless the signal comes first, which ends the worker. */
function unlessCancelled<T>(
  worker: Peer<AnalysisWorker>,
  call: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      pool.end(worker);
      reject(cancelled(signal));
    };
    signal?.addEventListener('abort', cancel);
    const finish = (): void => {
      signal?.removeEventListener('abort', cancel);
    };
    call()
      .then(resolve, (error: unknown) => {
        reject(error instanceof PrivateMomentsError ? error : notCloneable(error));
      })
      .finally(finish);
  });
}

function notCloneable(cause: unknown): PrivateMomentsError {
  return new PrivateMomentsError('unsupported-option', 'options must be cloneable', {}, cause);
}

function cancelled(signal: AbortSignal | undefined): PrivateMomentsError {
  return new PrivateMomentsError('cancelled', 'the analysis was cancelled', {}, signal?.reason);
}
