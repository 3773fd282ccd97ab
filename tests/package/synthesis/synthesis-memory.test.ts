import { defineStudy } from 'private-moments';
import { beforeAll, expect, it } from 'vitest';
import { intakeOptions, planOf } from '../../../web/package/src/core/plan.js';
import { readRequest, type SynthesizeOptions } from '../../../web/package/src/synthesis/options.js';
import type { RowTable, SynthesisCore } from '../../../web/package/src/synthesis/raw.js';
import { unwrap } from '../../../web/package/src/core/unwrap.js';
import { builtCore } from '../core-support.js';
import { failure } from '../support.js';

const study = defineStudy({
  title: 'What fits into memory',
  columns: ['a', 'b', 'c'].map((name) => ({ name, type: 'number', min: 0, max: 1 })),
  privacy: { epsilon: 1, delta: 1e-6 },
});
let core: SynthesisCore;

beforeAll(async () => {
  core = await builtCore<SynthesisCore>('private-moments-synthesis');
});

function tableOf(bytes: number, options: SynthesizeOptions = {}): RowTable {
  const plan = planOf(study);
  const { terms } = readRequest(study, options);
  const all = { ...plan.spec, ...intakeOptions(plan), ...terms, bytes };
  return unwrap(core.createTable(all), plan.columns).table;
}

it('refuses the first row that does not fit, before memory runs out', async () => {
  // At most three features and two numbers for the label, of four bytes each.
  const table = tableOf(20 * 100);
  expect(unwrap(table.add(new Float64Array(3 * 90)))).toMatchObject({ ok: true });
  await failure(() => unwrap(table.add(new Float64Array(3 * 11))), {
    ...{ code: 'too-many-rows', row: 101, message: /room for only 100 rows/ },
  });
  table.delete();
});

it('includes the projected rows', async () => {
  const projected = tableOf(20 * 100, { components: 1 });
  await failure(() => unwrap(projected.add(new Float64Array(3 * 80))), { code: 'too-many-rows' });
  projected.delete();
});
