/** What the commands of an analyst share: releases become moments, and these a result and a report. */
import {
  assemble,
  assembleComponents,
  PrivateMomentsError,
  type Adjusted,
  type AssembleOptions,
  type Components,
  type Guarantee,
  type Moments,
  type MomentsInWorker,
  type Origin,
  type Study,
} from 'private-moments';
import { contentOf, printable } from 'private-moments/internal';
import { report, type ReportInput } from 'private-moments/report';
import {
  adjustmentFinding,
  capitalised,
  gapsFinding,
  guaranteeInWords,
  missingInWords,
  sizeInWords,
} from 'private-moments/words';
import { readArguments, type Options, type Values } from '../../../command/src/arguments.js';
import { checkFormat, FORMAT_HELP, FORMAT_OPTIONS, inFormat } from './format.js';
import {
  inFile,
  readReleases,
  readStudy,
  requireOneStdin,
  type ReleaseText,
} from '../../../command/src/input.js';
import { openOutput, say, withOutput } from '../../../command/src/output.js';
import { paragraphs, prose } from '../../../command/src/table.js';

export const ANALYSIS_OPTIONS = {
  ...FORMAT_OPTIONS,
  report: { type: 'string' },
  'within-sites': { type: 'boolean' },
} as const;

export const RELEASES_HELP = `STUDY is the study file or link. RELEASE is a release or sum, a folder (its files that end in .json), or -
for releases on standard input, one on each line.`;

export const ANALYSIS_HELP = `  --within-sites       take out differences between the means of the releases
  --report FILE        also write a report, one HTML file
${FORMAT_HELP}`;

/** The positional arguments of these commands. */
export const RELEASES = ['STUDY', 'RELEASE...'];

/** A result that can be printed. */
type Printable = ReportInput & { toJSON(): unknown; toCSV(): string };

/**
 * Runs a command that prints one result of releases.
 * @param compute returns the result, and its text for people
 */
export async function runAnalysis<T extends Options>(
  args: readonly string[],
  own: T,
  compute: (
    assembled: Assembled,
    values: Values<typeof ANALYSIS_OPTIONS & T>,
    signal: AbortSignal,
  ) => Promise<{ result: Printable; text: () => string }>,
): Promise<void> {
  const options = { ...ANALYSIS_OPTIONS, ...own };
  const { values, positionals } = readArguments(args, options, RELEASES);
  const { json, csv, out, force, report: reportPath } = values as CommonValues;
  const sites = (values as CommonValues)['within-sites'] === true ? 'within' : 'pooled';
  checkFormat({ json, csv });
  requireOneStdin(positionals);
  await withOutput({ out, force }, async (output, signal) => {
    const reported =
      reportPath === undefined ? undefined : await openOutput('--report', reportPath, force);
    try {
      const [studyPath = '', ...paths] = positionals;
      const study = await readStudy(studyPath, signal);
      const assembled = await assembleFiles(study, await readReleases(paths, signal), { sites });
      const { result, text } = await compute(assembled, values, signal);
      const forms = {
        text: () => paragraphs(text(), gapsInWords(assembled)),
        json: () => result.toJSON(),
        csv: () => result.toCSV(),
      };
      await output.write(inFormat({ json, csv }, forms));
      await reported?.write(reportOf(assembled, result));
      if (reported !== undefined) say(`The report is in ${reported.name}.`);
    } finally {
      await reported?.close();
    }
  });
}

interface CommonValues {
  json?: boolean;
  csv?: boolean;
  out?: string;
  force?: boolean;
  report?: string;
  'within-sites'?: boolean;
}

export interface Assembled {
  study: Study;
  releases: readonly ReleaseText[];
  /** Null if the study's mechanism releases directions. */
  moments: Moments | null;
  /** Null if the study's mechanism releases moments. */
  components: Components | null;
}

export async function assembleAny(
  study: Study,
  releases: readonly ReleaseText[],
  options: AssembleOptions = {},
): Promise<Assembled> {
  const texts = releases.map(({ text }) => text);
  return contentOf(study.mechanism) === 'moments'
    ? { study, releases, moments: await assemble(study, texts, options), components: null }
    : { study, releases, moments: null, components: await assembleComponents(study, texts) };
}

/** Assembles releases; errors about one of them name its file. */
export async function assembleFiles(
  study: Study,
  releases: readonly ReleaseText[],
  options: AssembleOptions = {},
): Promise<Assembled> {
  try {
    return await assembleAny(study, releases, options);
  } catch (error) {
    const { release } = error as { release?: { index: number } };
    const file = release === undefined ? undefined : releases[release.index];
    throw file === undefined ? error : inFile(file.name, error);
  }
}

/**
 * The moments, for analyses that need them.
 * @throws PrivateMomentsError `not-moments` if the study's mechanism releases directions
 */
export function requireMoments({ study, moments }: Assembled): Moments {
  if (moments !== null) return moments;
  throw new PrivateMomentsError(
    'not-moments',
    `the mechanism ${study.mechanism.name} releases directions, not moments: private-moments assemble prints them`,
  );
}

export function inWorker(assembled: Assembled, signal: AbortSignal): MomentsInWorker {
  return requireMoments(assembled).inWorker({ signal });
}

/** What was missing, under a rule that counts it. */
function gapsInWords({ moments }: Assembled): string {
  return moments === null ? '' : prose(gapsFinding(moments));
}

function reportOf({ moments, releases }: Assembled, result: Printable): string {
  const results = moments === null || moments === result ? [result] : [moments, result];
  const listed = releases.map(({ name, text }) => {
    const { id, rows } = JSON.parse(text) as { id: string; rows?: number | null };
    return { id, name, rows: rows ?? null };
  });
  return report(results, { releases: listed });
}

interface Described {
  origin: Origin;
  rows: number | null;
  guarantee: Guarantee | null;
  adjusted?: Adjusted;
}

/** The study, the size and the guarantee of a result, as paragraphs. */
export function originInWords({ origin, rows, guarantee, adjusted }: Described): string[] {
  const missing = missingInWords(origin);
  const size = sizeInWords(rows, origin.study.unit, origin.releases);
  return [
    `${printable(origin.study.title)}\n${size}${missing === '' ? '' : `; ${missing}`}`,
    guarantee === null ? '' : prose(capitalised(guaranteeInWords(guarantee).join(' '))),
    prose(adjustmentFinding({ origin, ...(adjusted && { adjusted }) })),
  ];
}
