import type { Data } from '../data/data.js';
import { PrivateMomentsError } from '../base/errors.js';
import { recorded } from '../ledger/recording.js';
import { LEDGER_OPTIONS, checkOptions, type PrivatizeOptions } from '../ledger/options.js';
import { checkReadOptions, type InspectOptions } from '../intake/read-options.js';
import { planOf } from '../core/plan.js';
import { readData } from '../intake/read-data.js';
import { makeRelease, type Release } from './release.js';
import { requireStudy, type Study } from '../study/study.js';
import type { LocalCounts } from '../study/types.js';

/**
 * Turns data into a release, in workers on this machine: rows are read in constant memory and summed
 * exactly, and noise is added before anything leaves the worker. Each call draws fresh noise and makes a
 * separate release: releasing the same data twice spends the privacy budget twice.
 *
 * Cells of number columns must be plain decimal numbers (`-1.5e3`); cells of category columns, an exact
 * level (spaces around it are ignored). Any other cell is missing, and its row follows `study.missing`.
 * Numbers outside the bounds are moved to the nearest bound. `release.local` has the counts.
 *
 * With `ledger` the release is recorded before noise is drawn, or refused.
 *
 * @throws PrivateMomentsError with the row (the first after the header is 1) and column, never a value.
 *
 * @example
 * ```ts
 * const release = await privatize(study, file, { ledger: createLedger() });
 * const { epsilon, delta } = release.guarantee;
 * const address = URL.createObjectURL(release.toBlob());
 * ```
 */
export async function privatize(
  study: Study,
  data: Data,
  options: PrivatizeOptions = {},
): Promise<Release> {
  checkOptions(options, ['workers', ...LEDGER_OPTIONS]);
  requireIndependent(study);
  const plan = planOf(study, options);
  const order = { task: 'release' } as const;
  return recorded(study, data, options, async (gate) => {
    const outcome = await readData(order, plan, data, options, { gate });
    const release = makeRelease(study, outcome, outcome.local);
    return { result: release, id: release.id };
  });
}

/**
 * Counts what `privatize` would find in the data, without making a release. The counts have no noise: show
 * them to the participant and nobody else. Under the missing rule `error`, missing cells are counted and
 * not refused.
 *
 * @throws PrivateMomentsError as `privatize`.
 *
 * @example
 * ```ts
 * const { rows, dropped, columns } = await inspect(study, file);
 * ```
 */
export async function inspect(
  study: Study,
  data: Data,
  options: InspectOptions = {},
): Promise<LocalCounts> {
  checkReadOptions(options, ['workers']);
  const plan = planOf(requireStudy(study), options);
  if (plan.missing === 'error') plan.missing = 'centre';
  const { local } = await readData({ task: 'inspect' }, plan, data, options);
  return local;
}

/** A site's share of the noise is too little for a release on its own. */
function requireIndependent(study: Study): void {
  const { mode } = requireStudy(study).federation;
  if (mode === 'independent') return;
  const message = `this study sums its releases behind masks (${mode}): take part in a session, with private-moments/federation`;
  throw new PrivateMomentsError('needs-session', message, { field: 'federation.mode' });
}
