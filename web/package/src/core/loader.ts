import { FOR_NO_ADDRESS, forCore, forReading } from '../base/bundlers.js';
import { hashLarge, type UnsharedBytes } from '../base/binary.js';
import { faultOf, outOfMemory, PrivateMomentsError } from '../base/errors.js';
import { builtin } from '../base/host.js';
import { isForWantOfMemory } from '../base/memory.js';

type FileSource = string | URL | BufferSource | Response;

/** A source of a WebAssembly module: a URL, the bytes, a response, or the compiled module. */
export type WasmSource = FileSource | WebAssembly.Module;

/** A source, or what makes it at the first use. */
export type LazySource = WasmSource | (() => WasmSource);

/** The Emscripten glue of a module, which starts it. */
export type Factory = (options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  onAbort(reason: unknown): void;
}) => Promise<unknown>;

/** A module with one SIMD instruction: engines without SIMD reject it. */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/**
 * Compiles a module without instantiating it, so that the page and its workers share one module and a
 * failed download becomes an error of ours.
 * @param sha256 of the file that this script was built with, in hex. A module that is compiled already has
 * no bytes to compare: the program that compiled it vouches for it
 * @throws PrivateMomentsError `core-unavailable`, `wrong-module`
 */
export async function compile(source: WasmSource, sha256: string): Promise<WebAssembly.Module> {
  if (!WebAssembly.validate(SIMD_PROBE)) {
    throw unavailable('this browser has no WebAssembly SIMD; update it');
  }
  try {
    return await compileSource(source, sha256);
  } catch (cause) {
    if (cause instanceof PrivateMomentsError) throw cause;
    throw unavailable(
      `the WebAssembly core could not be loaded; check that ${forReading()}`,
      cause,
    );
  }
}

/** @throws PrivateMomentsError core-unavailable, in a script without an address, such as one that is not a module */
function placeOf(address: () => URL): URL {
  try {
    return address();
  } catch (cause) {
    throw unavailable(
      `the .wasm file cannot be found beside this script, which has no address of its own; ${FOR_NO_ADDRESS}`,
      cause,
    );
  }
}

/**
 * Starts a compiled module. Makes its own promise, because the factory's never settles if instantiation fails.
 * `T` is the module's interface, as bindings/ declares it. Once memory was refused to it, or one of its instructions
 * trapped, which only a fault of ours can cause, the module has stopped for good: that call throws `out-of-memory` or
 * `internal`, and so do all later ones.
 * @param onStop called when the module has stopped: another must take its place
 * @throws PrivateMomentsError `core-unavailable`, `out-of-memory`
 */
export function instantiate<T>(
  module: WebAssembly.Module,
  factory: Factory,
  onStop: () => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown): void => {
      reject(unavailable('the WebAssembly core could not be started', cause));
    };
    const state: State = {
      stop: (later) => {
        state.later = later;
        onStop();
      },
    };
    factory({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports)
          .then((instance) => {
            done(instance, module);
          })
          .catch(failed);
        return {};
      },
      onAbort() {
        // The core aborts where memory is refused, and nowhere else.
        const error = outOfMemory();
        state.stop(lostToMemory);
        reject(error);
        // Through the core to its caller, in place of an error of Emscripten's.
        throw error;
      },
    }).then((core) => {
      guard(core as Functions, state);
      resolve(core as T);
    }, failed);
  });
}

/** Whether a module has stopped. */
interface State {
  /** The error of every later call, once it has. */
  later?: () => PrivateMomentsError;
  stop(later: () => PrivateMomentsError): void;
}

type Functions = Record<string, unknown>;

/** Lets no call into a module that has stopped, as it left off in the middle of something. */
function guard(core: Functions, state: State): void {
  for (const held of Object.values(core)) {
    if (typeof held === 'function' && held.prototype) guardEach(held.prototype as Functions, state);
  }
  guardEach(core, state);
}

function guardEach(owner: Functions, state: State): void {
  for (const [name, held] of Object.entries(owner)) {
    if (typeof held !== 'function') continue;
    owner[name] = function (this: unknown, ...args: unknown[]): unknown {
      if (state.later !== undefined) throw state.later();
      try {
        return (held as (...args: unknown[]) => unknown).apply(this, args);
      } catch (error) {
        throw stoppedBy(error, state);
      }
    };
  }
}

