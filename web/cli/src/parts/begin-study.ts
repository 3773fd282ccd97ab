import { createReadStream } from 'node:fs';
import {
  defineStudy,
  PrivateMomentsError,
  studyPreset,
  type StudyDefinition,
  type StudyPreset,
} from 'private-moments';
import {
  csvRecords,
  delimiterOf,
  didYouMean,
  UsageError,
  withoutByteOrderMark,
} from 'private-moments/internal';
import { listOf, numberOf, present } from '../../../command/src/arguments.js';
import { inFile, STDIN, unreadable } from '../../../command/src/input.js';
import { say } from '../../../command/src/output.js';
import { jsonText } from './json.js';
import { Questions } from './questions.js';

/** The options of `study init`. */
export interface BeginValues {
  title?: string | undefined;
  columns?: string | undefined;
  bounds?: string[] | undefined;
  levels?: string[] | undefined;
  epsilon?: string | undefined;
  delta?: string | undefined;
  preset?: string | undefined;
  sites?: string | undefined;
  honest?: string | undefined;
  ask?: boolean | undefined;
}

/** A column of a study that may not be complete. */
type DraftColumn =
  | { name: string; type: 'number'; min: number | null; max: number | null }
  | { name: string; type: 'category'; levels: string[] };

interface Draft {
  title: string | null;
  columns: DraftColumn[];
  epsilon: number | null;
  delta: number | null;
}

/**
 * The text of a study file with the names in the header of a CSV file. What nobody stated is asked for, or null.
 * @throws PrivateMomentsError `missing-column`, `empty-file`, `csv-encoding`, `input-unreadable`, and what is
 * wrong with the study once it is complete
 * @throws UsageError
 */
export async function beginStudy(
  path: string,
  values: BeginValues,
  signal: AbortSignal,
): Promise<string> {
  if (values.ask && path === STDIN) {
    throw new UsageError('--ask reads answers from standard input: name a file for DATA');
  }
  const stated = statedColumns(values);
  const epsilon = numberOf('--epsilon', values.epsilon) ?? null;
  const delta = numberOf('--delta', values.delta) ?? null;
  const scheme = schemeOf(values);
  const names = await headerOf(path);
  const chosen = listOf('--columns', values.columns) ?? names;
  requireNames('--columns', chosen, names);
  requireNames('--bounds or --levels', [...stated.keys()], chosen);
  const columns = chosen.map(
    (name): DraftColumn => stated.get(name) ?? { name, type: 'number', min: null, max: null },
  );
  const draft: Draft = { title: values.title ?? null, columns, epsilon, delta };
  const finished = values.ask ? await complete(draft, signal) : draft;
  return jsonText(studyOf(finished, scheme));
}

/** What `--preset` and the options that go with it make of the study. @throws UsageError */
function schemeOf({ preset, sites, honest }: BeginValues): Partial<StudyDefinition> {
  if (preset === undefined) {
    if (sites === undefined && honest === undefined) return {};
    throw new UsageError('--sites and --honest go with --preset');
  }
  const known = numberOf('--sites', sites);
  if (known === undefined) throw new UsageError('--preset needs --sites');
  return studyPreset(preset as StudyPreset, {
    sites: known,
    ...present({ honest: numberOf('--honest', honest) }),
  });
}

function studyOf(
  { title, columns, epsilon, delta }: Draft,
  scheme: Partial<StudyDefinition>,
): object {
  const study = {
    format: 'private-moments/study@1',
    title,
    columns,
    unit: 'row',
    neighbours: 'replace-one',
    privacy: { epsilon, delta },
    ...scheme,
  };
  const isOpen = columns.some((column) => column.type === 'number' && !hasBounds(column));
  if (isOpen || [title, epsilon, delta].includes(null)) {
    say(
      'Fill in what is null: min and max of each column, from public knowledge and never from the data;',
      'title, epsilon and delta, if they are. Take out columns that the study does not need. Then run',
      '  private-moments study STUDY',
      'With --ask, init asks for all of it.',
    );
  } else {
    defineStudy(study as StudyDefinition);
    say(
      'The study is complete. To read it as participants will, run',
      '  private-moments study STUDY',
    );
  }
  return study;
}

function hasBounds(column: DraftColumn & { type: 'number' }): boolean {
  return column.min !== null && column.max !== null;
}

