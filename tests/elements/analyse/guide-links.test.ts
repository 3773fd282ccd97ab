import { existsSync, readFileSync } from 'node:fs';
import { MECHANISM_FACTS } from 'private-moments/internal';
import { describe, expect, it } from 'vitest';
import {
  GUIDE_LINKS,
  howComputed,
  mechanismLink,
} from '../../../web/elements/src/analyse/guide-links.js';
import { anchors } from '../../../tools/markdown.mjs';
import { said } from '../said.js';

/** Whether a page of the guide exists, with the heading, if its address names one. */
function leadsSomewhere(address: string): boolean {
  const [page = '', heading] = address.split('#');
  const file = `docs/${page.replace(/\.html$/, '.md')}`;
  if (!existsSync(file)) return false;
  return heading === undefined || anchors(readFileSync(file, 'utf8')).has(heading);
}

describe('the links from a result to the guide', () => {
  it('lead to a page and to a heading on it', () => {
    const all = Object.values(GUIDE_LINKS).flat();
    expect(all.length).toBeGreaterThan(10);
    expect(all.map(([, address]) => address).filter((each) => !leadsSomewhere(each))).toEqual([]);
    expect(leadsSomewhere('analysis.html#no-such-heading')).toBe(false);
  });

  it('have a page for every mechanism that releases directions', () => {
    const all = Object.entries(MECHANISM_FACTS);
    const named = all.filter(([, { directions }]) => directions !== null);
    expect(named.length).toBeGreaterThan(1);
    for (const [name] of named) expect(leadsSomewhere(mechanismLink(name)[1])).toBe(true);
  });

  it('are there only where the page says where the guide is', () => {
    expect(said(howComputed('', 'regression'))).toBe('');
    expect(said(howComputed('./docs/', 'regression'))).toContain(
      'href="./docs/analysis.html#regression"',
    );
  });
});
