import type { ReactiveControllerHost } from 'lit';
import { evictOldest, WorkerController, type Pair } from 'private-moments/internal/elements';
import type {
  FromComparisonWorker,
  Job,
  PointRuns,
  ToComparisonWorker,
} from './comparison-protocol.js';

export type Wanted = Omit<Job, 'passes'>;

/** Adds the key under which the runs are stored. */
export function wantedOf(question: Omit<Wanted, 'key'>): Wanted {
  const { mechanism, data, delta, components, points } = question;
  return { ...question, key: JSON.stringify([mechanism, data, delta, components, points]) };
}

/** The results of a mechanism at one point. */
export interface Known {
  /** The promise it was run for. */
  asked: Pair;
  runs: number;
  /** Root mean square error of the matrix; NaN if there is no matrix. */
  error: number;
  /** Mean share of variance, or NaN, and half the width of its 95% interval. */
  share: number;
  shareWithin: number;
  /** Time of one run. */
  seconds: number;
  holds: Pair | null;
  problem: string;
}

const MOST_KEPT = 300;

/** Collects runs of mechanisms from a worker: few at first, then more. A newer question replaces older ones. */
export class Comparer extends WorkerController<ToComparisonWorker, FromComparisonWorker> {
  /** Whether more runs are being made. */
  isWorking = false;
  /** Why no mechanism can be run. */
  problem = '';

  readonly #kept = new Map<string, { passes: number; sums: PointRuns[] }>();
  #frame = 0;

  constructor(host: ReactiveControllerHost) {
    super(
      host,
      () => new Worker(new URL('./comparison-worker.js', import.meta.url), { type: 'module' }),
    );
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Asks for runs of each, most wanted first, beyond those already made. */
  ask(wanted: readonly Wanted[]): void {
    const byKey = new Map(wanted.map((one) => [one.key, one]));
    if (!this.isNewQuestion([...byKey.keys()].join())) return;
    this.isWorking = true;
    const jobs = [...byKey].map(([key, one]): Job => {
      const kept = this.#kept.get(key);
      if (kept !== undefined) {
        // Moves it to the end, so that the least recently used is evicted first.
        this.#kept.delete(key);
        this.#kept.set(key, kept);
      }
      return { ...one, passes: kept?.passes ?? 0 };
    });
    this.worker.post({ id: ++this.id, jobs });
  }

  /** The results at every point; undefined where there are none yet. */
  known(wanted: Wanted): readonly (Known | undefined)[] {
    const kept = this.#kept.get(wanted.key);
    return wanted.points.map(([epsilon], i) => {
      const sums = kept?.sums[i];
      return sums && knownOf({ epsilon, delta: wanted.delta }, sums);
    });
  }

  protected override take(message: FromComparisonWorker): void {
    if (message.type === 'pass') {
      const kept = this.#kept.get(message.key);
      const sums =
        kept === undefined
          ? message.results
          : kept.sums.map((sum, i) => added(sum, message.results[i]));
      this.#kept.set(message.key, { passes: (kept?.passes ?? 0) + 1, sums });
      evictOldest(this.#kept, MOST_KEPT);
    } else if (message.id === this.id) {
      this.isWorking = false;
      this.problem = message.type === 'failed' ? message.reason : '';
    }
  }

  protected override fail(reason: string): void {
    this.isWorking = false;
    this.problem = reason;
  }

  /** Updates the host at most once per frame, because passes of many curves come faster. */
  protected override show(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.host.requestUpdate();
    });
  }
}

function added(sum: PointRuns, more: PointRuns | undefined): PointRuns {
  if (more === undefined) return sum;
  return {
    ...more,
    runs: sum.runs + more.runs,
    squares: sum.squares + more.squares,
    shares: sum.shares + more.shares,
    shareSquares: sum.shareSquares + more.shareSquares,
    seconds: sum.seconds + more.seconds,
  };
}

function knownOf(
  asked: Pair,
  { runs, squares, shares, shareSquares, seconds, holds, problem }: PointRuns,
): Known {
  const share = shares / runs;
  const variance = Math.max(0, shareSquares / runs - share ** 2);
  return {
    asked,
    runs,
    error: Math.sqrt(squares / runs),
    share,
    shareWithin: 1.96 * Math.sqrt(variance / Math.max(1, runs - 1)),
    seconds: seconds / runs,
    holds,
    problem,
  };
}
