import { DuckDBInstance } from '@duckdb/node-api';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { assemble, defineStudy, parseSum, privatize } from 'private-moments';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readResult, wholeOf } from '../../web/scale/src/result.ts';
import { wordsOf } from '../../web/scale/src/row.ts';
import { hasClickHouse, startClickHouse } from './clickhouse.mjs';
import { command, dispatcher, sql } from './command.mjs';
import { definitionOf, releaseTexts, rowsOf, VERSION } from './releases.mjs';

let folder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scale-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** A folder with a study and releases, and the paths a command takes. */
async function collection(name, study, texts) {
  const at = join(folder, name);
  await mkdir(join(at, 'releases', 'more'), { recursive: true });
  const paths = texts.map((_, k) => join(at, 'releases', k % 2 ? 'more' : '.', `${k}.json`));
  for (const [k, text] of texts.entries()) await writeFile(paths[k], text);
  await writeFile(join(at, 'study.json'), JSON.stringify(study));
  const file = (end) => join(at, end);
  return { study: file('study.json'), releases: file('releases'), paths, file };
}

async function listOf(texts) {
  const list = [];
  for await (const text of texts) list.push(text);
  return list;
}

/** The sum of the releases' numbers. */
function added(texts, pick = ({ values }) => values) {
  const lists = texts.map((text) => pick(JSON.parse(text)));
  return lists[0].map((_, i) => lists.reduce((sum, list) => sum + BigInt(list[i]), 0n));
}

async function sumFile(path) {
  return parseSum(await readFile(path, 'utf8'));
}

/** Checks that `assemble` gives the same result for `sum` and for the releases. */
async function expectSame(study, sum, texts) {
  const [one, other] = [await assemble(study, texts), await assemble(study, [sum])];
  expect(other.secondMoments).toEqual(one.secondMoments);
  expect(other.noise).toEqual(one.noise);
  expect(other.rows).toBe(one.rows);
  expect(other.clipping).toEqual(one.clipping);
}

const study = defineStudy(definitionOf(20));
const few = defineStudy(definitionOf(2));
let texts;
let many;
let fewTexts;
let result;

/** The result of DuckDB for Parquet files. */
async function duckdb(statements) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  let rows = [];
  for (const statement of statements) {
    rows = (await connection.runAndReadAll(statement)).getRowObjectsJson();
  }
  instance.closeSync();
  return rows;
}

beforeAll(async () => {
  texts = await listOf(releaseTexts(study, 300));
  many = await collection('many', study, texts);
  const exported = await command([
    'export',
    many.study,
    many.releases,
    '--out',
    many.file('a.parquet'),
  ]);
  expect(exported).toMatchObject({ status: 0, said: '300 releases\n' });
  fewTexts = await listOf(releaseTexts(few, 4));
  const rows = await duckdb([
    `CREATE VIEW releases AS FROM '${many.file('a.parquet')}'`,
    sql('duckdb/sum.sql'),
  ]);
  result = rows.map((row) => JSON.stringify(row));
}, 60_000);

