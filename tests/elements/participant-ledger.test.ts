import {
  createLedger,
  defineStudy,
  memoryStorage,
  privatize,
  type DataSet,
  type Ledger,
} from 'private-moments';
import { describe, expect, it } from 'vitest';
import { LedgerInSight } from '../../web/elements/src/participant-ledger.js';
import { workState } from '../../web/elements/src/making-words.js';
import { definition } from '../package/support.js';
import { said } from './said.js';

const study = defineStudy(definition());

function room(dataSets: () => Promise<DataSet[]>) {
  const ledger = Object.assign(createLedger({ update: () => Promise.reject(new Error()) }), {
    dataSets,
  });
  const none = { budgetEpsilon: undefined, budgetDelta: undefined };
  return new LedgerInSight({ ledger, requestUpdate: () => undefined, ...none });
}

describe('what is said of a release that was tried and not made', () => {
  const inSight = (ledger: Ledger) =>
    new LedgerInSight({
      ...{ ledger, requestUpdate: () => undefined },
      ...{ budgetEpsilon: undefined, budgetDelta: undefined },
    });

  async function ledgerWithEntry(): Promise<{ ledger: Ledger; written: string }> {
    const ledger = createLedger(memoryStorage());
    let written = '';
    const onEntry = (id: string): void => {
      written = id;
    };
    await privatize(study, 'age,sleep,work,mood\n34,7.5,day,2\n', { ledger, onEntry });
    return { ledger, written };
  }

  async function words(ledger: Ledger, written?: string, problem?: string): Promise<string> {
    const state = workState({
      ...{ study, counts: { rows: 1, dropped: 0, columns: [], ignored: [] } as never },
      ...{ standing: undefined, working: undefined, release: undefined, masked: undefined },
      unmade: await inSight(ledger).unmade({ problem, written }),
      isInSession: false,
      onMake: () => undefined,
      onCancel: () => undefined,
      another: () => said(''),
      instead: () => said(''),
    } as never);
    return said(state).replace(/\s+/g, ' ');
  }

  it('is that nothing was spent only where its entry does not count', async () => {
    const { ledger, written } = await ledgerWithEntry();
    const spent = await Promise.all([words(ledger, written), words(ledger, written, 'It fell.')]);
    for (const text of spent) {
      expect(text).toContain('Nothing left, but the ledger counts it.');
      expect(text).toMatch(/[Ee]ntry 1 /);
      expect(text).not.toMatch(/Nothing was made|No privacy budget was spent/);
    }
    await ledger.remove(written, 'thrown away');
    const free = [await words(ledger, written), await words(ledger), await words(ledger, 'none')];
    for (const text of free) {
      expect(text).toContain('Stopped. Nothing was made and nothing left.');
      expect(text).toContain('No privacy budget was spent.');
    }
    expect(await words(ledger, written, 'It fell.')).toContain('It fell.');
  });

  it('leaves open what it cost where the ledger cannot be read', async () => {
    const ledger = createLedger({ update: () => Promise.reject(new Error('closed')) });
    for (const text of [await words(ledger, 'some'), await words(ledger, 'some', 'It fell.')]) {
      expect(text).toContain('Nothing left, but the ledger may count it.');
      expect(text).not.toMatch(/Nothing was made|No privacy budget was spent/);
    }
    expect(await words(ledger)).toContain('No privacy budget was spent.');
  });
});

describe('what Take part knows of the ledger', () => {
  it('is what the reading begun last gave, whichever ends first', async () => {
    const ends: ((sets: DataSet[]) => void)[] = [];
    const inSight = room(() => new Promise((resolve) => ends.push(resolve)));
    const readings = [inSight.read(study), inSight.read(study)];
    ends[1]?.([{ name: 'b.csv', entries: [], spent: null } as unknown as DataSet]);
    await readings[1];
    ends[0]?.([]);
    await readings[0];
    expect(inSight.dataSets).toBe(1);
  });

  it('is nothing of a ledger that cannot be read, and what was made costs nothing known', async () => {
    const inSight = room(() => Promise.reject(new Error('not read')));
    await inSight.read(study);
    expect(inSight).toMatchObject({ entries: [], dataSets: 0, earlier: undefined });
    expect(await inSight.costOf(() => true)).toEqual({
      entry: undefined,
      spent: null,
      budget: null,
    });
  });
});
