import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import {
  assemble,
  assembleComponents,
  createSum,
  defineStudy,
  parseRelease,
  parseStudy,
  parseSum,
  privatize,
  type Moments,
} from 'private-moments';
import { createSession, newRoleKeys, parseSession } from 'private-moments/federation';
import { describe, expect, it } from 'vitest';
import { APPROXIMATE, contentOf, MECHANISMS } from '../../../web/package/src/study/mechanism.js';
import { MECHANISM_FACTS } from '../../../web/package/src/generated/mechanisms.js';
import { exactMoments } from '../exact-moments.js';
import { definition, people } from '../support.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ajv = new Ajv2020({ strict: false });
const kinds = ['study', 'release', 'sum', 'session', 'result'] as const;
type Kind = (typeof kinds)[number];
const validators = Object.fromEntries(
  kinds.map((kind) => {
    const text = readFileSync(`${root}schemas/${kind}.schema.json`, 'utf8');
    return [kind, ajv.compile(JSON.parse(text) as object)];
  }),
) as Record<Kind, ReturnType<typeof ajv.compile>>;

/** What the schema has against a document: an empty list where it accepts it. */
function faults(kind: Kind, document: unknown): unknown[] {
  const json: unknown = JSON.parse(JSON.stringify(document));
  return validators[kind](json) ? [] : (validators[kind].errors ?? []);
}

/** Whether the parser accepts the structure of a document, whatever its digest. */
function isRead(kind: Exclude<Kind, 'result'>, document: unknown): boolean {
  const text = JSON.stringify(document);
  const parsers = {
    study: parseStudy,
    release: parseRelease,
    sum: parseSum,
    session: parseSession,
  };
  try {
    parsers[kind](text);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'release-altered';
  }
}

const rows = people(300, 0.5, 1);
const base = definition();

/** A study of each mechanism, unit, relation of neighbours and way of clipping that go together. */
function studies() {
  return MECHANISMS.flatMap((name) => {
    const facts = MECHANISM_FACTS[name];
    const delta = APPROXIMATE.includes(name) ? 1e-6 : 0;
    const mechanism = { name, ...(facts.directions === null ? {} : { components: 2 }) };
    const common = { ...base, mechanism, privacy: { epsilon: 1, delta } };
    return facts.units.flatMap((unit) =>
      facts.neighbours.flatMap((neighbours) => {
        const clippings = [
          'fixed' as const,
          ...(facts.adaptiveClipping && unit === 'row' ? (['adaptive'] as const) : []),
          ...(facts.centring && unit === 'row' ? (['centred'] as const) : []),
        ];
        return clippings.map((clipping) => defineStudy({ ...common, unit, neighbours, clipping }));
      }),
    );
  });
}

const page = readFileSync(`${root}docs/formats.md`, 'utf8');
const examples = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(
  ([, code = '']) => JSON.parse(code) as Record<string, unknown>,
);

/** The example of docs/formats.md in a format. */
function example(kind: Kind): Record<string, unknown> {
  const found = examples.find(({ format }) =>
    String(format).startsWith(`private-moments/${kind}@`),
  );
  if (found === undefined) throw new Error(`docs/formats.md has no ${kind}`);
  return found;
}

const stated = defineStudy({
  ...base,
  missingValues: ['NA', '-999'],
  description: 'With a centre and a spread.',
  columns: [
    { name: 'age', type: 'number', min: 18, max: 90, centre: 50, spread: 20, unit: 'years' },
    ...base.columns.slice(1),
  ],
});
const federated = (federation: object) => defineStudy({ ...base, federation } as never);
const ring = federated({ mode: 'ring', sites: 5, honest: 4, dropouts: 1 });
const split = federated({ mode: 'split', sites: 3, honest: 2 });
const correlated = federated({ mode: 'correlated', sites: 3, honest: 2 });

async function sessionOf(study: ReturnType<typeof federated>, suite: '25519' | 'p256') {
  const [collector, helper] = [await newRoleKeys(suite), await newRoleKeys(suite)];
  const allow = [collector.sign.public, helper.sign.public];
  const isSplit = study.federation.mode === 'split';
  return createSession(study, { collector, ...(isSplit ? { helper } : {}), suite, allow });
}