describe('DuckDB', () => {
  test('sums 300 releases of 20 features to the last digit', { timeout: 60_000 }, async () => {
    const out = many.file('sum.json');
    const args = ['sum', many.study, many.file('a.parquet'), '--out', out];
    const summed = await command(args);
    expect(summed).toMatchObject({ status: 0, said: '300 releases\n' });
    const sum = await sumFile(out);
    expect(sum.groups).toHaveLength(1);
    expect(sum.groups[0].values.map(BigInt)).toEqual(added(texts));
    expect(sum.groups[0]).toMatchObject({ level: 0, releases: 300, rows: 300 * 50 });
    const ids = texts.map((text) => JSON.parse(text).id).sort();
    expect(sum.members).toBe(createHash('sha256').update(canonicalize(ids)).digest('hex'));
    await expectSame(study, sum, texts);
    await rm(out);
    expect(await command(args, '', dispatcher)).toMatchObject({
      status: 0,
      said: '300 releases\n',
    });
    expect((await sumFile(out)).toJSON()).toEqual(sum.toJSON());
  });

  test('sums several files at once', { timeout: 60_000 }, async () => {
    const half = async (paths, name) => {
      const out = many.file(name);
      const input = paths.map((path) => `${path}\n`).join('');
      const { status } = await command(['export', many.study, '-', '--out', out], input);
      expect(status).toBe(0);
    };
    await half(many.paths.slice(0, 100), 'half-1.parquet');
    await half(many.paths.slice(100), 'half-2.parquet');
    const [whole, halves] = [many.file('whole.json'), many.file('halves.json')];
    await command(['sum', many.study, many.file('a.parquet'), '--out', whole]);
    await command(['sum', many.study, many.file('half-*.parquet'), '--out', halves]);
    expect(await readFile(halves, 'utf8')).toBe(await readFile(whole, 'utf8'));
  });

  test.each([
    ['with radii of their own, and their counts', { clipping: 'adaptive' }],
    ['of private numbers of rows', { neighbours: 'add-remove' }],
    ['with pure noise', { privacy: { epsilon: 1, delta: 0 } }],
  ])('sums releases %s', { timeout: 60_000 }, async (name, over) => {
    const own = defineStudy(definitionOf(3, over));
    const made = [];
    for (let site = 0; site < 6; site += 1) {
      // Rows of decreasing length, so that the radii differ.
      const rows = rowsOf(own, 40_000).map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value / 2 ** site])),
      );
      made.push(JSON.stringify(await privatize(own, rows)));
    }
    const at = await collection(name.split(' ').at(-1), own, made);
    await command(['export', at.study, at.releases, '--out', at.file('a.parquet')]);
    const table = await duckdb([`SELECT id, largest FROM '${at.file('a.parquet')}'`]);
    for (const text of made) {
      const { id, rows, values, clipping } = JSON.parse(text);
      const largest = Math.max(
        ...[rows ?? 0, ...values, ...(clipping?.counts ?? [])].map(Math.abs),
      );
      expect(table).toContainEqual({ id, largest: `${largest}` });
    }
    const out = at.file('sum.json');
    const summed = await command(['sum', at.study, at.file('a.parquet'), '--out', out]);
    expect(summed).toMatchObject({ status: 0, said: '6 releases\n' });
    const sum = await sumFile(out);
    if (own.clipping === 'adaptive') expect(sum.groups.length).toBeGreaterThan(1);
    for (const { level, values, counts } of sum.groups) {
      const of = made.filter((text) => (JSON.parse(text).clipping?.level ?? 0) === level);
      expect(values.map(BigInt)).toEqual(added(of));
      expect(counts?.map(BigInt)).toEqual(
        own.clipping === 'adaptive' ? added(of, ({ clipping }) => clipping.counts) : undefined,
      );
    }
    await expectSame(own, sum, made);
  });
});

