import { execFile } from 'node:child_process';
import { mkdtempSync, openAsBlob, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
  compose,
  createLedger,
  defineStudy,
  load,
  memoryStorage,
  privatize,
  type Ledger,
  type LedgerStorage,
  type StudyDefinition,
} from 'private-moments';
import { maskData } from 'private-moments/federation';
import { fileStorage } from 'private-moments/node';
import { describe, expect, it } from 'vitest';
import { definition, failure, sourceFolder } from '../support.js';

const study = defineStudy(definition());
const CSV = 'age,sleep,work,mood\n34,7.5,day,2\n51,6,night,-1\n';
const ROWS = [
  { age: 34, sleep: 7.5, work: 'day', mood: 2 },
  { age: 51, sleep: 6, work: 'night', mood: -1 },
];
const OTHER = `${CSV}40,6,none,0\n`;

const studyWith = (change: Partial<StudyDefinition>) => defineStudy({ ...definition(), ...change });
/** A second study with other columns of the same files. */
const sleepStudy = studyWith({
  title: 'Sleep alone',
  columns: definition().columns.slice(1, 2),
  views: undefined as never,
});

async function ledgerWith(epsilon: number, delta = 1e-6): Promise<Ledger> {
  const ledger = createLedger(memoryStorage());
  await ledger.budget({ epsilon, delta });
  return ledger;
}

/** A storage with a log of every text that it held. */
function watched(): { storage: LedgerStorage; texts: string[] } {
  const inner = memoryStorage();
  const texts: string[] = [];
  const storage: LedgerStorage = {
    update: (change) =>
      inner.update((stored) => {
        const next = change(stored);
        if (next !== null) texts.push(next);
        return next;
      }),
  };
  return { storage, texts };
}

/** A storage that does `instead` in place of its n-th change of the kind that writes entries. */
function interrupted(at: number, instead: () => void): LedgerStorage {
  const inner = memoryStorage();
  let writes = 0;
  return {
    update: (change) =>
      inner.update((stored) => {
        const next = change(stored);
        if (next?.includes('"state"') === true && ++writes === at) instead();
        return next;
      }),
  };
}

const statesOf = async (ledger: Ledger) =>
  (await ledger.entries()).map(({ state, release }) => [state, release]);

describe('a ledger', () => {
  it('has an entry for every release, with its guarantee and id', async () => {
    const ledger = createLedger(memoryStorage());
    const release = await privatize(study, new File([CSV], 'ward.csv'), { ledger });
    expect(await ledger.entries()).toEqual([
      {
        number: 1,
        id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        study: { id: study.id, title: study.title },
        guarantee: release.guarantee,
        state: 'made',
        release: release.id,
        file: 'ward.csv',
      },
    ]);
  });

  it('records a release as intended before it is made, and confirms it before it is returned', async () => {
    const { storage, texts } = watched();
    await privatize(study, CSV, { ledger: createLedger(storage) });
    const states = texts.map((text) => /"state":"(\w+)"/.exec(text)?.[1]);
    expect(states).toEqual([undefined, 'intended', 'made']);
  });

  it('contains no digest that could be looked up, and no contents of rows', async () => {
    const [first, second] = [watched(), watched()];
    await privatize(study, CSV, { ledger: createLedger(first.storage) });
    await privatize(study, CSV, { ledger: createLedger(second.storage) });
    const fingerprints = ({ texts }: typeof first) =>
      (JSON.parse(texts.at(-1) ?? '') as { entries: { fingerprints: string[] }[] }).entries[0]
        ?.fingerprints;
    expect(fingerprints(first)).toHaveLength(2);
    for (const fingerprint of fingerprints(first) ?? [])
      expect(fingerprints(second)).not.toContain(fingerprint);
    const withoutTimes = first.texts.join().replaceAll(/"at":"[^"]*"/g, '');
    expect(withoutTimes).not.toMatch(/night|7\.5/);
  });

  it('does not change the release', async () => {
    const release = await privatize(study, CSV, { ledger: createLedger(memoryStorage()) });
    const { rows, guarantee, local, noise } = await privatize(study, CSV);
    expect(release).toMatchObject({ rows, guarantee });
    expect(release.noise.distribution).toBe(noise.distribution);
    expect(release.local).toEqual(local);
  });
});

