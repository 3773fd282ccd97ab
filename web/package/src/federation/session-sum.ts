import { requireOptions } from '../base/check.js';
import { loadCore } from '../core/core.js';
import type { RawMaskSum } from '../core/masked-raw.js';
import { PrivateMomentsError } from '../base/errors.js';
import { specOf } from '../core/plan.js';
import { requireStudy, type Study } from '../study/study.js';
import { createSum, type Sum } from '../release/sum.js';
import { unwrap } from '../core/unwrap.js';
import type { MaskArithmetic } from './arithmetic.js';
import type { Outcome } from './role.js';
import { requireSessionOf, type Session } from './session.js';

/**
 * The sum of a session in the form that `assemble` takes.
 * @param role the collector, or any role that received the result
 * @throws PrivateMomentsError `session-open` before the session has ended with a sum, `wrong-study`,
 * `invalid-session`, `sum-overflow` if it cannot be a sum of this study
 */
export async function sumOf(
  study: Study,
  role: { readonly session: Session; readonly outcome: Outcome | null },
): Promise<Sum> {
  requireOptions(role, null, 'role');
  const { session, outcome } = role;
  requireSessionOf(requireStudy(study), session);
  if (outcome === null) {
    throw new PrivateMomentsError('session-open', 'the session has not ended with a sum');
  }
  const { participants, rows, total } = outcome;
  const core = await loadCore();
  const { sum } = unwrap(core.createMaskSum(session.length));
  try {
    unwrap(sum.add(total, 1));
    const { values } = unwrap(sum.unmask(specOf(study), rows));
    const group = { level: 0, releases: participants.length, rows, values: Array.from(values) };
    return await createSum(study, { session: session.id, members: participants, groups: [group] });
  } finally {
    sum.delete();
  }
}

/** Sums in WebAssembly, which is faster for many participants. */
export async function coreArithmetic(): Promise<MaskArithmetic> {
  await loadCore();
  return {
    sum(length) {
      let made: Promise<RawMaskSum> | undefined;
      // At the first use, so that a failure has somebody to tell. Not the core from before: where that
      // was refused memory, there is another.
      const inCore = () =>
        (made ??= loadCore().then((core) => unwrap(core.createMaskSum(length)).sum));
      return {
        async add(bytes, sign) {
          unwrap((await inCore()).add(bytes, sign));
        },
        async bytes() {
          const sum = await inCore();
          const bytes = sum.bytes();
          sum.delete();
          return bytes;
        },
      };
    },
  };
}
