import { describe, expect, it } from 'vitest';
import {
  FOR_NO_ADDRESS,
  forCore,
  forReading,
  forWorker,
} from '../../../web/package/src/base/bundlers.js';

const GUIDE = 'docs/how-to/bundlers-and-frameworks.md';

describe('an error about a file that is not found', () => {
  it('names only the setting of Vite where its development server has moved the script', () => {
    expect(forCore('http://localhost:5173/node_modules/.vite/deps/private-moments.js?v=1')).toBe(
      "in vite.config.js, set optimizeDeps: { exclude: ['private-moments'] }",
    );
  });

  it('names what several bundlers need, and the guide, where none is recognised', () => {
    for (const address of ['https://site.example/main.js', undefined]) {
      expect(forCore(address)).toMatch(/esbuild and Rollup need .*load\(\{ wasm, worker \}\)/);
      expect(forCore(address)).toContain(GUIDE);
    }
    expect(FOR_NO_ADDRESS).toMatch(/define: \{ 'import\.meta\.url': 'document\.baseURI' \}/);
    expect(FOR_NO_ADDRESS).toContain(GUIDE);
  });
});

describe('an error about a file that cannot be read', () => {
  it('names the setting of Next on a server, and the policy in a page', () => {
    expect(forReading()).toContain("serverExternalPackages: ['private-moments']");
    expect(forReading()).toContain(GUIDE);
    expect(forReading(false)).toContain("'wasm-unsafe-eval'");
  });
});

describe('an error about a worker that does not start', () => {
  it('names the setting of Parcel in a page that it has made', () => {
    expect(forWorker(['document', 'parcelRequire94c2'])).toBe(
      'package.json has "@parcel/bundler-default": { "disableSharedBundles": true }',
    );
  });

  it('names the guide in other pages', () => {
    expect(forWorker(['document', 'webpackChunk'])).toContain(GUIDE);
    expect(forWorker()).toContain('load() names its place');
  });
});
