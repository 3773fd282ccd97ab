import type { ComparedData } from './compared-data.js';
import type { Line, Reference } from './comparison-figure.js';
import { inDigits, type Row } from './comparison-table.js';
import {
  bound,
  capitalised,
  count,
  list,
  percent,
  plural,
  probability,
} from 'private-moments/words';
import { readOff } from 'private-moments/internal/elements';

/** The best mechanism for a study at the present choice, in a sentence or two. */
export function finding(
  rows: readonly Row[],
  { epsilon, delta, size, zero }: { epsilon: number; delta: number; size: number; zero: number },
): string {
  const best = (promise: string): Row | undefined =>
    rows
      .filter(
        ({ contender, at }) =>
          !contender.isPublished && contender.promise === promise && at && !Number.isNaN(at.error),
      )
      .sort((a, b) => (a.at?.error ?? 0) - (b.at?.error ?? 0))[0];
  const [loose, pure] = [best('(ε, δ)'), best('ε')];
  const remainder = delta > 0 ? ` and δ = ${probability(delta)}` : '';
  const where = `At ε = ${bound(epsilon)}${remainder}, with ${count(size)} rows`;
  const said = [loose, pure].flatMap((row) =>
    row?.at === undefined ? [] : [{ title: row.contender.label, error: row.at.error, row }],
  );
  if (said.length === 0) return `${where}, the mechanisms are being run.`;
  const answering = `Answering 0 everywhere is off by ${inDigits(zero)}.`;
  const [first] = said;
  if (said.every(({ error }) => error >= zero)) {
    return `${where}, no mechanism a study can name beats answering 0 everywhere, which is off by ${inDigits(zero)} per row: too few rows for this ε.`;
  }
  if (loose?.at === undefined || pure?.at === undefined) {
    return `${where}, ${first?.title ?? ''} is the most accurate, off by ${inDigits(first?.error ?? NaN)} per row. ${answering}`;
  }
  return `${where}, ${loose.contender.label} is off by ${inDigits(loose.at.error)} per row; without δ, ${pure.contender.label} is the most accurate, off by ${inDigits(pure.at.error)}. ${answering}`;
}

/** A description of a figure with its numbers, one sentence per line. */
export function figureInWords(
  what: string,
  axis: 'epsilon' | 'rows',
  grid: readonly number[],
  lines: readonly Line[],
  reference: Reference,
  present: number,
): string {
  const show = what.startsWith('Share') ? percent : inDigits;
  const places = [...new Set([grid[0] ?? 1, present, grid.at(-1) ?? 1])];
  const said = lines.map(({ title, values, holds }) => {
    const known = values.map((value) => (Number.isNaN(value) ? undefined : value));
    const at = places.map((place) => {
      const value = readOff(grid, known, place);
      return value === undefined
        ? `no result yet at ${placeText(place)}`
        : `${show(value)} at ${placeText(place)}`;
    });
    const flawed = grid.filter((_, i) => holds[i] === false);
    const where = flawed.length === grid.length ? '' : ` at ${list(flawed.map(placeText))}`;
    const without = flawed.length === 0 ? '' : `, without such a guarantee${where}`;
    return `${title}${without}: ${at.join(', ')}.`;
  });
  return `${what} against ${axis}, log scale. ${said.join(' ')} ${capitalised(reference.label)}: ${show(reference.value)}.`;
}

/** An epsilon or a number of rows. */
function placeText(value: number): string {
  return value < 100 ? bound(value) : count(value);
}

/** The source of the data and their licence. */
export function sourceInWords({ title, about, source, licence, rows }: ComparedData): string {
  return `${title}: ${about}; ${plural(rows, 'row')}. ${source}; ${licence}.`;
}