describe('releases with private centring', () => {
  const GAUSSIAN = { epsilon: 1, delta: 1e-6 };
  const PURE = { epsilon: 1, delta: 0 };
  /** Releases of rows that lie elsewhere, and are wider, at each site. */
  const made = async (own, count) => {
    const list = [];
    for (let site = 0; site < count; site += 1) {
      const [width, middle] = [0.1 + 0.4 * Math.abs(Math.sin(site)), 0.4 * Math.cos(site)];
      const rows = rowsOf(own, 20 + (site % 7)).map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, x]) => [key, middle + width * x])),
      );
      list.push(JSON.stringify(await privatize(own, rows)));
    }
    return list;
  };

  test.each(
    [GAUSSIAN, PURE].flatMap((privacy) =>
      ['replace-one', 'add-remove'].flatMap((neighbours) =>
        [1, 5, 200].map((count) => ({ count, neighbours, privacy })),
      ),
    ),
  )('are summed to the bits of assemble: %o', { timeout: 120_000 }, async (each) => {
    const { count, ...over } = each;
    const own = defineStudy(definitionOf(4, { clipping: 'centred', ...over }));
    const texts = await made(own, count);
    const name = `centred-${count}-${over.neighbours}-${over.privacy.delta}`;
    const at = await collection(name, own, texts);
    const parquet = at.file('a.parquet');
    const exported = await command(['export', at.study, at.releases, '--out', parquet]);
    expect(exported).toMatchObject({ status: 0, said: `${count} releases\n` });
    const out = at.file('sum.json');
    expect(await command(['sum', at.study, parquet, '--out', out])).toMatchObject({ status: 0 });
    const sum = await sumFile(out);
    expect(sum.groups).toHaveLength(1);
    const [one, other] = [await assemble(own, texts), await assemble(own, [sum])];
    expect(other.toJSON()).toEqual(one.toJSON());
  });

  test('are rows of so many words as docs/formats.md says', async () => {
    const own = defineStudy(definitionOf(3, { clipping: 'centred' }));
    const at = await collection('centred-row', own, await made(own, 1));
    await command(['export', at.study, at.releases, '--out', at.file('a.parquet')]);
    const [row] = await duckdb([`SELECT * FROM '${at.file('a.parquet')}'`]);
    expect(row).toMatchObject({ level: 0, counts: [] });
    expect(row.reach).toHaveLength(3);
    expect(row.words).toHaveLength(2 * (3 * 3 ** 2 + 8 * 3 + 8));
  });
});

test('a row says of its release what docs/formats.md says', async () => {
  const rows = await duckdb([
    `SELECT * FROM '${many.file('a.parquet')}' WHERE id = '${JSON.parse(texts[7]).id}'`,
  ]);
  const { values, rows: rowCount, id } = JSON.parse(texts[7]);
  const bytes = new DataView(new ArrayBuffer(8 * values.length));
  values.forEach((value, i) => bytes.setBigInt64(8 * i, BigInt(value), true));
  expect(rows).toEqual([
    {
      study: study.id,
      version: VERSION,
      id,
      level: 0,
      row_count: `${rowCount}`,
      counts: [],
      reach: [],
      commitment: createHash('sha256').update(bytes).digest('hex'),
      largest: `${Math.max(...values.map(Math.abs))}`,
      words: values.map((value) => `${BigInt.asUintN(64, BigInt(value))}`),
    },
  ]);
});

test('whole numbers become words modulo 2^64, from the least to the largest', () => {
  const edges = [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 52 + 5, Number.MAX_SAFE_INTEGER];
  const values = [...edges, ...edges.map((value) => -value + 0)];
  const expected = values.map((value) => BigInt.asUintN(64, BigInt(value)));
  expect(Array.from(wordsOf(values))).toEqual(expected);
});

