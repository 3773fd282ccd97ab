import { readFileSync } from 'node:fs';
import * as api from 'private-moments';
import { describe, expect, it } from 'vitest';
import { definition, people } from '../../package/support.js';

const page = readFileSync(new URL('../../../web/site/index.html', import.meta.url), 'utf8');
const [, marked = ''] = /<pre class="code"[^>]*><code>([^]*?)<\/code>/.exec(page) ?? [];
const code = marked.replaceAll(/<[^>]+>/g, '').replace('&amp;', '&');

describe('the code on the landing page', () => {
  it('names the unit of privacy and the neighbours', () => {
    expect(code).toContain("unit: 'row', neighbours: 'replace-one'");
  });

  it('runs as printed', async () => {
    const [first = '', ...rest] = code.split('\n');
    expect(first).toBe("import { defineStudy, privatize, assemble } from 'private-moments';");
    const { title, columns, views } = definition();
    const file = people(400, 1, 1);
    const releases = [
      await api.privatize(
        api.defineStudy({ title, columns, views, privacy: { epsilon: 1, delta: 1e-6 } }),
        file,
      ),
    ];
    const names = Object.keys({ ...api, title, columns, views, file, releases });
    const body = `return (async () => {${rest.join('\n').replace(/^correlations\[0\];/m, 'return correlations[0];')}\n})();`;
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the code under test is text
    const run = new Function(...names, body) as (...values: unknown[]) => Promise<object>;
    const found = await run(...Object.values({ ...api, title, columns, views, file, releases }));
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['value', 'low', 'high']));
  });
});
