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

/** Runs the script of a starter, or one at an address, in a scope like that of a worker. */
async function begin(script = '') {
  const asked: unknown[] = [];
  const hear: ((event: object) => void)[] = [];
  class Scope {
    importScripts(...names: string[]): void {
      asked.push(...names);
    }
    fetch(...all: unknown[]): void {
      asked.push(...all);
    }
  }
  class NavigatorOfWorker {
    readonly hardwareConcurrency = 2;
    get serviceWorker(): object {
      return {};
    }
  }
  const others = { WebSocket: 1, Worker: 1, indexedDB: 1 };
  const self = Object.assign(new Scope(), others, {
    location: new URL('blob:x'),
    navigator: new NavigatorOfWorker(),
  });
  const addEventListener = (_: string, listener: (event: object) => void): void => {
    hear.push(listener);
  };
  const importScripts = (name: string): void => {
    self.importScripts(name);
  };
  const text = script.startsWith('blob:') ? await scriptAt(script) : script;
  runInNewContext(text, { self, URL, Reflect, Object, importScripts, addEventListener });
  const tell = (data: object): void => {
    for (const listener of hear) listener({ data });
  };
  return { asked, self, tell };
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
    startWithPolicy(open, 'nothing');
    startWithPolicy(open, 'nothing');
    const [first, second] = addresses;
    expect(first).toMatch(/^blob:/);
    expect(second).toBe(first);
    expect(await scriptAt(first)).toContain('import("https://site.example/a/worker.js")');
  });

  it('is found if its address is relative to the page', async () => {
    startWithPolicy(() => new Worker('b/worker.js?"', { type: 'module' }), 'nothing');
    const script = await scriptAt(addresses[0]);
    expect(script).toContain('import("https://site.example/b/worker.js?%22")');
  });

  it('from a classic script sees the address of the script as its own, and finds other files from there', async () => {
    startWithPolicy(() => new Worker('https://site.example/a/worker.js'), 'fetch');
    const { asked, self } = await begin(addresses[0]);
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

  it('has no network function when its file begins, not even inherited', async () => {
    startWithPolicy(open, 'nothing');
    const script = (await scriptAt(addresses[0])).replace(/const early.*/, '');
    const { self } = await begin(script);
    for (const name of ['fetch', 'importScripts', 'WebSocket', 'Worker', 'indexedDB']) {
      expect(name in self, name).toBe(false);
    }
    expect('serviceWorker' in self.navigator).toBe(false);
    expect(self.navigator.hardwareConcurrency).toBe(2);
  });

  it('from a classic script loads other files until rows come, and then nothing that holds on to the function does', async () => {
    startWithPolicy(() => new Worker('https://site.example/a/worker.js'), 'nothing');
    const { asked, self, tell } = await begin(addresses[0]);
    const importScripts = self.importScripts.bind(self);
    expect('fetch' in self).toBe(false);
    tell({ call: 'core' });
    importScripts('parquet.js');
    expect(asked.splice(0).at(-1)).toBe('https://site.example/a/parquet.js');
    tell({ call: 'run' });
    expect(() => {
      importScripts('rows.js');
    }).toThrow('closed');
    expect(asked).toEqual([]);
  });

  it('does not replace the Worker of the page, even if starting fails', () => {
    startWithPolicy(open, 'nothing');
    expect(Worker).toBe(NotedWorker);
    expect(() =>
      startWithPolicy(() => {
        throw new Error('no');
      }, 'nothing'),
    ).toThrow('no');
    expect(Worker).toBe(NotedWorker);
  });

  it('is started from its address in an extension, which does not allow blobs', () => {
    vi.stubGlobal('location', new URL('chrome-extension://abc/page.html'));
    startWithPolicy(open, 'nothing');
    expect(addresses).toEqual(['https://site.example/a/worker.js']);
  });
});
