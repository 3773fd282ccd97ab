// The numbers of docs/scale.md that follow from others: from the formats, and from its own measurements.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planOf } from '../../bench/lib/scale-tables.mjs';
import { ROOT } from '../../tools/markdown.mjs';

const page = readFileSync(join(ROOT, 'docs/scale.md'), 'utf8');
const FEATURES = 100;
const grouped = (value) => value.toLocaleString('en').replaceAll(',', ' ');

test('the plan for a million participants is what its command prints of the measured tables', () => {
  const { plain, masked } = planOf(page);
  expect(page).toContain(plain);
  expect(page).toContain(masked);
  expect(page).toContain('node bench/scale-plan.mjs');
});

test('one machine of 8 cores with 100 GB of disk does either in under half an hour', () => {
  for (const { minutes, bytes } of Object.values(planOf(page).alone)) {
    expect(minutes).toBeLessThan(30);
    expect(bytes).toBeLessThan(100e9);
  }
  expect(page).toContain(
    'One machine of 8 cores with 100 GB of disk does either in under half an hour',
  );
});

test('the lengths of rows are those of docs/formats.md', () => {
  const formats = readFileSync(join(ROOT, 'docs/formats.md'), 'utf8');
  // The same as tests/scale finds in the rows of an export.
  const formula = '6 D² + 16 D + 16 words';
  expect(formats).toContain(formula);
  expect(page).toContain(`${formula} of 64 bits instead of (D+1)(D+2)/2`);
  const centred = 6 * FEATURES ** 2 + 16 * FEATURES + 16;
  const plain = ((FEATURES + 1) * (FEATURES + 2)) / 2;
  const kilobytes = Math.round((8 * centred) / 1000);
  expect(page).toContain(`${grouped(centred)} in place of ${plain}, ${kilobytes} kB`);
  expect(page).toContain('some twelve times as many');
  expect(Math.round(centred / plain)).toBe(12);
});
