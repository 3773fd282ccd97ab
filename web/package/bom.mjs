// The bill of materials of a package, in CycloneDX: what its files were made from and what is installed with it, with
// versions and licences. The same sources and tools give the same bytes.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const EMSCRIPTEN = '/usr/share/emscripten/';

const versionIn = (file, pattern) =>
  existsSync(file) ? (pattern.exec(readFileSync(file, 'utf8'))?.slice(1).join('.') ?? '') : '';

/** What the WebAssembly modules contain besides the code of this repository, as installed on this machine. */
const COMPILED_IN = [
  {
    name: 'Eigen',
    licence: 'MPL-2.0',
    website: 'https://eigen.tuxfamily.org',
    version: () =>
      versionIn(
        `${root}build/wasm/headers/Eigen/src/Core/util/Macros.h`,
        /EIGEN_WORLD_VERSION (\d+)[^]*?EIGEN_MAJOR_VERSION (\d+)[^]*?EIGEN_MINOR_VERSION (\d+)/,
      ),
  },
  {
    name: 'fast_float',
    licence: 'MIT OR Apache-2.0',
    website: 'https://github.com/fastfloat/fast_float',
    version: () =>
      versionIn('/usr/lib/cmake/FastFloat/FastFloatConfigVersion.cmake', /PACKAGE_VERSION "(.*?)"/),
  },
  {
    name: 'Emscripten',
    licence: 'MIT',
    website: 'https://emscripten.org',
    version: () => versionIn(`${EMSCRIPTEN}emscripten-version.txt`, /([\d.]+)/),
  },
  {
    name: 'musl',
    licence: 'MIT',
    website: 'https://musl.libc.org',
    version: () => versionIn(`${EMSCRIPTEN}system/lib/libc/musl/VERSION`, /([\d.]+)/),
  },
  {
    name: 'libc++',
    licence: 'Apache-2.0 WITH LLVM-exception',
    website: 'https://libcxx.llvm.org',
    // 13000 is 13.0.
    version: () =>
      versionIn(
        `${EMSCRIPTEN}system/lib/libcxx/include/__config`,
        /define _LIBCPP_VERSION (\d+?)0*(\d)\d\d\b/,
      ),
  },
];

function componentOf({ name, licence, website, version }) {
  const found = version();
  if (found === '') throw new Error(`the version of ${name} is not where it is looked for`);
  return {
    type: 'library',
    'bom-ref': `${name}@${found}`,
    name,
    version: found,
    scope: 'required',
    licenses: [
      / (OR|WITH) /.test(licence) ? { expression: licence } : { license: { id: licence } },
    ],
    externalReferences: [{ type: 'website', url: website }],
  };
}

/** The names of the npm packages that files are from. */
export function packagesOf(paths) {
  const names = paths.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}

/**
 * @param manifest of the package
 * @param bundled the names of the npm packages that are in its files
 * @param compiled whether it has WebAssembly modules
 * @returns the text of sbom.json
 */
export function billOfMaterials(manifest, bundled, compiled) {
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const ofRepository = JSON.parse(
    execFileSync('npm', options, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }),
  );
  const packageOf = (name, scope) => {
    const own = JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, 'utf8'));
    const found = ofRepository.components.find(
      (each) => each.name === name && each.version === own.version,
    );
    if (found === undefined) throw new Error(`package-lock.json has no ${name}@${own.version}`);
    // For this repository it is a tool, for those who use the package a part of it.
    return { ...found, scope, properties: [] };
  };
  // Those that npm installs with it. Peers are for the user to choose.
  const installed = Object.keys(manifest.dependencies ?? {});
  const optional = Object.keys(manifest.optionalDependencies ?? {});
  const components = [
    ...[...bundled, ...installed].sort().map((name) => packageOf(name, 'required')),
    ...optional.sort().map((name) => packageOf(name, 'optional')),
    ...(compiled ? COMPILED_IN.map(componentOf) : []),
  ];
  const ref = `${manifest.name}@${manifest.version}`;
  const { $schema, bomFormat, specVersion } = ofRepository;
  const bom = {
    ...{ $schema, bomFormat, specVersion, version: 1 },
    metadata: {
      component: {
        type: 'library',
        'bom-ref': ref,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        purl: `pkg:npm/${ref}`,
        licenses: [{ license: { id: manifest.license } }],
        externalReferences: [{ type: 'vcs', url: manifest.repository.url }],
      },
    },
    components,
    dependencies: [
      { ref, dependsOn: components.map((each) => each['bom-ref']) },
      ...components.map((each) => ({ ref: each['bom-ref'] })),
    ],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}
