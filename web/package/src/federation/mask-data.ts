import type { Data } from '../data/data.js';
import { PrivateMomentsError } from '../base/errors.js';
import { recorded } from '../ledger/recording.js';
import { LEDGER_OPTIONS, checkOptions, type PrivatizeOptions } from '../ledger/options.js';
import { planOf } from '../core/plan.js';
import { readData } from '../intake/read-data.js';
import { requireStudy, type Study } from '../study/study.js';
import type { LocalCounts } from '../study/types.js';
import type { Mask } from './participant.js';

/** Data that a participant can mask. */
export interface MaskableData {
  /** The callback for `createParticipant`. It runs in a worker and returns only the masked vector. */
  readonly mask: Mask;
  /** Counts of the data, for the participant only; null until the data were masked. */
  readonly local: LocalCounts | null;
}

/**
 * Prepares data, in any form that `privatize` takes, for a study whose releases are summed behind masks.
 * When the participant calls `mask`, workers read and sum the data, add this site's share of the noise
 * and mask the result. A failure leaves nothing behind. Once masked, the data cannot be masked again,
 * because two different messages of the same data would reveal more than one.
 * @throws PrivateMomentsError `invalid-federation` for a study with mode `independent`. `mask` rejects as
 * `privatize` does, and with `already-released` on a second use.
 */
export function maskData(study: Study, data: Data, options: PrivatizeOptions = {}): MaskableData {
  const { federation } = requireStudy(study);
  checkOptions(options, ['workers', ...LEDGER_OPTIONS]);
  if (federation.mode === 'independent') {
    const message = 'a study with federation mode independent needs no masks; use privatize';
    throw new PrivateMomentsError('invalid-federation', message, { field: 'federation.mode' });
  }
  const { columns, csv, missingValues, ...readOptions } = options;
  const plan = planOf(study, { columns, csv, missingValues });
  let local: LocalCounts | null = null;
  return {
    mask: async (seeds) => {
      if (local !== null) {
        throw new PrivateMomentsError('already-released', 'these data have already been masked');
      }
      const outcome = await recorded(study, data, readOptions, async (gate) => ({
        result: await readData({ task: 'mask', seeds }, plan, data, readOptions, { gate }),
        id: null,
      }));
      local = outcome.local;
      return { payload: outcome.payload, rows: outcome.rows };
    },
    get local() {
      return local;
    },
  };
}