/** The error of a call that threw. A trap, a full stack and a lack of memory leave the module half done: it stops. */
function stoppedBy(error: unknown, state: State): unknown {
  if (isForWantOfMemory(error)) {
    state.stop(lostToMemory);
    return outOfMemory();
  }
  if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) return error;
  state.stop(() => new PrivateMomentsError('internal', `the core failed ${LOST}`));
  return faultOf('core', error);
}

const LOST =
  'in an earlier call, and what this was made from is lost; make it again, moments with assemble';

function lostToMemory(): PrivateMomentsError {
  return outOfMemory(`memory ran out ${LOST}`);
}

/**
 * A .wasm file of the package, fetched and compiled once, at the first use. After a failure, the next
 * call tries again.
 */
export class ModuleFile {
  readonly #address: () => URL;
  readonly #sha256: string;
  #source: LazySource | undefined;
  #compiled: Promise<WebAssembly.Module> | undefined;

  /**
   * @param address the default URL, in a function so that the call site has the `new URL` that bundlers look for
   * @param sha256 of the file, wherever it is loaded from, in hex
   */
  constructor(address: () => URL, sha256: string) {
    this.#address = address;
    this.#sha256 = sha256;
  }

  useFrom(source: LazySource): void {
    this.#source = source;
    this.#compiled = undefined;
  }

  compiled(): Promise<WebAssembly.Module> {
    this.#compiled ??= this.#compile().catch((error: unknown) => {
      this.#compiled = undefined;
      throw error;
    });
    return this.#compiled;
  }

  async #compile(): Promise<WebAssembly.Module> {
    const source = this.#source ?? placeOf(this.#address);
    const made = typeof source === 'function' ? (source as () => WasmSource)() : source;
    return compile(made, this.#sha256);
  }
}

/** A .wasm file that is also started in this thread, at the first use and again after it has stopped. */
export class LazyModule<T> extends ModuleFile {
  readonly #factory: Factory;
  #started: Promise<T> | undefined;

  constructor(address: () => URL, sha256: string, factory: Factory) {
    super(address, sha256);
    this.#factory = factory;
  }

  override useFrom(source: LazySource): void {
    super.useFrom(source);
    this.#started = undefined;
  }

  started(): Promise<T> {
    this.#started ??= this.compiled()
      .then((module) =>
        instantiate<T>(module, this.#factory, () => {
          this.#started = undefined;
        }),
      )
      .catch((error: unknown) => {
        this.#started = undefined;
        throw error;
      });
    return this.#started;
  }
}

async function compileSource(source: WasmSource, sha256: string): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = await bytesOf(source);
  const found = await hashLarge(bytes);
  if (found === sha256) return WebAssembly.compile(bytes);
  throw new PrivateMomentsError(
    'wrong-module',
    `the .wasm file is not the one that this script was built with (SHA-256 ${short(found)}, not ` +
      `${short(sha256)}), so nothing was run; reload, and if that does not help, install or deploy all files ` +
      'of one version of the package together',
  );
}

function short(digest: string): string {
  return `${digest.slice(0, 8)}...`;
}

/** The bytes of a file: a copy where they are the caller's, who could change them after they are checked. */
async function bytesOf(source: FileSource): Promise<UnsharedBytes> {
  if (source instanceof Response) return bytesOfResponse(source);
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
  }
  if (typeof source !== 'string' && !(source instanceof URL)) return new Uint8Array(source).slice();
  const base = (globalThis as { location?: { href: string } }).location?.href;
  const url = source instanceof URL ? source : new URL(source, base);
  const files = url.protocol === 'file:' ? builtin('node:fs/promises') : undefined;
  if (files) return files.readFile(url);
  return bytesOfResponse(await fetch(url, { credentials: 'same-origin' }));
}

async function bytesOfResponse(response: Response): Promise<UnsharedBytes> {
  if (!response.ok) {
    throw unavailable(`the server answered ${response.status} for the .wasm file; ${forCore()}`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] !== 0 || bytes[1] !== 0x61) {
    throw unavailable(`the server answered with something other than the .wasm file; ${forCore()}`);
  }
  return bytes;
}

function unavailable(message: string, cause?: unknown): PrivateMomentsError {
  return new PrivateMomentsError('core-unavailable', message, {}, cause);
}
