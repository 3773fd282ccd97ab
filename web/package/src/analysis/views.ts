import { didYouMean } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Study } from '../study/study.js';

/** A view's name, or a list of columns of the study. */
export type ViewChoice = string | readonly string[];

/** Two views, as `x` and `y` or as a list. */
interface TwoChoices {
  x?: ViewChoice | undefined;
  y?: ViewChoice | undefined;
  views?: readonly ViewChoice[] | undefined;
}

export interface ResolvedView {
  name: string;
  /** Whether it is a view of the study, and not a list of columns. */
  isNamed: boolean;
  /** Indices of its features. */
  features: number[];
}

/** Two disjoint views, as `x` and `y` or as a list; by default the study's two, in alphabetical order. */
export function resolveTwo(
  study: Study,
  { views, ...named }: TwoChoices,
): [ResolvedView, ResolvedView] {
  if (views !== undefined && (named.x !== undefined || named.y !== undefined)) {
    const message = 'views replaces x and y: pass the one or the other';
    throw new PrivateMomentsError('invalid-view', message, { field: 'views' });
  }
  const { x = views?.[0], y = views?.[1] } = named;
  const names = Object.keys(study.views ?? {});
  if ((x === undefined || y === undefined) && names.length !== 2) {
    const message = `the study has ${names.length} views: choose two with x and y, or three or more with views`;
    throw new PrivateMomentsError('invalid-view', message);
  }
  const first = resolve(study, 'x', x ?? otherThan(names, y) ?? '');
  const second = resolve(study, 'y', y ?? otherThan(names, first.name) ?? '');
  requireDisjoint(study, [first, second]);
  return [first, second];
}

/** Two or more disjoint views; by default all views of the study, in alphabetical order. */
export function resolveAll(
  study: Study,
  choices: readonly ViewChoice[] = Object.keys(study.views ?? {}),
): ResolvedView[] {
  if (!Array.isArray(choices) || choices.length < 2) {
    const message =
      'views must have at least two items, each the name of a view or a list of columns';
    throw new PrivateMomentsError('invalid-view', message, { field: 'views' });
  }
  const names = new Set(choices.filter((choice) => typeof choice === 'string'));
  const views = choices.map((choice: ViewChoice, index) => {
    const view = resolve(study, 'views', choice);
    if (typeof choice === 'string') return view;
    let name = `view${index + 1}`;
    while (names.has(name)) name += '*';
    return { ...view, name };
  });
  requireDisjoint(study, views);
  return views;
}

/** @param field the option in error messages, which is also the name of a view that is a list of columns */
export function resolve(study: Study, field: string, view: ViewChoice): ResolvedView {
  const { views = {}, columns, features } = study;
  const isName = typeof view === 'string';
  const named = isName && Object.hasOwn(views, view) ? views[view] : undefined;
  const members = isName ? named : Array.isArray(view) ? (view as readonly string[]) : undefined;
  if (members === undefined) {
    const names = Object.keys(views).join(', ') || 'none';
    const near = didYouMean(String(view), Object.keys(views));
    const message = `the study has no view "${String(view)}" (its views: ${names})${near}`;
    throw new PrivateMomentsError('invalid-view', message, { field });
  }
  const unknown = members.find((member) => !columns.some(({ name }) => name === member));
  if (unknown !== undefined || members.length === 0 || new Set(members).size < members.length) {
    const names = columns.map(({ name }) => name);
    const near = unknown === undefined ? '' : didYouMean(unknown, names);
    const message = `${field} must be a view or a list of distinct columns of the study${near}`;
    throw new PrivateMomentsError('invalid-view', message, { field, column: unknown });
  }
  return {
    name: isName ? view : field,
    isNamed: isName,
    features: members.flatMap((member) =>
      features.flatMap(({ column }, index) => (column === member ? [index] : [])),
    ),
  };
}

function requireDisjoint(study: Study, views: readonly ResolvedView[]): void {
  const seen = new Set<number>();
  for (const feature of views.flatMap(({ features }) => features)) {
    if (seen.has(feature)) {
      const column = study.features[feature]?.column;
      const message = `the column "${column ?? ''}" is in more than one view`;
      throw new PrivateMomentsError('invalid-view', message, { column });
    }
    seen.add(feature);
  }
}

function otherThan(names: readonly string[], taken: ViewChoice | undefined): string | undefined {
  return names.find((name) => name !== taken);
}
