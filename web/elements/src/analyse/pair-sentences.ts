import type { CcaResult, Moments } from 'private-moments';
import {
  featureWords,
  hiddenInWords,
  meaningsOf as meaningsIn,
  ordinal,
  sentenceOfPair,
  standingOf,
  type Meaning,
  type PairFigure,
} from 'private-moments/words';
import type { MomentsResult } from './analysis-result.js';
import type { PairWords } from '../figures/figure-data.js';

/** A pattern below this is called weak. */
const WEAK = 0.2;

/** What each feature of the moments is called, by its name. */
export function meaningsOf({
  study,
  columns,
  mean,
  covariance,
}: Pick<Moments, 'study' | 'columns' | 'mean' | 'covariance'>): Map<string, Meaning> {
  const variances = columns.map((_, i) => covariance.values[i * (columns.length + 1)] ?? 0);
  const deviation = {
    rows: ['deviation'],
    columns,
    values: Float64Array.from(variances, (variance) => Math.sqrt(Math.max(0, variance))),
  };
  return meaningsIn(featureWords(study.columns), { columns, centre: mean, deviation });
}

/** What each pair means, in the order of the pairs. */
export function pairSentences({ cca }: MomentsResult): PairWords[] {
  if (cca === undefined) return [];
  return cca.correlations.map((_, place) =>
    pairWords(cca.correlations, place, sentenceOfPair(cca, place), cca.hidden),
  );
}

/** The sentence of a pair with what limits it: what is not known of its interval comes first. */
export function pairWords(
  pairs: readonly PairFigure[],
  place: number,
  sentence: string,
  hidden: CcaResult['hidden'] | undefined,
): PairWords {
  const pair = pairs[place];
  const which = `${ordinal(place)} pair.`;
  if (pair === undefined || pair.belowNoiseFloor) {
    return {
      sentence: 'Nothing to read here.',
      detail: `${which} Noise alone would show as much.`,
    };
  }
  const reach = hiddenInWords(pairs, place, hidden);
  const isUnclear = standingOf(pair) === 'not clear';
  const before = [...(isUnclear ? ['Not clear: its interval reaches 0.'] : []), reach ?? ''];
  const isWeak = before.join('') === '' && pair.value < WEAK;
  return {
    ...(before.join('') === '' ? {} : { before: before.join(' ').trim() }),
    sentence,
    detail: isWeak ? `${which} A weak pattern, but a clear one.` : which,
  };
}
