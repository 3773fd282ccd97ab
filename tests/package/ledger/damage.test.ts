import { createLedger, defineStudy, memoryStorage, privatize } from 'private-moments';
import { beforeAll, describe, expect, it } from 'vitest';
import { definition, failure } from '../support.js';

const study = defineStudy(definition());
const CSV = 'age,sleep,work,mood\n34,7.5,day,2\n51,6,night,-1\n';
const BUDGET = { epsilon: 1, delta: 1e-6 };
const REFUSED = /^ledger-(damaged|unreadable)$/;

/** A ledger as it is stored, with one release and a budget that is spent. */
let stored = '';
/** The same as version 0.1 stored it. */
let older = '';

beforeAll(async () => {
  const storage = memoryStorage();
  const ledger = createLedger(storage);
  await ledger.budget(BUDGET);
  await privatize(study, CSV, { ledger });
  stored = await textIn(storage);
  const { digest, ...contents } = JSON.parse(stored) as Record<string, unknown>;
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  older = JSON.stringify({ ...contents, format: 'private-moments/ledger@1' });
});

async function textIn(storage: ReturnType<typeof memoryStorage>): Promise<string> {
  let text = '';
  await storage.update((now) => {
    text = now ?? '';
    return null;
  });
  return text;
}

/** Everything that a ledger says, or the code of the error. */
async function read(text: string): Promise<string> {
  try {
    return await createLedger(memoryStorage(text)).export({ secret: true });
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a ledger that was damaged', () => {
  it('by one bit is refused, or says the same', async () => {
    const bytes = new TextEncoder().encode(stored);
    const whole = await read(stored);
    let same = 0;
    for (let bit = 0; bit < 8 * bytes.length; bit += 5) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const said = await read(new TextDecoder().decode(flipped));
      if (said === whole) same++;
      else expect(said).toMatch(REFUSED);
    }
    // Such as the e of a number like 1e-7.
    expect(same).toBeLessThan(bytes.length / 200);
  });

  it('by a cut anywhere is refused', async () => {
    for (let length = 0; length < stored.length; length++) {
      expect(await read(stored.slice(0, length))).toMatch(REFUSED);
    }
  });

  it.each(['"entries":[]', '"budget":null', '"keys":[]', '"records":[]', '"digest":"00"'])(
    'by %s at its end is refused, with a digest and without',
    async (appended) => {
      expect(await read(`${stored.slice(0, -1)},${appended}}`)).toBe('ledger-damaged');
      const plain = await read(`${older.slice(0, -1)},${appended}}`);
      expect(plain).toMatch(REFUSED);
    },
  );

  it('by a lost entry, an edit or another order of entries is refused', async () => {
    const storage = memoryStorage(stored);
    const ledger = createLedger(storage);
    await ledger.budget(null);
    await privatize(study, CSV, { ledger });
    const text = await textIn(storage);
    for (const change of [
      (entries: unknown[]) => entries.slice(1),
      (entries: unknown[]) => [...entries].reverse(),
      (entries: unknown[]) => [...entries, entries[0]],
      ([first, second]: unknown[]) => [{ ...(first as object), file: 'x.csv' }, second],
    ]) {
      const book = JSON.parse(text) as { entries: unknown[] };
      const changed = JSON.stringify({ ...book, entries: change(book.entries) });
      expect(await read(changed)).toBe('ledger-damaged');
    }
    expect(await read(JSON.stringify(JSON.parse(text), null, 4))).toBe(await read(text));
  });

  it('makes no release, also of other data', async () => {
    const ledger = createLedger(memoryStorage(stored.replace('"epsilon":1,', '"epsilon":2,')));
    await failure(() => privatize(study, `${CSV}40,6,none,0\n`, { ledger }), {
      code: 'ledger-damaged',
      message: /nothing was released; restore a copy/,
    });
  });

  it('is not imported', async () => {
    const text = (await createLedger(memoryStorage(stored)).export({ secret: true })).replace(
      '"made"',
      '"intended"',
    );
    await failure(() => createLedger(memoryStorage()).import(text), { code: 'ledger-damaged' });
  });
});

describe('a ledger of version 0.1, without a digest', () => {
  it('is read, and gets a digest with the next change', async () => {
    const storage = memoryStorage(older);
    const ledger = createLedger(storage);
    expect(await read(older)).toBe(await read(stored));
    expect(await textIn(storage)).toBe(older);
    await failure(() => privatize(study, CSV, { ledger }), { code: 'over-budget' });
    expect(JSON.parse(await textIn(storage))).toEqual(JSON.parse(stored));
  });

  it('can be imported from its export', async () => {
    const ledger = createLedger(memoryStorage());
    expect(await ledger.import(`${JSON.stringify(JSON.parse(older), null, 1)}\n`)).toBe(1);
  });

  it('is refused if it has a digest all the same, as after damage to its format', async () => {
    expect(await read(stored.replace('ledger@2', 'ledger@1'))).toBe('ledger-unreadable');
  });
});
