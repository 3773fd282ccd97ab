import { describe, expect, it } from 'vitest';
import { COLOURS } from '../../web/package/src/report/palette.js';
import { elementsIn, expectRows, sourcesIn, textOf } from './documented.js';

const FOLDER = 'web/elements/src';
const text = textOf('docs/elements.md');

describe('docs/elements.md', () => {
  it('names every element with exactly its properties', () => {
    const elements = elementsIn(FOLDER);
    expect(elements.length).toBeGreaterThan(20);
    expectRows(text, elements);
  });

  it('names every event, part and colour', () => {
    const all = sourcesIn(FOLDER).map(textOf).join('\n');
    for (const [, event = ''] of all.matchAll(/new CustomEvent\('(pm-\w+)'/g)) {
      expect(text).toContain(`\`${event}\``);
    }
    for (const [, part = ''] of all.matchAll(/\spart="([\w-]+)"/g)) {
      expect(text).toMatch(new RegExp(`\`${part}\`.*\\| \`pm-`));
    }
    for (const role of Object.keys(COLOURS).filter((name) => !/diverging-[2-8]/.test(name))) {
      expect(text).toContain(`\`--pm-${role}\``);
    }
  });
});
