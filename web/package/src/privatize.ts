import type { Data } from './data.js';
import { PrivateMomentsError } from './errors.js';
import { recorded } from './ledger.js';
import {
  LEDGER_OPTIONS,
  checkOptions,
  type InspectOptions,
  type PrivatizeOptions,
} from './options.js';
import { planOf } from './plan.js';
import { readData } from './read-data.js';
import { makeRelease, type Release } from './release.js';
import { requireStudy, type Study } from './study.js';
import type { LocalCounts } from './types.js';

/**
 * Turns data into a release, inside workers on this machine: rows are read in constant memory,
 * summed exactly, and noise is added before anything comes back. Each call draws fresh noise and
 * is a release of its own: releasing the same data twice spends the privacy budget twice.
 *
 * Cells of number columns are plain decimal numbers (`-1.5e3`); of category columns, the exact
 * level, spaces around it aside. Any other cell is missing and its row follows `study.missing`.
 * Numbers outside the bounds are moved to the nearest bound. `release.local` has the counts.
 *
 * With `ledger` the release is written down before noise is drawn, or refused.
 *
 * @throws PrivateMomentsError with row (the first after the header is 1) and column, never a value.
 */
export async function privatize(
  study: Study,
  data: Data,
  options: PrivatizeOptions = {},
): Promise<Release> {
  checkOptions(options, ['workers', ...LEDGER_OPTIONS]);
  requireIndependent(study);
  const plan = planOf(study, options.columns, options.csv);
  const order = { task: 'release' } as const;
  return recorded(study, data, options, async (gate) => {
    const outcome = await readData(order, plan, data, options, { gate });
    const release = makeRelease(study, outcome, outcome.local);
    return { result: release, id: release.id };
  });
}

/**
 * What `privatize` would find in the data, without making a release: nothing here has noise, so
 * show it to the participant and to nobody else. Under the missing rule `error` missing cells are
 * counted instead of refused.
 */
export async function inspect(
  study: Study,
  data: Data,
  options: InspectOptions = {},
): Promise<LocalCounts> {
  checkOptions(options, ['workers']);
  const plan = planOf(requireStudy(study), options.columns, options.csv);
  if (plan.missing === 'error') plan.missing = 'centre';
  const { local } = await readData({ task: 'inspect' }, plan, data, options);
  return local;
}

/** Noise that is shared among sites is too little for a release by itself. */
function requireIndependent(study: Study): void {
  const { mode } = requireStudy(study).federation;
  if (mode === 'independent') return;
  const message = `this study sums its releases behind masks (${mode}): take part in a session, with private-moments/federation`;
  throw new PrivateMomentsError('needs-session', message, { field: 'federation.mode' });
}