describe('the same data', () => {
  const known = async (data: Parameters<typeof privatize>[1], of = study) => {
    const ledger = createLedger(memoryStorage());
    await privatize(study, CSV, { ledger });
    return (await ledger.standing(of, data)).entries.length;
  };

  it('are recognised before another release', async () => {
    expect(await known(CSV)).toBe(1);
    expect(await known(OTHER)).toBe(0);
  });

  it('are recognised under another study by the bytes of the file', async () => {
    expect(await known(new File([CSV], 'renamed.csv'), sleepStudy)).toBe(1);
    expect(await known(new Blob([CSV]).stream(), sleepStudy)).toBe(1);
    expect(await known(OTHER, sleepStudy)).toBe(0);
  });

  it('are recognised in another order and form by their sums', async () => {
    const [header, first, second] = CSV.split('\n');
    expect(await known([header, second, first].join('\r\n'))).toBe(1);
    expect(await known(ROWS)).toBe(1);
    const values = Float64Array.of(51, 6, 1, -1, 34, 7.5, 0, 2);
    expect(await known({ columns: ['age', 'sleep', 'work', 'mood'], values })).toBe(1);
    expect(await known(ROWS.slice(0, 1))).toBe(0);
  });

  it('are recognised with any way of reading', async () => {
    const row = '34,7.5,day,2\n';
    const large = new Blob([CSV, ...Array<string>(200).fill(row.repeat(3000))]);
    const path = join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'rows.csv');
    writeFileSync(path, new Uint8Array(await large.arrayBuffer()));
    const ledger = createLedger(memoryStorage());
    await privatize(study, large, { ledger, workers: 1 });
    await privatize(sleepStudy, large, { ledger, workers: 3 });
    expect((await ledger.standing(sleepStudy, await openAsBlob(path))).entries).toHaveLength(2);
    expect((await ledger.standing(study, large.stream())).entries).toHaveLength(2);
    expect((await ledger.standing(sleepStudy, await large.text())).entries).toHaveLength(2);
  });

  it('include data that share a fingerprint with data that share one with them', async () => {
    const ledger = createLedger(memoryStorage());
    await privatize(study, CSV, { ledger });
    await privatize(study, ROWS, { ledger });
    await privatize(sleepStudy, OTHER, { ledger });
    expect((await ledger.standing(sleepStudy, CSV)).entries.map(({ number }) => number)).toEqual([
      1, 2,
    ]);
    const sets = await ledger.dataSets();
    expect(sets.map(({ entries }) => entries.map(({ number }) => number))).toEqual([[1, 2], [3]]);
  });

  it('can have a name, for a growing table', async () => {
    const ledger = createLedger(memoryStorage());
    await privatize(study, CSV, { ledger, dataSet: 'ward 3' });
    expect((await ledger.standing(study, OTHER)).entries).toHaveLength(0);
    expect((await ledger.standing(study, OTHER, { dataSet: 'ward 3' })).entries).toHaveLength(1);
    // A lone surrogate would make the whole ledger unreadable.
    for (const dataSet of [' ', 'ward \uD83D']) {
      await failure(() => privatize(study, OTHER, { ledger, dataSet }), {
        ...{ code: 'unsupported-option', field: 'dataSet' },
      });
    }
    expect(await ledger.entries()).toHaveLength(1);
  });
});

