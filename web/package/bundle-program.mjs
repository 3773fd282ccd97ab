// Bundles what runs in Node alone: the command line of `private-moments`, and the packages whose commands
// it runs. They have the internal entry in their bundles, as another version may change it.
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { billOfMaterials, packagesOf } from './bom.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * @param outdir from the root of the repository
 * @param files sources to files in `outdir`; cli.js, one of them, becomes executable
 * @param external the packages that are imported at run time
 * @returns the files that the bundles were made from
 */
export async function bundleProgram(outdir, files, external) {
  const { metafile } = await build({
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
    metafile: true,
  });
  chmodSync(`${root}${outdir}/cli.js`, 0o755);
  return Object.keys(metafile.inputs);
}

/** Builds a package of a program and the commands that it adds to `private-moments`. */
export async function buildPackage(folder, external) {
  rmSync(`${root}${folder}/dist`, { recursive: true, force: true });
  const files = [`${folder}/src/cli.ts`, `${folder}/src/command.ts`];
  const inputs = await bundleProgram(`${folder}/dist`, files, external);
  const manifest = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
  const bom = billOfMaterials(manifest, packagesOf(inputs), false);
  writeFileSync(`${root}${folder}/dist/sbom.json`, bom);
  cpSync(`${root}LICENSE`, `${root}${folder}/dist/LICENSE`);
}
