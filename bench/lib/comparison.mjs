import { ratio } from './statistics.mjs';
import { takeTurns } from './turns.mjs';
import { figure, percent, table } from './text.mjs';

/** Median, and in brackets the minimum and the interquartile range as a share of the median. */
export const cell = (times) =>
  times === undefined
    ? '-'
    : `${figure(times.median)} (${figure(times.min)}, ${percent(times.spread)})`;

/** Median of the ratios of `a` to `b` in each turn, and in brackets their quartiles. */
export function over(a, b) {
  if (a === undefined || b === undefined) return '-';
  const { median, low, high } = ratio(a, b);
  return `${figure(median)} (${figure(low)} to ${figure(high)})`;
}

/**
 * Compares contenders at several sizes: prints a table of times, and one of ratios to the first
 * contender of the same engine, which the text calls `reference`.
 * @param {{ sizes: { label: string }[], turns: number, say: (text: string) => void,
 *   reference: string,
 *   contenders: { name: string, engine: string,
 *     prepare: (size: object) => Promise<void>,
 *     run: (times: number) => Promise<{ ms: number, check?: number }> }[] }} options
 * @returns {Promise<Map<string, (object | undefined)[]>>} by name, the times at each size
 */
export async function compare({ sizes, contenders, reference, turns, say }) {
  const found = new Map(contenders.map(({ name }) => [name, []]));
  const reasons = new Map();
  for (const size of sizes) {
    const { times, failed } = await takeTurns(
      contenders.map(({ name, prepare, run }) => ({ name, prepare: () => prepare(size), run })),
      { turns },
    );
    for (const [name, list] of found) list.push(times.get(name));
    for (const [name, reason] of failed) reasons.set(`${name} (${size.label})`, reason);
  }
  const ran = contenders.filter(({ name }) => found.get(name).some(Boolean));
  say('Milliseconds\n');
  say(
    table(
      ['', ...sizes.map(({ label }) => label)],
      ran.map(({ name }) => [name, ...found.get(name).map(cell)]),
    ),
  );
  const ours = (engine) => found.get(contenders.find((one) => one.engine === engine).name);
  const others = ran.filter(({ name, engine }) => found.get(name) !== ours(engine));
  if (others.length > 0) {
    say(
      `\nTimes divided by those of ${reference} in the same engine: above 1, ${reference} is faster\n`,
    );
    say(
      table(
        ['', ...sizes.map(({ label }) => label)],
        others.map(({ name, engine }) => [
          name,
          ...found.get(name).map((times, i) => over(times, ours(engine)[i])),
        ]),
      ),
    );
  }
  for (const [name, reason] of reasons) say(`\nNot run: ${name}: ${reason}`);
  return found;
}
