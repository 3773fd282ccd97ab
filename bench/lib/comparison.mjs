import { takeTurns } from './turns.mjs';
import { figure, percent, table } from './text.mjs';

/** Median, and in brackets the least and the interquartile range as a share of the median. */
export const cell = (times) =>
  times === undefined
    ? '-'
    : `${figure(times.median)} (${figure(times.min)}, ${percent(times.spread)})`;

/**
 * Contenders at several sizes: a table of times, and one of ratios to the first contender of the
 * same engine.
 * @param {{ sizes: { label: string }[], turns: number, say: (text: string) => void,
 *   contenders: { name: string, engine: string, least?: number,
 *     prepare: (size: object) => Promise<void>,
 *     run: (times: number) => Promise<{ ms: number, check?: number }> }[] }} options
 * @returns {Promise<Map<string, (object | undefined)[]>>} by name, the times at each size
 */
export async function compare({ sizes, contenders, turns, say }) {
  const found = new Map(contenders.map(({ name }) => [name, []]));
  const reasons = new Map();
  for (const size of sizes) {
    const { times, failed } = await takeTurns(
      contenders.map(({ name, prepare, run }) => ({ name, prepare: () => prepare(size), run })),
      { turns },
    );
    for (const [name, list] of found) list.push(times.get(name));
    for (const [name, reason] of failed) reasons.set(name, reason);
  }
  const ran = contenders.filter(({ name }) => found.get(name).some(Boolean));
  say('Milliseconds: median (least, interquartile range)\n');
  say(
    table(
      ['', ...sizes.map(({ label }) => label)],
      ran.map(({ name }) => [name, ...found.get(name).map(cell)]),
    ),
  );
  const ours = (engine) => found.get(contenders.find((one) => one.engine === engine).name);
  const others = ran.filter(({ name, engine }) => found.get(name) !== ours(engine));
  if (others.length > 0) {
    say('\nTheir median over ours in the same engine: how many times as fast ours is\n');
    say(
      table(
        ['', ...sizes.map(({ label }) => label)],
        others.map(({ name, engine }) => [
          name,
          ...found.get(name).map((times, i) => {
            const reference = ours(engine)[i];
            return times && reference ? figure(times.median / reference.median) : '-';
          }),
        ]),
      ),
    );
  }
  for (const [name, reason] of reasons) say(`\nNot run: ${name}: ${reason}`);
  return found;
}
