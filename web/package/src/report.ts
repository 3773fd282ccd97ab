/**
 * Reports of results: a self-contained HTML file with figures, tables and text; and all results of a study in
 * one JSON or CSV file. The main entry does not load this module.
 *
 * @packageDocumentation
 */
import { requireOptions } from './base/check.js';
import { changeInWords } from './study/neighbours.js';
import { resultCsv, resultJson, type Origin } from './output/results.js';
import { codeOf, highlighted } from './report/code.js';
import { guessBar, plainTable } from './report/figures.js';
import { gapsFinding } from './report/gaps.js';
import { capitalised, count, plural, probability, significant } from './report/format.js';
import {
  amountTold,
  bestGuess,
  boundsInWords,
  difference,
  guessInWords,
  honestyInWords,
  otherAssumptions,
  isByGdp,
  stepsOf,
  strength,
  strengthInWords,
} from './report/guarantee.js';
import { readResults, type Reportable, type ReportInput } from './report/input.js';
import { Markup, markup } from './report/markup.js';
import { methodsInWords } from './report/methods.js';
import { namer, sourceNames } from './report/names.js';
import {
  belowOf,
  factTable,
  hiddenOf,
  sectionOf,
  unclearOf,
  type Sources,
} from './report/sections.js';
import { isReadable, readingOf } from './report/readings.js';
import { roundedUp } from './report/scale.js';
import { PYTHON, R } from './report/scripts.js';
import { constantsOf } from './report/weights.js';
import { STYLE } from './report/style.js';
import {
  missingInWords,
  pairsFinding,
  regressionFinding,
  varianceFinding,
} from './report/words.js';
import type { Guarantee } from './study/types.js';

export type { ReportInput } from './report/input.js';

/** A release to list at the end of a report. */
export interface ReportRelease {
  id: string;
  /** A name for the release, such as that of its file. */
  name?: string;
  rows?: number | null;
}

/** An additional section of a report. */
export interface ReportSection {
  title: string;
  /** HTML, inserted unchanged: escape untrusted text. */
  html: string;
}

export interface ReportOptions {
  /** Default: the title of the study. */
  title?: string;
  /** The date of the report as text. Default: none. */
  date?: string;
  /** The releases to list. Default: only their number is stated. */
  releases?: readonly ReportRelease[];
  /** The same analyses without privacy, drawn for comparison in simulations and demonstrations. */
  references?: readonly ReportInput[];
  /** Name of the references. Default `without privacy`. */
  referenceName?: string;
  /** Sections to add before the code. */
  sections?: readonly ReportSection[];
}

/**
 * A report of results of one study from the same releases: a complete HTML document for light and dark
 * screens and for paper, without scripts or external files. It states the study, the guarantee, the noise,
 * what is below the noise floor, and the code that computes the results; every figure has a table.
 *
 * @param results results of `cca`, `pca`, `ridge` and so on, `Moments`, or their `toJSON()`.
 * @returns the HTML text.
 * @throws PrivateMomentsError `wrong-study`, or `unsupported-data` if something is not a result or the
 * results come from different releases.
 *
 * @example
 * ```ts
 * const html = report([moments.cca({ level: 0.95 }), moments.pca()]);
 * ```
 */