/** One document of each shape: formats, mechanisms, kinds of clipping, modes and suites. */
async function documents(): Promise<[Exclude<Kind, 'result'>, object][]> {
  const found: [Exclude<Kind, 'result'>, object][] = [];
  for (const study of studies()) {
    const release = await privatize(study, rows);
    found.push(['study', study.toJSON()], ['release', release.toJSON()]);
    if (release.clipping === undefined && release.content === 'moments') {
      const { rows: count, values } = release;
      const groups = [{ level: 0, releases: 1, rows: count, values }];
      found.push(['sum', (await createSum(study, { members: [release.id], groups })).toJSON()]);
    }
  }
  for (const study of [stated, ring, split, correlated]) found.push(['study', study.toJSON()]);
  const { members } = example('sum') as { members: string };
  for (const study of [ring, split, correlated]) {
    const values = [2 ** 53 - 1, String(2n ** 60n), ...Array.from({ length: 26 }, () => -5)];
    const groups = [{ level: 0, releases: 3, rows: null, values }];
    const parts = { session: members, members: { digest: members }, groups };
    found.push(['sum', (await createSum(study, parts)).toJSON()]);
    for (const suite of ['25519', 'p256'] as const) {
      found.push(['session', (await sessionOf(study, suite)).toJSON()]);
    }
  }
  return found;
}

/** Paths to all values in a document; of a list of numbers only the first is visited. */
function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const isNumbers = Array.isArray(value) && typeof value[0] !== 'object';
  const keys = isNumbers ? Object.keys(value).slice(0, 1) : Object.keys(value);
  const inside = keys.flatMap((key) =>
    pathsIn((value as Record<string, unknown>)[key], [...path, key]),
  );
  return [path, ...inside];
}

/** A copy in which what is at a path was changed. */
function changed(
  document: object,
  path: string[],
  change: (holder: Record<string, unknown>, key: string) => void,
): unknown {
  const copy = { document: structuredClone(document) } as Record<string, unknown>;
  const keys = ['document', ...path];
  const last = keys.pop() ?? '';
  let holder = copy;
  for (const key of keys) holder = holder[key] as Record<string, unknown>;
  change(holder, last);
  return copy.document;
}

const WRONG: unknown[] = [null, true, {}, [], [[]], { unknown: 1 }, ''];

const all = documents();

