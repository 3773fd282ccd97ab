import { describe, expect, it } from 'vitest';
import { componentSentence, highScoreInWords, pairSentence, partsOf } from 'private-moments/words';
import { meaningsOf, pairWords } from '../../../web/elements/src/analyse/pair-sentences.js';

type Part = Parameters<typeof componentSentence>[0][number];

const age = (loading: number): Part => ({ column: 'age', loading });
const income = (loading: number): Part => ({ column: 'income', loading });
const married = (loading: number): Part => ({ column: 'married', yesNo: true, loading });
const kind = (level: string, loading: number): Part => ({ column: 'work', level, loading });

const views = ['people', 'work'] as const;
const said = (first: Part[], second: Part[]) => pairSentence([first, second], views);

describe('the sentence of a pair', () => {
  it('says what goes with what', () => {
    expect(said([age(0.9)], [income(0.8)])).toBe('Higher age goes with higher income.');
    expect(said([age(0.9)], [income(-0.8)])).toBe('Higher age goes with lower income.');
    expect(said([married(0.9)], [kind('office', -0.5)])).toBe('Married goes with work not office.');
  });

  it('describes the first side where its largest loading is positive', () => {
    expect(said([age(-0.9)], [income(0.8)])).toBe('Higher age goes with lower income.');
    expect(said([age(0.5), married(-0.9)], [income(0.8)])).toBe(
      'Married and lower age go with lower income.',
    );
  });

  it('names loadings of .4 or more, the largest first, at most two a side', () => {
    const [small, large] = [0.399, 0.4];
    expect(said([age(small), married(large)], [income(0.9)])).toBe(
      'Married goes with higher income.',
    );
    expect(said([age(0.5), income(0.6), married(0.9)], [kind('office', 0.7)])).toBe(
      'Married and higher income go with work office.',
    );
  });

  it('joins levels of one column by "or", and by "rather than" where their signs differ', () => {
    const sides = (a: number, b: number) =>
      said([age(0.9)], [kind('office', a), kind('service', b)]);
    expect(sides(0.6, 0.5)).toBe('Higher age goes with work office or service.');
    expect(sides(0.6, -0.5)).toBe('Higher age goes with work office rather than service.');
    expect(sides(-0.6, 0.5)).toBe('Higher age goes with work service rather than office.');
    expect(sides(-0.6, -0.5)).toBe('Higher age goes with work neither office nor service.');
  });

  it('says where no single column carries a side, or the pattern', () => {
    expect(said([age(0.9)], [income(0.3)])).toBe('Higher age goes with no single column of work.');
    expect(said([age(0.1)], [income(-0.9)])).toBe(
      'Higher income goes with no single column of people.',
    );
    expect(said([age(0.1)], [income(0.3)])).toBe('No single column carries this pattern.');
  });
});

describe('the sentence of a component', () => {
  it('sets its ends against each other', () => {
    expect(componentSentence([age(0.5), married(-0.9), income(-0.6)])).toBe(
      'Married and higher income rather than higher age.',
    );
    expect(componentSentence([age(-0.5)])).toBe('Higher age.');
    expect(componentSentence([age(0.3)])).toBe('No single column carries this component.');
  });
});

describe('a high score', () => {
  it('is said in the words of its columns', () => {
    expect(highScoreInWords([age(0.5), married(0.9), income(0.1)])).toBe('married and higher age');
    expect(highScoreInWords([age(-0.5), kind('office', -0.6)])).toBe(
      'work not office and lower age',
    );
    expect(highScoreInWords([age(0.1)])).toBe('no single column');
  });
});

describe('the meaning of a feature', () => {
  const matrix = (...values: number[]) => ({ rows: [], columns: [], values: Float64Array.from(values) }); // prettier-ignore
  const moments = (column: object, mean: number, variance: number) =>
    ({
      study: { columns: [{ name: 'over_50k', type: 'number', min: 0, max: 1, ...column }] },
      columns: ['over_50k'],
      sources: ['over_50k'],
      mean: matrix(mean),
      covariance: matrix(variance),
    }) as unknown as Parameters<typeof meaningsOf>[0];
  const meaning = (column: object, mean = 0.25, variance = 0.19) =>
    meaningsOf(moments(column, mean, variance)).get('over_50k');

  it('is the label of its column, or else its name without underscores', () => {
    expect(meaning({})?.column).toBe('over 50k');
    expect(meaning({ label: 'Income above 50,000' })?.column).toBe('income above 50,000');
    expect(meaning({ label: 'HDL cholesterol' })?.column).toBe('HDL cholesterol');
  });

  it('is the name where the label is too long for a sentence', () => {
    expect(meaning({ label: `Income ${'of the household '.repeat(4)}` })?.column).toBe('over 50k');
  });

  it('is yes or no from 0 to 1, without a unit, with the variance of yes and no', () => {
    expect(meaning({})?.yesNo).toBe(true);
    // A share that is never near 0 or 1 varies less.
    expect(meaning({}, 0.25, 0.05)?.yesNo).toBe(false);
    expect(meaning({ unit: 'mg/dL' })?.yesNo).toBeUndefined();
    expect(meaning({ max: 80 })?.yesNo).toBeUndefined();
  });

  it('says nothing if the interval of its loading holds 0', () => {
    const weight = (low: number, high: number) => ({
      ...{ name: 'age', original: 0.5, comparable: 0.5 },
      interval: { original: [low, high], comparable: [low, high] } as const,
    });
    expect(partsOf([weight(0.1, 0.9)], new Map())).toEqual([{ column: 'age', loading: 0.5 }]);
    expect(partsOf([weight(-0.1, 0.9)], new Map())).toEqual([]);
  });
});

describe('the words beside the bar of a pair', () => {
  const pair = (value: number, low = value - 0.1, noiseFloor = 0.1) => ({
    ...{ value, low, high: value + 0.1, noiseFloor, belowNoiseFloor: value <= noiseFloor },
  });
  const words = (own: ReturnType<typeof pair>, hidden?: Record<string, number>) =>
    pairWords([own], 0, 'A goes with b.', hidden);

  it('begin with what is not known of its interval', () => {
    expect(words(pair(0.6))).toEqual({ sentence: 'A goes with b.', detail: '1st pair.' });
    expect(words(pair(0.3, 0))).toEqual({
      before: 'Not clear: its interval reaches 0.',
      sentence: 'A goes with b.',
      detail: '1st pair.',
    });
    expect(words(pair(0.6), { work: 1 }).before).toBe(
      'Could be anything up to 1: the noise hides a direction of work.',
    );
    expect(words(pair(0.3, 0), { work: 1 }).before).toBe(
      'Not clear: its interval reaches 0. Could be anything up to 1: the noise hides a direction of work.',
    );
  });

  it('say that a weak pattern is clear only if it is', () => {
    expect(words(pair(0.15, 0.12)).detail).toBe('1st pair. A weak pattern, but a clear one.');
    expect(words(pair(0.15, 0)).detail).toBe('1st pair.');
  });

  it('leave nothing to read below the noise floor', () => {
    expect(words(pair(0.05))).toEqual({
      sentence: 'Nothing to read here.',
      detail: '1st pair. Noise alone would show as much.',
    });
  });
});
