// What RESULTS.md says about each tool, and what a new run changes.

/**
 * @typedef {'works' | 'needs a setting' | 'fails'} Outcome
 * @typedef {object} Result
 * @property {string} tool
 * @property {string} version
 * @property {string} way
 * @property {Outcome} outcome
 * @property {string} detail the setting, or the error
 * @property {string} without what is seen without the setting
 * @property {string} date
 */

const HEADER = [
  ...['tool', 'version', 'how', 'result', 'setting or error', 'error without the setting'],
  'tried',
];
const FIELDS = ['tool', 'version', 'way', 'outcome', 'detail', 'without', 'date'];
/** From best to worst. */
const OUTCOMES = ['works', 'needs a setting', 'fails'];
const OPEN = '<!-- results: written by make test-ecosystem -->';
const CLOSE = '<!-- /results -->';

/** Versions may be raised between two runs: the major one tells the rows of a tool apart. */
function keyOf({ tool, version, way }) {
  return `${tool} ${version.split('.')[0]} ${way}`;
}

/** @returns {Result[]} the rows between the markers of RESULTS.md */
export function parseResults(text) {
  const rows = text
    .slice(text.indexOf(OPEN), text.indexOf(CLOSE))
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return rows.slice(1).map((line) => {
    const cells = line.slice(2, -2).split(/ (?<!\\)\| /);
    return Object.fromEntries(FIELDS.map((field, i) => [field, cells[i].replaceAll('\\|', '|')]));
  });
}

function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** RESULTS.md with these rows in place of those between its markers. */
export function withResults(text, results) {
  const table = [
    row(HEADER),
    `|${'---|'.repeat(HEADER.length)}`,
    ...results.map((result) => row(FIELDS.map((field) => result[field]))),
  ].join('\n');
  const [before] = text.split(OPEN);
  const [, after] = text.split(CLOSE);
  return `${before}${OPEN}\n\n${table}\n\n${CLOSE}${after}`;
}

/**
 * The rows of a run, with those of the last one where it did not try the tool.
 * @param {Pick<Result, 'tool' | 'version' | 'way'>[]} wanted which rows there are, in their order
 */
export function merged(last, now, wanted) {
  const rows = new Map([...last, ...now].map((result) => [keyOf(result), result]));
  return wanted.flatMap((row) => rows.get(keyOf(row)) ?? []);
}

/** Rows that are worse than in the last run. */
export function worse(last, now) {
  const before = new Map(last.map((result) => [keyOf(result), result.outcome]));
  return now.filter((result) => {
    const rank = OUTCOMES.indexOf(before.get(keyOf(result)));
    return rank >= 0 && OUTCOMES.indexOf(result.outcome) > rank;
  });
}

/** What of a text a row can hold: one line, without the folders of one machine and without ports. */
export function inShort(text, folder) {
  const line = text
    .replaceAll(folder, '.')
    .replace(/127\.0\.0\.1:\d+|localhost:\d+/g, 'localhost')
    // Control sequences colour the output of tools.
    // eslint-disable-next-line no-control-regex
    .replace(/\u001b\[[\d;]*m/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[<>]/g, '')
    .trim();
  return line.length > 360 ? `${line.slice(0, 359)}…` : line;
}
