// Builds the package and its command line from their sources with a step before and after every await, at
// which fault-switch.mjs makes them fail.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import { bundling, entryPointsOf, manifestOf, PRODUCT } from '../../../tools/source.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const switchFile = fileURLToPath(new URL('fault-switch.mjs', import.meta.url));

/** Calls that draw noise, by the text of what is called. */
const DRAWS = ['intake.release', 'survey.release', 'masked'];

/** Sources where only what is outside fails: that a lock is not even asked to open proves nothing. */
const OF_FILES = ['web/package/src/node.ts', 'web/package/src/ledger/file-lock.ts'];

/** Whether something outside the package is awaited: a file, a key, a message; not a function of its own. */
function isOutside(expression) {
  const text = expression.getText();
  return /^(files|written|opened|file|crypto|cipher|blob|bytes|page|reader|source|iterator|WebAssembly|fetch|rename|rm|open|stat|link|unlink|new Promise|next|ask|combine|split)\b/.test(
    text,
  );
}

/** @returns the source with steps around its awaits, and a mark at each call that draws noise */
export function withSteps(source, file) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const inserted = [];
  const isOfFiles = OF_FILES.includes(file);
  const place = (node) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
    return JSON.stringify(`${file}:${line + 1}`);
  };
  const wrap = (node, before, after) => {
    inserted.push([node.getStart(), before], [node.end, after]);
  };
  const visit = (node) => {
    if (ts.isAwaitExpression(node) && !(isOfFiles && !isOutside(node.expression))) {
      const at = place(node);
      const outside = isOutside(node.expression);
      wrap(node, `(__faults.step(${at}), __faults.passed(${at}, ${outside}, `, '))');
    } else if (ts.isForOfStatement(node) && node.awaitModifier !== undefined) {
      wrap(node.statement, `{ __faults.step(${place(node)}); `, ' }');
    } else if (ts.isCallExpression(node) && DRAWS.includes(node.expression.getText())) {
      wrap(node, '(__faults.drew(), ', ')');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  let text = source;
  // From the end, so that positions stay right. If two are at one place, the later one is the inner node's.
  for (const [at, insert] of inserted.map((one, i) => [...one, i]).sort(lastFirst)) {
    text = text.slice(0, at) + insert + text.slice(at);
  }
  return text;
}

function lastFirst([a, , i], [b, , j]) {
  return b - a || j - i;
}

const steps = {
  name: 'steps',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]web[\\/](package[\\/]src|cli|command)[\\/].*\.ts$/ }, ({ path }) => ({
      contents: withSteps(readFileSync(path, 'utf8'), path.slice(root.length)),
      loader: 'ts',
    }));
  },
};

/**
 * Builds into an empty folder what dist/ has: the package's modules and workers, and cli.js.
 * @returns the folder of these files
 */
export async function buildFaulty(folder) {
  const dist = `${folder}/dist`;
  mkdirSync(dist, { recursive: true });
  const shared = {
    ...bundling,
    plugins: [steps, ...bundling.plugins],
    banner: { js: readFileSync(switchFile, 'utf8') },
    outdir: dist,
    format: 'esm',
    splitting: true,
  };
  await build({
    ...shared,
    chunkNames: 'chunk-[hash]',
    entryPoints: entryPointsOf(PRODUCT),
  });
  await build({
    ...shared,
    platform: 'node',
    chunkNames: 'cli-[hash]',
    alias: undefined,
    entryPoints: { cli: `${root}web/cli/src/cli.ts` },
    external: ['private-moments', 'private-moments/*'],
  });
  for (const name of PRODUCT.modules) {
    symlinkSync(`${root}build/wasm/${name}.wasm`, `${dist}/${name}.wasm`);
  }
  const manifest = { ...manifestOf('./dist'), version: '0.0.0' };
  writeFileSync(`${folder}/package.json`, JSON.stringify(manifest));
  return dist;
}
