import type { Moments, RidgeResult } from 'private-moments';
import { capitalised, significant, type Meaning } from 'private-moments/words';
import { meaningsOf } from './pair-sentences.js';

/** What a fit predicts, for the middle of a sentence, and the unit of its numbers, if it has one. */
export interface Target {
  words: string;
  unit: string;
}

/** What a change of one unit and of one standard deviation is for a predictor. */
export interface Step {
  name: string;
  unit: string;
  deviation: string;
}

type Columns = Parameters<typeof meaningsOf>[0] & Pick<Moments, 'sources'>;

/** "age, in years" or "the share of rows with kind of work office, from 0 to 1". */
export function targetOf(moments: Columns, target: string): Target {
  const meaning = meaningsOf(moments).get(target) ?? { column: target };
  if (isShare(meaning)) {
    const what =
      meaning.level === undefined ? meaning.column : `${meaning.column} ${meaning.level}`;
    const counted = moments.study.unit === 'row' ? 'rows' : 'participants';
    return { words: `the share of ${counted} with ${what}, from 0 to 1`, unit: '' };
  }
  const unit = unitOf(moments, target);
  return { words: unit === '' ? meaning.column : `${meaning.column}, in ${unit}`, unit };
}

/** One step of each predictor, in the order of the coefficients. */
export function stepsOf(moments: Columns, { coefficients, deviation }: RidgeResult): Step[] {
  const meanings = meaningsOf(moments);
  return coefficients.map(({ column: feature }, i) => {
    const meaning = meanings.get(feature) ?? { column: feature };
    const unit = isShare(meaning) ? '' : unitOf(moments, feature);
    const one = deviation.values[i] ?? 0;
    return {
      name: capitalised(
        meaning.level === undefined ? meaning.column : `${meaning.column}: ${meaning.level}`,
      ),
      unit: oneUnit(meaning, unit),
      deviation: one === 0 ? 'lost in the noise' : withUnit(one, unit),
    };
  });
}

/** A number with the unit of its column. */
export function withUnit(value: number, unit: string, digits = 2): string {
  return `${significant(value, digits)}${unit === '' ? '' : ` ${unit}`}`;
}

/** Whether the mean of a feature is the share of those who have it. */
function isShare({ level, yesNo }: Meaning): boolean {
  return level !== undefined || yesNo === true;
}

function oneUnit({ level, yesNo }: Meaning, unit: string): string {
  if (level !== undefined) return 'this level';
  if (yesNo === true) return 'yes instead of no';
  return unit === '' ? '1' : `1 ${singular(unit)}`;
}

function unitOf({ study, columns, sources }: Columns, feature: string): string {
  const source = sources[columns.indexOf(feature)];
  return study.columns.find(({ name }) => name === source)?.unit ?? '';
}

/** A unit that is a plural word, as one of it: "years" as "year"; symbols stay. */
function singular(unit: string): string {
  return unit.replace(/^([a-z]{3,}[^s])s$/, '$1');
}
