import { describe, expect, it } from 'vitest';
import { slug } from '../../../web/elements/src/session/session-files.js';
import { splitLanes, type SplitStep } from '../../../web/elements/src/session/split-lanes.js';
import { said } from '../said.js';

describe('the steps of a session by hand', () => {
  const words = (at: SplitStep): string =>
    said(splitLanes('analyst', at, 3))
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ');

  it('say that it is your turn, or whom you wait for', () => {
    expect(words('close')).toContain('You are here');
    expect(words('close')).not.toContain('Waiting for');
    expect(words('mask')).toContain('Waiting for the sites');
    expect(words('answer')).toContain('Waiting for the helper');
    expect(words('over')).not.toMatch(/You are here|Waiting for/);
  });

  it('name each party and how many sites a sum needs', () => {
    expect(words('keys')).toMatch(/Helper.*Analyst.*Each site/);
    expect(words('keys')).toContain('Closes with 3 sites or more');
  });
});

describe('the name of a file', () => {
  it('has letters and digits of the title, whatever it is written in', () => {
    expect(slug('Sleep & glucose: Study 2')).toBe('sleep-glucose-study-2');
    expect(slug('Qualité de vie / Ärzte')).toBe('qualite-de-vie-arzte');
    expect(slug('睡眠')).toBe('睡眠');
    expect(slug('../..')).toBe('study');
    expect(slug('x'.repeat(99))).toHaveLength(40);
  });
});
