import {
  errorInWords,
  estimatesInWords,
  explainedInWords,
  pairsFinding,
  pairsInWords,
  standingOf,
  varianceFinding,
} from 'private-moments/words';
import { describe, expect, it } from 'vitest';

const pair = (value: number, low?: number, noiseFloor = 0.1) => ({
  ...{ value, noiseFloor, belowNoiseFloor: value <= noiseFloor },
  ...(low === undefined ? {} : { low, high: value + 0.1 }),
});
const views = ['people', 'work'];
const [clear, unclear, below] = [pair(0.6, 0.5), pair(0.2, 0), pair(0.08, 0)];

describe('a pair', () => {
  it('is not clear if it is above its floor but its interval is shown to start at .00', () => {
    expect([clear, unclear, below].map(standingOf)).toEqual(['above', 'not clear', 'below']);
    expect(standingOf(pair(0.2, 0.0049))).toBe('not clear');
    expect(standingOf(pair(0.2, 0.0051))).toBe('above');
    expect(standingOf(pair(0.2))).toBe('above');
  });

  it('counts as a pattern only if it is clear', () => {
    const finding = (...pairs: ReturnType<typeof pair>[]) => pairsFinding(views, pairs);
    expect(finding(clear, clear)).toBe('Two patterns link people and work.');
    expect(finding(clear, clear, unclear)).toBe(
      'Two patterns link people and work. One more is not clear.',
    );
    expect(finding(clear, unclear, below)).toBe(
      'One pattern links people and work. One more is not clear, and one cannot be distinguished from noise.',
    );
    expect(finding(clear, below)).toBe(
      'One pattern links people and work. A second cannot be distinguished from noise.',
    );
    expect(finding(unclear, below)).toBe('No pattern that links people and work is clear.');
    expect(finding(below)).toBe(
      'No pattern that links people and work can be distinguished from noise.',
    );
  });

  it('could be stronger, or there after all, if noise hides directions', () => {
    const finding = (...pairs: ReturnType<typeof pair>[]) =>
      pairsFinding(views, pairs, { people: 1, work: 2 });
    const hides = 'the noise hides directions of people and work.';
    expect(finding(clear, clear)).toBe(
      `Two patterns link people and work. They could be stronger: ${hides}`,
    );
    expect(finding(clear, below)).toContain(`It could be stronger: ${hides}`);
    expect(finding(below)).toBe(
      `No pattern that links people and work can be distinguished from noise. There may still be one: ${hides}`,
    );
    expect(pairsFinding(views, [clear], {})).toBe('One pattern links people and work.');
  });
});

describe('the words about pairs', () => {
  const said = (...pairs: ReturnType<typeof pair>[]) => pairsInWords(pairs, { level: 0.95 });

  it('give the floors of all pairs, as one number if they are equal', () => {
    const alone = 'Noise and sampling error alone reach';
    expect(said(clear, pair(0.4, 0.3, 0.2)).join(' ')).toContain(
      `${alone} .10 to .20, depending on the pair. All pairs stand out from the noise`,
    );
    expect(said(clear, below).at(-1)).toBe(`${alone} .10.`);
  });

  it('first say what cannot be distinguished from noise, and what it could be', () => {
    expect(said(clear, below)[0]).toBe(
      'The second pair cannot be distinguished from noise, and could be anything up to .18. Do not interpret it.',
    );
    expect(said(below, below)[0]).toBe(
      'The first and second pairs cannot be distinguished from noise, and could be anything up to .18. Do not interpret them.',
    );
    const drowned = pairsInWords([below, below], { level: 0.95, hidden: { work: 1 } });
    expect(drowned[0]).toContain('could be anything up to 1.');
    expect(pairsInWords([clear, pair(0.08)], {})[0]).toBe(
      'The second pair cannot be distinguished from noise. Do not interpret it.',
    );
  });

  it('first say which could be higher because of what the noise hides, and how high', () => {
    const pairs = [clear, pair(0.4, 0.3), below];
    const hidden = (counts: Record<string, number>) =>
      pairsInWords(pairs, { level: 0.95, hidden: counts });
    expect(hidden({})[0]).not.toContain('hides');
    expect(hidden({ people: 1 })[0]).toBe(
      'The first pair could be anything up to 1: the noise hides a direction of people.',
    );
    expect(hidden({ people: 1 })[1]).toBe(
      'The second pair could be anything up to .50: the noise hides a direction of people.',
    );
    expect(hidden({ people: 1, work: 2 })[0]).toBe(
      'The first and second pairs could be anything up to 1: the noise hides directions of people and work.',
    );
    expect(hidden({ people: 1 }).join(' ')).toContain(
      'The first pair has a correlation of .60, in the directions that can be seen.',
    );
    const plain = [pair(0.6), pair(0.4)];
    expect(pairsInWords(plain, { hidden: { work: 1 } })[0]).toContain('The first pair could be');
    expect(pairsInWords(plain, { hidden: { work: 1 } })[1]).not.toContain('could be');
  });

  it('have a sentence for each pair above its floor', () => {
    const pairs = [pair(0.6, 0.5), pair(0.4, 0.3), pair(0.3, 0.2), below];
    const words =
      'The first pair has a correlation of .60. With privacy noise and sampling error, .50 to .70 is plausible, a 95% interval. The second pair has a correlation of .40 (.30 to .50). The third pair has a correlation of .30 (.20 to .40).';
    expect(said(...pairs)).toContain(words);
    expect(pairsInWords([pair(0.6), pair(0.4)], {})).toContain(
      'The first pair has a correlation of .60. The second pair has a correlation of .40.',
    );
    expect(estimatesInWords([below, below], {})).toBe('');
  });

  it('do not limit the share explained by 100%', () => {
    expect(explainedInWords({ ...below, high: 0.2 })).toBe(
      'indistinguishable from noise; at most 20%',
    );
    expect(explainedInWords({ ...below, high: 1 })).toBe('indistinguishable from noise');
  });

  it('do not give an error of 0 to a target that is lost in the noise', () => {
    expect(errorInWords({ r2: below, residualSd: 0 }, 'years')).toBe('lost in the noise');
    expect(errorInWords({ r2: clear, residualSd: 0 })).toBe('0');
    expect(errorInWords({ r2: below, residualSd: 12.345 }, 'years')).toBe('12.3 years');
  });

  it('say which shares of the variance may be 0', () => {
    const component = (share: number, shareLow: number) => ({
      ...{ value: share, share, shareLow, belowNoiseFloor: false },
    });
    expect(varianceFinding([component(0.8, 0.5), component(0.2, 0.1)], 0.1)).toBe(
      'The first two components carry over 99% of the variance.',
    );
    expect(varianceFinding([component(0.8, 0), component(0.2, 0.0004)], 0.1)).toBe(
      'The first two components carry over 99% of the variance. The first and second are not clear: the intervals of their shares reach 0.',
    );
  });

  it('say which are not clear, and then never that all stand out', () => {
    expect(said(clear, unclear)[0]).toBe(
      'The second pair is not clear: it lies above its floor, but its interval reaches 0.',
    );
    expect(said(unclear, unclear)[0]).toContain('The first and second pairs are not clear');
    expect(said(clear, unclear).join(' ')).not.toContain('All pairs');
  });
});