describe('masked words', () => {
  const MASK = (1n << 64n) - 1n;
  const unpacked = (bytes) => Array.from(new BigUint64Array(new Uint8Array(bytes).buffer));
  const id = (k) => createHash('sha256').update(`${k}`).digest('hex');
  const table = (rows) =>
    `CREATE TABLE releases AS FROM (VALUES ${rows
      .map(
        ({ k, words, largest }) =>
          `('${few.id}', '${VERSION}', '${id(k)}', 0::UTINYINT, 10::BIGINT, []::BIGINT[], []::BIGINT[], '${id(-k)}', ${largest}::BIGINT, [${words}]::UBIGINT[])`,
      )
      .join(', ')})
     t(study, version, id, level, row_count, counts, reach, commitment, largest, words)`;
  const sumOf = (lists) =>
    lists[0].map((_, i) => lists.reduce((sum, list) => (sum + list[i]) & MASK, 0n));

  test('are summed modulo 2^64: less the sum of the masks they are the sum of the numbers', async () => {
    const values = fewTexts.map((text) => JSON.parse(text).values.map(BigInt));
    const masks = values.map((list) => unpacked(randomBytes(8 * list.length)));
    const masked = values.map((list, k) => list.map((value, i) => (value + masks[k][i]) & MASK));
    const rows = masked.map((words, k) => ({ k, words, largest: 'NULL' }));
    const lines = await duckdb([table(rows), sql('duckdb/sum.sql')]);
    const total = sumOf(masks);
    const text = JSON.stringify(lines[0]);
    const sum = await readResult(few, text, {
      session: id(1),
      unmask: (words) => Array.from(words, (word, i) => Number(BigInt.asIntN(64, word - total[i]))),
    });
    expect(sum.session).toBe(id(1));
    expect(sum.groups[0].values.map(BigInt)).toEqual(added(fewTexts));
    await expect(readResult(few, text)).rejects.toThrow('these releases are masked');
  });

  test('are not mixed with words that are not', async () => {
    const words = fewTexts.map((text) => JSON.parse(text).values.map((v) => BigInt(v) & MASK));
    const rows = words.map((list, k) => ({ k, words: list, largest: k === 0 ? 'NULL' : '5' }));
    const lines = await duckdb([table(rows), sql('duckdb/sum.sql')]);
    await expect(readResult(few, JSON.stringify(lines[0]))).rejects.toThrow('filled for some');
  });

  const seeds = (rows) =>
    `CREATE TABLE seeds AS FROM (VALUES ${rows.map(([a, b]) => `('${id(a)}', '${id(b)}')`).join(', ')}) t(id, commitment)`;
  const pairs = async (releases, held) => {
    const rows = releases.map((k) => ({ k, words: [1], largest: 'NULL' }));
    const found = await duckdb([table(rows), seeds(held), sql('pairs.sql')]);
    return found.map((row) => row.id).sort();
  };

  test('are known to have their masks summed by participants and commitments', async () => {
    const held = [1, 2, 3].map((k) => [k, -k]);
    expect(await pairs([1, 2, 3], held)).toEqual([]);
    expect(await pairs([1, 2, 3, 4], held)).toEqual([id(4)]);
    expect(await pairs([1, 2], held)).toEqual([id(3)]);
    expect(await pairs([1, 2, 3, 3], held)).toEqual([id(3)]);
    expect(await pairs([1, 2, 3], [...held, [2, -2]])).toEqual([id(2)]);
    expect(await pairs([1, 2, 3], [...held.slice(1), [1, -2]])).toEqual([id(1)]);
  });
});

/** The statements of a file, for engines that take one at a time. */
const statementsOf = (name) =>
  sql(name)
    .replace(/^--.*$/gm, '')
    .split(';')
    .filter((text) => text.trim() !== '');

/** The data of the helper of a session of five, of whom two may be missing: a seed for each. */
const SESSION = createHash('sha256').update('a session').digest('hex');
const hexOf = (text) => createHash('sha256').update(text).digest('hex');
const everybody = [1, 2, 3, 4, 5];
const valuesOf = (rows) => rows.map((row) => `('${row.join("', '")}')`).join(', ');
const askedFor = (members) => valuesOf(members.map((k) => [hexOf(`${k}`), hexOf(`of ${k}`)]));
const seedsOf = (members) =>
  valuesOf(members.map((k) => [hexOf(`${k}`), hexOf(`of ${k}`), `seed ${k}`]));

