/**
 * Reports of results: one HTML file that needs nothing else, with figures, tables and words; and the
 * results of one study together in one JSON or CSV file. Nothing of the main entry uses this.
 *
 * @packageDocumentation
 */
import { changeInWords } from './neighbours.js';
import { csvOf, jsonOf, type Origin } from './results.js';
import { codeOf, highlighted } from './report/code.js';
import { guessBar, plainTable } from './report/figures.js';
import { capitalised, count, plural, significant } from './report/format.js';
import {
  amountTold,
  bestGuess,
  boundsInWords,
  difference,
  guaranteeInWords,
  guessInWords,
  honestyInWords,
  isByGdp,
  stepsOf,
  strength,
  strengthInWords,
} from './report/guarantee.js';
import { readResults, type Reportable, type ReportInput } from './report/input.js';
import { Markup, markup } from './report/markup.js';
import { belowOf, factTable, sectionOf, unclearOf } from './report/sections.js';
import { roundedUp } from './report/scale.js';
import { PYTHON, R } from './report/scripts.js';
import { STYLE } from './report/style.js';
import { pairsFinding, regressionFinding, varianceFinding } from './report/words.js';
import type { Guarantee } from './types.js';

export type { ReportInput } from './report/input.js';
export { guaranteeInWords };
/** Numbers as reports write them. */
export * as format from './report/format.js';

/** A release that went in, for the list at the end. */
export interface ReportRelease {
  id: string;
  /** What its file is called, say. */
  name?: string;
  rows?: number | null;
}

/** A part of a report that the caller writes. */
export interface ReportSection {
  title: string;
  /** HTML, taken as it is: escape what is not yours. */
  html: string;
}

export interface ReportOptions {
  /** Default: the title of the study. */
  title?: string;
  /** When it was made, as it should be written. Default: not said. */
  date?: string;
  /** The releases that went in. Default: only their number is said. */
  releases?: readonly ReportRelease[];
  /** The same analyses without privacy, drawn beside: for simulations and demonstrations. */
  references?: readonly ReportInput[];
  /** What the references are called. Default `without privacy`. */
  referenceName?: string;
  /** Parts to add before the code. */
  sections?: readonly ReportSection[];
}

/**
 * A report of results of one study and the same releases: a whole HTML document, in light and dark
 * and for paper, that loads nothing and runs nothing. It states the study, the guarantee, the noise,
 * what is below the noise floor, and the code that gives the results again; every figure has a table.
 *
 * @param results of `cca`, `pca`, `ridge` and so on, `Moments`, or what their `toJSON` gives.
 * @throws PrivateMomentsError: `wrong-study`, or `unsupported-data` where something is no result or
 * the results are of different releases.
 */
export function report(
  results: ReportInput | readonly ReportInput[],
  options: ReportOptions = {},
): string {
  const all = readResults(results);
  const references = options.references === undefined ? [] : readAny(options.references);
  const [first] = all as [Reportable];
  const { origin, guarantee } = first;
  const title = options.title ?? origin.study.title;
  const taken = new Set<Reportable>();
  const sections = all.map((result, index) => {
    const reference = references.find(
      (each) => each.analysis === result.analysis && !taken.has(each),
    );
    if (reference !== undefined) taken.add(reference);
    const referenceName = options.referenceName ?? 'without privacy';
    return sectionOf(result, { index, reference, referenceName });
  });
  const own = (options.sections ?? []).map(
    (each) => markup`<section><h2>${each.title}</h2>${new Markup(each.html)}</section>`,
  );
  const body = markup`<header><div class="wrap">${MARK}<span class="name">private-moments</span><span class="where">Report</span></div></header>
<main class="wrap">
${opening(first, all, title)}
${below(all)}
${sections}
${guaranteeSection(guarantee, first)}
${provenance(first, all, options)}
${own}
<section><h2>The same results in code</h2>${highlighted(codeOf(all))}</section>
</main>
<footer><div class="wrap"><p>Results of noisy releases are post-processing: reading, keeping or publishing this report weakens nobody’s guarantee.</p><p>${[origin.library.replace('/', ' '), options.date].filter(Boolean).join(' · ')}</p></div></footer>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${markup`${title}`.text}: private-moments report</title>
<style>${STYLE}</style>
</head>
<body>
${body.text}
</body>
</html>
`;
}

/**
 * Results of one study in one JSON text, `private-moments/results@1`: the ids of the releases, where
 * given, and each result as its `toJSON` has it.
 */
