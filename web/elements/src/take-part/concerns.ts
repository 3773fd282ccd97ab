import type { LocalCounts, Study } from 'private-moments';
import { count, list, plural, significant } from 'private-moments/words';
import { rangeWithUnit } from './asked-columns.js';
import { SUSPICIOUS } from './match-table.js';
import { LARGEST, type Concern, type Found } from './concerning.js';
import type { Matching } from './matching.js';

/** What to check before a release is made, as far as the counts and the matching show it. */
export function concernsOf({ study, counts, matching, noise }: Found): Concern[] {
  return [
    ...unreadable(study, counts),
    ...outside(study, counts),
    ...usedTwice(study, matching),
    ...(noise === undefined || noise < LARGEST ? [] : [tooFew(counts, noise)]),
  ];
}

function unreadable(study: Study, { columns, rows }: LocalCounts): Concern[] {
  return columns.flatMap(({ name, from, missing, unreadable: cells, unreadableRows }) => {
    const column = study.columns.find((each) => each.name === name);
    if (column === undefined || cells === 0 || missing === rows) return [];
    const isOne = cells === 1;
    const empty = missing - cells;
    const title =
      column.type === 'number'
        ? `${plural(cells, 'cell')} of ${from} ${isOne ? 'holds a word' : 'hold words'}, not ${isOne ? 'a number' : 'numbers'}.`
        : `${plural(cells, 'cell')} of ${from} ${isOne ? 'holds' : 'hold'} none of the allowed values.`;
    const place = `${unreadableRows.length === 1 ? 'row' : 'rows'} ${list(unreadableRows.map(count))}`;
    const where = cells > unreadableRows.length ? `The first are in ${place}.` : `See ${place}.`;
    const beside =
      empty === 0
        ? 'No cell is empty.'
        : `Another ${plural(empty, 'cell')} ${empty === 1 ? 'is' : 'are'} empty or “not measured”.`;
    return {
      title,
      body: `${where} ${beside} All of them count as missing. If ${isOne ? 'this cell has' : 'these cells have'} a value, correct ${isOne ? 'it' : 'them'} in your file. If ${isOne ? 'it means' : 'they mean'} “not measured”, ${study.missingValues === undefined ? `add what ${isOne ? 'it says' : 'they say'} under “What stands for ‘not measured’?”.` : 'leave them as they are.'}`,
      ...(cells > rows * SUSPICIOUS ? { needsChoice: true as const } : {}),
    };
  });
}

function outside(study: Study, { columns, rows }: LocalCounts): Concern[] {
  return columns.flatMap(({ name, from, missing, outside: beyond }) => {
    const column = study.columns.find((each) => each.name === name);
    const values = rows - missing;
    if (column === undefined || values === 0 || beyond < values) return [];
    const advice =
      column.description === undefined ? '' : ` The study says: ${column.description}.`;
    return {
      title: `${values === 1 ? 'The only value' : `All ${count(values)} values`} of ${from} ${values === 1 ? 'is' : 'are'} outside ${rangeWithUnit(column)}.`,
      body: `Each would count as the nearest end of the range, so ${name} would say almost nothing. Is it in another unit, or another column?${advice}`,
      needsChoice: true,
    };
  });
}

function usedTwice(study: Study, matching: Matching): Concern[] {
  const uses = new Map<string, string[]>();
  for (const { name } of study.columns) {
    const from = matching[name];
    if (from !== undefined) uses.set(from, [...(uses.get(from) ?? []), name]);
  }
  return [...uses]
    .filter(([, names]) => names.length > 1)
    .map(([from, names]) => ({
      title: `${from} is matched to ${list(names)}.`,
      body: 'One column of a file seldom is two columns of a study. They would seem to agree perfectly.',
    }));
}

function tooFew({ rows, dropped, centred }: LocalCounts, noise: number): Concern {
  const used = rows - dropped - centred;
  return {
    title: `${plural(used, 'row is', 'rows are')} too few for this study’s ε.`,
    body: `The noise in a correlation from this file alone would be about ${significant(noise)} or more, and no correlation is larger than 1. Use a file with at least ${plural(enough(used, noise), 'row')}, or ask the organiser whether releases as small as this one help.`,
  };
}

/** Rows with which the noise is as large as the largest correlation. */
function enough(used: number, noise: number): number {
  return Math.ceil(Number((used * noise).toPrecision(2)));
}
