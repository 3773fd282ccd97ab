// tools/verify recomputes guarantees in another language, from other formulas: what the package releases must pass it, and
// what says a little more or a little less than it should must not.

import { createHash } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  createSum,
  createSummands,
  defineStudy,
  privatize,
  type Release,
  type Study,
} from 'private-moments';
import { isPackageError } from 'private-moments/internal';
import { sumOf } from 'private-moments/federation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../web/package/src/base/canonical.js';
import { MECHANISM_FACTS } from '../../../web/package/src/generated/mechanisms.js';
import { collectedFrom } from '../federation/session-support.js';
import { definition, people } from '../support.js';

const program = fileURLToPath(new URL('../../../tools/verify', import.meta.url));
const python = process.env.PYTHON ?? 'python3';

type Json = Record<string, unknown>;
interface Case {
  name: string;
  study: Study;
  document: Json;
}

let folder: string;
let runs: ReturnType<typeof startRuns>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
  runs = startRuns();
});
afterAll(async () => {
  await runs.end();
  rmSync(folder, { recursive: true });
});

interface Run {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A process for many runs: starting one takes longer than most of them. */
function startRuns() {
  const beside = fileURLToPath(new URL('verify_runs.py', import.meta.url));
  const child = spawn(python, [beside, program], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async of(paths: string[]): Promise<Run> {
      child.stdin.write(`${JSON.stringify(paths)}\n`);
      const { value, done } = await answers.next();
      if (done === true) throw new Error('the verifier ended');
      return JSON.parse(value) as Run;
    },
    async end() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

/** Writes the documents and their study, and returns the paths. */
function written(study: object, documents: Record<string, object>): string[] {
  const files = Object.entries({ study, ...documents });
  return files.map(([name, content]) => {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
    return `${name}.json`;
  });
}

/** Runs the verifier on documents of one study, by name. */
async function verify(study: object, documents: Record<string, object>) {
  const { status, stdout, stderr } = await runs.of(written(study, documents));
  const verdicts = new Map(
    [...stdout.matchAll(/^(\S+)\.json: (yes|no)$/gm)].map(([, name = '', verdict]) => [
      name,
      verdict,
    ]),
  );
  const refused = stdout.split('\n').filter((line) => line.startsWith('  no'));
  return { status, stdout, stderr, verdicts, refused };
}

/** Runs the verifier as a person does. */
function verifyAlone(study: object, documents: Record<string, object>): Run {
  const args = [program, ...written(study, documents)];
  return spawnSync(python, args, { cwd: folder, encoding: 'utf8' });
}

const DELTA = { epsilon: 1, delta: 1e-6 };
const PURE = { epsilon: 1, delta: 0 };

/** Every mechanism that a study can name, in its kinds of steps. */
const kinds: Record<string, object> = {
  'gaussian about a private centre': { privacy: DELTA, clipping: 'centred' },
  'gaussian with counted gaps': { privacy: DELTA, clipping: 'centred', missing: 'mean' },
  'gaussian with adaptive clipping': { privacy: DELTA, clipping: 'adaptive' },
  'gaussian with marked gaps': { privacy: DELTA, clipping: 'fixed', missing: 'pairwise' },
  gaussian: { privacy: { epsilon: 0.3, delta: 1e-9 }, clipping: 'fixed' },
  'gaussian in the upper triangle': {
    privacy: DELTA,
    mechanism: { name: 'gaussian', shape: 'upper-triangle' },
    clipping: 'fixed',
  },
  'gaussian on a coarser grid': { privacy: { epsilon: 1e-8, delta: 1e-6 }, clipping: 'fixed' },
  'gaussian beyond the tail of its sampler': {
    privacy: { epsilon: 90, delta: 1e-6 },
    clipping: 'fixed',
  },
  'two-sided-wishart about a private centre': { privacy: PURE, clipping: 'centred' },
  'two-sided-wishart': { privacy: { epsilon: 3, delta: 0 }, clipping: 'fixed' },
  laplace: { privacy: PURE, mechanism: 'laplace' },
  'laplace with short rows': { privacy: PURE, mechanism: 'laplace', rowNorm: 0.75 },
  frobenius: { privacy: PURE, mechanism: 'frobenius' },
  wishart: { privacy: DELTA, mechanism: 'wishart' },
  'wishart at a small epsilon': { privacy: { epsilon: 0.4, delta: 1e-5 }, mechanism: 'wishart' },
  'power-method': { privacy: DELTA, mechanism: { name: 'power-method', components: 2 } },
  'power-method for one direction': {
    privacy: DELTA,
    mechanism: { name: 'power-method', components: 1, rounds: 5 },
  },
  'eigenvector-sampling': { privacy: PURE, mechanism: 'eigenvector-sampling' },
  'eigenvector-sampling for one direction': {
    privacy: PURE,
    mechanism: { name: 'eigenvector-sampling', components: 1, method: 'uniform' },
  },
  'eigenvector-sampling with adaptive shares': {
    privacy: PURE,
    mechanism: { name: 'eigenvector-sampling', components: 3, method: 'adaptive' },
  },
  ppca: { privacy: PURE, mechanism: { name: 'ppca', components: 2 } },
};

const SITES = 5;
const sharings: Record<string, object> = {
  'split, one missing': {
    privacy: DELTA,
    federation: { mode: 'split', sites: SITES, honest: 4, dropouts: 1 },
  },
  'split, one honest': { privacy: DELTA, federation: { mode: 'split', sites: SITES, honest: 1 } },
  'ring, one missing': {
    privacy: DELTA,
    federation: { mode: 'ring', sites: SITES, honest: 4, dropouts: 1 },
  },
  correlated: { privacy: DELTA, federation: { mode: 'correlated', sites: SITES, honest: 3 } },
  'correlated as published': {
    privacy: DELTA,
    mechanism: { name: 'gaussian', shape: 'upper-triangle' },
    federation: { mode: 'correlated', sites: SITES, honest: 5, ratio: 2, calibration: 'paper' },
  },
  'pure split': { privacy: PURE, federation: { mode: 'split', sites: SITES, honest: 3 } },
  'pure split, one honest': {
    privacy: PURE,
    federation: { mode: 'split', sites: SITES, honest: 1 },
  },
};

/** The study, or undefined where its mechanism does not go with the unit. */
function studyOf(more: object): Study | undefined {
  try {
    return defineStudy({ ...definition(), ...more });
  } catch (error) {
    if (isPackageError(error) && 'unit' in more && more.unit === 'participant') return undefined;
    throw error;
  }
}

async function casesOf(name: string, kind: object): Promise<Case[]> {
  const cases: Case[] = [];
  for (const neighbours of ['add-remove', 'replace-one']) {
    for (const unit of ['row', 'participant']) {
      const study = studyOf({ ...kind, neighbours, unit });
      if (study === undefined) continue;
      const document =
        study.federation.mode === 'independent' ? await released(study) : await summed(study);
      cases.push({ name: `${name}, ${neighbours}, ${unit}`, study, document });
    }
  }
  return cases;
}

const plain = (value: object) => JSON.parse(JSON.stringify(value)) as Json;
const released = async (study: Study) => plain(await privatize(study, people(300, 0.5, 1)));

async function summed(study: Study): Promise<Json> {
  const sites = Array.from({ length: SITES }, (_, i) => people(40 + i, 0.5, 1));
  return plain(await sumOf(study, await collectedFrom(study, sites)));
}

/** The sum of a single release. */
async function summedAlone(study: Study, release: Release): Promise<Json> {
  const { id, rows, values, clipping } = release;
  const group = { level: 0, releases: 1, rows };
  if (study.clipping !== 'centred') {
    const counts = clipping && { level: clipping.level, counts: clipping.counts };
    const groups = [{ ...group, ...counts, values }];
    return plain(await createSum(study, { members: [id], groups }));
  }
  const summands = await createSummands(study);
  const { words, reach } = summands.of(release);
  summands.delete();
  // Each number is two words, the lowest 40 bits and what is above.
  const parts = [...new BigInt64Array(words.buffer)];
  const wholes = parts.flatMap((low, k) =>
    k % 2 === 0 ? [low + (parts[k + 1] ?? 0n) * 2n ** 40n] : [],
  );
  const safe = (whole: bigint) =>
    BigInt(Number(whole)) === whole && Number.isSafeInteger(Number(whole))
      ? Number(whole)
      : String(whole);
  const groups = [{ ...group, reach: [...reach], values: wholes.map(safe) }];
  return plain(await createSum(study, { members: [id], groups }));
}

/** The document after a change, with the digest that goes with it. */
function restated(document: Json, change: (content: Json) => void): Json {
  const content = structuredClone(document);
  delete content.id;
  change(content);
  return { ...content, id: createHash('sha256').update(canonicalJson(content)).digest('hex') };
}

type Path = (string | number)[];

/** Where the figures of a guarantee and of its noise are. */
function figuresOf(value: unknown, path: Path): Path[] {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)))
    return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => figuresOf(inner, [...path, key]));
}