/** The columns whose bounds or levels are among the options. @throws UsageError */
function statedColumns({ bounds = [], levels = [] }: BeginValues): Map<string, DraftColumn> {
  const found = new Map<string, DraftColumn>();
  const add = (column: DraftColumn): void => {
    if (found.has(column.name)) {
      throw new UsageError(`--bounds and --levels name the column ${column.name} twice`);
    }
    found.set(column.name, column);
  };
  for (const text of bounds) {
    const [name, value] = assigned('--bounds', 'COLUMN=MIN,MAX', text);
    const [min, max, ...more] = value.split(',');
    if (max === undefined || more.length > 0)
      throw new UsageError('--bounds must be COLUMN=MIN,MAX');
    const number = (each: string | undefined): number | null => numberOf('--bounds', each) ?? null;
    add({ name, type: 'number', min: number(min), max: number(max) });
  }
  for (const text of levels) {
    const [name, value] = assigned('--levels', 'COLUMN=A,B', text);
    add({ name, type: 'category', levels: listOf('--levels', value) ?? [] });
  }
  return found;
}

function assigned(option: string, form: string, text: string): [name: string, value: string] {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1) throw new UsageError(`${option} must be ${form}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function requireNames(option: string, chosen: readonly string[], names: readonly string[]): void {
  const odd = chosen.find((name) => !names.includes(name));
  if (odd === undefined) return;
  const message = `${option}: there is no column ${odd}${didYouMean(odd, names)}`;
  throw new PrivateMomentsError('missing-column', message, { column: odd });
}

/** Asks for what is missing. */
async function complete(draft: Draft, signal: AbortSignal): Promise<Draft> {
  const questions = new Questions(process.stdin, signal);
  try {
    say(
      'Limits are public: choose what any textbook would give, and do not look at the data. For each',
      'column type LOWEST to HIGHEST, such as 18 to 90, or the levels of a category between commas, such',
      'as no, yes. Enter leaves the column out.',
    );
    const columns: DraftColumn[] = [];
    for (const column of draft.columns) {
      const isOpen = column.type === 'number' && !hasBounds(column);
      const next = isOpen
        ? await questions.ask(column.name, (answer) => columnOf(column.name, answer))
        : column;
      if (next !== null) columns.push(next);
    }
    return {
      title: draft.title ?? (await questions.ask('Title of the study', titleOf)),
      columns,
      epsilon: draft.epsilon ?? (await questions.ask(EPSILON, positive)),
      delta: draft.delta ?? (await questions.ask(DELTA, notNegative)),
    };
  } finally {
    questions.close();
  }
}

const EPSILON = 'Epsilon, how much one release may reveal (1 is common)';
const DELTA = 'Delta, the chance of a larger leak (1e-6, or 0 for none)';

/** The column that an answer describes; null for none. */
function columnOf(name: string, answer: string): DraftColumn | null | undefined {
  if (answer === '') return null;
  const limits = answer.split(/ to | \.\. /);
  if (limits.length === 2) {
    const [min, max] = limits.map(plainNumber) as [number | undefined, number | undefined];
    const isRange = min !== undefined && max !== undefined && min < max;
    return isRange ? { name, type: 'number', min, max } : undefined;
  }
  const levels = answer.split(',').map((level) => level.trim());
  const areLevels =
    levels.length > 1 && !levels.includes('') && new Set(levels).size === levels.length;
  return areLevels ? { name, type: 'category', levels } : undefined;
}

function titleOf(answer: string): string | undefined {
  return answer === '' ? undefined : answer;
}

function positive(answer: string): number | undefined {
  const value = plainNumber(answer);
  return value !== undefined && value > 0 ? value : undefined;
}

function notNegative(answer: string): number | undefined {
  const value = plainNumber(answer);
  return value !== undefined && value >= 0 ? value : undefined;
}

function plainNumber(text: string): number | undefined {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const LONGEST_HEADER = 1 << 20;

/** The names in the first line of a CSV file. */
async function headerOf(path: string): Promise<string[]> {
  const text = withoutByteOrderMark(await firstLine(path));
  const header = csvRecords(text, delimiterOf(text)).next().value as string[] | undefined;
  const names = (header ?? []).filter((name) => name !== '');
  const [first] = names;
  if (first === undefined) {
    throw inFile(path, new PrivateMomentsError('empty-file', 'there is no header line'));
  }
  return names;
}

async function firstLine(path: string): Promise<string> {
  const stream = path === STDIN ? process.stdin : createReadStream(path);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for await (const bytes of stream as AsyncIterable<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true });
      const end = text.search(/(?<=[^\r\n])[\r\n]/);
      if (end >= 0) return text.slice(0, end);
      if (text.length > LONGEST_HEADER) break;
    }
  } catch (cause) {
    throw cause instanceof TypeError
      ? inFile(
          path,
          new PrivateMomentsError('csv-encoding', 'it is not CSV text in UTF-8', {}, cause),
        )
      : unreadable(path, cause);
  }
  return text.slice(0, LONGEST_HEADER);
}