export function report(
  results: ReportInput | readonly ReportInput[],
  options: ReportOptions = {},
): string {
  requireOptions(options, [
    ...['title', 'date', 'releases', 'references', 'referenceName', 'sections'],
  ]);
  const all = readResults(results);
  const references = options.references === undefined ? [] : readAny(options.references);
  const [first] = all as [Reportable];
  const { origin, guarantee } = first;
  const title = options.title ?? origin.study.title;
  const used = new Set<Reportable>();
  const sources = sourcesOf(all);
  const sections = all.map((result, index) => {
    const reference = references.find(
      (each) => each.analysis === result.analysis && !used.has(each),
    );
    if (reference !== undefined) used.add(reference);
    const referenceName = options.referenceName ?? 'without privacy';
    return sectionOf(result, { index, reference, referenceName, sources });
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
${methods(all)}
${own}
<section><h2>The same results in code</h2>${highlighted(codeOf(all))}</section>
</main>
<footer><div class="wrap"><p>Results of noisy releases are post-processing: reading, storing or publishing this report does not weaken anyone’s guarantee.</p><p>${[origin.library.replace('/', ' '), options.date].filter(Boolean).join(' · ')}</p></div></footer>`;
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
 * Results of one study as one JSON text in the format `private-moments/results@1`: each result's `toJSON()`,
 * and the ids of the releases if given.
 */
export function toJSON(
  results: readonly ReportInput[],
  options: { releases?: readonly string[] } = {},
): string {
  requireOptions(options, ['releases']);
  const { releases } = options;
  const content = {
    format: 'private-moments/results@1',
    ...(releases === undefined ? {} : { releases }),
    results: readResults(results).map((result) =>
      'format' in result ? result : resultJson(result),
    ),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Results of one study as one CSV text: each result's `toCSV()`, under one header. */
export function toCSV(results: readonly ReportInput[]): string {
  return resultCsv(readResults(results));
}

/**
 * Programs that compute `pca`, `cca` and `ridge` again from a file that `toJSON` wrote, without this library:
 * in Python 3 with numpy, and in R without packages. The argument of both is the file's path.
 */
export const scripts: Readonly<{ python: string; r: string }> = { python: PYTHON, r: R };

/** TypeScript that computes the results again from the study and the releases. */
export function toCode(results: ReportInput | readonly ReportInput[]): string {
  return codeOf(readResults(results));
}

/** References may come from another study, or from exact moments. */
function readAny(inputs: readonly ReportInput[]): Reportable[] {
  return inputs.flatMap((input) => readResults(input));
}

const MARK = markup`<svg class="mark" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true"><rect x="0" y="0" width="6" height="6"/><rect x="0" y="8" width="6" height="6"/><rect x="8" y="8" width="6" height="6"/><g opacity=".45"><rect x="0" y="16" width="6" height="6"/><rect x="8" y="16" width="6" height="6"/></g><rect x="16" y="16" width="6" height="6"/></svg>`;

function opening(
  { origin, rows, guarantee }: Reportable,
  all: readonly Reportable[],
  title: string,
): Markup {
  const { epsilon, delta = 0 } = guarantee ?? {};
  const numbers: [string, string | Markup][] = [
    ['Releases', origin.releases === 0 ? 'none' : releasesOf(origin)],
    ...(rows === null ? [] : [[counted(origin), count(Math.round(rows))] as [string, string]]),
    [
      'Guarantee',
      epsilon === undefined
        ? 'none'
        : markup`<span aria-label="epsilon ${roundedUp(epsilon, 3)}${delta > 0 ? `, delta ${String(roundedUp(delta, 3))}` : ''}">ε ${roundedUp(epsilon, 3)}${delta > 0 ? `, δ ${probability(roundedUp(delta, 3))}` : ''}</span>`,
    ],
  ];
  return markup`<div class="opening"><div><h1>${title}</h1><p class="lead">${finding(all)}</p></div><dl class="key">${numbers.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></div>`;
}

/** "9 of 10", or "9" where the study does not say how many sites it expects, or more came. */
function releasesOf({ releases, study: { sites = 0 } }: Origin): string {
  return sites < releases ? count(releases) : `${count(releases)} of ${count(sites)}`;
}

function counted({ study }: Origin): string {
  return study.unit === 'row' ? 'Rows' : 'Participants';
}

function sourcesOf(all: readonly Reportable[]): Sources {
  const moments = all.find((result) => result.analysis === 'moments');
  return (features) => (moments === undefined ? [] : sourceNames(moments, features));
}

/** The main finding: that of the first result that has one. */
function finding(all: readonly Reportable[]): string {
  for (const result of all) {
    if (result.analysis === 'cca') {
      return pairsFinding(Object.keys(result.views), result.correlations, result.hidden);
    }
    if (result.analysis === 'gcca') {
      return pairsFinding(Object.keys(result.views), result.shared, result.hidden);
    }
    if (result.analysis === 'ridge') {
      return regressionFinding(namer(result.origin)(result.target), result.r2, result.coefficients);
    }
    if (isReadable(result)) return readingOf(result).finding;
    if (result.analysis === 'pca') {
      const { explained, loadings, noiseFloor } = result;
      const constants = constantsOf(explained, loadings, sourcesOf(all)(loadings.rows));
      return varianceFinding(explained, noiseFloor, constants);
    }
  }
  const [{ origin }] = all as [Reportable];
  return `${plural(origin.releases, 'release')} assembled.`;
}

/** Warnings about what must not be interpreted, or only with caution. */
function below(all: readonly Reportable[]): (Markup | undefined)[] {
  return [
    warning(
      'Below the noise floor: do not interpret',
      all.flatMap((result) => belowOf(result, sourcesOf(all))),
    ),
    warning('Partly hidden by the noise', all.flatMap(hiddenOf)),
    warning('Not clear: the interval reaches 0', all.flatMap(unclearOf)),
  ];
}

function warning(title: string, names: readonly string[]): Markup | undefined {
  if (names.length === 0) return undefined;
  return markup`<section class="below"><h2>${title}</h2><ul>${names.map((name) => markup`<li>${capitalised(name)}</li>`)}</ul></section>`;
}

function guaranteeSection(guarantee: Guarantee | null, { origin }: Reportable): Markup {
  if (guarantee === null) {
    return markup`<section><h2>No guarantee</h2><p class="sub">These results were computed from the rows themselves, without noise. They protect nobody and may reveal any row.</p></section>`;
  }
  const one = origin.study.unit === 'row' ? 'row' : 'participant';
  const guess = bestGuess(guarantee);
  const { delta, parts, numerics } = guarantee;
  const isSum = guarantee.honest !== undefined;
  const what = isSum ? 'sum' : 'release';
  const also = boundsInWords(guarantee);
  const facts: [string, string | Markup][] = [
    [
      'Definition',
      markup`For any two data sets ${difference(guarantee, 'theirs')}, and any set <i>S</i> of ${what}s, P(${what} in <i>S</i>) is at most <i>e</i><sup>ε</sup> times as large for one as for the other${delta === 0 ? '' : ', plus δ'}. Here ${strengthInWords(guarantee)}.`,
    ],
    ...(also === undefined
      ? []
      : [
          [
            'The same noise gives',
            `${also}.${isByGdp(guarantee) ? ' The best guess follows from the first of these.' : ''}`,
          ] as [string, string],
        ]),
    ['Neighbours', `${guarantee.neighbours}: ${changeInWords(guarantee)}`],
    ['Unit of privacy', one],
    [
      'Arithmetic',
      numerics === 'exact'
        ? 'exact: proved for the integers that the code computes with'
        : 'idealized: proved for real numbers, which floating-point numbers approximate',
    ],
    ...(parts === undefined || parts.length < 2
      ? []
      : [
          [
            'Steps',
            markup`${stepsOf(parts).map((step) => markup`${step.what}${step.times}: ${step.cost}<br>`)}together: ${strength(guarantee)}`,
          ] as [string, Markup],
        ]),
    ...(isSum ? [['Depends on', honestyInWords(guarantee).join(' ')] as [string, string]] : []),
    ['Assumes', `${otherAssumptions(guarantee).join('; ')}.`],
    [
      'Does not protect',
      `That a participant took part${guarantee.unit === 'row' && guarantee.neighbours === 'replace-one' ? ', how many rows they have' : ''}, and what is true of ${one === 'row' ? 'people like those in the data' : 'participants'} whether or not they are in it. The costs of several releases of the same rows add up.`,
    ],
  ];
  return markup`<section><h2>What a ${what} reveals about one ${one}</h2><div class="two even"><div><p>${capitalised(amountTold(guess))}. ${guessInWords(guarantee, 'theirs', `the ${what}`)}</p>${guessBar(guess, isSum ? 'the sum' : 'one release')}</div><div>${factTable(facts)}</div></div></section>`;
}

function methods(all: readonly Reportable[]): Markup | undefined {
  const said = methodsInWords(all);
  if (said === '') return undefined;
  return markup`<section><h2>Methods</h2><p class="sub">To be pasted into a paper.</p><p class="methods">${said}</p></section>`;
}

/** Where the results come from: study, noise and releases. */
function provenance(
  { origin, rows }: Reportable,
  all: readonly Reportable[],
  { releases }: ReportOptions,
): Markup {
  const { study, library, noise } = origin;
  const moments = all.find((result) => result.analysis === 'moments');
  const gaps = moments?.analysis === 'moments' ? gapsFinding(moments) : '';
  const facts: [string, string | Markup][] = [
    ['Study', study.title],
    ['Fingerprint of the study', markup`<code>${study.id}</code>`],
    [
      'Releases',
      origin.releases === 0
        ? 'none: computed from rows'
        : [releasesOf(origin), missingInWords(origin)].filter(Boolean).join('; '),
    ],
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
            'Noise in the sum of all releases',
            `standard deviation ${significant(moments.noise.sdOffDiagonal, 3)} off the diagonal and ${significant(moments.noise.sdDiagonal, 3)} on it, in scaled units, where every number column runs from −1 to 1`,
          ] as [string, string],
        ]
      : []),
    ...(moments?.analysis === 'moments' && moments.clipping !== null
      ? [
          [
            'Shortened rows',
            `about ${count(Math.round(moments.clipping.shortened))} (sd of this count ${significant(moments.clipping.sd)}): releases chose the length to which rows are shortened`,
          ] as [string, string],
        ]
      : []),
    ...(gaps === '' ? [] : [['Missing cells', gaps] as [string, string]]),
    ['Computed by', library.replace('/', ' ')],
  ];
  const hasRows = releases?.some(({ rows: own }) => own !== null && own !== undefined) ?? false;
  const table =
    releases === undefined
      ? undefined
      : plainTable(
          ['Release', ...(hasRows ? ['Rows'] : []), 'Id'],
          releases.map(({ id, name, rows: own }, i) => ({
            cells: [
              name ?? String(i + 1),
              ...(hasRows ? [own === null || own === undefined ? '–' : count(own)] : []),
              markup`<code class="id">${id}</code>`,
            ],
          })),
          'Releases',
        );
  return markup`<section><h2>Where this comes from</h2>${factTable(facts)}${table}</section>`;
}
