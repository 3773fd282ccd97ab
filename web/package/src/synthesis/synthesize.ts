import { requireOptions } from '../base/check.js';
import type { Data } from '../data/data.js';
import { recorded } from '../ledger/recording.js';
import { requireStudy, type Study } from '../study/study.js';
import { newSynthesis } from './engine.js';
import type { SynthesizeOptions } from './options.js';
import { Synthetic } from './synthetic.js';

/**
 * Makes synthetic rows like those of one data holder; none of them is anyone's. A model of the rows is
 * released with noise, within the study's epsilon and delta, and rows are drawn from it. The data are read
 * as by `privatize` and held in the memory of a worker for this call only until the model is made. Only the
 * model and the drawn rows come back. Each call draws fresh noise and is a separate release, even with the
 * same `seed`, which affects only the draw. Needs unit `row` and neighbours `replace-one`. The study's
 * mechanism and clipping are not used.
 *
 * With `ledger` the release is recorded before noise is drawn, or refused. Rows that are not a file are
 * recognised only by `dataSet`, which is then required.
 *
 * @throws PrivateMomentsError `invalid-synthesis`, `invalid-components`, `invalid-row-norm` and
 * `unsupported-option` with the option as field; `invalid-neighbours`, `invalid-unit`,
 * `invalid-federation`; `too-many-rows` if the rows do not fit into memory, or are more than 2^20 for
 * the task `spectrum`; and the errors of `privatize` about data, with `projection.rows` as field if the
 * public rows are at fault
 */
export async function synthesize(
  study: Study,
  data: Data,
  options: SynthesizeOptions = {},
): Promise<Synthetic> {
  requireStudy(study);
  requireOptions(options, null);
  const { perform } = await import('./perform.js');
  return recorded(study, data, options, async (gate) => {
    const parts = await perform(newSynthesis(), study, data, options, gate);
    return { result: new Synthetic(parts), id: null };
  });
}
