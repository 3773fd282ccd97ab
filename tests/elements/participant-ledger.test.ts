import { createLedger, defineStudy, type DataSet } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { LedgerInSight } from '../../web/elements/src/participant-ledger.js';
import { definition } from '../package/support.js';

const study = defineStudy(definition());

function room(dataSets: () => Promise<DataSet[]>) {
  const ledger = Object.assign(createLedger({ update: () => Promise.reject(new Error()) }), {
    dataSets,
  });
  const none = { budgetEpsilon: undefined, budgetDelta: undefined };
  return new LedgerInSight({ ledger, requestUpdate: () => undefined, ...none });
}

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
