import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  assemble,
  defineStudy,
  privatize,
  type Matrix,
  type Moments,
  type StudyDefinition,
} from 'private-moments';
import { scripts, toJSON } from 'private-moments/report';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { seeded } from '../support.js';

/** Programs that may be installed, and the output of a usable one. */
const programs = {
  python: { file: 'results.py', names: [process.env.PYTHON, 'python3', '/usr/bin/python3'] },
  r: { file: 'results.R', names: [process.env.RSCRIPT, 'Rscript'] },
};

function found(language: keyof typeof programs): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'pm-try-'));
  const path = join(folder, 'try');
  writeFileSync(path, language === 'python' ? 'import numpy' : 'cat(1)');
  const works = (name: string): boolean => {
    try {
      execFileSync(name, [path], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  const program = programs[language].names.find((name) => name !== undefined && works(name));
  if (program === undefined) console.info(`skipped: no ${language} that can run its script`);
  return program;
}

const base: StudyDefinition = {
  title: 'Sleep and work',
  columns: [
    { name: 'age', type: 'number', min: 18, max: 90 },
    { name: 'sleep', type: 'number', min: 0, max: 12 },
    { name: 'mood', type: 'number', min: -5, max: 5 },
    { name: 'work', type: 'category', levels: ['day', 'night', 'none'] },
    { name: 'pulse', type: 'number', min: 40, max: 120 },
  ],
  views: { life: ['age', 'sleep', 'mood'], labour: ['work', 'pulse'] },
  privacy: { epsilon: 2, delta: 1e-6 },
};

const rows = (() => {
  const random = seeded(3);
  return Array.from({ length: 4000 }, () => {
    const sleep = 4 + 6 * random();
    const work = random() < sleep / 12 ? 'day' : random() < 0.5 ? 'night' : 'none';
    const age = 18 + 60 * random() + (work === 'none' ? 12 : 0);
    return {
      age,
      sleep,
      work,
      mood: 2 * (sleep - 7) * random() - 1,
      pulse: 60 + age / 3 + 10 * random() + (work === 'night' ? 8 : 0),
    };
  });
})();

type Terms = Pick<StudyDefinition, 'privacy' | 'mechanism' | 'clipping' | 'neighbours'>;

/** With the mechanism that a study has without naming one: `gaussian`, or `two-sided-wishart`. */
const centred = (delta: number, neighbours: 'replace-one' | 'add-remove'): Terms => ({
  privacy: { epsilon: delta > 0 ? 1 : 3, delta },
  clipping: 'centred',
  neighbours,
});

/** Every kind of noise law, and no noise: terms of a study, and how many releases share its rows. */
const cases: Record<string, { terms: Terms; releases: number } | null> = {
  gaussian: { terms: { privacy: { epsilon: 1, delta: 1e-6 }, clipping: 'adaptive' }, releases: 2 },
  laplace: {
    terms: { privacy: { epsilon: 4, delta: 0 }, mechanism: { name: 'laplace' } },
    releases: 2,
  },
  'two-sided-wishart': {
    terms: { privacy: { epsilon: 2, delta: 0 }, clipping: 'fixed' },
    releases: 2,
  },
  wishart: {
    terms: { privacy: { epsilon: 4, delta: 1e-6 }, mechanism: { name: 'wishart' } },
    releases: 2,
  },
  'gaussian, centred': { terms: centred(1e-6, 'replace-one'), releases: 1 },
  'gaussian, centred at five sites': { terms: centred(1e-6, 'replace-one'), releases: 5 },
  'gaussian, centred, a private count': { terms: centred(1e-6, 'add-remove'), releases: 1 },
  'gaussian, centred at five sites, private counts': {
    terms: centred(1e-6, 'add-remove'),
    releases: 5,
  },
  'two-sided-wishart, centred': { terms: centred(0, 'replace-one'), releases: 1 },
  'two-sided-wishart, centred at five sites': { terms: centred(0, 'replace-one'), releases: 5 },
  'two-sided-wishart, centred, a private count': { terms: centred(0, 'add-remove'), releases: 1 },
  'two-sided-wishart, centred at five sites, private counts': {
    terms: centred(0, 'add-remove'),
    releases: 5,
  },
  'no noise': null,
};

async function momentsOf(each: (typeof cases)[string]): Promise<Moments> {
  if (each === null) return exactMoments(defineStudy(base), rows);
  const { terms, releases } = each;
  const study = defineStudy({ ...base, ...terms });
  const share = rows.length / releases;
  return assemble(
    study,
    await Promise.all(
      Array.from({ length: releases }, (_, site) =>
        privatize(study, rows.slice(site * share, (site + 1) * share)),
      ),
    ),
  );
}

const firstColumn = ({ columns, values }: Matrix): number[] =>
  Array.from(values).filter((_, i) => i % columns.length === 0);

describe.each(Object.keys(programs) as (keyof typeof programs)[])('the %s script', (language) => {
  const program = found(language);
  it.skipIf(program === undefined)('reports missing moments in a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pm-scripts-'));
    const [script, json] = [join(folder, programs[language].file), join(folder, 'results.json')];
    writeFileSync(script, scripts[language]);
    writeFileSync(json, toJSON([(await momentsOf(null)).pca()]));
    const { status, stderr } = spawnSync(program ?? '', [script, json], { encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(
      /^(Error: )?\S+results\.json has no moments: save them with the results/,
    );
  });

  it.skipIf(program === undefined).each(Object.keys(cases))(
    'reproduces the numbers of the results from their file, with %s',
    async (name) => {
      const moments = await momentsOf(cases[name] ?? null);
      const pca = moments.pca();
      const cca = moments.cca({ x: 'life', y: 'labour' });
      const plain = moments.ridge({ target: 'pulse' });
      const penalised = moments.ridge({ target: 'work=night', features: 'life', penalty: 0.02 });
      const ofLevels = moments.ridge({ target: 'pulse', penalty: 0.005 });
      const folder = mkdtempSync(join(tmpdir(), 'pm-scripts-'));
      const [script, json] = [programs[language].file, 'results.json'].map((file) =>
        join(folder, file),
      ) as [string, string];
      writeFileSync(script, scripts[language]);
      writeFileSync(json, toJSON([pca, cca, plain, penalised, ofLevels, moments]));
      const said = execFileSync(program ?? '', [script, json], { encoding: 'utf8' });
      const numbers = said
        .trim()
        .split('\n')
        .map((line) => (line.match(/ -?\d[\d.e+-]*(?= |$)/g) ?? []).map(Number));

      const fit = ({ intercept, coefficients }: typeof plain): number[] => [
        intercept,
        ...coefficients.map(({ value }) => value),
      ];
      const expected = [
        pca.explained.map(({ share }) => share),
        cca.correlations.map(({ value }) => value),
        ...Object.values(cca.views).map(({ weights }) => firstColumn(weights)),
        fit(plain),
        fit(penalised),
        fit(ofLevels),
      ];
      expect(numbers).toHaveLength(expected.length);
      for (const [i, line] of expected.entries()) {
        expect(numbers[i]).toHaveLength(line.length);
        for (const [k, value] of line.entries()) {
          const tolerance = 1e-8 * Math.max(1e-3, Math.abs(value));
          expect(Math.abs((numbers[i]?.[k] ?? NaN) - value), `line ${i}`).toBeLessThan(tolerance);
        }
      }
    },
  );
});
