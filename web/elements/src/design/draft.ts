import { defineStudy, PrivateMomentsError } from 'private-moments';
import type {
  CategoryColumn,
  Clipping,
  Column,
  FederationMode,
  NumberColumn,
  Study,
  StudyDefinition,
} from 'private-moments';
import {
  ASSUMPTIONS,
  clippingsOf as clippingsFor,
  collusionTerms,
  defaultMechanism,
  MECHANISMS,
  mechanismsWith,
  usualHonest,
} from 'private-moments/internal';
import { capitalised } from 'private-moments/words';
import { numberIn } from '../controls/input-values.js';
import { describe } from '../base/failure.js';
import { viewNames } from '../session/view-order.js';
import { isWeighted, weighted, weightProblems, weightsOf } from './weights.js';

/** A column as entered in the form, with its bounds as text. */
export interface DraftColumn {
  /** Identifies the column while its name changes. */
  key: number;
  name: string;
  type: Column['type'];
  min: string;
  max: string;
  /** Levels of a category, separated by commas. */
  levels: string;
  /** What people call levels, such as "1 = female, 2 = male"; may be empty. */
  levelLabels: string;
  /** Key of its view; 0 for none. */
  view: number;
  /** What it holds, its unit and a note, for participants; each may be empty. */
  label: string;
  unit: string;
  description: string;
  /** The standard deviation that is usual for it, as text, for the forecast only; may be empty. */
  deviation: string;
  /** The weight of a number column, as text; empty for 1. */
  weight: string;
  /** What the study states of a number column apart from weights, which the form keeps and does not show. */
  stated?: Pick<NumberColumn, 'centre' | 'spread'>;
}

export interface DraftView {
  key: number;
  name: string;
}

/** What a forecast assumes of data that do not exist yet. The study does not contain it. */
export interface Plan {
  /** Correlations to plan for, from 0 to below 1, largest first. */
  correlations: readonly number[];
  /** Largest correlation between columns of one view, from 0 to below 1. */
  withinViews: number;
  /** Distance of means from the middle of the bounds, as a share of the range, from 0 to below 0.5. */
  offCentre: number;
  /** Standard deviation of a column as a share of its range, above 0, at most 0.5. */
  spread: number;
  /** The two views that the forecast relates, if the study has more; empty for the first two. */
  between: readonly string[];
  /** Whether the study came without a plan and nobody has looked at this one, nor at the rows per site. */
  isUnseen: boolean;
}

/** A study being designed: public settings only, as entered in the form. */
export interface Draft {
  title: string;
  description: string;
  organizer: string;
  contact: string;
  columns: readonly DraftColumn[];
  views: readonly DraftView[];
  unit: Study['unit'];
  neighbours: Study['neighbours'];
  /** Empty for the default, which depends on the neighbours. */
  missing: Study['missing'] | '';
  /** Texts that stand for a missing value, separated by commas. */
  missingValues: string;
  rowNorm: string;
  /** How releases limit long rows; empty for the default, which depends on the mechanism and the mode. */
  clipping: Clipping | '';
  epsilon: number;
  delta: number;
  /** Empty for the default, which depends on delta. */
  mechanism: string;
  /** Number of directions to release, for mechanisms that require it. */
  components: string;
  mode: FederationMode;
  sites: string;
  /** Honest sites; empty for the default, more than two thirds. */
  honest: string;
  /** Sites that may be missing from a sum; empty for none. */
  dropouts: string;
  /** Rows of each site, for the forecast only. */
  rows: number;
  plan: Plan;
}

/** How many rows, or whole participants, releases protect: in one data set, and in the study. */
export function protectedOf({ unit, rows, sites }: Draft): { each: number; all: number } {
  const parties = numberIn(sites);
  return unit === 'row' ? { each: rows, all: rows * parties } : { each: parties, all: parties };
}

/**
 * The largest delta that is far below 1/n: a hundredth for the rows of one data set, a tenth for those of all
 * sites. Publishing one row at random of n has delta 1/n; of n from all sites too, for someone who sees every
 * release. No limit while the numbers are not known.
 */
export function largestDelta(draft: Draft): number {
  const { each, all } = protectedOf(draft);
  return all >= 1 ? Math.min(0.01 / each, 0.1 / all) : Infinity;
}

/** Whether delta is above that; limits are quotients, which rounding may move. */
export function isDeltaLarge(draft: Draft, delta = draft.delta): boolean {
  return delta > largestDelta(draft) * (1 + 1e-9);
}

