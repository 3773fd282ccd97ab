import { resolveObjectURL } from 'node:buffer';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startWithPolicy } from '../../../web/package/src/threads/inherit-policy.js';

/** The address that each worker was started from. */
const addresses: string[] = [];
const NotedWorker = vi.fn(function (address: string | URL) {
  addresses.push(String(address));
});

const open = (): Worker =>
  new Worker(new URL('https://site.example/a/worker.js'), { type: 'module' });

async function scriptAt(address: string | undefined): Promise<string> {
  return (await resolveObjectURL(address ?? '')?.text()) ?? '';
}

beforeEach(() => {
  addresses.length = 0;
  vi.stubGlobal('Worker', NotedWorker);
  vi.stubGlobal('location', new URL('https://site.example/page.html'));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a worker', () => {
  it('is started from a blob that imports its file, one blob for each file', async () => {
    startWithPolicy(open);
    startWithPolicy(open);
    const [first, second] = addresses;
    expect(first).toMatch(/^blob:/);
    expect(second).toBe(first);
    expect(await scriptAt(first)).toContain('import("https://site.example/a/worker.js")');
  });

  it('is found if its address is relative to the page', async () => {
    startWithPolicy(() => new Worker('b/worker.js?"', { type: 'module' }));
    const script = await scriptAt(addresses[0]);
    expect(script).toContain('import("https://site.example/b/worker.js?%22")');
  });

  it('from a classic script sees the address of the script as its own, and finds other files from there', async () => {
    startWithPolicy(() => new Worker('https://site.example/a/worker.js'));
    const script = await scriptAt(addresses[0]);
    const asked: unknown[] = [];
    const self = {
      location: new URL('blob:x'),
      importScripts: (...names: string[]) => asked.push(...names),
      fetch: (...all: unknown[]) => asked.push(...all),
    };
    const importScripts = (...names: string[]) => self.importScripts(...names);
    runInNewContext(script, { self, URL, importScripts });
    expect(asked.splice(0)).toEqual(['https://site.example/a/worker.js']);
    expect(self.location.href).toBe('https://site.example/a/worker.js');
    self.importScripts('./b.js', '/c.js');
    self.fetch('d.wasm', { mode: 'cors' });
    self.fetch(7);
    expect(asked).toEqual([
      'https://site.example/a/b.js',
      'https://site.example/c.js',
      'https://site.example/a/d.wasm',
      { mode: 'cors' },
      7,
    ]);
  });

  it('does not replace the Worker of the page, even if starting fails', () => {
    startWithPolicy(open);
    expect(Worker).toBe(NotedWorker);
    expect(() =>
      startWithPolicy(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(Worker).toBe(NotedWorker);
  });

  it('is started from its address in an extension, which does not allow blobs', () => {
    vi.stubGlobal('location', new URL('chrome-extension://abc/page.html'));
    startWithPolicy(open);
    expect(addresses).toEqual(['https://site.example/a/worker.js']);
  });
});