export function toJSON(
  results: readonly ReportInput[],
  { releases }: { releases?: readonly string[] } = {},
): string {
  const content = {
    format: 'private-moments/results@1',
    ...(releases === undefined ? {} : { releases }),
    results: readResults(results).map((result) => ('format' in result ? result : jsonOf(result))),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Results of one study in one CSV text: their `toCSV` under one header. */
export function toCSV(results: readonly ReportInput[]): string {
  return readResults(results)
    .map((result, index) => {
      const csv = csvOf(result);
      return index === 0 ? csv : csv.slice(csv.indexOf('\r\n') + 2);
    })
    .join('');
}

/**
 * Programs that compute `pca`, `cca` and `ridge` of moments again from a file that `toJSON` gives, without
 * this library: Python 3 with numpy, and R without packages. They take the file's path.
 */
export const scripts: Readonly<{ python: string; r: string }> = { python: PYTHON, r: R };

/** The TypeScript that gives results again from the study and the releases. */
export function toCode(results: ReportInput | readonly ReportInput[]): string {
  return codeOf(readResults(results));
}

/** References may come from elsewhere: of another study, say, or of exact moments. */
function readAny(inputs: readonly ReportInput[]): Reportable[] {
  return inputs.flatMap((input) => readResults(input));
}

const MARK = markup`<svg class="mark" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true"><rect x="0" y="0" width="6" height="6"/><rect x="0" y="8" width="6" height="6"/><rect x="8" y="8" width="6" height="6"/><g opacity=".45"><rect x="0" y="16" width="6" height="6"/><rect x="8" y="16" width="6" height="6"/></g><rect x="16" y="16" width="6" height="6"/></svg>`;

function opening(
  { origin, rows, guarantee }: Reportable,
  all: readonly Reportable[],
  title: string,
): Markup {
  const { epsilon } = guarantee ?? {};
  const numbers: [string, string | Markup][] = [
    ['Releases', origin.releases === 0 ? 'none' : count(origin.releases)],
    ...(rows === null ? [] : [[counted(origin), count(Math.round(rows))] as [string, string]]),
    [
      'Guarantee',
      epsilon === undefined
        ? 'none'
        : markup`<span aria-label="epsilon ${roundedUp(epsilon, 3)}">ε ${roundedUp(epsilon, 3)}</span>`,
    ],
  ];
  return markup`<div class="opening"><div><h1>${title}</h1><p class="lead">${finding(all)}</p></div><dl class="key">${numbers.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></div>`;
}

function counted({ study }: Origin): string {
  return study.unit === 'row' ? 'Rows' : 'Participants';
}

/** The first thing to know: of the first result that has a finding. */
function finding(all: readonly Reportable[]): string {
  for (const result of all) {
    if (result.analysis === 'cca') {
      return pairsFinding(Object.keys(result.views), result.correlations);
    }
    if (result.analysis === 'gcca') {
      return pairsFinding(Object.keys(result.views), result.shared);
    }
    if (result.analysis === 'ridge') {
      return regressionFinding(result.target, result.r2, result.coefficients);
    }
    if (result.analysis === 'pca') return varianceFinding(result.explained, result.noiseFloor);
  }
  const [{ origin }] = all as [Reportable];
  return `${plural(origin.releases, 'release')} put together.`;
}

/** What must not be interpreted, and what only with caution. */
function below(all: readonly Reportable[]): (Markup | undefined)[] {
  return [
    warning('Below the noise floor: do not interpret', all.flatMap(belowOf)),
    warning('Not clear: the interval reaches 0', all.flatMap(unclearOf)),
  ];
}

function warning(title: string, names: readonly string[]): Markup | undefined {
  if (names.length === 0) return undefined;
  return markup`<section class="below"><h2>${title}</h2><ul>${names.map((name) => markup`<li>${capitalised(name)}</li>`)}</ul></section>`;
}

function guaranteeSection(guarantee: Guarantee | null, { origin }: Reportable): Markup {
  if (guarantee === null) {
    return markup`<section><h2>No guarantee</h2><p class="sub">These results were computed from the rows themselves, without noise. They promise nothing to anybody and may reveal any row.</p></section>`;
  }
  const one = origin.study.unit === 'row' ? 'row' : 'participant';
  const guess = bestGuess(guarantee);
  const { delta, parts, assumes, numerics } = guarantee;
  const isSum = guarantee.honest !== undefined;
  const told = isSum ? 'sum' : 'release';
  const also = boundsInWords(guarantee);
  const facts: [string, string | Markup][] = [
    [
      'Definition',
      markup`For any two data sets ${difference(guarantee, 'theirs')}, and any set <i>S</i> of ${told}s, P(${told} in <i>S</i>) is at most <i>e</i><sup>ε</sup> times as large for one as for the other${delta === 0 ? '' : ', plus δ'}. Here ${strengthInWords(guarantee)}.`,
    ],
    ...(also === undefined
      ? []
      : [
          [
            'The same noise keeps',
            `${also}.${isByGdp(guarantee) ? ' The guess follows from the first.' : ''}`,
          ] as [string, string],
        ]),
    ['Neighbours', `${guarantee.neighbours}: ${changeInWords(guarantee)}`],
    ['Unit of privacy', one],
    [
      'Arithmetic',
      numerics === 'exact'
        ? 'exact: proved for the integers the code computes with'
        : 'idealized: proved for real numbers, to which floating-point numbers come close',
    ],
    ...(parts === undefined || parts.length < 2
      ? []
      : [
          [
            'Made in steps',
            markup`${stepsOf(parts).map(({ what, times, cost }) => markup`${what}${times}: ${cost}<br>`)}together: ${strength(guarantee)}`,
          ] as [string, Markup],
        ]),
    ...(isSum ? [['It rests on', honestyInWords(guarantee).join(' ')] as [string, string]] : []),
    ['It assumes', `${assumes.join('; ')}.`],
    [
      'It does not protect',
      `That a participant took part${guarantee.unit === 'row' && guarantee.neighbours === 'replace-one' ? ', how many rows they have' : ''}, and what is true of ${one === 'row' ? 'people like those in the data' : 'participants'} whether or not they are in it. Several releases of the same rows add up.`,
    ],
  ];
  return markup`<section><h2>What a ${told} tells about one ${one}</h2><div class="two even"><div><p>${capitalised(amountTold(guess))}. ${guessInWords(guarantee, 'theirs', `the ${told}`)}</p>${guessBar(guess, isSum ? 'the sum' : 'one release')}</div><div>${factTable(facts)}</div></div></section>`;
}

/** Study, noise, releases: where it all comes from. */
function provenance(
  { origin, rows }: Reportable,
  all: readonly Reportable[],
  { releases }: ReportOptions,
): Markup {
  const { study, library, noise } = origin;
  const moments = all.find((result) => result.analysis === 'moments');
  const facts: [string, string | Markup][] = [
    ['Study', study.title],
    ['Fingerprint of the study', markup`<code>${study.id}</code>`],
    ['Releases', origin.releases === 0 ? 'none: computed from rows' : count(origin.releases)],
    [
      counted(origin),
      rows === null
        ? 'private'
        : `${count(Math.round(rows))}${study.neighbours === 'add-remove' && origin.releases > 0 ? `, an estimate: ${study.unit === 'row' ? 'the number' : 'how many of them had rows'} is private` : ''}`,
    ],
    ['Noise in each release', noise === 'none' ? 'none' : noise.replaceAll('-', ' ')],
    ...(moments?.analysis === 'moments' && noise !== 'none'
      ? [
          [
            'Noise in the sums of all',
            `standard deviation ${significant(moments.noise.sdOffDiagonal, 3)} off the diagonal and ${significant(moments.noise.sdDiagonal, 3)} on it, in scaled units, where every number column runs from −1 to 1`,
          ] as [string, string],
        ]
      : []),
    ...(moments?.analysis === 'moments' && moments.clipping !== null
      ? [
          [
            'Shortened rows',
            `about ${count(Math.round(moments.clipping.shortened))} (sd of this count ${significant(moments.clipping.sd)}): releases chose how long a row may be`,
          ] as [string, string],
        ]
      : []),
    ['Computed by', library.replace('/', ' ')],
  ];
  const table =
    releases === undefined
      ? undefined
      : plainTable(
          ['Release', 'Rows', 'Id'],
          releases.map(({ id, name, rows: own }) => ({
            cells: [
              name ?? id.slice(0, 12),
              own === null || own === undefined ? '' : count(own),
              markup`<code>${id.slice(0, 16)}…</code>`,
            ],
          })),
          'Releases',
        );
  return markup`<section><h2>Where this comes from</h2>${factTable(facts)}${table}</section>`;
}