describe('a budget', () => {
  it('of null refuses nothing, but costs are still added up', async () => {
    const ledger = createLedger(memoryStorage());
    await privatize(study, CSV, { ledger });
    await privatize(study, CSV, { ledger });
    const standing = await ledger.standing(study, CSV);
    expect(standing).toMatchObject({ budget: null, refusal: null });
    expect(standing.spent).toEqual({ epsilon: 2, delta: 2e-6 });
    expect(standing.after?.epsilon).toBe(3);
  });

  it('is spent by composition, and then refuses before any noise is drawn', async () => {
    const ledger = await ledgerWith(2);
    const releases = [];
    for (let turn = 0; turn < 3; turn++) releases.push(await privatize(study, CSV, { ledger }));
    const together = await compose(
      releases.map(({ guarantee }) => guarantee),
      { delta: 1e-6 },
    );
    const standing = await ledger.standing(study, CSV);
    expect(standing.spent?.epsilon).toBe(together.epsilon);
    expect(together.epsilon).toBeLessThan(2);
    expect(standing.after?.epsilon).toBeGreaterThan(2);
    expect(standing.refusal).toMatchObject({ code: 'over-budget' });
    await failure(() => privatize(study, CSV, { ledger }), {
      code: 'over-budget',
      message: /3 earlier releases.*budget is 2/,
    });
    expect(await ledger.entries()).toHaveLength(3);
    // Other data have a budget of their own.
    expect((await privatize(study, OTHER, { ledger })).rows).toBe(3);
  });

  it('refuses data that were released after their standing was computed', async () => {
    const storage = memoryStorage();
    const [here, there] = [createLedger(storage), createLedger(storage)];
    const standing = await here.standing(study, CSV);
    await privatize(study, OTHER, { ledger: there });
    await privatize(study, CSV, { ledger: there });
    await failure(() => privatize(study, CSV, { ledger: here, standing }), {
      code: 'released-since',
    });
    expect(await here.entries()).toHaveLength(2);
    // With a new standing, another release is possible.
    const again = await here.standing(study, CSV);
    expect(again.entries).toHaveLength(1);
    await privatize(study, CSV, { ledger: here, standing: again });
    expect(await here.entries()).toHaveLength(3);
    // An entry removed in between is not a new release.
    const last = (await here.standing(study, CSV)).entries;
    await there.remove(last[0]?.id ?? '', 'never sent');
    await privatize(study, CSV, { ledger: here, standing: { entries: last } });
    for (const options of [
      { standing },
      { ledger: here, standing: {} },
      { ledger: here, standing: null },
    ]) {
      await failure(() => privatize(study, CSV, options as never), { code: 'unsupported-option' });
    }
  });

  it('of exactly one release allows one', async () => {
    const ledger = await ledgerWith(1);
    await privatize(study, CSV, { ledger });
    await failure(() => privatize(study, CSV, { ledger }), { code: 'over-budget' });
    const tenth = studyWith({ privacy: { epsilon: 0.1, delta: 0 } });
    const small = await ledgerWith(0.3, 0);
    for (let turn = 0; turn < 3; turn++) await privatize(tenth, CSV, { ledger: small });
    await failure(() => privatize(tenth, CSV, { ledger: small }), { code: 'over-budget' });
  });

  it('of delta 0 refuses a release with a delta', async () => {
    const ledger = await ledgerWith(10, 0);
    await failure(() => privatize(study, CSV, { ledger }), {
      code: 'over-budget',
      message: /delta above the 0 of the budget/,
    });
  });

  it('is refused for releases with different neighbours or units', async () => {
    const ledger = await ledgerWith(10);
    await privatize(study, CSV, { ledger });
    const open = studyWith({ neighbours: 'add-remove' });
    expect((await ledger.standing(open, CSV)).after).toBeNull();
    await failure(() => privatize(open, CSV, { ledger }), {
      code: 'cannot-compose',
      field: 'neighbours',
    });
    const whole = studyWith({ unit: 'participant' });
    await failure(() => privatize(whole, CSV, { ledger }), {
      code: 'cannot-compose',
      field: 'unit',
    });
    expect(await ledger.entries()).toHaveLength(1);
  });

  it('must be valid', async () => {
    const ledger = createLedger(memoryStorage());
    await failure(() => ledger.budget({ epsilon: 0, delta: 0 }), { code: 'invalid-epsilon' });
    await failure(() => ledger.budget({ epsilon: 1, delta: 1 }), { code: 'invalid-delta' });
    await failure(() => ledger.budget({ epsilon: NaN, delta: 0 }), { code: 'invalid-epsilon' });
    expect(await ledger.budget()).toBeNull();
  });

  it('is recorded when it changes', async () => {
    const ledger = await ledgerWith(2);
    await ledger.budget({ epsilon: 3, delta: 0 });
    await ledger.budget(null);
    expect((await ledger.history()).map(({ budget }) => budget?.epsilon ?? null)).toEqual([
      2,
      3,
      null,
    ]);
  });

  it('is not spent twice by simultaneous calls', async () => {
    const ledger = await ledgerWith(1);
    const calls = Array.from({ length: 4 }, () => privatize(study, CSV, { ledger }));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await ledger.entries()).toHaveLength(1);
  });
});

