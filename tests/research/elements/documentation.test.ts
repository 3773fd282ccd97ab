import { describe, expect, it } from 'vitest';
import { elementsIn, expectRows, textOf } from '../../elements/documented.js';

describe('docs/explore.md', () => {
  it('names every element with exactly its properties', () => {
    const elements = elementsIn('web/research/elements');
    expect(elements.map(({ name }) => name).sort()).toEqual([
      'pm-audit',
      'pm-audit-bar',
      'pm-audit-figure',
      'pm-comparison-figure',
      'pm-consortium',
      'pm-consortium-figure',
      'pm-explorer',
      'pm-find-me',
      'pm-find-me-figure',
      'pm-mechanism-comparison',
      'pm-score-bar',
    ]);
    expectRows(textOf('docs/explore.md'), elements);
  });
});
