import { defineStudy } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { readCode, withMinus } from '../../../../web/elements/src/take-part/file/missing-codes.js';
import { definition } from '../../../package/support.js';

const study = defineStudy(definition());

describe('a code for a missing value', () => {
  it.each([
    [' -999 ', '-999'],
    ['\u221299,5', '-99.5'],
    ['NA', 'NA'],
  ])('typed as %j is compared as %j', (typed, code) => {
    expect(readCode(typed, study, [])).toEqual({ code });
  });

  it.each([
    ['  ', /always missing/],
    ['-9', /in the list/],
    ['night', /allowed value of work/],
  ])('cannot be %j', (typed, problem) => {
    const read = readCode(typed, study, ['-9']);
    expect('problem' in read && read.problem).toMatch(problem);
  });

  it('is shown with a minus sign', () => {
    expect(withMinus('-999')).toBe('\u2212999');
    expect(withMinus('-')).toBe('-');
  });
});
