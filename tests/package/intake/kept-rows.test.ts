import { expect, it } from 'vitest';
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
  const kept = new KeptRows(rows);
  const piece = Float64Array.of(1, 2, 3);
  kept.add(piece);
  piece.fill(0);
  expect(seen.cells).toBe(3);
  expect(kept.pieces).toEqual([Float64Array.of(1, 2, 3)]);
});

it('refuses more cells than it may keep, and overwrites those it has', async () => {
  const { seen, rows } = sink();
  const kept = new KeptRows(rows, 4);
  kept.add(Float64Array.of(1, 2, 3));
  const [piece] = kept.pieces;
  await failure(() => kept.add(Float64Array.of(4, 5)), {
    code: 'unsupported-data',
    message: /pass a file, or let the study name clipping adaptive or fixed/,
  });
  expect(seen.cells).toBe(3);
  expect(piece).toEqual(Float64Array.of(0, 0, 0));
  expect(kept.pieces).toEqual([]);
});
