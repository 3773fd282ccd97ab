import { emptyColumn, emptyDraft, type Draft } from './draft.js';

/** Where a draft survives a reload. Absent in some private windows. */
function storage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Keeps a draft under `key`; nothing happens where nothing can be kept. */
export function keepDraft(key: string, draft: Draft): void {
  try {
    storage()?.setItem(key, JSON.stringify(draft));
  } catch {
    // The store is full or refused: the draft lives as long as the page.
  }
}

export function forgetDraft(key: string): void {
  storage()?.removeItem(key);
}

/** The draft kept under `key`, unless it is damaged. */
export function keptDraft(key: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(storage()?.getItem(key) ?? '');
    return isDraft(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isDraft(value: unknown): value is Draft {
  return (
    isLike(value, emptyDraft()) &&
    (value as Draft).columns.every((column) => isLike(column, emptyColumn(1))) &&
    (value as Draft).views.every((view) => isLike(view, { key: 1, name: '' }))
  );
}

/** Whether all that `model` has is there and of the same type. */
function isLike(value: unknown, model: object): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(model).every(([name, part]) => {
    const own: unknown = (value as Record<string, unknown>)[name];
    return typeof own === typeof part && Array.isArray(own) === Array.isArray(part);
  });
}