/** What is wrong, and in which field of the form. */
export interface Problem {
  field: string;
  message: string;
  /** The fields that contradict each other, if there are several: the one edited last shows the error. */
  among?: readonly string[];
}

export interface Checked {
  study?: Study;
  problems: Problem[];
}

/** Mechanisms that require a number of directions. */
export const NEEDS_COMPONENTS: readonly string[] = mechanismsWith(
  ({ directions }) => directions?.needsCount ?? false,
);

/** Rows of each site before anyone says how many. */
export const USUAL_ROWS = 5000;

export function emptyDraft(): Draft {
  return {
    title: '',
    description: '',
    organizer: '',
    contact: '',
    columns: [emptyColumn(1)],
    views: [],
    unit: 'row',
    neighbours: 'replace-one',
    missing: '',
    missingValues: '',
    rowNorm: '',
    clipping: '',
    epsilon: 1,
    delta: 1e-6,
    mechanism: '',
    components: '',
    mode: 'independent',
    sites: '10',
    honest: '',
    dropouts: '',
    rows: USUAL_ROWS,
    plan: usualPlan(),
  };
}

export function usualPlan(): Plan {
  return { correlations: [0.5, 0.3, 0.1], ...ASSUMPTIONS, between: [], isUnseen: false };
}

export function emptyColumn(key: number): DraftColumn {
  const range = { min: '', max: '', levels: '', levelLabels: '', deviation: '', weight: '' };
  return { key, type: 'number', view: 0, name: '', label: '', unit: '', description: '', ...range };
}

/** Whether the draft holds nothing worth saving. */
export function isEmpty({
  title,
  description,
  organizer,
  contact,
  columns,
  views,
}: Draft): boolean {
  const { name, min, max, levels } = columns[0] ?? emptyColumn(1);
  const texts = [title, description, organizer, contact, name, min, max, levels];
  return columns.length <= 1 && views.length === 0 && texts.every((text) => text.trim() === '');
}

/** A study's column as a column of the form. */
export function draftColumn(column: Column, key: number, view: number): DraftColumn {
  const { name, type, label = '', unit = '', description = '' } = column;
  const range =
    type === 'number'
      ? { min: String(column.min), max: String(column.max), ...statedOf(column) }
      : { levels: column.levels.join(', '), levelLabels: labelsInText(column) };
  return { ...emptyColumn(key), name, type, view, label, unit, description, ...range };
}

function labelsInText({ levels, levelLabels = {} }: CategoryColumn): string {
  return levels
    .filter((level) => Object.hasOwn(levelLabels, level))
    .map((level) => `${level} = ${levelLabels[level] ?? ''}`)
    .join(', ');
}

/**
 * The labels in a text such as "1 = female, 2 = male"; undefined if it does not begin with a level. A comma is
 * part of a label unless a level and an equals sign follow.
 */
