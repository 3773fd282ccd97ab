import type { Study, StudyDefinition } from 'private-moments';
import { MECHANISM_FACTS } from 'private-moments/internal';
import { numberIn } from '../../controls/input-values.js';
import { dropoutsOf, federationOf, honestOf, spreadOf, type Draft, type Plan } from '../draft.js';
import type { Along } from '../designer-protocol.js';
import { leversOf } from './levers.js';
import type { Design } from '../forecaster.js';
import { MODES } from '../sites-editor.js';
import { viewNames } from '../../session/view-order.js';

/** Assumptions about the columns, as options of `forecast`. */
export type Assumptions = Pick<Plan, 'withinViews' | 'offCentre' | 'spread'>;

/** What a forecast depends on besides the study. */
export interface Question {
  draft: Draft;
  /** Correlations to plan for, largest first. */
  truths: readonly number[];
  /** Further assumptions about the data, which do not exist yet. */
  assumptions: Assumptions;
  /** The two views that the forecast relates, if the study has more. */
  between: readonly string[];
  /** What the curves are over, besides epsilon. */
  along: Along;
}

/** The spread of each column that has one of its own, rounded, as the forecast says it in words; else that of all. */
export function spreadsOf({ columns }: Draft, general: number): number | Record<string, number> {
  const numbers = columns.filter(({ type }) => type === 'number');
  if (numbers.every((column) => spreadOf(column) === undefined)) return general;
  return Object.fromEntries(
    numbers.map((column) => [
      column.name.trim(),
      Number((spreadOf(column) ?? general).toPrecision(3)),
    ]),
  );
}

/** The design to forecast; undefined if there is no study yet, or nobody in it. */
export function designOf(study: Study | undefined, question: Question): Design | undefined {
  const { draft } = question;
  const rows = sizeOf(draft);
  if (study === undefined || !Number.isInteger(rows) || rows < 1) return undefined;
  const sites = numberIn(draft.sites);
  return {
    study,
    rows,
    sites: draft.unit === 'row' ? sites : 1,
    assumed: assumed(study, question),
    along: draft.unit === 'row' ? question.along : 'rows',
    variants: leversOf(draft).map(({ variant }) => variant),
    modes: sites >= 2 ? modes(study, draft) : [],
  };
}

/** The present value on the rows axis: rows of a site, or participants. */
export function sizeOf({ unit, rows, sites }: Draft): number {
  return unit === 'row' ? rows : numberIn(sites);
}

/** The assumptions, with as many planned correlations as the two views have room for. */
function assumed(study: Study, question: Question): Design['assumed'] {
  const correlations = plannedFor(study, question);
  const { draft } = question;
  const assumptions = {
    ...question.assumptions,
    spread: spreadsOf(draft, question.assumptions.spread),
  };
  if (correlations.length === 0) return { ...assumptions };
  const [x, y] = relatedViews(study, question.between);
  return x === undefined || y === undefined
    ? { ...assumptions }
    : { ...assumptions, x, y, correlations };
}

/** The chosen two views if the study has them, else its first two. */
export function relatedViews(study: Study, between: Question['between']): string[] {
  const names = viewNames(study);
  return between.length === 2 && between.every((name) => names.includes(name))
    ? [...between]
    : names.slice(0, 2);
}

/** The planned correlations that fit the smaller view. */
export function plannedFor(
  study: Study,
  { truths, between }: Pick<Question, 'truths' | 'between'>,
): number[] {
  const room = relatedViews(study, between).map((name) => {
    const members = study.views?.[name] ?? [];
    return study.columns
      .filter((column) => members.includes(column.name))
      .reduce((n, column) => n + (column.type === 'number' ? 1 : column.levels.length - 1), 0);
  });
  return room.length < 2 ? [] : truths.slice(0, Math.min(...room));
}

/** A small study in each mode: the ratio of noise between modes does not depend on the columns. */
function modes({ mechanism, privacy }: Study, draft: Draft): StudyDefinition[] {
  const sites = numberIn(draft.sites);
  const [honest, dropouts] = [numberIn(honestOf(draft)), numberIn(dropoutsOf(draft))];
  if (!(honest <= sites && dropouts >= 0 && dropouts < honest)) return [];
  const shareable = MECHANISM_FACTS[mechanism.name].federations.length > 0;
  return MODES.map((mode) => ({
    title: 'noise',
    columns: ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 1 }) as const),
    privacy,
    ...(shareable ? { mechanism: { name: mechanism.name } } : {}),
    rowNorm: 1,
    clipping: 'fixed',
    federation: federationOf(draft, mode),
  }));
}