describe('an interrupted release', () => {
  it('that failed because of the data spends nothing', async () => {
    const ledger = createLedger(memoryStorage());
    await failure(() => privatize(study, `${CSV}1,2\n`, { ledger }), { code: 'ragged-row' });
    expect(await ledger.entries()).toEqual([]);
  });

  it('that was cancelled while reading spends nothing', async () => {
    const ledger = createLedger(memoryStorage());
    const abort = new AbortController();
    const running = privatize(study, new Blob([CSV, '34,7.5,day,2\n'.repeat(500_000)]), {
      ledger,
      signal: abort.signal,
      onProgress: () => {
        abort.abort();
      },
    });
    await failure(() => running, { code: 'cancelled' });
    expect(await ledger.entries()).toEqual([]);
  });

  it('that was cancelled while its entry was written leaves no entry', async () => {
    const abort = new AbortController();
    const storage = interrupted(1, () => {
      abort.abort();
    });
    const ledger = createLedger(storage);
    await failure(() => privatize(study, CSV, { ledger, signal: abort.signal }), {
      code: 'cancelled',
    });
    expect(await ledger.entries()).toEqual([]);
    expect((await privatize(study, CSV, { ledger })).rows).toBe(2);
  });

  it('whose entry cannot be written is not made and spends nothing', async () => {
    const storage = interrupted(1, () => {
      throw new Error('the disk is full');
    });
    const ledger = createLedger(storage);
    await failure(() => privatize(study, CSV, { ledger }), { code: 'ledger-unavailable' });
    expect(await ledger.entries()).toEqual([]);
  });

  it('whose entry cannot be confirmed is not returned, and counts', async () => {
    const storage = interrupted(2, () => {
      throw new Error('the disk is full');
    });
    const ledger = createLedger(storage);
    await ledger.budget({ epsilon: 1, delta: 1e-6 });
    await failure(() => privatize(study, CSV, { ledger }), { code: 'ledger-unavailable' });
    expect(await statesOf(ledger)).toEqual([['intended', null]]);
    await failure(() => privatize(study, CSV, { ledger }), { code: 'over-budget' });
  });

  it('can be looked up by the id of its entry, which onEntry receives', async () => {
    const ledger = createLedger(memoryStorage());
    const ids: string[] = [];
    const onEntry = (id: string): void => void ids.push(id);
    await privatize(study, CSV, { ledger, onEntry });
    const split = studyWith({ federation: { mode: 'split', sites: 3, honest: 2 } });
    await maskData(split, OTHER, { ledger, onEntry }).mask([{ key: new Uint8Array(32), sign: 1 }]);
    await failure(() => privatize(study, `${CSV}1,2\n`, { ledger, onEntry }), {
      code: 'ragged-row',
    });
    expect((await ledger.entries()).map(({ id }) => id)).toEqual(ids);
    expect(ids).toHaveLength(2);
    const options = [{ onEntry }, { ledger, onEntry: 'not a function' as never }];
    for (const wrong of options) {
      await failure(() => privatize(study, CSV, wrong), { code: 'unsupported-option' });
    }
  });

  it('is withdrawn if onEntry throws, because no noise was drawn', async () => {
    const ledger = createLedger(memoryStorage());
    const onEntry = (): void => {
      throw new RangeError('not now');
    };
    await expect(privatize(study, CSV, { ledger, onEntry })).rejects.toThrow('not now');
    expect(await ledger.entries()).toEqual([]);
    expect((await privatize(study, CSV, { ledger })).rows).toBe(2);
  });

  it('counts if the worker died after permission, because noise may have been drawn', async () => {
    const file = new URL('worker.js', sourceFolder);
    const path = join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'dying.mjs');
    writeFileSync(
      path,
      `import '${file.href}';
       import { parentPort } from 'node:worker_threads';
       // The page's only answer is that the release is written down.
       parentPort.on('message', ({ call }) => { if (call === undefined) process.exit(1); });`,
    );
    const ledger = createLedger(memoryStorage());
    await load({ worker: pathToFileURL(path) });
    await failure(() => privatize(study, CSV, { ledger }), { code: 'worker-failed' });
    await load({ worker: file });
    expect(await statesOf(ledger)).toEqual([['intended', null]]);
    expect((await ledger.standing(study, CSV)).spent?.epsilon).toBe(1);
  });
});

