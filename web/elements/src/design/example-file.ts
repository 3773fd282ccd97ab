import { PrivateMomentsError } from 'private-moments';
import type { Column } from 'private-moments';
import { DELIMITERS, records, withoutByteOrderMark } from '../base/csv-text.js';
import type { Proposal } from './designer-protocol.js';
import { roundUp } from 'private-moments/words';

/** Words that stand for a missing cell. */
const MISSING = new Set(['', '?', '-', '.', 'na', 'n/a', 'nan', 'null', 'none']);
const MOST_LEVELS = 20;
const LONGEST_LEVEL = 60;

/**
 * Columns with bounds proposed from the text of an example file, which must be public or made up: the
 * bounds are its smallest and largest values, moved outward to round numbers.
 */
export function propose(text: string): Proposal {
  const plain = withoutByteOrderMark(text);
  const delimiter = delimiterOf(plain);
  const all = records(plain, delimiter);
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
  const proposed = header.map((name, index) => scans[index]?.propose(name));
  const columns = proposed.filter((column) => column !== undefined);
  const leftOut = header.filter((name, index) => name !== '' && proposed[index] === undefined);
  return { columns, rows, leftOut };
}

/** The delimiter that splits the first line into the most cells. */
function delimiterOf(text: string): string {
  const first = text.slice(0, Math.max(0, text.search(/[\r\n]|$/)));
  const cells = (delimiter: string): number => first.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (cells(each) > cells(best) ? each : best));
}

/** Collects what a proposal needs from the cells of one column. */
class ColumnScan {
  #min = Infinity;
  #max = -Infinity;
  #numbers = 0;
  #texts = 0;
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
      this.#min = Math.min(this.#min, value);
      this.#max = Math.max(this.#max, value);
    } else this.#texts += 1;
    if (this.#levels.size <= MOST_LEVELS) this.#levels.add(cell);
  }

  propose(name: string): Column | undefined {
    if (name === '' || this.#numbers + this.#texts === 0) return undefined;
    if (this.#texts === 0) return { name, type: 'number', ...rounded(this.#min, this.#max) };
    const levels = [...this.#levels].sort();
    const fits = levels.every((level) => level.length <= LONGEST_LEVEL && !level.includes(','));
    return levels.length <= MOST_LEVELS && fits ? { name, type: 'category', levels } : undefined;
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
