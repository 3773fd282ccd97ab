import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { statedPolicy, writeOneFilePage } from '../browser/one-file-page.js';
import { serve } from '../browser/server.js';
import { engines, inTab } from './engines.js';
import { open, see } from './page.js';

describe.each(Object.entries(engines))('in %s, the package in one file', (_, start) => {
  it.each(['inline.js', 'umd/private-moments.js'])(
    'works as %s under the policy that the documentation states, and asks for nothing else',
    (file) =>
      inTab(start, async (tab) => {
        expect(statedPolicy).toContain('worker-src blob:');
        expect(statedPolicy).not.toContain('connect-src');
        const asked = new Set<string>();
        const folder = writeOneFilePage(statedPolicy, file);
        const host = await serve(folder, ({ url }) => asked.add(basename(url ?? '')));
        try {
          await open(tab, `${host.address}page.html`);
          await see(tab, 'done: 2 rows');
        } finally {
          await host.close();
          rmSync(folder, { recursive: true });
        }
        // Browsers look for an icon by themselves.
        asked.delete('favicon.ico');
        expect([...asked].sort()).toEqual([basename(file), 'page.html', 'work.js'].sort());
      }),
  );
});
