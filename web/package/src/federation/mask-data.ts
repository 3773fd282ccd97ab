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
  /** For `createParticipant`. Runs in a worker; only the masked vector comes back. */
  readonly mask: Mask;
  /** What was found in the data, for the participant's eyes only; null until they were masked. */
  readonly local: LocalCounts | null;
}

/**
 * Data of a study whose releases are summed behind masks, in every form `privatize` takes. They are
 * read, summed, given their share of the noise and masked inside workers when the participant asks for
 * it. A failure leaves nothing behind; once masked they are not masked again, for two different
 * messages of the same data would tell more than one.
 * @throws PrivateMomentsError `invalid-federation` for a study with mode `independent`; the mask
 * rejects as `privatize` does, and with `already-released` when it is used again.
 */
export function maskData(study: Study, data: Data, options: PrivatizeOptions = {}): MaskableData {
  const { federation } = requireStudy(study);
  checkOptions(options, ['workers', ...LEDGER_OPTIONS]);
  if (federation.mode === 'independent') {
    const message = 'a study with federation independent needs no masks: use privatize';
    throw new PrivateMomentsError('invalid-federation', message, { field: 'federation.mode' });
  }
  const { columns, csv, ...how } = options;
  const plan = planOf(study, columns, csv);
  let local: LocalCounts | null = null;
  return {
    mask: async (seeds) => {
      if (local !== null) {
        throw new PrivateMomentsError('already-released', 'these data were masked already');
      }
      return recorded(study, data, how, async (gate) => {
        const outcome = await readData({ task: 'mask', seeds }, plan, data, how, { gate });
        local = outcome.local;
        return { result: { payload: outcome.payload, rows: outcome.rows }, id: null };
      });
    },
    get local() {
      return local;
    },
  };
}