describe('one set a session, ever: a helper whose seeds are in DuckDB', () => {
  let file;
  let run;
  let close;

  /** A connection to the helper's file, as after a restart. */
  const open = async () => {
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    run = async (text) => (await connection.runAndReadAll(text)).getRowObjectsJson();
    close = () => {
      connection.closeSync();
      instance.closeSync();
    };
  };
  const ask = async (members) => {
    await run('DELETE FROM releases');
    if (members.length > 0) await run(`INSERT INTO releases VALUES ${askedFor(members)}`);
    let rows;
    for (const statement of statementsOf('duckdb/claim.sql')) rows = await run(statement);
    return rows;
  };

  beforeEach(async () => {
    file = join(await mkdtemp(join(folder, 'helper-')), 'helper.duckdb');
    await open();
    await run('CREATE TABLE session (id VARCHAR, least UBIGINT)');
    await run(`INSERT INTO session VALUES ('${SESSION}', 3)`);
    await run('CREATE TABLE seeds (id VARCHAR PRIMARY KEY, commitment VARCHAR, seed BLOB)');
    await run(`INSERT INTO seeds VALUES ${seedsOf(everybody)}`);
    await run('CREATE TABLE releases (id VARCHAR, commitment VARCHAR)');
  });

  afterEach(() => close());

  test('gives the seeds of the first set, and of the same set again', async () => {
    const first = await ask([1, 2, 3, 4]);
    expect(first.map(({ id: one }) => one)).toEqual([1, 2, 3, 4].map((k) => hexOf(`${k}`)).sort());
    expect(await ask([4, 3, 2, 1])).toEqual(first);
    // As the sum of the releases states its members.
    const ids = [1, 2, 3, 4].map((k) => hexOf(`${k}`)).sort();
    expect(first[0].members).toBe(hexOf(canonicalize(ids)));
  });

  test('refuses every second set, with one more or one fewer, after a restart too', async () => {
    await ask([1, 2, 3, 4]);
    await expect(ask(everybody)).rejects.toThrow(/Constraint Error/);
    await expect(ask([1, 2, 3])).rejects.toThrow(/Constraint Error/);
    close();
    await open();
    await expect(ask(everybody)).rejects.toThrow(/Constraint Error/);
    expect(await run('SELECT count(*)::INT AS n FROM answered')).toEqual([{ n: 1 }]);
    // Without the claim there is nothing to read, either.
    const last = statementsOf('duckdb/claim.sql').at(-1);
    expect(await run(last)).toEqual([]);
  });

  test('refuses too few, a release twice, and one without its seed, and may be asked again', async () => {
    await expect(ask([])).rejects.toThrow('fewer releases');
    await expect(ask([1, 2])).rejects.toThrow('fewer releases');
    await expect(ask([1, 2, 3, 3])).rejects.toThrow('asked for twice');
    await expect(ask([1, 2, 3, 6])).rejects.toThrow('no seed');
    await run(`UPDATE seeds SET commitment = 'another' WHERE id = '${hexOf('3')}'`);
    await expect(ask([1, 2, 3, 4])).rejects.toThrow('no seed');
    expect(await ask([1, 2, 4])).toHaveLength(3);
  });
});

