import {
  createLedger,
  defineStudy,
  memoryStorage,
  privatize,
  type DataSet,
  type Ledger,
} from 'private-moments';
import { describe, expect, it } from 'vitest';
import { LedgerSnapshot } from '../../../web/elements/src/take-part/participant-ledger.js';
import { releaseStep } from '../../../web/elements/src/take-part/release-step.js';
import { definition } from '../../package/support.js';
import { said } from '../said.js';

const study = defineStudy(definition());

function room(dataSets: () => Promise<DataSet[]>) {
  const ledger = Object.assign(createLedger({ update: () => Promise.reject(new Error()) }), {
    dataSets,
  });
  const none = { budgetEpsilon: undefined, budgetDelta: undefined };
  return new LedgerSnapshot({ ledger, requestUpdate: () => undefined, ...none });
}

describe('the words about a failed attempt at a release', () => {
  const inSight = (ledger: Ledger) =>
    new LedgerSnapshot({
      ...{ ledger, requestUpdate: () => undefined },
      ...{ budgetEpsilon: undefined, budgetDelta: undefined },
    });

  async function ledgerWithEntry(): Promise<{ ledger: Ledger; entryId: string }> {
    const ledger = createLedger(memoryStorage());
    let entryId = '';
    const onEntry = (id: string): void => {
      entryId = id;
    };
    await privatize(study, 'age,sleep,work,mood\n34,7.5,day,2\n', { ledger, onEntry });
    return { ledger, entryId };
  }

  async function words(ledger: Ledger, entryId?: string, problem?: string): Promise<string> {
    const state = releaseStep({
      ...{ study, counts: { rows: 1, dropped: 0, columns: [], ignored: [] } as never },
      ...{ standing: undefined, working: undefined, release: undefined, masked: undefined },
      failedAttempt: await inSight(ledger).failedAttempt({ problem, entryId }),
      ...{ concerns: [], unanswered: [], onePerson: true },
      isInSession: false,
      onMake: () => undefined,
      onCancel: () => undefined,
      another: () => said(''),
      alternatives: () => said(''),
    } as never);
    return said(state).replace(/\s+/g, ' ');
  }

  it('say that nothing was spent only if its entry does not count', async () => {
    const { ledger, entryId } = await ledgerWithEntry();
    const spent = await Promise.all([words(ledger, entryId), words(ledger, entryId, 'It fell.')]);
    for (const text of spent) {
      expect(text).toContain('Nothing left this computer, but the ledger counts the attempt.');
      expect(text).toMatch(/[Ee]ntry 1 /);
      expect(text).not.toMatch(/No release was made|No privacy budget was spent/);
    }
    await ledger.remove(entryId, 'discarded');
    const free = [await words(ledger, entryId), await words(ledger), await words(ledger, 'none')];
    for (const text of free) {
      expect(text).toContain('Stopped. No release was made. Nothing left this computer.');
      expect(text).toContain('No privacy budget was spent.');
    }
    expect(await words(ledger, entryId, 'It fell.')).toContain('It fell.');
  });

  it('leave its cost open if the ledger cannot be read', async () => {
    const ledger = createLedger({ update: () => Promise.reject(new Error('closed')) });
    for (const text of [await words(ledger, 'some'), await words(ledger, 'some', 'It fell.')]) {
      expect(text).toContain('Nothing left this computer, but the ledger may count the attempt.');
      expect(text).not.toMatch(/No release was made|No privacy budget was spent/);
    }
    expect(await words(ledger)).toContain('No privacy budget was spent.');
  });
});

describe('the ledger in Take part', () => {
  it('is the result of the latest reading, whichever ends first', async () => {
    const ends: ((sets: DataSet[]) => void)[] = [];
    const inSight = room(() => new Promise((resolve) => ends.push(resolve)));
    const readings = [inSight.read(study), inSight.read(study)];
    ends[1]?.([{ name: 'b.csv', entries: [], spent: null } as unknown as DataSet]);
    await readings[1];
    ends[0]?.([]);
    await readings[0];
    expect(inSight.dataSets).toBe(1);
  });

  it('is empty if it cannot be read, and the cost of a release is then unknown', async () => {
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
