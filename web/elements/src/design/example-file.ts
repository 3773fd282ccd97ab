import { PrivateMomentsError } from 'private-moments';
import { csvRecords, delimiterOf, withoutByteOrderMark } from 'private-moments/internal';
import type { Proposal } from './designer-protocol.js';
import { roundUp } from 'private-moments/words';

/** Words that stand for a missing cell. */
const MISSING = new Set(['', '?', '-', '.', 'na', 'n/a', 'nan', 'null', 'none']);
const MOST_LEVELS = 20;
const LONGEST_LEVEL = 60;
/** From this many rows on, whole numbers without a gap or a repetition are taken to number the rows. */
const FEWEST_NUMBERED = 10;
/** Whole numbers count from 0 if the smallest is below this share of the largest. */
const NEAR_ZERO = 0.25;

/** Parts of names, between underscores, points, dashes or spaces, that tell what a column holds. */
const IDENTIFIES =
  /(?:^|[\s_.-])(?:(?:id|ids|identifier|uuid|guid|mrn|ssn)(?:$|[\s_.-])|(?:email|phone)$)/i;
const IS_PERCENT = /%|(?:^|[\s_.-])(?:pct|perc|percent|percentage)(?:$|[\s_.-])/i;
const IS_SHARE = /(?:^|[\s_.-])(?:share|fraction|proportion|probability)(?:$|[\s_.-])/i;
const IS_DATE = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})/;

/**
 * Columns with bounds proposed from the text of an example file, which must be public or made up. A
 * percentage has 0 to 100 and a share 0 to 1, a count starts at 0, and other bounds are the smallest and
 * largest values, moved outward to round numbers. Identifiers, dates and free text are left out.
 */
export function propose(text: string): Proposal {
  const plain = withoutByteOrderMark(text);
  const delimiter = delimiterOf(plain);
  const all = csvRecords(plain, delimiter);
  const header = all.next().value as string[] | undefined;
  if (header === undefined || header.every((name) => name === '')) {
    throw new PrivateMomentsError('empty-file', 'the example file has no header line');
  }
  const scans = header.map(() => new ColumnScan(delimiter === ','));
  let rows = 0;
  for (const cells of all) {
    if (cells.length === 1 && cells[0] === '') continue;
    rows += 1;
    scans.forEach((column, index) => {
      column.add(cells[index] ?? '');
    });
  }
  if (rows === 0) throw new PrivateMomentsError('no-rows', 'the example file has no rows');
  const columns: Proposal['columns'] = [];
  const leftOut: Proposal['leftOut'] = [];
  header.forEach((name, index) => {
    const proposed = scans[index]?.propose(name);
    if (name === '' || proposed === undefined) return;
    if (typeof proposed === 'string') leftOut.push({ name, why: proposed });
    else columns.push(proposed);
  });
  return { columns, rows, leftOut };
}

/** Collects what a proposal needs from the cells of one column. */
class ColumnScan {
  #min = Infinity;
  #max = -Infinity;
  #numbers = 0;
  #texts = 0;
  #dates = 0;
  /** Whether all numbers are whole, each is larger than the one before, and none begins with a needless 0. */
  #isWhole = true;
  #isAscending = true;
  #hasLeadingZero = false;
  readonly #levels = new Set<string>();
  readonly #point: boolean;

  /** `point`: decimals have a point; otherwise a comma is accepted too. */
  constructor(point: boolean) {
    this.#point = point;
  }

  add(cell: string): void {
    if (MISSING.has(cell.toLowerCase())) return;
    const signed = cell.replace('\u2212', '-');
    const value = Number(this.#point ? signed : signed.replace(',', '.'));
    if (Number.isFinite(value)) {
      this.#numbers += 1;
      this.#isWhole &&= Number.isInteger(value);
      this.#isAscending &&= value > this.#max;
      this.#hasLeadingZero ||= /^0\d/.test(cell);
      this.#min = Math.min(this.#min, value);
      this.#max = Math.max(this.#max, value);
    } else {
      this.#texts += 1;
      if (IS_DATE.test(cell)) this.#dates += 1;
    }
    if (this.#levels.size <= MOST_LEVELS) this.#levels.add(cell);
  }

  /** The column with the source of its bounds, or why there is none. */
  propose(name: string): Proposal['columns'][number] | string {
    if (this.#numbers + this.#texts === 0) return 'empty';
    if (IDENTIFIES.test(name) || this.#numbersRows) return 'identifies rows';
    if (this.#texts === 0) return { name, type: 'number', ...this.#bounds(name) };
    if (this.#dates === this.#texts) return 'dates';
    const levels = [...this.#levels].sort();
    const fits = levels.every((level) => level.length <= LONGEST_LEVEL && !level.includes(','));
    return levels.length <= MOST_LEVELS && fits
      ? { name, type: 'category', levels, from: 'levels found' }
      : 'free text';
  }

  /** Whether the cells look like numbers that are given to rows, one to each. */
  get #numbersRows(): boolean {
    if (this.#texts > 0 || !this.#isWhole) return false;
    const hasNoGap = this.#max - this.#min === this.#numbers - 1;
    return (
      this.#hasLeadingZero || (this.#isAscending && hasNoGap && this.#numbers >= FEWEST_NUMBERED)
    );
  }

  #bounds(name: string): { min: number; max: number; from: string } {
    const [low, high] = [this.#min, this.#max];
    if (low >= 0 && high <= 1 && (IS_SHARE.test(name) || IS_PERCENT.test(name))) {
      return { min: 0, max: 1, from: 'a share' };
    }
    if (low >= 0 && high <= 100 && IS_PERCENT.test(name)) {
      return { min: 0, max: 100, from: 'a percentage' };
    }
    if (this.#isWhole && low >= 0 && high <= 1) return { min: 0, max: 1, from: 'yes or no' };
    if (this.#isWhole && low >= 0 && low < NEAR_ZERO * high) {
      return { ...rounded(0, high), from: 'counts from 0' };
    }
    return { ...rounded(low, high), from: 'rounded outward' };
  }
}

/** Bounds rounded outward to multiples of a tenth of the range, itself rounded up. */
function rounded(min: number, max: number): { min: number; max: number } {
  const range = max - min || Math.max(1, Math.abs(max));
  const step = roundUp(range / 10);
  const tidy = (value: number): number => Number(value.toPrecision(12));
  const low = tidy(Math.floor(min / step) * step);
  const high = tidy(Math.ceil(max / step) * step);
  return low < high ? { min: low, max: high } : { min: low, max: tidy(low + step) };
}