describe('export refuses', () => {
  test.each([
    ['a release that was changed', (list) => [list[0], list[1].replace('"rows":50', '"rows":51')]],
    ['a release that is there twice', (list) => [list[0], list[0]]],
    ['a file that is not a release', () => ['{}']],
    ['a folder without releases', () => []],
  ])('%s, and leaves no table', async (name, change) => {
    const at = await collection(name, few, change(fewTexts));
    const out = at.file('a.parquet');
    const { status, said } = await command(['export', at.study, at.releases, '--out', out]);
    expect(status).toBe(1);
    expect(said).toMatch(
      name === 'a folder without releases'
        ? /no-releases: /
        : /(release-\w+|duplicate-release): .*\.json: release /,
    );
    expect((await readdir(at.file('.'))).sort()).toEqual(['releases', 'study.json']);
  });

  test('releases of another study', async () => {
    const at = await collection('other', study, fewTexts);
    const { status, said } = await command([
      'export',
      at.study,
      at.releases,
      '--out',
      at.file('a'),
    ]);
    expect(status).toBe(1);
    expect(said).toContain('another study');
  });

  test(
    'a folder that does not exist, and a file that exists, before anything is read',
    { timeout: 60_000 },
    async () => {
      const at = await collection('unwritable', few, fewTexts);
      await writeFile(at.file('mine'), 'mine');
      const missing = ['--out', join(at.file('no'), 'x')];
      const taken = ['--out', at.file('mine')];
      for (const args of [
        ['export', at.study, at.releases],
        ['export', at.study, at.releases, '--format', 'native'],
        ['import', at.study, at.file('nothing.jsonl')],
        ['sum', at.study, at.file('nothing.parquet')],
      ]) {
        const before = await readdir(at.file('.'));
        expect(await command([...args, ...missing])).toMatchObject({
          status: 1,
          said: expect.stringMatching(
            /output-unwritable: --out: .*no\/x cannot be written: the folder/,
          ),
        });
        expect(await command([...args, ...taken])).toMatchObject({
          status: 1,
          said: expect.stringMatching(/output-exists: --out: .*mine exists/),
        });
        expect(await readdir(at.file('.'))).toEqual(before);
      }
      expect(await readFile(at.file('mine'), 'utf8')).toBe('mine');
      const forced = await command(['export', at.study, at.releases, ...taken, '--force']);
      expect(forced).toMatchObject({ status: 0, said: '4 releases\n' });
    },
  );

  test('files that cannot be read, by name and code', { timeout: 60_000 }, async () => {
    const at = await collection('unreadable', few, fewTexts);
    await writeFile(at.file('a.csv'), 'level,releases\n0,4\n');
    const out = ['--out', at.file('x')];
    for (const [args, said] of [
      [
        ['export', at.file('no.json'), at.releases],
        /input-unreadable: .*no\.json: there is no such/,
      ],
      [['export', at.study, at.file('none')], /input-unreadable: .*none: there is no such/],
      [['import', at.study, at.file('none')], /input-unreadable: .*none: there is no such/],
      [['import', at.study, at.file('a.csv')], /release-unreadable: .*a\.csv: .* JSON lines/],
      [['sum', at.study, at.study], /input-unreadable: PARQUET: /],
    ]) {
      expect(await command([...args, ...out])).toMatchObject({
        status: 1,
        said: expect.stringMatching(said),
      });
      expect(existsSync(at.file('x'))).toBe(false);
    }
  });

  test('arguments that make no sense', async () => {
    const at = await collection('arguments', few, fewTexts);
    for (const args of [
      [at.study],
      [at.study, at.releases],
      [at.study, at.releases, '--out', '-'],
      [at.study, at.releases, '--out', at.file('a'), '--format', 'csv'],
    ]) {
      expect((await command(['export', ...args])).status).toBe(2);
    }
  });

  test('nothing because a folder holds other files, and says how many those are', async () => {
    const at = await collection('mixed', few, fewTexts);
    await writeFile(join(at.releases, 'read me.txt'), 'hello');
    const { status, said } = await command([
      'export',
      at.study,
      at.releases,
      '--out',
      at.file('a'),
    ]);
    expect(status).toBe(0);
    expect(said).toBe('ignored 1 files that do not end in .json\n4 releases\n');
  });
});

test('a whole number in a sum is a text where a number would be rounded', () => {
  expect([2n ** 53n, -(2n ** 60n) - 1n, 7n].map(wholeOf)).toEqual([
    '9007199254740992',
    '-1152921504606846977',
    7,
  ]);
});

