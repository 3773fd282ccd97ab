import { errorAt, type PrivateMomentsError } from '../base/errors.js';
import { DECIMAL, MINUS } from '../base/plain-number.js';
import type { Column } from '../study/types.js';

/** The encoding of a cell that is empty, or holds a word that stands for a missing value. */
const MISSING = NaN;

/** The encoding of any other cell that cannot be read. It is missing as well, but counted by itself. */
export const UNREADABLE = Infinity;

/** A number with a decimal comma, which is an error (as in CSV) and not a missing cell. */
const WITH_COMMA = /^[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?$/;

/** A number with thousands separators, as `isGroupedNumber` in core/ingest/text.hpp. */
const GROUPED =
  /^[+-]?[1-9]\d{0,2}([.,'\u2019 \u00a0\u2009\u202f])(?:\d{2,3}\1)*\d{3}(?:(?!\1)[.,]\d*)?$/;

/** A number with a currency or percent sign or parentheses, as `isDressedNumber` in core/ingest/text.hpp. */
const DRESSED =
  /^(?<open>\()?\s*(?<sign>[+-])?\s*(?<money>\$)?\s*(?<inner>[+-])?\s*(?<core>[\d.,].*?)\s*(?<late>[+-])?\s*(?<unit>[%$])?\s*(?<close>\))?$/s;

/**
 * Turns a cell into the number that the core takes; not finite if it is missing.
 * @throws PrivateMomentsError decimal-mark with the column
 */
export type CellReader = (cell: unknown) => number;

/** @param words texts that stand for a missing cell */
export function cellReader(column: Column, words: readonly string[]): CellReader {
  const unread = (cell: unknown): number => (isEmpty(cell, words) ? MISSING : UNREADABLE);
  if (column.type === 'number') return (cell) => readNumber(cell, column) ?? unread(cell);
  const indices = new Map(column.levels.map((level, index) => [level, index]));
  return (cell) => {
    const text = labelOf(cell);
    return (text === undefined ? undefined : indices.get(text)) ?? unread(cell);
  };
}

function isEmpty(cell: unknown, words: readonly string[]): boolean {
  if (cell === undefined || cell === null || Number.isNaN(cell)) return true;
  const text = labelOf(cell);
  return text !== undefined && (text === '' || words.includes(text));
}

/** A reader of cells that are numbers already; for categories, a cell is the index of its level, from 0. */
export function numericCellReader(column: Column): (cell: number) => number {
  if (column.type === 'number') return (cell) => cell;
  const levels = column.levels.length;
  return (cell) => {
    if (Number.isInteger(cell) && cell >= 0 && cell < levels) return cell;
    return Number.isNaN(cell) ? MISSING : UNREADABLE;
  };
}

/** Undefined for a cell that is no number. */
function readNumber(cell: unknown, { name }: Column): number | undefined {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : undefined;
  if (typeof cell === 'bigint') return Number(cell);
  if (typeof cell !== 'string') return undefined;
  const text = cell.trim().replace(MINUS, '-');
  if (!DECIMAL.test(text)) {
    if (isOtherForm(text)) throw unreadForm(OTHER_FORM, name);
    if (isDressed(text)) throw unreadForm(DRESSED_FORM, name);
    return undefined;
  }
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function isOtherForm(text: string): boolean {
  return WITH_COMMA.test(text) || GROUPED.test(text);
}

function isDressed(text: string): boolean {
  const parts = DRESSED.exec(inAscii(text))?.groups;
  if (parts === undefined) return false;
  const { open, sign, money, inner, core = '', late, unit, close } = parts;
  const signs = [sign, inner, late].filter((one) => one !== undefined);
  const isTwice = signs.length > 1 || (money === '$' && unit === '$');
  if (isTwice || (open === undefined) !== (close === undefined)) return false;
  return DECIMAL.test(core) || isOtherForm(core);
}

/** Replaces other forms of digits, signs and marks by those of ASCII, and every currency sign by $. */
function inAscii(text: string): string {
  return text
    .replace(/[\uff05\uff0b-\uff19]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (one) => String(one.charCodeAt(0) & 15))
    .replace(/[\u2010-\u2014\ufe63]/g, '-')
    .replace(/\u066a/g, '%')
    .replace(/\u066b/g, '.')
    .replace(/\u066c/g, ',')
    .replace(/[\u00a3\u00a5\u20ac\u20b9]/g, '$');
}

const OTHER_FORM =
  'the number has a comma or thousands separators; write it with a decimal point and no separators';
const DRESSED_FORM =
  'the number has a dash, a percent or currency sign, parentheses or digits of another script; write a plain number such as -1.5';

function unreadForm(form: string, column: string): PrivateMomentsError {
  return errorAt('decimal-mark', form, { column });
}

function labelOf(cell: unknown): string | undefined {
  if (typeof cell === 'string') return cell.trim();
  if (['number', 'bigint', 'boolean'].includes(typeof cell)) return String(cell);
  return undefined;
}
