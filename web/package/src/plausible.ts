import { PrivateMomentsError } from './errors.js';
import type { Description } from './raw.js';

/** How likely an honest release is taken for one that no rows can give, at most. */
const FALSE_ALARM = 1e-9;

/**
 * What bounds P(|noise| > t sd) of an entry, for the laws of all mechanisms that release moments: 2 exp(-t²/2) of
 * the discrete Gaussian law (Canonne, Kamath & Steinke 2020), exp(1 - t) of log-concave ones (Lovász & Vempala 2007).
 */
export const TAILS: Readonly<Record<string, 'subgaussian' | 'log-concave'>> = {
  'discrete-gaussian': 'subgaussian',
  'discrete-laplace': 'log-concave',
  'frobenius-gamma': 'log-concave',
  'two-sided-wishart': 'log-concave',
  wishart: 'log-concave',
};

/** What was released, by one or as the sum of some; `rows` is null where their number is private. */
interface Released {
  values: readonly number[];
  releases: number;
  rows: number | null;
}

/**
 * Refuses second moments that no rows can give: a sum of squares is at least 0, and with rows no longer
 * than the radius R at most rows (R² - constant²); what the noise adds is allowed for by its law.
 *
 * That any of m entries is out of reach has a chance of at most m P(|noise| > t sd), which t makes FALSE_ALARM.
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
  // The released grid is rounded to.
  const rounding = noise.unit * releases;
  const reach = t * noise.sdOffDiagonal * Math.sqrt(releases) + rounding;
  const diagonalReach = t * noise.sdDiagonal * Math.sqrt(releases) + rounding;
  const count = constant ** 2;
  const square = radius ** 2 - count;

  let most = rows ?? maxRows * releases;
  if (rows === null) {
    const counted = (values[0] ?? 0) * noise.unit - noise.mean * releases;
    refuseUnless(counted >= -diagonalReach && counted <= most * count + diagonalReach);
    most = Math.min(most, Math.max(0, counted + diagonalReach) / count);
  }
  const linear = most * constant * Math.sqrt(square) + reach;
  // Packed row by row, constant first: the row of the constant coordinate, then one for each feature.
  const size = (Math.sqrt(8 * values.length + 1) - 1) / 2;
  for (let j = 1; j < size; j++) refuseUnless(Math.abs((values[j] ?? 0) * noise.unit) <= linear);
  let entry = size;
  for (let i = 1; i < size; i++) {
    const squares = (values[entry] ?? 0) * noise.unit - noise.mean * releases;
    refuseUnless(squares >= -diagonalReach && squares <= most * square + diagonalReach);
    entry += 1;
    for (let j = i + 1; j < size; j++, entry++) {
      refuseUnless(Math.abs((values[entry] ?? 0) * noise.unit) <= most * square + reach);
    }
  }
}

function refuseUnless(isPossible: boolean): void {
  if (isPossible) return;
  const message = 'its values are further from any sums of rows than its noise reaches';
  throw new PrivateMomentsError('release-implausible', message, { field: 'values' });
}
