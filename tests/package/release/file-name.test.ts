import { assemble, createLedger, defineStudy, memoryStorage, privatize } from 'private-moments';
import { maskData } from 'private-moments/federation';
import { report } from 'private-moments/report';
import { expect, it } from 'vitest';
import { definition } from '../support.js';

const TELLTALE = 'patients-of-dr-telltale';
const CSV = `age,sleep,work,mood\n${Array.from({ length: 40 }, (_, i) => `${20 + i},7,day,${i % 3}`).join('\n')}\n`;
const dataFile = () => new File([CSV], `${TELLTALE}.csv`);

it('nothing that leaves has the name of the data file', async () => {
  const study = defineStudy(definition());
  const ledger = createLedger(memoryStorage());
  const release = await privatize(study, dataFile(), { ledger });
  const moments = await assemble(study, [release]);
  const shared = defineStudy({
    ...definition(),
    federation: { mode: 'split', sites: 3, honest: 2 },
  });
  const masked = await maskData(shared, dataFile()).mask([
    { key: new Uint8Array(32), sign: 1 as const },
  ]);
  const leaving = {
    release: await release.toBlob().text(),
    object: JSON.stringify(release),
    summary: release.summary(),
    sum: JSON.stringify(moments),
    report: report(moments.pca({ components: 1 })),
    masked: JSON.stringify(masked, (_, item: unknown) =>
      item instanceof Uint8Array ? new TextDecoder('latin1').decode(item) : item,
    ),
  };
  for (const [what, text] of Object.entries(leaving)) {
    expect(text.length, what).toBeGreaterThan(20);
    expect(text.includes(TELLTALE), what).toBe(false);
  }
  // People who keep count see it on their own machine.
  expect(await ledger.export()).toContain(TELLTALE);
});
