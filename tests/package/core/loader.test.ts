import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  compile,
  instantiate,
  ModuleFile,
  type Factory,
  type WasmSource,
} from '../../../web/package/src/core/loader.js';
import { failure } from '../support.js';

/** The smallest module there is. */
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
/** Another module, which every engine runs as well: with an empty section of a user. */
const OTHER = Uint8Array.of(...EMPTY, 0, 1, 0);
const DIGEST = createHash('sha256').update(EMPTY).digest('hex');

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a module that cannot be loaded', () => {
  it('says how to name its place where the script has no address', async () => {
    const file = new ModuleFile(() => new URL('./some.wasm', undefined), DIGEST);
    await failure(() => file.compiled(), {
      code: 'core-unavailable',
      message: /no address of its own.*import\.meta\.url.*load\(\{ wasm, worker \}\)/,
    });
    file.useFrom(EMPTY);
    expect(await file.compiled()).toBeInstanceOf(WebAssembly.Module);
  });

  it.each([
    ['an error', new Response('', { status: 404 }), /answered 404/],
    ['a page', new Response('<!doctype html>'), /something other than the \.wasm file/],
  ])('says what bundlers need where the server answers with %s', async (_, response, about) => {
    const error = await failure(() => compile(response, DIGEST), {
      code: 'core-unavailable',
      message: about,
    });
    expect(error.message).toContain('load({ wasm, worker })');
    expect(error.message).toContain("optimizeDeps: { exclude: ['private-moments'] }");
  });
});

describe('a module that the script was not built with', () => {
  const typed = { headers: { 'content-type': 'application/wasm' } };
  const ways: [string, (bytes: Uint8Array<ArrayBuffer>) => WasmSource][] = [
    ['a response', (bytes) => new Response(bytes)],
    ['a response of its type', (bytes) => new Response(bytes, typed)],
    ['bytes', (bytes) => bytes],
    ['a buffer', (bytes) => bytes.slice().buffer],
    ['a view into a buffer', (bytes) => new DataView(Uint8Array.of(7, ...bytes).buffer, 1)],
    [
      'an address',
      (bytes) => `data:application/wasm;base64,${Buffer.from(bytes).toString('base64')}`,
    ],
  ];

  it.each(ways)('is refused as %s, and what to do is said', async (_, as) => {
    expect(await compile(as(EMPTY), DIGEST)).toBeInstanceOf(WebAssembly.Module);
    expect(await WebAssembly.compile(OTHER)).toBeInstanceOf(WebAssembly.Module);
    const error = await failure(() => compile(as(OTHER), DIGEST), {
      code: 'wrong-module',
      message: /not the one that this script was built with.*nothing was run; reload/,
    });
    expect(error.message).toContain(DIGEST.slice(0, 8));
  });

  it('is refused where there is no WebCrypto, as on a page over http', async () => {
    vi.stubGlobal('crypto', { getRandomValues: () => undefined });
    expect(await compile(EMPTY, DIGEST)).toBeInstanceOf(WebAssembly.Module);
    await failure(() => compile(OTHER, DIGEST), { code: 'wrong-module' });
  });

  it('is what was checked, even if the caller changes the bytes meanwhile', async () => {
    const bytes = Uint8Array.of(...EMPTY, 0, 1, 0);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const compiling = compile(bytes, digest);
    bytes.fill(0, 8);
    expect(WebAssembly.Module.customSections(await compiling, '')).toHaveLength(1);
  });
});

describe('a module that stops', () => {
  type Options = Parameters<Factory>[0];
  interface Held {
    use(): string;
  }
  interface Core {
    work(): string;
    fail(error: unknown): void;
    other(): string;
    hold(): Held;
  }

  /** A class of Embind, which sets methods as properties. */
  const classOfHeld = (): new () => Held => {
    const prototype = { use: (): string => 'used' };
    return Object.assign(
      function () {
        return undefined;
      },
      { prototype },
    ) as unknown as new () => Held;
  };

  /** What Emscripten makes: an abort calls `onAbort`, and throws where that returns. */
  function factory(starting: (abort: () => never) => void = () => undefined): Factory {
    return (options: Options) => {
      const abort = (): never => {
        options.onAbort('OOM');
        throw new WebAssembly.RuntimeError('Aborted(OOM)');
      };
      const Held = classOfHeld();
      return new Promise((resolve) => {
        options.instantiateWasm({}, () => {
          starting(abort);
          const fail = (error: unknown): never => {
            throw error;
          };
          resolve({ work: abort, fail, other: () => 'done', hold: () => new Held(), Held });
        });
      });
    };
  }

  const module = new WebAssembly.Module(EMPTY);

  it('where memory is refused, says so to the call, and lets nobody use it any more', async () => {
    const onStop = vi.fn();
    const core = await instantiate<Core>(module, factory(), onStop);
    const held = core.hold();
    expect([core.other(), held.use()]).toEqual(['done', 'used']);
    expect(onStop).not.toHaveBeenCalled();
    await failure(() => core.work(), { code: 'out-of-memory', message: /close other tabs/ });
    expect(onStop).toHaveBeenCalledTimes(1);
    const later = { code: 'out-of-memory', message: /earlier call.*make it again/ } as const;
    await failure(() => core.other(), later);
    await failure(() => held.use(), later);
  });

  it('where memory is refused to a script in the middle of a call, says so', async () => {
    const onStop = vi.fn();
    const core = await instantiate<Core>(module, factory(), onStop);
    const refused = new RangeError('Array buffer allocation failed');
    await failure(
      () => {
        core.fail(refused);
      },
      { code: 'out-of-memory', message: /close other tabs/ },
    );
    expect(onStop).toHaveBeenCalledTimes(1);
    await failure(() => core.other(), { code: 'out-of-memory', message: /earlier call/ });
  });

  it.each([
    ['an instruction traps', new WebAssembly.RuntimeError('unreachable: 0.137')],
    ['the stack is full', new RangeError('Maximum call stack size exceeded')],
  ])('where %s, asks for a report without the words of the engine', async (_, error) => {
    const onStop = vi.fn();
    const core = await instantiate<Core>(module, factory(), onStop);
    const held = core.hold();
    const thrown = await failure(
      () => {
        core.fail(error);
      },
      {
        code: 'internal',
        message: /a fault in private-moments .* please report it/,
      },
    );
    expect(thrown.message).not.toContain(error.message);
    expect(onStop).toHaveBeenCalledTimes(1);
    const later = { code: 'internal', message: /earlier call.*make it again/ } as const;
    await failure(() => core.other(), later);
    await failure(() => held.use(), later);
  });

  it('goes on where a call was wrong from the start', async () => {
    const onStop = vi.fn();
    const core = await instantiate<Core>(module, factory(), onStop);
    const wrong = new TypeError('two arguments wanted');
    expect(() => {
      core.fail(wrong);
    }).toThrow(wrong);
    expect(onStop).not.toHaveBeenCalled();
    expect(core.other()).toBe('done');
  });

  it('where memory is refused while it starts, says so and leaves no rejection that nobody hears', async () => {
    const unheard = vi.fn();
    process.on('unhandledRejection', unheard);
    const starting = instantiate(
      module,
      factory((abort) => abort()),
    );
    await failure(() => starting, { code: 'out-of-memory' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unheard);
    expect(unheard).not.toHaveBeenCalled();
  });
});
