/** The comparison's worker: runs mechanisms on known second moments. */
import { compareMechanisms, published } from 'private-moments-research';
import { openPort, nextTask } from 'private-moments/internal';
import { closedAfter, describe, latest } from 'private-moments/internal/worker';
import type {
  FromComparisonWorker,
  Job,
  PointRuns,
  ToComparisonWorker,
} from './comparison-protocol.js';

/** Runs per point in each pass: few at first, so that every curve appears early; 200 in all. */
const PASSES = [2, 6, 16, 36, 60, 80];
/** Approximate time limit of one pass of one curve; slow mechanisms get fewer runs. */
const LONGEST_PASS_S = 1.5;

const closed = closedAfter(published);
const port = openPort<FromComparisonWorker, ToComparisonWorker>();
port?.listen(
  latest(async (question, isLatest) => {
    try {
      await closed();
      if (await answer(question, isLatest)) port.post({ type: 'done', id: question.id });
    } catch (error) {
      port.post({ type: 'failed', id: question.id, reason: describe(error) });
    }
  }),
);

/** Runs all jobs in each pass. @returns false if a newer question came in */
async function answer(question: ToComparisonWorker, isLatest: () => boolean): Promise<boolean> {
  const pace = new Map<string, number>();
  for (const [pass, runs] of PASSES.entries()) {
    for (const job of question.jobs) {
      if (job.passes > pass) continue;
      const start = performance.now();
      const affordable = LONGEST_PASS_S / (pace.get(job.key) ?? 0) / job.points.length;
      const afforded = Math.max(1, Math.min(runs, Math.floor(affordable)));
      const results: PointRuns[] = [];
      for (const point of job.points) {
        results.push(await runsAt(job, point, afforded, pass));
        await nextTask();
        if (!isLatest()) return false;
      }
      pace.set(job.key, (performance.now() - start) / 1000 / job.points.length / afforded);
      port?.post({ type: 'pass', key: job.key, results });
    }
  }
  return true;
}

/** Runs at one point. A pass uses one seed, so that curves are smooth and compared on the same noise. */
async function runsAt(
  { mechanism, dimension, mean, delta, components }: Job,
  [epsilon, rows]: readonly [number, number],
  runs: number,
  seed: number,
): Promise<PointRuns> {
  const { mechanisms } = await compareMechanisms({
    mean: { dimension, values: mean },
    ...{ rows, epsilon, delta, components, runs, seed },
    mechanisms: [mechanism],
  });
  const [run] = mechanisms;
  if (run?.problem !== null) {
    const problem = run?.problem?.message ?? '';
    return {
      runs: 0,
      squares: NaN,
      shares: NaN,
      shareSquares: NaN,
      seconds: 0,
      holds: null,
      problem,
    };
  }
  const sum = (values: Float64Array, of: (value: number) => number): number =>
    values.reduce((total, value) => total + of(value), 0);
  return {
    runs,
    squares: sum(run.truncated, (error) => error ** 2),
    shares: sum(run.shares, (share) => share),
    shareSquares: sum(run.shares, (share) => share ** 2),
    seconds: run.seconds * runs,
    holds: run.guarantee && { epsilon: run.guarantee.epsilon, delta: run.guarantee.delta },
    problem: '',
  };
}