describe('the schemas', { timeout: 300_000 }, () => {
  it('have exactly the files that are published', () => {
    expect(readdirSync(`${root}schemas`).sort()).toEqual(
      kinds.map((kind) => `${kind}.schema.json`).sort(),
    );
  });

  it('accept the examples of docs/formats.md and the studies of the samples', async () => {
    const elements = new URL('../../../samples/elements/study.js', import.meta.url).href;
    const { study: ofElements } = (await import(elements)) as { study: object };
    for (const kind of kinds) expect(faults(kind, example(kind)), kind).toEqual([]);
    const census = JSON.parse(readFileSync(`${root}samples/census/study.json`, 'utf8')) as object;
    const format = 'private-moments/study@1';
    for (const study of [census, { format, ...ofElements }, { format, ...base }]) {
      expect(faults('study', study)).toEqual([]);
    }
  });

  it('accept every document of the package, and refuse what its parser refuses', async () => {
    for (const [kind, document] of await all) {
      expect(faults(kind, document), JSON.stringify(document)).toEqual([]);
      for (const path of pathsIn(document)) {
        const mutants: [string, unknown][] = WRONG.map((wrong) => [
          JSON.stringify(wrong),
          changed(document, path, (holder, key) => (holder[key] = wrong)),
        ]);
        const own = changed(document, path, (holder, key) => {
          const value = holder[key];
          if (typeof value === 'object' && !Array.isArray(value)) {
            Object.assign(value ?? {}, { 'no-field': 1 });
          }
        });
        mutants.push(['with an unknown field', own]);
        // Items of lists are not fields, and how many there must be depends on the rest.
        if (path.length > 0 && !/^\d+$/.test(path.at(-1) ?? '')) {
          mutants.push([
            'missing',
            changed(document, path, (holder, key) => Reflect.deleteProperty(holder, key)),
          ]);
        }
        for (const [what, mutant] of mutants) {
          const place = `${kind} ${path.join('.')} ${what}`;
          expect(faults(kind, mutant).length === 0, place).toBe(isRead(kind, mutant));
        }
      }
    }
  });

  it('refuse nothing that the parser accepts', async () => {
    const made = await all;
    const value = fc.oneof(
      fc.integer(),
      fc.integer({ min: 0, max: 30 }),
      fc.double(),
      fc.string({ maxLength: 4 }),
      fc.constantFrom('gaussian', 'ppca', 'laplace', 'ring', 'drop', 'add-remove', 'row', 'exact'),
      fc.constantFrom(0, 1, 0.5, -1, null, 'moments', 'components', '12', ' a'),
    );
    const property = fc.property(
      fc.constantFrom(...made),
      fc.nat(),
      value,
      ([kind, document], at, wrong) => {
        const paths = pathsIn(document);
        const path = paths[at % paths.length] ?? [];
        const mutant = changed(document, path, (holder, key) => (holder[key] = wrong));
        const text = JSON.stringify(mutant);
        if (isRead(kind, mutant)) expect(faults(kind, mutant), text).toEqual([]);
      },
    );
    fc.assert(property, { seed: 5, numRuns: 5000 });
  });

  it('accept any study of numbers, and its release', async () => {
    const column = fc.record({
      name: fc.string({ minLength: 1, maxLength: 6 }).filter((name) => name.trim() === name),
      min: fc.double({ min: -1e6, max: 0, noNaN: true }),
      width: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
    });
    const definitions = fc.record({
      title: fc.string({ minLength: 1 }).filter((title) => title.trim() !== ''),
      columns: fc.uniqueArray(column, { minLength: 1, maxLength: 4, selector: ({ name }) => name }),
      epsilon: fc.double({ min: 0.1, max: 10, noNaN: true }),
      name: fc.constantFrom(...MECHANISMS.filter((name) => contentOf({ name }) === 'moments')),
    });
    const property = fc.asyncProperty(definitions, async ({ title, columns, epsilon, name }) => {
      const study = defineStudy({
        title,
        columns: columns.map((one) => ({
          name: one.name,
          type: 'number',
          min: one.min,
          max: one.min + one.width,
        })),
        privacy: { epsilon, delta: APPROXIMATE.includes(name) ? 1e-6 : 0 },
        mechanism: name,
      });
      expect(faults('study', study)).toEqual([]);
      const row = Object.fromEntries(study.columns.map((one) => [one.name, 0]));
      expect(faults('release', await privatize(study, [row, row]))).toEqual([]);
    });
    await fc.assert(property, { seed: 6, numRuns: 30 });
  });

  it('accept every result, and refuse one that lacks a field', async () => {
    const study = defineStudy(base);
    const moments = await assemble(study, [await privatize(study, rows)]);
    const exact = await exactMoments(study, rows);
    const directions = studies().find(({ mechanism }) => mechanism.name === 'power-method');
    if (directions === undefined) throw new Error('no study of directions');
    const components = await assembleComponents(directions, [await privatize(directions, rows)]);
    const described = [moments, exact].flatMap((each: Moments) => [
      each.pca(),
      each.cca(),
      each.gcca(),
      each.factorAnalysis({ factors: 1 }),
      each.ridge({ target: 'mood' }),
      each.pca({ level: 0.9, draws: 50 }),
      each.pca({ level: 0.9, draws: 50, rotation: 'promax' }),
      each.cca({ level: 0.9, draws: 50 }),
      each.gcca({ level: 0.9, draws: 50 }),
      each.factorAnalysis({ factors: 1, rotation: 'promax', level: 0.9, draws: 50 }),
      each.ridge({ target: 'mood', level: 0.9 }),
    ]);
    const rest = [moments, components, moments.uncertainty({ draws: 50 })];
    for (const result of [...described, ...rest]) {
      expect(faults('result', result)).toEqual([]);
    }
    for (const result of described) {
      const json = result.toJSON() as unknown as Record<string, unknown>;
      for (const field of Object.keys(json)) {
        const rest = { ...json, [field]: undefined };
        const isOptional = field === 'rotation';
        if (!isOptional) {
          expect(faults('result', rest), `${result.analysis} without ${field}`).not.toEqual([]);
        }
        const wrong = { ...json, [field]: true };
        if (field === 'resolved') continue;
        expect(faults('result', wrong), `${result.analysis}, ${field}`).not.toEqual([]);
      }
    }
  });
});
