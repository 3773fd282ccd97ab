import { createHash } from 'node:crypto';
import type { ReleaseJSON } from 'private-moments';
import { expect } from 'vitest';
import { canonicalJson } from '../../web/package/src/base/canonical.js';

/** The definition of a study with every kind of column, which tests may change. */
export function definition() {
  return {
    title: 'Sleep and mood',
    columns: [
      { name: 'age', type: 'number' as const, min: 18, max: 90 },
      { name: 'sleep', type: 'number' as const, min: 0, max: 12 },
      { name: 'work', type: 'category' as const, levels: ['day', 'night', 'none'] },
      { name: 'mood', type: 'number' as const, min: -5, max: 5 },
    ],
    views: { life: ['age', 'sleep', 'work'], mind: ['mood'] },
    privacy: { epsilon: 1, delta: 1e-6 },
  };
}

/**
 * Made-up rows of that study, the same every time.
 * @param slope increase of mood for each hour of sleep
 * @param spread maximum distance of mood from that line
 */
export function people(count: number, slope: number, spread: number) {
  const random = seeded(count);
  return Array.from({ length: count }, () => {
    const sleep = 4 + 6 * random();
    return {
      age: 18 + 72 * random(),
      sleep,
      work: ['day', 'night', 'none'][Math.floor(3 * random())] ?? 'day',
      mood: (sleep - 7) * slope + spread * (2 * random() - 1),
    };
  });
}

/** The fields of an error. */
export interface Expected {
  code: string;
  column?: string;
  row?: number;
  field?: string;
  message?: RegExp;
}

/** Asserts that `action` fails with our error, and returns the error. */
export async function failure(action: () => unknown, expected: Expected): Promise<Error> {
  let caught: unknown;
  try {
    await action();
  } catch (error) {
    caught = error;
  }
  if (caught === undefined) throw new Error(`expected ${expected.code}, but nothing failed`);
  expect(caught).toMatchObject({ name: 'PrivateMomentsError', code: expected.code });
  const { column, row, field } = caught as Expected;
  if ('column' in expected) expect(column).toBe(expected.column);
  if ('row' in expected) expect(row).toBe(expected.row);
  if ('field' in expected) expect(field).toBe(expected.field);
  if (expected.message) expect((caught as Error).message).toMatch(expected.message);
  return caught as Error;
}

/** A small seeded generator, for tests that need varied but repeatable numbers. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Changes a release as a careful forger would, with a matching digest. */
export function forged(
  release: ReleaseJSON,
  change: (content: Record<string, unknown>) => void,
): Record<string, unknown> {
  const content: Record<string, unknown> = { ...structuredClone(release) };
  delete content.id;
  change(content);
  return { ...content, id: createHash('sha256').update(canonicalJson(content)).digest('hex') };
}

/** The package as bundled from the sources by bundles.ts, for other threads and processes. */
export const sourceFolder = new URL('../../build/source/', import.meta.url);
