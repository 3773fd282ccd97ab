// The tables of noise sizes on the mechanisms' pages are those of the releases.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { names, tableOf } from '../../experiments/noise_sizes.mjs';
import { ROOT } from '../../tools/markdown.mjs';

test.each(names)('the page of %s has the noise that its releases state', async (name) => {
  const page = readFileSync(join(ROOT, `docs/mechanisms/${name}.md`), 'utf8');
  expect(page).toContain(await tableOf(name));
  expect(page).toContain(`node experiments/noise_sizes.mjs ${name}`);
});
