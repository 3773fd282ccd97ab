import { requireOptions } from '../base/check.js';
import type { Data } from '../data/data.js';
import { recorded } from '../ledger/recording.js';
import { requireStudy, type Study } from '../study/study.js';
import { newSynthesis } from './engine.js';
import type { SynthesizeOptions } from './options.js';
import { Synthetic } from './synthetic.js';

/**
 * Rows like those of one holder of data, none of them anybody's: a model of the rows is released with
 * noise, within the study's epsilon and delta, and rows are drawn from it. The data are read as by
 * `privatize` and held in the memory of a worker of this call's own until the model is made; only the
 * model and the rows drawn come back. Each call draws fresh noise and is a release of its own, whatever
 * `seed` says, which is about the draw alone. Needs unit `row` and neighbours `replace-one`; the
 * study's mechanism and clipping have no part in it.
 *
 * With `ledger` it is written down before noise is drawn, or refused; rows that are no file are
 * recognised by `dataSet` alone, and need it.
 *
 * @throws PrivateMomentsError `invalid-synthesis`, `invalid-components`, `invalid-row-norm` and
 * `unsupported-option` with the option as field; `invalid-neighbours`, `invalid-unit`,
 * `invalid-federation`; `too-many-rows` where the rows are more than fit into memory; and what
 * `privatize` says of data, for public rows with `projection.rows` as field.
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
