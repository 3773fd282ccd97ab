import { defineStudy } from 'private-moments';
import { report, toCode } from 'private-moments/report';
import { readingOf, type ReadableResult } from 'private-moments/words';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, people } from '../support.js';

const study = defineStudy(definition());
const moments = await exactMoments(study, people(2000, 0.5, 0.5));
const results = {
  lda: moments.lda({ target: 'work' }),
  plsCorrelation: moments.plsCorrelation(),
  plsRegression: moments.plsRegression({ target: 'mood', components: 2 }),
  sparseCca: moments.sparseCca(),
  sparsePca: moments.sparsePca({ components: 2 }),
};
const plainText = (html: string): string =>
  html
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('a report', () => {
  it.each(Object.entries(results))('of %s says what was found, and shows it', (name, result) => {
    const { finding, sub, title, cells } = readingOf(result);
    const live = report(result);
    expect(report(JSON.parse(JSON.stringify(result)) as typeof result)).toBe(live);
    const text = plainText(live);
    for (const words of [title, sub, finding, ...(cells[0] ?? [])]) expect(text).toContain(words);
    expect(toCode(result)).toContain(`moments.${name}(`);
  });

  it('has the levels of discriminants, and the fit of a regression', () => {
    const levels = plainText(report(results.lda));
    for (const level of ['day', 'night', 'none']) expect(levels).toContain(level);
    expect(levels).toContain('in standard deviations within levels');
    const fit = plainText(report(results.plsRegression));
    expect(fit).toMatch(/Change of each target per unit of the column\. .*sleep .*0\.5/);
  });

  it('leaves out columns that no sparse component has, and cells of the others', () => {
    const { parts } = readingOf(results.sparseCca);
    const life = parts.find((part) => part.name === 'life');
    const places = life?.loadings.rows.map((name) => [name, life.has(rowOf(life, name), 0)]);
    expect(places).toContainEqual(['sleep', true]);
    expect(places).toContainEqual(['age', false]);
    const text = plainText(report(results.sparseCca));
    expect(text).toMatch(/Loadings of life.* sleep /);
    expect(text).not.toMatch(/ age /);
  });

  it('says what is below the noise floor', () => {
    const unrelated = results.lda.correlations.every(({ belowNoiseFloor }) => belowNoiseFloor);
    expect(unrelated).toBe(true);
    expect(readingOf(results.lda).finding).toBe('No discriminant stands out from the noise.');
    expect(plainText(report(results.lda))).toContain('All 2 discriminants');
  });

  it('has all analyses of the same releases together', () => {
    const all: ReadableResult[] = Object.values(results);
    const text = plainText(report([...Object.values(results), moments.cca()]));
    for (const result of all) expect(text).toContain(readingOf(result).title);
  });
});

function rowOf(part: { loadings: { rows: readonly string[] } }, name: string): number {
  return part.loadings.rows.indexOf(name);
}
