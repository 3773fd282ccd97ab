// Bundles what runs in Node alone: the command line of `private-moments`, and the packages whose commands
// it runs. They have the internal entry in their bundles, as another version may change it.
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * @param outdir from the root of the repository
 * @param files sources to files in `outdir`; cli.js, one of them, becomes executable
 * @param external the packages that are imported at run time
 */
export async function bundleProgram(outdir, files, external) {
  await build({
    absWorkingDir: root,
    entryPoints: files,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.16',
    chunkNames: 'chunk-[hash]',
    alias: { 'private-moments/internal': `${root}web/package/src/internal.ts` },
    external,
    legalComments: 'none',
    logLevel: 'warning',
  });
  chmodSync(`${root}${outdir}/cli.js`, 0o755);
}

/** Builds a package of a program and the commands that it adds to `private-moments`. */
export async function buildPackage(folder, external) {
  rmSync(`${root}${folder}/dist`, { recursive: true, force: true });
  const files = [`${folder}/src/cli.ts`, `${folder}/src/command.ts`];
  await bundleProgram(`${folder}/dist`, files, external);
  cpSync(`${root}LICENSE`, `${root}${folder}/dist/LICENSE`);
}