describe('import refuses', () => {
  /** The result with a change of its one row. */
  const changed = (change) => {
    const row = JSON.parse(result[0]);
    return JSON.stringify({ ...row, ...change(row) });
  };
  const to = (change) => () => change;
  const word =
    (text) =>
    ({ word_sums }) => ({ word_sums: [text, ...word_sums.slice(1)] });

  test.each([
    ['releases counted twice', to({ distinct_ids: 299 }), 'duplicate-release', 'counted twice'],
    ['releases of two studies', to({ last_study: 'f'.repeat(64) }), 'wrong-study', 'another study'],
    ['releases of two versions', to({ last_version: '0.9' }), 'mixed-versions', 'versions'],
    ['releases of two lengths', to({ shortest: 3 }), 'release-unreadable', 'differ in length'],
    ['counts of two lengths', to({ most_counts: 6 }), 'release-unreadable', 'differ in length'],
    ['reaches of two lengths', to({ most_reaches: 6 }), 'release-unreadable', 'differ in length'],
    ['rows of some releases only', to({ counted: 299 }), 'release-unreadable', 'filled for some'],
    [
      'sums that may have left 64 bits',
      to({ largest_of_all: `${2n ** 55n}` }),
      'sum-overflow',
      'can overflow the 64 bits',
    ],
    ['a number that may have been rounded', word(1e17), 'release-unreadable', 'as strings'],
    [
      'a word of more than 64 bits',
      word(`${2n ** 64n}`),
      'release-unreadable',
      'not a whole number',
    ],
    ['a word below 0', word('-1'), 'release-unreadable', 'not a whole number'],
    ['no digest of its members', to({ members: null }), 'release-unreadable', 'members'],
    ['a level that does not exist', to({ level: 7 }), 'release-unreadable', 'level'],
  ])('%s', async (_, change, code, message) => {
    await expect(readResult(study, changed(change))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test('rows of several queries, no rows, and text that is not JSON', async () => {
    const other = changed(to({ level: 1, members: 'f'.repeat(64), distinct_ids: 600 }));
    const two = [changed(to({ distinct_ids: 600 })), other].join('\n');
    await expect(readResult(study, two)).rejects.toThrow('different queries');
    await expect(readResult(study, '\n')).rejects.toThrow('no releases');
    await expect(readResult(study, 'level,releases')).rejects.toThrow('JSON lines');
  });

  test('but not the largest numbers whose sum stays within 64 bits', async () => {
    const most = (2n ** 63n - 1n) / 300n;
    const sum = await readResult(study, changed(to({ largest_of_all: `${most}` })));
    expect(sum.releases).toBe(300);
    await expect(
      readResult(study, changed(to({ largest_of_all: `${most + 1n}` }))),
    ).rejects.toThrow('can overflow the 64 bits');
  });

  test('the same release in two files', async () => {
    const at = await collection('twice', few, fewTexts);
    for (const [k, paths] of [at.paths, at.paths.slice(3)].entries()) {
      await command(['export', at.study, ...paths, '--out', at.file(`${k}.parquet`)]);
    }
    const out = at.file('sum.json');
    const { status, said } = await command(['sum', at.study, at.file('*.parquet'), '--out', out]);
    expect(status).toBe(1);
    expect(said).toContain('counted twice');
    expect(existsSync(out)).toBe(false);
  });
});

const installed = hasClickHouse();
if (!installed) console.log('ClickHouse is not installed: its tests are skipped');

describe.skipIf(!installed)('ClickHouse on two machines', () => {
  let cluster;

  beforeAll(async () => {
    cluster = await startClickHouse(2);
    for (const shard of cluster.shards) {
      await shard.query(sql('clickhouse/tables.sql'));
      await shard.query(
        'CREATE TABLE all_releases AS releases ENGINE = Distributed(releases, default, releases, cityHash64(id))',
      );
      await shard.query('CREATE TABLE seeds (id String, commitment String) ENGINE = Memory');
    }
  }, 60_000);

  afterAll(() => cluster?.stop());

  const query = (name) => sql(name).replaceAll('FROM releases', 'FROM all_releases');

  test('sums what was spread over them like DuckDB on one', { timeout: 60_000 }, async () => {
    const { status, out } = await command([
      'export',
      many.study,
      many.releases,
      '--format',
      'native',
      '--out',
      '-',
    ]);
    expect(status).toBe(0);
    const [one, other] = cluster.shards;
    await one.query('INSERT INTO all_releases FORMAT Native', out);
    const shares = await Promise.all(
      cluster.shards.map(async (shard) =>
        Number(await shard.query('SELECT count() FROM releases')),
      ),
    );
    expect(shares[0] + shares[1]).toBe(300);
    expect(Math.min(...shares)).toBeGreaterThan(0);
    const lines = await other.query(query('clickhouse/sum.sql'));
    await writeFile(many.file('clickhouse.jsonl'), lines);
    const sumOut = many.file('clickhouse.json');
    const imported = await command([
      'import',
      many.study,
      many.file('clickhouse.jsonl'),
      '--out',
      sumOut,
    ]);
    expect(imported).toMatchObject({ status: 0, said: '300 releases\n' });
    const sum = await sumFile(sumOut);
    expect(sum.groups[0].values.map(BigInt)).toEqual(added(texts));
    expect(sum.toJSON()).toEqual((await readResult(study, result.join('\n'))).toJSON());
  });

  test('sums releases with private centring like DuckDB', { timeout: 60_000 }, async () => {
    const own = defineStudy(definitionOf(4, { clipping: 'centred' }));
    const texts = [];
    for (let site = 0; site < 5; site += 1) {
      texts.push(JSON.stringify(await privatize(own, rowsOf(own, 30 + site))));
    }
    const at = await collection('centred-clickhouse', own, texts);
    const { out } = await command([
      'export',
      at.study,
      at.releases,
      '--format',
      'native',
      '--out',
      '-',
    ]);
    const [one] = cluster.shards;
    await one.query('CREATE TABLE centred AS releases ENGINE = Memory');
    await one.query('INSERT INTO centred FORMAT Native', out);
    const from = sql('clickhouse/sum.sql').replaceAll('FROM releases', 'FROM centred');
    const sum = await readResult(own, await one.query(from));
    expect((await assemble(own, [sum])).toJSON()).toEqual((await assemble(own, texts)).toJSON());
  });

  test('names participants without a seed', async () => {
    const [one] = cluster.shards;
    const [first, ...rest] = (await one.query('SELECT id, commitment FROM all_releases FORMAT TSV'))
      .trim()
      .split('\n');
    await one.query('INSERT INTO seeds FORMAT TSV', rest.join('\n'));
    expect((await one.query(query('pairs.sql'))).split('\t')[0]).toBe(first.split('\t')[0]);
    await one.query('INSERT INTO seeds FORMAT TSV', first);
    expect(await one.query(query('pairs.sql'))).toBe('');
  });

  test('gives a helper the seeds of one set a session, ever', async () => {
    const [one] = cluster.shards;
    await one.query('CREATE DATABASE helper');
    const run = (text) => one.query(text, undefined, 'helper');
    await run('CREATE TABLE session (id String, least UInt64) ENGINE = Log');
    await run(`INSERT INTO session VALUES ('${SESSION}', 3)`);
    await run('CREATE TABLE seeds (id String, commitment String, seed String) ENGINE = Log');
    await run(`INSERT INTO seeds VALUES ${seedsOf(everybody)}`);
    const ask = async (members) => {
      await run('DROP TABLE IF EXISTS releases');
      await run('CREATE TABLE releases (id String, commitment String) ENGINE = Log');
      await run(`INSERT INTO releases VALUES ${askedFor(members)}`);
      let rows;
      for (const statement of statementsOf('clickhouse/claim.sql')) rows = await run(statement);
      return rows
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).seed);
    };
    await expect(ask([1, 2])).rejects.toThrow('throwIf');
    await expect(ask([1, 2, 3, 3])).rejects.toThrow('throwIf');
    await expect(ask([1, 2, 3, 6])).rejects.toThrow('throwIf');
    const first = await ask([1, 2, 3, 4]);
    expect(first.sort()).toEqual([1, 2, 3, 4].map((k) => `seed ${k}`));
    expect((await ask([4, 3, 2, 1])).sort()).toEqual(first);
    await expect(ask(everybody)).rejects.toThrow('throwIf');
    await expect(ask([1, 2, 3])).rejects.toThrow('throwIf');
    // If two are written at the same time, neither is answered.
    await run(`INSERT INTO answered VALUES ('${SESSION}', 'another set', 4)`);
    await expect(ask([1, 2, 3, 4])).rejects.toThrow('throwIf');
  });

  test('sums words modulo 2^64', async () => {
    const [one] = cluster.shards;
    const row = (id, word) =>
      `('${few.id}', '${VERSION}', '${id}', 0, NULL, [], [], '', NULL, [${word}])`;
    await one.query('CREATE TABLE wrapping AS releases ENGINE = Memory');
    await one.query(
      `INSERT INTO wrapping VALUES ${row('a', '18446744073709551615')}, ${row('b', '5')}`,
    );
    const lines = await one.query(
      sql('clickhouse/sum.sql').replaceAll('FROM releases', 'FROM wrapping'),
    );
    expect(JSON.parse(lines)).toMatchObject({ word_sums: ['4'], counted: '0', measured: '0' });
  });
});