function at(document: Json, path: Path): { holder: Json; key: string } {
  const holder = path.slice(0, -1).reduce((inner, key) => inner[key] as Json, document);
  return { holder, key: String(path.at(-1)) };
}

/** A figure that is a hundredth less or more, or one less or more where that is a small whole number. */
function off(figure: unknown, sign: 1 | -1): unknown {
  const number = Number(figure);
  const isWhole = Number.isInteger(number) && Math.abs(number) < 1000 && number !== 0;
  const changed = isWhole ? number + sign : number === 0 ? sign * 1e-3 : number * (1 + sign / 100);
  if (typeof figure === 'number') return changed;
  return isWhole ? String(changed) : String((BigInt(figure as string) * BigInt(100 + sign)) / 100n);
}

/** The document with one figure of its guarantee or noise changed, down or up; or with other neighbours, or another unit. */
function mutants(document: Json): Record<string, Json> {
  const paths = ['guarantee', 'noise'].flatMap((part) => figuresOf(document[part], [part]));
  const changed = paths.flatMap((path) =>
    ([-1, 1] as const).map((sign) => {
      const mutant = restated(document, (content) => {
        const { holder, key } = at(content, path);
        holder[key] = off(holder[key], sign);
      });
      return [`${path.join('.')}${sign < 0 ? '-less' : '-more'}`, mutant] as const;
    }),
  );
  const { neighbours, unit } = document.guarantee as Json;
  const swapped = (figure: string, value: string) =>
    restated(document, ({ guarantee }) => {
      (guarantee as Json)[figure] = value;
    });
  return {
    ...Object.fromEntries(changed),
    neighbours: swapped('neighbours', neighbours === 'add-remove' ? 'replace-one' : 'add-remove'),
    unit: swapped('unit', unit === 'row' ? 'participant' : 'row'),
  };
}