export function labelsIn(
  text: string,
  levels: readonly string[],
): Record<string, string> | undefined {
  if (text.trim() === '') return {};
  const byLength = [...levels].sort((a, b) => b.length - a.length);
  const any = byLength.map((level) => level.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  const parts = text.split(new RegExp(`(?:^|[,;])\\s*(${any})\\s*=`, 'u'));
  const [before = '', ...pairs] = parts;
  if (before.trim() !== '' || pairs.length === 0) return undefined;
  const entries = pairs.flatMap((level, i): [string, string][] => {
    const label = pairs[i + 1]?.trim() ?? '';
    return i % 2 === 1 || label === '' ? [] : [[level, label]];
  });
  return Object.fromEntries(entries);
}

function statedOf({ centre, spread }: NumberColumn): Pick<DraftColumn, 'stated'> {
  return centre === undefined || spread === undefined ? {} : { stated: { centre, spread } };
}

/** The list with one item more, at `place` or at its end. */
export function inserted<T>(all: readonly T[], place: number, item: T): T[] {
  return [...all.slice(0, place), item, ...all.slice(place)];
}

/** A key that is not in use yet. */
export function freshKey(all: readonly { key: number }[]): number {
  return Math.max(0, ...all.map(({ key }) => key)) + 1;
}

/** A study as a draft. It contains neither `rows`, the rows of each site, nor a plan: these are the usual ones. */
export function draftOf(study: Study, rows = USUAL_ROWS): Draft {
  const views = viewNames(study);
  const viewOf = (column: string): number =>
    views.findIndex((name) => study.views?.[name]?.includes(column)) + 1;
  const { federation, mechanism } = study;
  const isUsual = mechanism.name === defaultMechanism(study.privacy.delta);
  const weights = weightsOf(study);
  const usualNorm = weights?.rowNorm ?? Math.sqrt(study.columns.length);
  return {
    title: study.title,
    description: study.description ?? '',
    organizer: study.organizer ?? '',
    contact: study.contact ?? '',
    columns: study.columns.map((column, index) => {
      const { stated, ...drafted } = draftColumn(column, index + 1, viewOf(column.name));
      const weight = weights?.texts.get(column.name) ?? '';
      return {
        ...drafted,
        weight,
        ...(weights === undefined && stated !== undefined ? { stated } : {}),
      };
    }),
    views: views.map((name, index) => ({ key: index + 1, name })),
    unit: study.unit,
    neighbours: study.neighbours,
    missing: study.missing,
    missingValues: (study.missingValues ?? []).join(', '),
    rowNorm: study.rowNorm === usualNorm ? '' : String(study.rowNorm),
    // Named with weights, so that a weight can be emptied and typed again.
    clipping:
      study.clipping === usualClipping(study) && weights === undefined ? '' : study.clipping,
    epsilon: study.privacy.epsilon,
    delta: study.privacy.delta,
    mechanism: isUsual ? '' : mechanism.name,
    components: String(mechanism.components ?? ''),
    mode: federation.mode,
    sites: String(federation.sites ?? 1),
    honest: federation.mode === 'independent' ? '' : String(federation.honest),
    dropouts: 'dropouts' in federation ? String(federation.dropouts) : '',
    rows,
    plan: { ...usualPlan(), isUnseen: true },
  };
}

/** The clipping of this study if it named none. */
function usualClipping(study: Study): Clipping {
  const definition: StudyDefinition = study.toJSON();
  delete definition.clipping;
  // The usual row norm is a default too.
  if (study.rowNorm === Math.sqrt(study.columns.length)) delete definition.rowNorm;
  return defineStudy(definition).clipping;
}

/** How releases limit long rows: as chosen, or by default. */
export function presentClipping(draft: Draft): Clipping {
  return clippingOf(draft).clipping ?? defaultClipping(draft);
}

/** The clipping if the draft chooses none. */
export function defaultClipping(draft: Draft): Clipping {
  const { mechanism, unit, mode } = draft;
  if (mode !== 'independent' || statesCentres(draft) || isWeighted(draft)) return 'fixed';
  try {
    return defineStudy({
      ...PLAIN,
      ...rowNormOf(draft),
      unit,
      privacy: privacyOf(draft),
      ...(mechanism === '' ? {} : { mechanism: { name: mechanism } }),
    }).clipping;
  } catch {
    return 'fixed';
  }
}

/** The number of honest sites as typed, or the default: just over two thirds. */
export function honestOf({ sites, honest }: Pick<Draft, 'sites' | 'honest'>): string {
  const all = numberIn(sites);
  if (honest !== '') return honest;
  return Number.isInteger(all) ? String(usualHonest(all)) : '';
}

/** The number of sites that may fail to send, as typed, or 0. */
export function dropoutsOf({ dropouts }: Pick<Draft, 'dropouts'>): string {
  return dropouts === '' ? '0' : dropouts;
}

/**
 * The study, or everything that is wrong with the draft. The rules are those of `defineStudy`, which
 * checks one part at a time so that one mistake does not hide another.
 */
export function check(draft: Draft): Checked {
  const problems: Problem[] = [];
  const found = (problem: Problem): void => {
    if (!problems.some(({ field }) => field === problem.field)) problems.push(problem);
  };
  const columns = draft.columns.map(columnOf);
  const attempt = (part: Partial<StudyDefinition>, only?: number): Study | undefined => {
    try {
      return defineStudy({ ...PLAIN, ...part });
    } catch (error) {
      found(problemOf(draft, error, only));
      return undefined;
    }
  };

  attempt({ title: draft.title });
  const words = wordsOf(draft);
  for (const [key, text] of Object.entries(words)) attempt({ [key]: text });
  columns.forEach((column, index) => attempt({ columns: [column] }, index));
  if (problems.every(({ field }) => !/^columns.*name$/.test(field))) {
    attempt({ columns: columns.map(({ name }) => ({ name, type: 'number', min: 0, max: 1 })) });
  }
  if (problems.every(({ field }) => !field.startsWith('columns'))) {
    attempt({ columns });
    for (const problem of viewProblems(draft)) found(problem);
    if (problems.every(({ field }) => !/^(?:columns|views)/.test(field))) {
      attempt({ columns, ...viewsOf(draft) });
    }
  }
  for (const problem of deviationProblems(draft)) found(problem);
  for (const problem of labelProblems(draft)) found(problem);
  for (const problem of weightProblems(draft, presentClipping(draft))) found(problem);
  attempt({ privacy: privacyOf(draft) });
  attempt({ federation: federationOf(draft, draft.mode) });
  const { unit, neighbours } = draft;
  attempt({ unit, neighbours, ...missingOf(draft) });
  attempt(missingValuesOf(draft));
  attempt(rowNormOf(draft));
  if (problems.length > 0) return { problems };
  const study = attempt(definitionOf(draft));
  return study === undefined ? { problems } : { study, problems };
}

function wordsOf({ description, organizer, contact }: Draft): Partial<StudyDefinition> {
  return filled({ description, organizer, contact });
}

/** The draft as a definition for `defineStudy`, without defaults. */
export function definitionOf(draft: Draft): StudyDefinition {
  const { mechanism, components, unit, neighbours } = draft;
  const directions = NEEDS_COMPONENTS.includes(mechanism)
    ? { components: numberIn(components) }
    : {};
  return {
    title: draft.title.trim(),
    ...wordsOf(draft),
    ...weighted(draft, draft.columns.map(columnOf)),
    ...viewsOf(draft),
    unit,
    neighbours,
    ...missingOf(draft),
    ...missingValuesOf(draft),
    ...rowNormOf(draft),
    ...clippingOf(draft),
    privacy: privacyOf(draft),
    ...(mechanism === '' ? {} : { mechanism: { name: mechanism, ...directions } }),
    federation: federationOf(draft, draft.mode),
  };
}

/** A valid study in which one part at a time is replaced to check it. */
const PLAIN: StudyDefinition = {
  title: 'study',
  columns: [{ name: 'column', type: 'number', min: 0, max: 1 }],
  privacy: { epsilon: 1, delta: 1e-6 },
};

/**
 * The usual standard deviation of a number column as a share of its range; undefined if none is typed, NaN if it
 * is not one that values within the limits can have.
 */
export function spreadOf({ type, min, max, deviation }: DraftColumn): number | undefined {
  if (type !== 'number' || deviation.trim() === '') return undefined;
  const share = numberIn(deviation) / (numberIn(max) - numberIn(min));
  return share > 0 && share <= MOST_SPREAD ? share : NaN;
}

/** The standard deviation of values half of which are at each limit. */
const MOST_SPREAD = 0.5;

function deviationProblems({ columns }: Draft): Problem[] {
  return columns
    .filter(({ min, max }) => numberIn(min) < numberIn(max))
    .flatMap((column) => {
      if (!Number.isNaN(spreadOf(column))) return [];
      const { key, name, deviation } = column;
      const typed = numberIn(deviation);
      const message =
        typed > 0
          ? `The usual spread of “${name}” (${deviation.trim()}) is more than half its range: widen the limits, or correct it.`
          : `The usual spread of “${name}” must be a number above 0, or empty.`;
      const fields = ['deviation', 'min', 'max'].map((part) => `columns.${key}.${part}`);
      return [{ field: `columns.${key}.deviation`, message, among: fields }];
    });
}

function labelProblems({ columns }: Draft): Problem[] {
  return columns.flatMap(({ key, name, type, levels, levelLabels }) =>
    type === 'number' || labelsIn(levelLabels, listIn(levels)) !== undefined
      ? []
      : [
          {
            field: `columns.${key}.levelLabels`,
            message: `Write the names of levels of “${name}” as level = name, such as 1 = female, 2 = male.`,
          },
        ],
  );
}

function columnOf({ type, min, max, levels, levelLabels, stated, ...column }: DraftColumn): Column {
  const name = column.name.trim();
  const { label, unit, description } = column;
  const words = filled({ label, unit, description });
  return type === 'number'
    ? { name, type, min: numberIn(min), max: numberIn(max), ...stated, ...words }
    : { name, type, levels: listIn(levels), ...namedLevels(listIn(levels), levelLabels), ...words };
}

function namedLevels(levels: readonly string[], text: string): Pick<CategoryColumn, 'levelLabels'> {
  const levelLabels = labelsIn(text, levels) ?? {};
  return Object.keys(levelLabels).length === 0 ? {} : { levelLabels };
}

/** The parts of a list that is separated by commas. */
export function listIn(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The texts that are not empty, without spaces around them. */
function filled<K extends string>(texts: Record<K, string>): Partial<Record<K, string>> {
  const trimmed = Object.entries<string>(texts).map(([key, text]) => [key, text.trim()] as const);
  const entries = trimmed.filter(([, text]) => text !== '');
  return Object.fromEntries(entries) as Partial<Record<K, string>>;
}

function viewsOf({ views, columns }: Draft): Pick<StudyDefinition, 'views'> {
  if (views.length === 0) return {};
  const members = (key: number): string[] =>
    columns.filter(({ view }) => view === key).map(({ name }) => name.trim());
  return { views: Object.fromEntries(views.map(({ key, name }) => [name.trim(), members(key)])) };
}

/** Problems of views that an object with names as keys cannot hold: empty and duplicate names. */
function viewProblems({ views }: Draft): Problem[] {
  const names = views.map(({ name }) => name.trim());
  return views.flatMap(({ key }, index) => {
    const name = names[index] ?? '';
    const field = `views.${key}`;
    if (name === '') return [{ field, message: 'This view needs a name.' }];
    return names.indexOf(name) < index
      ? [
          {
            field,
            message: `Two views are called “${name}”.`,
            among: views.filter((_, i) => names[i] === name).map((view) => `views.${view.key}`),
          },
        ]
      : [];
  });
}

function privacyOf({ epsilon, delta }: Draft): StudyDefinition['privacy'] {
  return { epsilon, delta };
}

function missingOf({ missing }: Draft): Pick<StudyDefinition, 'missing'> {
  return missing === '' ? {} : { missing };
}

function missingValuesOf(draft: Draft): Pick<StudyDefinition, 'missingValues'> {
  const missingValues = listIn(draft.missingValues);
  return missingValues.length === 0 ? {} : { missingValues };
}

function rowNormOf({ rowNorm }: Draft): Pick<StudyDefinition, 'rowNorm'> {
  return rowNorm.trim() === '' ? {} : { rowNorm: numberIn(rowNorm) };
}

/** Left out where the study could not name it, so that another mode or mechanism does not become an error. */
function clippingOf(draft: Draft): Pick<StudyDefinition, 'clipping'> {
  const { clipping } = draft;
  return clipping !== '' && clippingsOf(draft).includes(clipping) ? { clipping } : {};
}

function statesCentres({ columns }: Draft): boolean {
  return columns.some(({ type, stated }) => type === 'number' && stated !== undefined);
}

/** The ways to limit long rows that the study could name. */
export function clippingsOf(draft: Draft): Clipping[] {
  const { mechanism, delta, unit, mode } = draft;
  if (statesCentres(draft)) return ['fixed'];
  const name = mechanism === '' ? defaultMechanism(delta) : mechanism;
  const known = MECHANISMS.find((other) => other === name);
  return known === undefined ? ['fixed'] : clippingsFor(known, unit, mode);
}

/** How the draft's sites would share noise in a mode, as `defineStudy` takes it. */
export function federationOf(
  draft: Pick<Draft, 'sites' | 'honest' | 'dropouts'>,
  mode: FederationMode,
): StudyDefinition['federation'] & object {
  const sites = numberIn(draft.sites);
  // Every participant makes a release of its own, so their number matters to the forecast only.
  if (mode === 'independent') return { mode, sites };
  const honest = numberIn(honestOf(draft));
  // Gaussian masks cancel only in the sum of all sites, so there can be no dropouts.
  if (mode === 'correlated') return { mode, sites, honest };
  return { mode, sites, honest, dropouts: numberIn(dropoutsOf(draft)) };
}

/** Who may collude, in words; undefined while the numbers of sites contradict each other. */
export function termsOf(draft: Draft): string | undefined {
  try {
    const { federation } = defineStudy({
      ...PLAIN,
      federation: federationOf(draft, draft.mode),
    });
    return federation.mode === 'independent' ? undefined : collusionTerms(federation);
  } catch {
    return undefined;
  }
}

/** The form's problem for an error; `only` is the index of a column that was checked by itself. */
function problemOf(draft: Draft, error: unknown, only?: number): Problem {
  const field = error instanceof PrivateMomentsError ? (error.field ?? '') : '';
  const inColumn = /^columns\[(\d+)\](?:\.(\w+))?/.exec(field);
  if (inColumn !== null) {
    const column = draft.columns[only ?? Number(inColumn[1])];
    const part = inColumn[2] ?? 'name';
    const message = inPlainWords(column, part) ?? describe(error);
    // The form shows no centre and no spread; both depend on the bounds.
    const shown = part === 'centre' || part === 'spread' ? 'min' : part;
    const among = contradicting(draft, column, part);
    return { field: `columns.${column?.key ?? 0}.${shown}`, message, ...among };
  }
  const view = /^views\.(.*)$/s.exec(field)?.[1];
  if (view !== undefined) {
    const key = draft.views.find(({ name }) => name.trim() === view)?.key ?? 0;
    return { field: `views.${key}`, message: describe(error) };
  }
  if (field === 'title' && draft.title.trim() === '') {
    return { field, message: 'The study needs a title.' };
  }
  const shown = field.replace(/\[.*$/, '');
  return { field: shown, message: inWords(describe(error)), ...contradictingSites(draft, shown) };
}

/** The fields of columns that contradict each other: two bounds, or the names of two columns. */
function contradicting(
  draft: Draft,
  column: DraftColumn | undefined,
  part: string,
): Pick<Problem, 'among'> {
  if (column === undefined) return {};
  const { key, name, min, max } = column;
  if (part === 'min' && Number.isFinite(numberIn(min)) && Number.isFinite(numberIn(max))) {
    return { among: [`columns.${key}.min`, `columns.${key}.max`] };
  }
  const alike = draft.columns.filter((other) => other.name.trim() === name.trim());
  return part === 'name' && name.trim() !== '' && alike.length > 1
    ? { among: alike.map((other) => `columns.${other.key}.name`) }
    : {};
}

/** The numbers of sites, where each is a number but they contradict each other. */
function contradictingSites(draft: Draft, field: string): Pick<Problem, 'among'> {
  const numbers = [draft.sites, honestOf(draft), dropoutsOf(draft)].map(numberIn);
  const isEach = numbers.every(Number.isInteger) && numbers.every((number) => number >= 0);
  if (!field.startsWith('federation.') || !isEach || draft.mode === 'independent') return {};
  const among = ['federation.sites', 'federation.honest', 'federation.dropouts'];
  return { among: draft.mode === 'correlated' ? among.slice(0, 2) : among };
}

/** Puts each problem at the field that was edited last of those that contradict each other. */
export function placed(problems: readonly Problem[], edited: readonly string[]): Problem[] {
  return problems.map((problem) => {
    const among = problem.among ?? [];
    const last = edited.filter((field) => among.includes(field)).at(-1);
    return last === undefined ? problem : { ...problem, field: last };
  });
}

/** The names of fields in the form's own words. */
const NAMES: Record<string, string> = {
  'federation.sites': 'the number of sites',
  'federation.honest': 'the number of honest sites',
  'federation.dropouts': 'the number of sites that may fail to send',
  'mechanism.components': 'the number of directions',
  'privacy.epsilon': 'epsilon',
  'privacy.delta': 'delta',
  rowNorm: 'the row norm',
};

function inWords(message: string): string {
  const text = Object.entries(NAMES).reduce(
    (all, [name, words]) => all.replace(new RegExp(`\\b${name}\\b`, 'gi'), words),
    message,
  );
  return capitalised(text);
}

/** Short messages for the most common mistakes. */
function inPlainWords(column: DraftColumn | undefined, part: string): string | undefined {
  if (column === undefined) return undefined;
  const { name, type, min, max } = column;
  if (part === 'name') return name.trim() === '' ? 'This column needs a name.' : undefined;
  if (type === 'category' || (part !== 'min' && part !== 'max')) return undefined;
  const typed = part === 'min' ? min : max;
  const which = part === 'min' ? 'lowest' : 'highest';
  if (typed.trim() === '') return `“${name}” needs a ${which} value.`;
  if (!Number.isFinite(numberIn(typed))) return `The ${which} value of “${name}” is not a number.`;
  return `“${name}”: highest (${max.trim()}) must be more than lowest (${min.trim()}).`;
}
