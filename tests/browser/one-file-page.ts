import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The policy that the documentation states for pages with the package in one file. */
export const statedPolicy =
  /`(default-src 'none'; script-src 'self' [^`]*)`/.exec(
    readFileSync(`${root}docs/api.md`, 'utf8'),
  )?.[1] ?? '';

/** What such a page does with all of the package: it shows "done: 2 rows", or the code of what failed. */
const WORK = `
  const { assemble, defineStudy, privatize, synthesize } = privateMoments;
  const columns = ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 9 }));
  const study = defineStudy({ title: 't', columns, privacy: { epsilon: 1, delta: 1e-6 } });
  const rows = new Blob(['a,b\\n1,2\\n2,4\\n']);
  const show = (text) => {
    document.body.append(Object.assign(document.createElement('p'), { textContent: 'done: ' + text }));
  };
  const work = async () => {
    const moments = await assemble(study, [await privatize(study, rows)]);
    const { rows: count } = await moments.inWorker().pca();
    await synthesize(study, rows, { rows: 5, task: 'density' });
    return count + ' rows';
  };
  work().then(show, ({ code, message }) => show(code ?? message));
`;

/**
 * Writes page.html, which has a policy and the package in one file, into a new folder, with its scripts.
 * @param file in dist/: inline.js, or the script umd/private-moments.js
 * @returns the folder, for the caller to remove
 */
export function writeOneFilePage(policy: string, file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'one-file-'));
  const name = basename(file);
  const isModule = name === 'inline.js';
  cpSync(`${root}dist/${file}`, join(folder, name));
  const start = isModule ? `import * as privateMoments from './${name}';` : '';
  writeFileSync(join(folder, 'work.js'), start + WORK);
  const scripts = isModule
    ? '<script type="module" src="work.js"></script>'
    : `<script src="${name}"></script><script src="work.js"></script>`;
  writeFileSync(
    join(folder, 'page.html'),
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><body>${scripts}`,
  );
  return folder;
}
