import type { Column } from './types.js';

/** What people call a feature. */
export interface FeatureWords {
  /** The feature in tables and figures: "Age", "Sex: female". */
  name: string;
  /** The column in sentences: its label, or its name. */
  column: string;
  /** For a level of a category: its label, or the level. */
  level?: string;
  /** The unit of the column. */
  unit?: string;
  /** Whether all values are from 0 to 1 and have no unit: they may stand for no and yes. */
  zeroToOne?: true;
}

/** Longer words would hide what a sentence or a figure says; the machine's name stands for them. */
const LONGEST_LABEL = 60;

const GAPS = /\s+/gu;

/**
 * The words of each feature whose column has a label, a unit or labels of its levels, goes from 0 to 1, or has a
 * name that reads like a level, by the feature's name. No two columns,
 * levels of a column or features have the same: those that would get their own name in brackets.
 */
export function featureWords(columns: readonly Column[]): Record<string, FeatureWords> {
  const words = distinct(columns.map(({ name, label }) => ({ id: name, label: readable(label) })));
  const all = columns.flatMap((column, i): (FeatureWords & { id: string; isNamed: boolean })[] => {
    const { name, label, unit: stated } = column;
    const unit = readable(stated);
    const common = { column: words[i] ?? name, ...(unit === undefined ? {} : { unit }) };
    if (column.type === 'number') {
      const isZeroToOne = column.min === 0 && column.max === 1 && unit === undefined;
      const own = { id: name, name: common.column, isNamed: label !== undefined };
      return [{ ...own, ...common, ...(isZeroToOne ? { zeroToOne: true } : {}) }];
    }
    const { levels, levelLabels = {} } = column;
    const isNamed = label !== undefined || column.levelLabels !== undefined;
    const labels = distinct(
      levels.map((level) => ({
        id: level,
        label: Object.hasOwn(levelLabels, level) ? readable(levelLabels[level]) : undefined,
      })),
    );
    return levels.map((machine, j) => {
      const id = `${name}=${machine}`;
      const level = labels[j] ?? machine;
      const written = isNamed ? `${common.column}: ${level}` : id;
      return { id, name: written, isNamed, ...common, level };
    });
  });
  const names = distinct(
    all.map(({ id, name }) => ({ id, label: name === id ? undefined : name })),
  );
  return Object.fromEntries(
    all.flatMap(({ id, isNamed, ...each }, i): [string, FeatureWords][] =>
      isNamed || each.unit !== undefined || each.zeroToOne === true || each.column.includes('=')
        ? [[id, { ...each, name: names[i] ?? id }]]
        : [],
    ),
  );
}

/** A label with single spaces; undefined if it is too long. */
function readable(label: string | undefined): string | undefined {
  const text = label?.replace(GAPS, ' ').trim() ?? '';
  return text === '' || text.length > LONGEST_LABEL ? undefined : text;
}

interface Named {
  /** Unique. */
  id: string;
  label: string | undefined;
}

/** For each its label, or where others have the same words the label and the id, or at last the id. */
function distinct(all: readonly Named[]): string[] {
  const forms = all.map(({ id, label }) =>
    label === undefined || label === id ? [id] : [label, `${label} (${id})`, id],
  );
  const places = forms.map(() => 0);
  const present = (i: number): string => forms[i]?.[places[i] ?? 0] ?? '';
  for (;;) {
    const seen = new Map<string, number[]>();
    for (const i of forms.keys()) {
      const key = present(i).toLowerCase();
      seen.set(key, [...(seen.get(key) ?? []), i]);
    }
    const clashing = [...seen.values()].filter(({ length }) => length > 1).flat();
    const movable = clashing.filter((i) => (places[i] ?? 0) + 1 < (forms[i]?.length ?? 0));
    if (movable.length === 0) return forms.map((_, i) => present(i));
    for (const i of movable) places[i] = (places[i] ?? 0) + 1;
  }
}
