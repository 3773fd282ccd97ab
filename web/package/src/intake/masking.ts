import type { Plan } from '../core/plan.js';
import type { Intake, Raw, ReleaseCore } from '../core/raw.js';
import { unwrap } from '../core/unwrap.js';
import type { MaskSeed } from './protocol.js';
import type { RawMasked } from '../generated/raw.js';
import { maskStream } from './stream.js';

/** The one masked message of an intake, under the masks of these seeds. Runs in the worker that has the rows. */
export async function masked(
  core: ReleaseCore,
  intake: Intake,
  plan: Plan,
  seeds: readonly MaskSeed[],
): Promise<Raw<RawMasked>> {
  if (plan.spec.federation.mode === 'correlated') {
    const keys = new Uint8Array(32 * seeds.length);
    seeds.forEach(({ key }, index) => {
      keys.set(key, 32 * index);
    });
    const signs = Int8Array.from(seeds, ({ sign }) => sign);
    const raw = intake.releaseCorrelated(keys, signs);
    keys.fill(0);
    return raw;
  }
  const { length } = unwrap(core.describe(plan.spec));
  const { sum } = unwrap(core.createMaskSum(length));
  try {
    for (const { key, sign } of seeds) {
      const stream = await maskStream(key, length);
      unwrap(sum.add(stream, sign));
      stream.fill(0);
    }
    const mask = sum.bytes();
    const raw = intake.releaseMasked(mask);
    mask.fill(0);
    return raw;
  } finally {
    sum.delete();
  }
}
