import { MECHANISM_FACTS } from '../generated/mechanisms.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Description } from '../core/raw.js';

/** Maximum probability of refusing an honest release. */
const FALSE_ALARM = 1e-9;

/**
 * The bound of P(|noise| > t sd) of an entry, for each distribution of released moments: 2 exp(-t²/2) for
 * the discrete Gaussian (Canonne, Kamath & Steinke 2020), exp(1 - t) for log-concave distributions
 * (Lovász & Vempala 2007).
 */
export const TAILS: Readonly<Record<string, 'subgaussian' | 'log-concave'>> = Object.fromEntries(
  Object.values(MECHANISM_FACTS).flatMap(({ noise }) =>
    noise === null ? [] : [[noise.distribution, noise.tail]],
  ),
);

/** The values of one release or of a sum of releases; `rows` is null if their number is private. */
interface Released {
  values: readonly number[];
  releases: number;
  rows: number | null;
}

/**
 * Refuses second moments that no rows could have. A sum of squares is at least 0 and, for rows no longer than
 * the radius R, at most rows R², each extended by the reach of the noise.
 *
 * The probability that any of m entries exceeds this reach is at most m P(|noise| > t sd). t is chosen to make
 * this FALSE_ALARM.
 *
 * @throws PrivateMomentsError `release-implausible`
 */
export function requirePlausible(
  { values, releases, rows }: Released,
  { content, noise, radius, constant, maxRows }: Description,
): void {
  if (content !== 'moments') return;
  const many = Math.log(values.length / FALSE_ALARM);
  const t =
    TAILS[noise.distribution] === 'subgaussian' ? Math.sqrt(2 * (many + Math.LN2)) : 1 + many;
  // Each release is rounded to the grid.
  const rounding = noise.unit * releases;
  const reach = t * noise.sdOffDiagonal * Math.sqrt(releases) + rounding;
  const diagonalReach = t * noise.sdDiagonal * Math.sqrt(releases) + rounding;
  const count = constant ** 2;
  const square = radius ** 2;

  let maxRowsTotal = rows ?? maxRows * releases;
  if (rows === null) {
    const counted = (values[0] ?? 0) * noise.unit - noise.mean * releases;
    refuseUnless(counted >= -diagonalReach && counted <= maxRowsTotal * count + diagonalReach);
    maxRowsTotal = Math.min(maxRowsTotal, Math.max(0, counted + diagonalReach) / count);
  }
  const linear = maxRowsTotal * constant * radius + reach;
  // Packed row by row, constant first: the row of the constant coordinate, then one for each feature.
  const size = (Math.sqrt(8 * values.length + 1) - 1) / 2;
  for (let j = 1; j < size; j++) refuseUnless(Math.abs((values[j] ?? 0) * noise.unit) <= linear);
  let entry = size;
  for (let i = 1; i < size; i++) {
    const squares = (values[entry] ?? 0) * noise.unit - noise.mean * releases;
    refuseUnless(squares >= -diagonalReach && squares <= maxRowsTotal * square + diagonalReach);
    entry += 1;
    for (let j = i + 1; j < size; j++, entry++) {
      refuseUnless(Math.abs((values[entry] ?? 0) * noise.unit) <= maxRowsTotal * square + reach);
    }
  }
}

function refuseUnless(isPossible: boolean): void {
  if (isPossible) return;
  const message =
    'no rows within the bounds could have these values, even with the noise; ask for a new release';
  throw new PrivateMomentsError('release-implausible', message, { field: 'values' });
}
