// For esbuild: what bundles of the package leave out of the libraries they contain.
export { boundedReaders } from './bounded.mjs';

/** @hpke/core looks for Node's crypto where an engine has no WebCrypto: there it must fail instead. */
export const noNodeCrypto = {
  name: 'no-node-crypto',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^crypto$/ }, () => ({ path: 'crypto', namespace: 'none' }));
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export {};' }));
  },
};

/**
 * apache-arrow can make functions from text, for writing, which nothing here does and no policy of a
 * page should have to allow.
 */
export const noCodeFromText = {
  name: 'no-code-from-text',
  setup({ onLoad }) {
    onLoad({ filter: /apache-arrow\/builder\/valid\.mjs$/ }, () => ({
      contents: 'export const createIsValidFunction = () => () => true;',
    }));
  },
};

/** hyparquet and its writer without what they have for files in Node. */
export const noNodeFiles = {
  name: 'no-node-files',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^hyparquet(-writer)?$/ }, ({ path, kind, resolveDir }) =>
      resolve(`${path}/src/index.js`, { kind, resolveDir }),
    );
  },
};
