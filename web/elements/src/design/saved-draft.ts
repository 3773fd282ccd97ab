import { emptyColumn, emptyDraft, usualPlan, type Draft, type Plan } from './draft.js';

/** The storage in which a draft survives a reload; undefined in some private windows. */
function storage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Saves a draft under `key`, if the browser allows it. */
export function saveDraft(key: string, draft: Draft): void {
  try {
    storage()?.setItem(key, JSON.stringify(draft));
  } catch {
    // Storage is full or refused, so the draft lives only as long as the page.
  }
}

export function forgetDraft(key: string): void {
  storage()?.removeItem(key);
}

/** The draft saved under `key`, unless it is damaged. */
export function loadDraft(key: string): Draft | undefined {
  try {
    const saved = withNewFields(JSON.parse(storage()?.getItem(key) ?? ''));
    return isDraft(saved) ? saved : undefined;
  } catch {
    return undefined;
  }
}

/** A draft of version 0.1 had columns without a usual spread, names of levels and a weight. */
function withNewFields(saved: unknown): unknown {
  const columns = (saved as Partial<Draft> | null)?.columns;
  if (!Array.isArray(columns)) return saved;
  return {
    ...(saved as Draft),
    columns: columns.map((column: unknown) =>
      typeof column === 'object'
        ? { deviation: '', levelLabels: '', weight: '', ...column }
        : column,
    ),
  };
}

function isDraft(value: unknown): value is Draft {
  return (
    isLike(value, emptyDraft()) &&
    (value as Draft).columns.every((column) => isLike(column, emptyColumn(1))) &&
    (value as Draft).views.every((view) => isLike(view, { key: 1, name: '' })) &&
    isPlan((value as Draft).plan)
  );
}

function isPlan(plan: Plan): boolean {
  if (!isLike(plan, usualPlan())) return false;
  const { correlations, withinViews, offCentre, spread, between } = plan;
  return (
    correlations.length > 0 &&
    [...correlations, withinViews].every((value) => value >= 0 && value < 1) &&
    offCentre >= 0 &&
    offCentre < 0.5 &&
    spread > 0 &&
    spread <= 0.5 &&
    between.every((name) => typeof name === 'string')
  );
}

/** Whether `value` has every property of `model`, with the same type. */
function isLike(value: unknown, model: object): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(model).every(([name, part]) => {
    const own: unknown = (value as Record<string, unknown>)[name];
    return typeof own === typeof part && Array.isArray(own) === Array.isArray(part);
  });
}
