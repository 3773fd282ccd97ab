/**
 * The page's side of the workers of analyses, apart from those that make releases. One analysis at
 * a time, in one worker; the draws of a long simulation are spread over several. Cancelling what
 * runs ends its workers; the next analysis gets new ones.
 */
import type { Analysis, FromAnalyst, ToAnalyst } from './analysis-protocol.js';
import { simulations, type Simulated } from './analysis/methods.js';
import { DEFAULT_DRAWS, type IntervalOptions } from './analysis/uncertainty.js';
import { untilCancelled } from './cancel.js';
import { analysisModule } from './core.js';
import { fromWire, PrivateMomentsError } from './errors.js';
import { cores } from './host.js';
import { Bench, WorkerFile, type Thread } from './threads.js';

type Analyst = Thread<ToAnalyst, FromAnalyst>;

/**
 * Draws times D^3 that keep another worker busy for longer than it takes to start: some 80 ms of
 * work, of which it takes half.
 */
const SMALLEST_SHARE = 2e8;

/** Each takes some 40 MB of memory. */
const MOST_WORKERS = 4;

const file = new WorkerFile<ToAnalyst, FromAnalyst>(
  'analysis-worker.js',
  () => new Worker(new URL('./analysis-worker.js', import.meta.url), { type: 'module' }),
);
/** Does whole analyses; the others simulate only. */
let first: Analyst | undefined;
const others = new Bench<ToAnalyst, FromAnalyst>();
const ended = new WeakSet<Analyst>();
let queue: Promise<unknown> = Promise.resolve();

/** Names another place for analysis-worker.js. */
export function useAnalysisWorkerFrom(url: string | URL): void {
  file.useFrom(url);
}

/** Lets idle workers go; the next analysis starts new ones, from the places named by then. */
export async function retireAnalyst(): Promise<void> {
  await queue;
  first?.end();
  first = undefined;
  others.clear();
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
  const result = queue.then(() => perform(analysis, workers, signal));
  queue = result.catch(() => undefined);
  return untilCancelled(result, signal, cancelled);
}

async function perform(
  analysis: Analysis,
  workers: number | null,
  signal: AbortSignal | undefined,
): Promise<object> {
  if (signal?.aborted) throw cancelled(signal);
  const module = await analysisModule();
  if (signal?.aborted) throw cancelled(signal);
  const current = (first ??= start(module));
  current.hold();
  try {
    const count = workersFor(analysis, workers);
    const parts = count > 1 ? await draw(current, analysis, count, module, signal) : undefined;
    const asked = parts === undefined ? analysis : { ...analysis, parts };
    return await converse(current, { type: 'analyse', ...asked }, signal);
  } finally {
    current.rest();
  }
}

function start(module: WebAssembly.Module): Analyst {
  const thread = file.start();
  thread.post({ type: 'core', module });
  return thread;
}

function end(thread: Analyst): void {
  thread.end();
  ended.add(thread);
  if (first === thread) first = undefined;
}

/** All draws of an analysis, each part made by a worker. Where one fails, the others end. */
async function draw(
  current: Analyst,
  { method, question, options }: Analysis,
  count: number,
  module: WebAssembly.Module,
  signal: AbortSignal | undefined,
): Promise<Float64Array[]> {
  const helpers = Array.from({ length: count - 1 }, () => others.leave() ?? start(module));
  const stop = new AbortController();
  const cancel = (): void => {
    stop.abort(signal?.reason);
  };
  signal?.addEventListener('abort', cancel);
  for (const thread of helpers) thread.hold();
  try {
    const parts = [current, ...helpers].map((thread, part) => {
      const message = { type: 'draw', question, options, part: { part, of: count } } as const;
      return converse(thread, { ...message, method: method as Simulated }, stop.signal);
    });
    return (await Promise.all(parts)) as Float64Array[];
  } catch (error) {
    stop.abort();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    for (const thread of helpers) {
      if (ended.has(thread)) continue;
      thread.rest();
      others.seat(thread);
    }
  }
}

/** How many workers an analysis is worth, unless the caller has chosen. */
function workersFor({ method, options, question }: Analysis, chosen: number | null): number {
  const { level, draws = DEFAULT_DRAWS } = options as IntervalOptions;
  if (!(method in simulations) || level === undefined) return 1;
  if (chosen !== null) return chosen;
  const shares = (draws * question.columns.length ** 3) / SMALLEST_SHARE;
  return Number.isFinite(shares)
    ? Math.max(1, Math.min(Math.ceil(shares), MOST_WORKERS, cores()))
    : 1;
}

function converse(
  current: Analyst,
  message: ToAnalyst,
  signal: AbortSignal | undefined,
): Promise<object> {
  return new Promise((resolve, reject) => {
    const abandon = (error: Error): void => {
      signal?.removeEventListener('abort', cancel);
      end(current);
      reject(error);
    };
    const cancel = (): void => {
      abandon(cancelled(signal));
    };
    signal?.addEventListener('abort', cancel);
    current.listen(
      (reply) => {
        signal?.removeEventListener('abort', cancel);
        if (reply.type === 'done') resolve(reply.result);
        else reject(fromWire(reply.error));
      },
      (error) => {
        abandon(error as Error);
      },
    );
    try {
      current.post(message);
    } catch (cause) {
      signal?.removeEventListener('abort', cancel);
      const text = 'the options hold something that is no data';
      reject(new PrivateMomentsError('unsupported-option', text, {}, cause));
    }
  });
}

function cancelled(signal: AbortSignal | undefined): PrivateMomentsError {
  return new PrivateMomentsError('cancelled', 'the analysis was cancelled', {}, signal?.reason);
}