describe('entries', () => {
  it('can be removed with a visible reason, and no longer count', async () => {
    const ledger = await ledgerWith(1);
    const { id: release } = await privatize(study, CSV, { ledger });
    const [entry] = await ledger.entries();
    const id = entry?.id ?? '';
    await ledger.remove(id, 'never sent');
    expect(await ledger.entries()).toMatchObject([
      { release, removed: { reason: 'never sent', at: expect.any(String) as string } },
    ]);
    expect(await ledger.dataSets()).toEqual([]);
    expect((await privatize(study, CSV, { ledger })).rows).toBe(2);
    await failure(() => ledger.remove(id, 'again'), { code: 'unknown-entry' });
    await failure(() => ledger.remove(id, ' '), { code: 'ledger-unreadable', field: 'reason' });
  });

  it('can be moved to another ledger with the secret, and are recognised there', async () => {
    const [from, to] = [createLedger(memoryStorage()), await ledgerWith(1.2)];
    await privatize(study, CSV, { ledger: from });
    await privatize(study, OTHER, { ledger: to });
    expect(await to.import(await from.export({ secret: true }))).toBe(1);
    expect(await to.import(await from.export({ secret: true }))).toBe(0);
    expect(await to.budget()).toEqual({ epsilon: 1.2, delta: 1e-6 });
    await failure(() => privatize(study, CSV, { ledger: to }), { code: 'over-budget' });
    await failure(() => privatize(study, OTHER, { ledger: to }), { code: 'over-budget' });
    expect((await to.history()).filter(({ what }) => what === 'imported')).toHaveLength(2);
  });

  it('can be exported without the secret, to be read but not tested against data', async () => {
    const ledger = createLedger(memoryStorage());
    await privatize(study, CSV, { ledger });
    const record = await ledger.export();
    expect(record).toContain('"made"');
    expect(record).not.toContain('secret');
    await failure(() => createLedger(memoryStorage()).import(record), {
      code: 'ledger-unreadable',
      message: /secret/,
    });
    expect(await ledger.import(record)).toBe(0);
  });

  it('stay removed after the import of an older export', async () => {
    const ledger = createLedger(memoryStorage());
    await privatize(study, CSV, { ledger });
    const before = await ledger.export();
    await ledger.remove((await ledger.entries())[0]?.id ?? '', 'never sent');
    await ledger.import(before);
    expect(await ledger.dataSets()).toEqual([]);
  });

  it.each([
    ['not JSON', 'rows, rows'],
    ['another format', '{"format":"private-moments/study@1"}'],
    ['half a ledger', '{"format":"private-moments/ledger@1","keys":[],"entries":[]}'],
  ])('that are %s are refused', async (_, text) => {
    const ledger = createLedger(memoryStorage());
    await failure(() => ledger.import(text), { code: 'ledger-unreadable' });
  });
});

describe('a storage', () => {
  it('in a file keeps the ledger, readable only by its owner', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'ledger.json');
    await privatize(study, CSV, { ledger: createLedger(fileStorage(path)) });
    const again = createLedger(fileStorage(pathToFileURL(path)));
    expect(await statesOf(again)).toHaveLength(1);
    expect(readFileSync(path, 'utf8')).toContain('private-moments/ledger@2');
  });

  it('in a file is not overspent by simultaneous processes', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'ledger.json');
    await createLedger(fileStorage(path)).budget({ epsilon: 1.5, delta: 1e-6 });
    const source = `
      import { createLedger, parseStudy, privatize } from 'private-moments';
      import { fileStorage } from 'private-moments/node';
      const study = parseStudy(${JSON.stringify(JSON.stringify(study))});
      const ledger = createLedger(fileStorage(${JSON.stringify(path)}));
      const run = () => privatize(study, ${JSON.stringify(CSV)}, { ledger });
      await run().then(() => console.log('made'), ({ code }) => console.log(code));`;
    const run = promisify(execFile);
    const runs = await Promise.all(
      [1, 2, 3].map(() =>
        run(process.execPath, ['--input-type=module', '-e', source], { cwd: sourceFolder }),
      ),
    );
    const said = runs.map(({ stdout }) => stdout.trim()).sort();
    expect(said).toEqual(['made', 'made', 'over-budget']);
  });

  it('is required outside browsers', async () => {
    await failure(() => privatize(study, CSV, { ledger: createLedger() }), {
      code: 'ledger-unavailable',
    });
    await failure(() => createLedger({} as never), { code: 'unsupported-option' });
  });
});

describe('a federated session', () => {
  it('is recorded once, when the participant masks', async () => {
    const federation = { mode: 'split', sites: 3, honest: 2 };
    const shared = studyWith({ federation });
    const ledger = await ledgerWith(1);
    const { mask } = maskData(shared, ROWS, { ledger });
    const seed = { key: new Uint8Array(32), sign: 1 as const };
    await mask([seed]);
    expect(await statesOf(ledger)).toEqual([['made', null]]);
    await failure(() => maskData(shared, ROWS, { ledger }).mask([seed]), { code: 'over-budget' });
  });
});
