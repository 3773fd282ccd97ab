import { defineStudy, load, privatize } from 'private-moments';
import { expect, it, vi } from 'vitest';
import { KeptRows } from '../../../web/package/src/intake/kept-rows.js';
import type { RowSink } from '../../../web/package/src/core/raw.js';
import { failure } from '../support.js';

/** A place for rows that remembers the number of cells. */
function sink() {
  const seen = { cells: 0 };
  const add = (values: Float64Array) => {
    seen.cells += values.length;
    return { ok: true as const };
  };
  return { seen, rows: { add } as unknown as RowSink };
}

it('passes rows on and keeps a copy, which the wiping of its source leaves as it is', () => {
  const { seen, rows } = sink();
  const kept = KeptRows.ofStream(rows, 1);
  const piece = Float64Array.of(1, 2, 3);
  kept.add(piece);
  piece.fill(0);
  expect(seen.cells).toBe(3);
  expect(kept.has(3)).toBe(true);
  expect([...kept.batches()]).toEqual([Float64Array.of(1, 2, 3)]);
});

it('refuses more cells than it may keep, and overwrites those it has', async () => {
  const { seen, rows } = sink();
  const kept = KeptRows.ofStream(rows, 1, 4);
  kept.add(Float64Array.of(1, 2, 3));
  const [piece] = kept.batches();
  await failure(() => kept.add(Float64Array.of(4, 5)), {
    code: 'unsupported-data',
    message: /pass a file, or let the study name clipping adaptive or fixed/,
  });
  expect(seen.cells).toBe(3);
  expect(piece).toEqual(Float64Array.of(0, 0, 0));
  expect(kept.has(5)).toBe(false);
});

it('keeps many rows in blocks, and gives back whole rows in their order', () => {
  const width = 3;
  const kept = KeptRows.ofStream(sink().rows, width);
  const all = Float64Array.from({ length: width * 700_001 }, (_, i) => i);
  const step = width * 1001;
  for (let at = 0; at < all.length; at += step) kept.add(all.subarray(at, at + step));
  expect(kept.has(700_001)).toBe(true);
  let next = 0;
  for (const batch of kept.batches()) {
    expect(batch.length % width).toBe(0);
    expect(batch.every((cell) => cell === next++)).toBe(true);
  }
  expect(next).toBe(all.length);
});

it('of a file keeps nothing once there are too many cells, and passes all of them on', () => {
  const { seen, rows } = sink();
  const kept = KeptRows.ofFile(rows, 1, 10, 4);
  kept?.add(Float64Array.of(1, 2, 3));
  const [piece] = kept?.batches() ?? [];
  kept?.add(Float64Array.of(4, 5));
  kept?.add(Float64Array.of(6));
  expect(seen.cells).toBe(6);
  expect(piece).toEqual(Float64Array.of(0, 0, 0));
  expect(kept?.has(6)).toBe(false);
});

it('has no rows for a reading that did not go through it', () => {
  const { rows } = sink();
  const kept = KeptRows.ofFile(rows, 1, 10);
  kept?.add(Float64Array.of(1, 2, 3));
  expect(kept?.has(6)).toBe(false);
});

it('does not begin to keep a file that is probably too large', () => {
  const { rows } = sink();
  expect(KeptRows.ofFile(rows, 1, 40, 4)).toBeDefined();
  expect(KeptRows.ofFile(rows, 1, 41, 4)).toBeUndefined();
});

it('lets private centring read a file once', async () => {
  const study = defineStudy({
    title: 'T',
    columns: ['a', 'b'].map((name) => ({ name, type: 'number' as const, min: 0, max: 9 })),
    privacy: { epsilon: 1, delta: 1e-6 },
  });
  const rows = 50_000;
  const file = new Blob([`a,b\n${'1.25,7.5\n'.repeat(rows)}`]);
  await load({ worker: false });
  const slice = vi.spyOn(Blob.prototype, 'slice');
  const release = await privatize(study, file, { workers: 1 });
  const read = slice.mock.calls.reduce((sum, [start = 0, end = 0]) => sum + end - start, 0);
  slice.mockRestore();
  expect(release.rows).toBe(rows);
  // The start of a file is read once more, to know its kind.
  expect(read).toBeGreaterThanOrEqual(file.size);
  expect(read).toBeLessThan(1.5 * file.size);
});
