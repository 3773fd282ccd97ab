import type { MomentsMissing } from '../core/complete-sums.js';
import type { Origin } from '../output/results.js';
import {
  bound,
  capitalised,
  count,
  inSentence,
  list,
  percent,
  plural,
  significant,
} from './format.js';
import { columnName } from './names.js';

/** What means and a covariance say of missing cells; nothing under rules that do not count them. */
export interface WithGaps {
  missing?: MomentsMissing | null;
  rows: number | null;
}

/** At most this many columns are named. */
const MOST_NAMED = 4;

/** What noise moves a count by at most, in 95 of 100 studies, in standard deviations. */
const NORMAL_95 = 1.96;

/** For each column the share of its cells that was missing, with its noise: "12% ± 0.6%". */
export function sharesMissing({ missing, rows }: WithGaps): Map<string, string> {
  const shares = (missing?.columns ?? []).map(({ name, share, sd }) => {
    const words = [shareInWords(share), noiseInWords(sd, rows)].filter(Boolean).join(' ');
    return [name, words] as const;
  });
  return new Map(shares);
}

/**
 * How much was missing, in two sentences: "12% of the cells of BMI and 4% of glucose were missing (± 0.6%)." Empty
 * if the study's rule does not say.
 */
export function gapsFinding({
  missing,
  rows,
  origin,
}: WithGaps & { origin: Pick<Origin, 'study'> }): string {
  const written = (name: string): string => inSentence(columnName(origin.study, name));
  if (missing === null || missing === undefined) return '';
  const { columns, fewest } = missing;
  const sure = columns
    .filter(({ rows: empty, sd }) => empty > NORMAL_95 * sd)
    .sort((a, b) => b.share - a.share);
  const noise = noiseInWords(Math.max(0, ...columns.map(({ sd }) => sd)), rows);
  if (sure.length === 0) {
    return noise === ''
      ? 'No cell was missing.'
      : `Missing cells are fewer in every column than the noise in their count shows (${noise} of the rows).`;
  }
  const named = sure.slice(0, MOST_NAMED);
  const parts = named.map(
    ({ name, share }, i) =>
      `${shareInWords(share)} of ${i === 0 ? 'the cells of ' : ''}${written(name)}`,
  );
  const fewer = sure.length - named.length;
  const rest = columns.length - sure.length;
  const others = [
    ...(fewer === 0 ? [] : [`fewer in ${plural(fewer, 'other column')}`]),
    ...(rest === 0
      ? []
      : [
          `${noise === '' ? 'none' : 'no more than that noise'} in ${plural(rest, 'other column')}`,
        ]),
  ];
  const were = `${list(parts)} were missing${noise === '' ? '' : ` (${noise}, the noise of their count)`}`;
  const pair = list(fewest.columns.map(written));
  return `${[were, ...others].join('; ')}. ${pairInWords(pair, fewest)}`;
}

function pairInWords(pair: string, { columns, rows }: { columns: string[]; rows: number }): string {
  const about = `about ${count(Number(rows.toPrecision(3)))}`;
  return columns.length < 2
    ? `${capitalised(pair)} is there in ${about} rows.`
    : `The fewest rows, ${about}, have both ${pair}.`;
}

/** "12%", and "0.4%" below one percent. */
function shareInWords(share: number): string {
  return share > 0 && share < 0.01 ? `${significant(100 * share, 1)}%` : percent(share);
}

/** "± 0.6%", where 95 of 100 counts lie; empty without noise. */
function noiseInWords(sd: number, rows: number | null): string {
  return sd === 0 || rows === null || rows <= 0
    ? ''
    : `± ${bound(Number(((100 * NORMAL_95 * sd) / rows).toPrecision(1)))}%`;
}
