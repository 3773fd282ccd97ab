// Numbers and guarantees as people read them; used by the terminal and by the report.

const MINUS = '\u2212';
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** 7012 as "7,012". */
export const count = (value) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

/** A correlation without its leading zero: 0.6179 as ".618". */
export function correlation(value, digits = 3) {
  const text = Math.abs(value).toFixed(digits).replace(/^0/, '');
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** A difference of correlations, its sign always shown: "+.004". */
export function difference(value, digits = 3) {
  const text = correlation(value, digits);
  return text.startsWith(MINUS) || Number(text) === 0 ? text : `+${text}`;
}

/** Two significant digits, never in exponent form. */
export function significant(value) {
  if (value === 0) return '0';
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(decimals).replace('-', MINUS);
}

/** 1e-6 as "10⁻⁶", 3e-7 as "3 × 10⁻⁷", 0.05 as "0.05". */
export function probability(value) {
  if (value >= 0.001) return String(value);
  const [mantissa, exponent] = value.toExponential().split('e');
  const power = `10⁻${[...exponent.slice(1)].map((digit) => RAISED[digit]).join('')}`;
  return mantissa === '1' ? power : `${mantissa} × ${power}`;
}

/** "600 bytes", "1.9 kB", "1.1 MB". */
export function bytes(size) {
  if (size < 1000) return `${size} bytes`;
  return size < 1e6 ? `${significant(size / 1e3)} kB` : `${significant(size / 1e6)} MB`;
}

/** Milliseconds as "3 ms" or "1.4 s". */
export const time = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** 0 as "1st". */
export const ordinal = (index) => `${index + 1}${['st', 'nd', 'rd'][index] ?? 'th'}`;

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** 6 as "six", 40 as "40". */
export const inWords = (value) => WORDS[value] ?? count(value);

/** "a", "a and b", "a, b and c". */
export function list(names) {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

export const capitalised = (text) => text[0].toUpperCase() + text.slice(1);

/** Standard normal distribution function (Zelen and Severo 1964, error below 7.5e-8), x >= 0. */
function normalBelow(x) {
  const t = 1 / (1 + 0.2316419 * x);
  const tail =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}

/**
 * How often in 100 the best guess between two versions of one row is right, the two being equally likely
 * beforehand: 100 Phi(mu / 2) under mu-Gaussian differential privacy.
 */
export const guessesIn100 = (guarantee) => 100 * normalBelow(guarantee.gdp / 2);

/** The guarantee of one release, in sentences. */
export function guaranteeInWords(guarantee) {
  const one = guarantee.unit === 'row' ? 'row' : 'participant';
  return [
    `Each release is (ε, δ)-differentially private with ε = ${guarantee.epsilon} and δ = ${probability(guarantee.delta)}, ` +
      `for one ${one} ${guarantee.neighbours === 'replace-one' ? 'replaced by any other' : 'added or removed'}.`,
    `Take someone who knows every other ${one} and has narrowed one ${one} down to two versions. ` +
      `With the release their best guess is right ${Math.round(guessesIn100(guarantee))} times in 100. A coin is right 50 times.`,
  ];
}
