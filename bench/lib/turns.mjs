import { summary } from './statistics.mjs';

/** A shorter run is too inaccurate to time alone: it is repeated, and the mean counts. */
const SHORTEST_MS = 30;

/**
 * Measures contenders in turns, so that a slow moment of the machine affects all of them. Each first
 * runs without being measured, as often as later in each turn. A contender that fails is left out, with
 * the reason.
 * @param {{ name: string, prepare?: () => Promise<void>,
 *   run: (times: number) => Promise<{ ms: number, check?: number }> }[]} contenders
 *   `ms` is the mean of `times` runs; `check` is a number of the result, on which all must agree
 * @param {{ turns: number, tolerance?: number }} options `tolerance`: relative, of the checks
 * @returns {Promise<{ times: Map<string, ReturnType<typeof summary>>, failed: Map<string, string> }>}
 *   milliseconds of one run
 */
export async function takeTurns(contenders, { turns, tolerance = 1e-4 }) {
  const failed = new Map();
  const ready = [];
  let known;
  for (const { name, prepare, run } of contenders) {
    try {
      await prepare?.();
      const { ms, check } = await run(1);
      if (check !== undefined) {
        known ??= { name, check };
        if (!(Math.abs(check - known.check) <= tolerance * Math.abs(known.check))) {
          throw new Error(`gave ${check} where ${known.name} gave ${known.check}`);
        }
      }
      const times = Math.max(1, Math.min(1000, Math.ceil(SHORTEST_MS / Math.max(ms, 1e-3))));
      await run(times);
      ready.push({ name, run, times, measured: [] });
    } catch (error) {
      failed.set(name, String(error.message ?? error).split('\n')[0]);
    }
  }
  for (let turn = 0; turn < turns; ++turn) {
    for (const { run, times, measured } of ready) measured.push((await run(times)).ms);
  }
  return {
    times: new Map(ready.map(({ name, measured }) => [name, summary(measured)])),
    failed,
  };
}
