import { describe, expect, it } from 'vitest';
import { wrapped } from '../../../web/elements/src/figures/wrapped.js';

describe('the lines of a text', () => {
  const lines = (text: string, width: number) => wrapped(text, width, (each) => each.length);

  it('break between words, and are no longer than the width', () => {
    expect(lines('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  });

  it('keep a longer word whole', () => {
    expect(lines('a mechanism is', 5)).toEqual(['a', 'mechanism', 'is']);
  });
});