describe('a second implementation', () => {
  describe.each(Object.entries({ ...kinds, ...sharings }))('of %s', (name, kind) => {
    it('says yes to every claim under both neighbours and units, and no once a figure, the neighbours or the unit is another', async () => {
      const cases = await casesOf(name, kind);
      for (const { name: label, study, document } of cases) {
        const right = await verify(study, { right: document });
        expect({ label, refused: right.refused, said: right.stderr }).toEqual({
          label,
          refused: [],
          said: '',
        });
        expect(right.status).toBe(0);
      }
      // One of them is enough, as all are checked alike.
      const first = cases[0];
      if (first === undefined) throw new Error('no case');
      const wrong = mutants(first.document);
      expect(Object.keys(wrong).length).toBeGreaterThan(15);
      const { verdicts, stderr } = await verify(first.study, wrong);
      const accepted = Object.keys(wrong).filter(
        (figure) => verdicts.get(figure) !== 'no' && !stderr.includes(figure),
      );
      expect(accepted).toEqual([]);
    });
  });

  it('says no where a release has the noise for adding a row, and its study is about replacing one', async () => {
    // For one direction both take the same noise.
    const names = Object.keys(kinds).filter((name) => name !== 'power-method for one direction');
    for (const name of names) {
      const from = studyOf({ ...kinds[name], neighbours: 'add-remove', missing: 'centre' });
      const to = studyOf({ ...kinds[name], neighbours: 'replace-one', missing: 'centre' });
      if (from === undefined || to === undefined) throw new Error(name);
      const document = restated(await released(from), (content) => {
        content.study = to.id;
        content.rows = 300;
        (content.guarantee as Json).neighbours = 'replace-one';
      });
      const { status, refused } = await verify(to, { document });
      expect({ name, status }).toEqual({ name, status: 1 });
      expect(refused.join('\n'), name).toMatch(
        /sensitivity|wDiagonal|width|scale|delta|kappa|epsilon|Scale/i,
      );
    }
  });

  it('says no to shared noise of fewer honest sites than the study has', async () => {
    const federation = { mode: 'split', sites: SITES } as const;
    for (const privacy of [DELTA, PURE]) {
      const [from, to] = [4, 2].map((honest) =>
        studyOf({ privacy, federation: { ...federation, honest } }),
      );
      if (from === undefined || to === undefined) throw new Error('no study');
      const document = restated(await summed(from), (content) => {
        content.study = to.id;
        (content.guarantee as Json).honest = 2;
      });
      const { status, refused } = await verify(to, { document });
      expect(status).toBe(1);
      expect(refused.join('\n')).toMatch(/wDiagonal|degreesOfFreedom/);
    }
  });

  it('knows every mechanism that a study can name', () => {
    const named = Object.values(kinds).map((kind) => studyOf(kind)?.mechanism.name);
    expect([...new Set(named)].sort()).toEqual(Object.keys(MECHANISM_FACTS).sort());
  });

  it('says yes to sums that a database made of releases', async () => {
    for (const clipping of ['fixed', 'adaptive', 'centred']) {
      const study = studyOf({ privacy: DELTA, clipping });
      if (study === undefined) throw new Error('no study');
      const release = await privatize(study, people(300, 0.5, 1));
      const { status, refused } = await verify(study, { sum: await summedAlone(study, release) });
      expect({ clipping, status, refused }).toEqual({ clipping, status: 0, refused: [] });
    }
  });

  it('finds the study and its defaults by itself, and says no to a release of another one', async () => {
    const study = defineStudy(definition());
    const document = await released(study);
    expect((await verify(definition(), { document })).status).toBe(0);
    const other = await verify({ ...definition(), title: 'Another' }, { document });
    expect(other.refused.join()).toMatch(/study/);
  });

  it('ends with status 2 and a sentence where it cannot read', async () => {
    const study = defineStudy(definition());
    for (const documents of [{ list: [] }, { empty: {} }, { result: { format: 'other@1' } }, {}]) {
      const { status, stdout, stderr } = verifyAlone(study, documents);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/cannot be checked|STUDY RELEASE/);
      expect(stderr).not.toMatch(/Traceback/);
    }
    expect(verifyAlone({ title: 'no columns' }, { document: await released(study) }).status).toBe(
      2,
    );
  });
});
