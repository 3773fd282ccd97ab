import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  assemble,
  createSum,
  defineStudy,
  privatize,
  type Moments,
  type Release,
} from 'private-moments';
import { describe, expect, it } from 'vitest';
import { definition, people } from '../support.js';

const page = readFileSync(
  fileURLToPath(new URL('../../../docs/how-to/read-releases-in-python-and-r.md', import.meta.url)),
  'utf8',
);

/** The programs of the page, which end with mean and covariance, and what prints these in full. */
const programs = {
  python: {
    names: [process.env.PYTHON, 'python3', '/usr/bin/python3'],
    flag: '-c',
    attempt: 'import numpy',
    rest: 'print(*(repr(float(x)) for x in [*mean, *covariance.flatten()]))',
  },
  r: {
    names: [process.env.RSCRIPT, 'Rscript'],
    flag: '-e',
    attempt: 'cat(1)',
    rest: 'cat(sprintf("%.17g", c(mean, t(covariance))))',
  },
};
type Language = keyof typeof programs;

const codeOf = (language: Language): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';

function installed(language: Language): string | undefined {
  const { names, flag, attempt } = programs[language];
  const found = names.find((name) => {
    if (name === undefined) return false;
    try {
      execFileSync(name, [flag, attempt], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) console.info(`skipped: no ${language} that can run the program`);
  return found;
}

/** Mean and covariance that a program of the page computes of these documents. */
function computed(language: Language, program: string, study: object, documents: object[]) {
  const folder = mkdtempSync(join(tmpdir(), 'pm-reader-'));
  try {
    writeFileSync(join(folder, 'study.json'), JSON.stringify(study));
    for (const [i, one] of documents.entries()) {
      writeFileSync(join(folder, `release-${i}.json`), JSON.stringify(one));
    }
    const { rest } = programs[language];
    const file = join(folder, 'program');
    writeFileSync(file, `${codeOf(language)}\n${rest}\n`);
    const output = execFileSync(program, [file], { cwd: folder, encoding: 'utf8' });
    return (output.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function expectSame(numbers: number[], { mean, covariance }: Moments): void {
  const d = mean.values.length;
  expect(numbers).toHaveLength(d + d * d);
  for (const [got, wanted] of [
    [numbers.slice(0, d), mean.values],
    [numbers.slice(d), covariance.values],
  ] as const) {
    const largest = Math.max(...wanted.map(Math.abs));
    const furthest = Math.max(...got.map((value, i) => Math.abs(value - (wanted[i] ?? NaN))));
    expect(furthest / largest).toBeLessThan(1e-12);
  }
}

const base = { ...definition(), clipping: 'fixed' as const };
const [age, ...others] = base.columns;
const studies = {
  'the default mechanism': defineStudy(base),
  'a title that needs escapes': defineStudy({ ...base, title: 'A "title" \\ Größe 睡眠' }),
  'add-remove': defineStudy({ ...base, neighbours: 'add-remove' }),
  'noise with a mean': defineStudy({
    ...base,
    mechanism: 'wishart',
    privacy: { epsilon: 1, delta: 1e-6 },
  }),
  'unit participant': defineStudy({ ...base, unit: 'participant' }),
  'stated centres and spreads': defineStudy({
    ...base,
    columns: [
      { ...age, name: 'age', type: 'number', min: 18, max: 90, centre: 50, spread: 18 },
      ...others,
    ],
  }),
};

describe.each(['python', 'r'] as const)('the %s program that reads releases', (language) => {
  const program = installed(language);
  it.skipIf(program === undefined)(
    'gives the means and covariances of assemble',
    { timeout: 300_000 },
    async () => {
      if (program === undefined) return;
      for (const study of Object.values(studies)) {
        const releases: Release[] = [];
        for (const count of [4000, 3000, 5000]) {
          releases.push(await privatize(study, people(count, 0.5, 1)));
        }
        expectSame(computed(language, program, study, releases), await assemble(study, releases));
        // The programs go other ways for one release and for a sum, whatever the study.
        if (study !== studies['the default mechanism']) continue;
        const alone = releases.slice(0, 1);
        expectSame(computed(language, program, study, alone), await assemble(study, alone));
        const rows = releases.reduce<number | null>(
          (all, release) => (release.rows === null || all === null ? null : all + release.rows),
          0,
        );
        const values = releases[0]?.values.map((_, i) =>
          releases.reduce((all, release) => all + (release.values[i] ?? NaN), 0),
        );
        const groups = [{ level: 0, releases: 3, rows, values: values ?? [] }];
        const members = releases.map(({ id }) => id);
        const sum = await createSum(study, { members, groups });
        expectSame(computed(language, program, study, [sum]), await assemble(study, [sum]));
      }
    },
  );
});
