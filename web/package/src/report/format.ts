/** Numbers as text, with true minus signs and English digit groups. */

import { count, plural, withGroups, withMinus } from '../base/counts.js';

export { count, plural };

const words = 'No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve'.split(' ');

/** A count that starts a sentence: 6 as "Six", 40 as "40". */
export function countWord(value: number): string {
  return words[value] ?? count(value);
}

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** 0 as "first". */
export function ordinalWord(index: number): string {
  return ordinals[index] ?? ordinal(index);
}

/** 0 as "1st". */
export function ordinal(index: number): string {
  const n = index + 1;
  const tail = n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${String(n)}${tail}`;
}

/** Below this, zeros after the point are hard to count. */
const TINY = 1e-5;

/** From here on, the digits of a whole number are more than anybody reads or knows. */
const VAST = 1e7;

/** At most `digits` significant digits: 4.2247 as "4.2", 3.54e-17 as "3.5 × 10⁻¹⁷"; whole numbers have all up to 10⁷. */
export function significant(value: number, digits = 2): string {
  if (value === 0) return '0';
  if (Math.abs(value) < TINY || Math.abs(value) >= VAST) return inPower(value, digits);
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  if (whole >= digits) return count(value);
  const decimals = Math.min(20, digits - whole);
  return withMinus(value.toFixed(decimals));
}

/** `significant` with a sign on positive numbers too: "+0.52", "−0.14". */
export function signed(value: number, digits = 2): string {
  const text = significant(value, digits);
  return value > 0 ? `+${text}` : text;
}

/** Exactly `digits` decimals: 0.0069 with 3 as "0.007". */
export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return withMinus(Number(text) === 0 ? text.replace('-', '') : text);
}

const thousands = ['', 'K', 'M', 'B', 'T'];

/** Two digits for narrow places: 13540 as "14K". */
export function compact(value: number): string {
  const rounded = Number(value.toPrecision(2));
  const power = Math.floor(Math.log10(Math.max(1, Math.abs(rounded))) / 3);
  const unit = Math.min(power, thousands.length - 1);
  return withGroups(String(rounded / 1000 ** unit)) + (thousands[unit] ?? '');
}

/** From here on, numbers have an exponent as text. */
const ENDLESS = 1e21;

/** A public bound as the study states it, at most six significant digits. */
export function bound(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && (size < TINY || size >= ENDLESS)) return inPower(value, 6);
  return withGroups(String(Number(value.toPrecision(6))));
}

/** A correlation without its leading zero: 0.623 as ".62". */
export function correlation(value: number, digits = 2): string {
  const text = Math.abs(value).toFixed(digits).replace(/^0/, '');
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** A share of one as "46%". */
export function percent(share: number): string {
  return `${hundredths(share)}%`;
}

/** A share in percent without the sign: "46", "0.3", "<0.1". */
export function hundredths(share: number, digits = Math.abs(share) >= 0.095 ? 2 : 1): string {
  if (share > 0 && share < 0.0005) return '<0.1';
  return significant(share * 100, digits);
}

/** A file size: "600 bytes", "1.9 MB". */
export function bytes(size: number): string {
  if (size < 1000) return plural(size, 'byte');
  const unit = size < 1e6 ? 'kB' : size < 1e9 ? 'MB' : 'GB';
  const scaled = size / { kB: 1e3, MB: 1e6, GB: 1e9 }[unit];
  return `${scaled < 100 ? significant(scaled) : count(scaled)} ${unit}`;
}

/** A duration: "less than 0.1 s", "0.4 s", "12 s". */
export function seconds(milliseconds: number): string {
  const s = milliseconds / 1000;
  if (s < 0.1) return 'less than 0.1 s';
  return `${s < 10 ? s.toFixed(1) : count(s)} s`;
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A probability: 1e-6 as "10⁻⁶", 3e-7 as "3 × 10⁻⁷", 0.05 as "0.05", 0 as "0". */
export function probability(value: number): string {
  if (value === 0 || value >= 0.001) return String(value);
  return inPowers(value.toExponential());
}

function inPower(value: number, digits: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(digits - 1).split('e');
  return inPowers(`${String(Number(mantissa))}e${exponent}`);
}

/** The text of a number with an exponent: "3e-7" as "3 × 10⁻⁷", "1e-6" as "10⁻⁶". */
function inPowers(text: string): string {
  const [mantissa = '', exponent = ''] = text.split('e');
  const digits = exponent
    .replace(/[+-]/, '')
    .replace(/\d/g, (digit) => raised.charAt(Number(digit)));
  const power = `10${exponent.startsWith('-') ? '⁻' : ''}${digits}`;
  if (Math.abs(Number(mantissa)) === 1) return `${mantissa.startsWith('-') ? '−' : ''}${power}`;
  return withMinus(`${mantissa} × ${power}`);
}

/** "a", "a and b", "a, b and c". */
export function list(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** Text of at most `length` characters, its tail replaced by an ellipsis. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`;
}

/** A word cut for a narrow column: "awakenings" to 5 characters as "awak.". */
export function abbreviate(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, Math.max(1, length - 1));
  return `${head.replace(/[^\p{L}\p{N}]+$/u, '')}.`;
}

/** The level of a category's feature, "office" of "occupation=office" or "Kind of work: office"; other names unchanged. */
export function levelName(name: string): string {
  const [before = ''] = /^.*?(?:=|: )/u.exec(name) ?? [];
  return name.slice(before.length);
}

/** Names of at most `length` characters: unchanged if all fit, else levels only, shortened if necessary. */
export function fitted(names: readonly string[], length: number): string[] {
  if (names.every((name) => name.length <= length)) return [...names];
  return names.map((name) => shorten(levelName(name), length));
}

/** The text with a capital first letter. */
export function capitalised(text: string): string {
  return text.replace(/^./, (character) => character.toUpperCase());
}

/** A label or a name inside a sentence: "Age at entry" as "age at entry", "over_50k" as "over 50k". */
export function inSentence(words: string): string {
  return words.replaceAll('_', ' ').replace(/^\p{Lu}(?=\p{Ll}| )/u, (first) => first.toLowerCase());
}
