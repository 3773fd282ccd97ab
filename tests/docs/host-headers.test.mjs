// What the page on hosting gives for servers is what `_headers` has.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../tools/markdown.mjs';
import { siteHeaders } from '../../web/cli/src/parts/site-headers.js';
import { headersFor } from '../../web/site/headers.js';

const page = readFileSync(join(ROOT, 'docs/how-to/host-the-site.md'), 'utf8');

test.each(['nginx', 'caddy', 'text'])('the %s block has every header of _headers', (fence) => {
  const [, block = ''] = new RegExp(`\`\`\`${fence}\\n([^]*?)\`\`\``).exec(page) ?? [];
  const { 'Content-Security-Policy': policy, ...others } = siteHeaders(headersFor(''))('/');
  const { name: site } = /(?<name>frame-ancestors .*)$/.exec(policy)?.groups ?? {};
  for (const [name, value] of Object.entries({ ...others, 'Content-Security-Policy': site })) {
    expect(block.replaceAll('"', '')).toContain(`${name} ${value}`);
  }
});
